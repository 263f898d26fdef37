// Ranking of search results (`html_search_scorer`). Sphinx gives equal scores to many results and sorts them by title;
// here a page or section whose title contains the query comes first, and pages that mention everything come last.
var Scorer = {
  score: ([page, title, anchor, , score]) => {
    const query = (new URLSearchParams(window.location.search).get("q") || "").trim().toLowerCase();
    const heading = title.toLowerCase().split(" > ").pop();
    if (query && heading.includes(query)) score += ((page.startsWith("api/") ? 10 : anchor ? 20 : 30) * query.length) / heading.length;
    if (/^(benchmarks|gallery|changes|canon|textbook|parameters|contributing|api\/bibliography)/.test(page)) score -= 8;
    return score;
  },

  // the values of Sphinx
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
