import { h } from "/elements/base.js";
import { ask, send } from "./api.js";
import { errorPart } from "./assessment.js";
import { scripts } from "./scripts.js";
import { whatIf } from "./what_if.js";

const VIEWS = ["tree", "rules", "nomogram", "lattice", "network", "neural", "clauses", "clusters", "policy", "votes"];

// The hypothesis of a run, with its error, what-if analysis, rows and exports.
export async function hypothesisPlace(main, { state, start, more }) {
  const ready = state.runs.filter((run) => run.size);
  if (!ready.length) {
    main.replaceChildren(h("h1", {}, "Hypothesis"), h("p", {}, "Nothing has been learned yet. ", h("a", { href: `#/${state.sheet}/learn` }, "Learn one.")));
    return;
  }
  const run = ready.find((each) => String(each.run) === more) ?? ready.at(-1);
  const at = `/api/sheets/${state.sheet}/runs/${run.run}`;
  const view = await ask(`${at}/view`);
  const drawn = VIEWS.includes(view.view);
  const picture = document.createElement(drawn ? `induce-${view.view}` : "div");
  const choice = h("select", { "aria-label": "run", onchange: () => { location.hash = `#/${state.sheet}/hypothesis/${choice.value}`; } },
    ready.map((each) => h("option", { value: each.run, selected: each === run }, `run ${each.run}: ${each.name}`)));
  const rows = h("div", { "aria-live": "polite" });
  const text = drawn && view.text && !["lattice"].includes(view.view) ? h("details", {}, h("summary", {}, "As text"), h("pre", { tabindex: "0", "aria-label": "hypothesis as text" }, view.text)) : "";
  main.replaceChildren(h("h1", {}, `${run.learner}: ${view.size || view.type}`), h("p", {}, choice),
    run.notes.length ? h("ul", {}, run.notes.map((each) => h("li", { class: "muted" }, each))) : "",
    h("div", { class: "two" }, h("section", {}, h("h2", {}, "Hypothesis"), picture, text, rowsPart(at, view, state, rows)),
      h("div", {}, errorPart(state, run, view), view.explains && view.inputs.length ? whatIf(at, view, picture) : "",
        start.games.includes(state.table.source) ? h("p", {}, h("a", { href: `#/${state.sheet}/play/game` }, "Play against it →")) : "", away(at, view, state))),
    scripts(run.python, run.command));
  if (drawn) {
    picture.data = view;
    if (view.parts) picture.addEventListener("choose", (event) => showRows(at, rows, `part=${event.detail.part}`));
  } else {
    if (view.picture) picture.append(h("img", { src: `${at}/export/svg?show=1`, alt: `picture of the hypothesis: ${view.size}` }));
    picture.append(h("pre", { tabindex: "0", "aria-label": "hypothesis as text" }, view.text));
  }
}

// All rows, those of a node or rule, or those of a second file; errors first.
function rowsPart(at, view, state, place) {
  if (state.kind === "world" || (!view.inputs.length && state.kind === "table")) return "";
  const file = h("input", { type: "file", "aria-label": "second file", onchange: async () => {
    try { await showRows(at, place, `second=${encodeURIComponent(await send(file.files[0]))}`, file.files[0].name); } catch (problem) { place.replaceChildren(h("p", { class: "bad" }, problem.message)); }
  } });
  return h("section", {}, h("h2", {}, "Rows"), h("p", {}, view.parts ? "select a node or rule, or show " : "", h("button", { type: "button", onclick: () => showRows(at, place, "") }, "All rows"),
    state.kind === "table" ? h("label", {}, " or predict a second file: ", file) : ""), place);
}

async function showRows(at, place, query, name = "") {
  let found;
  try { found = await ask(`${at}/rows?${query}`); } catch (problem) { place.replaceChildren(h("p", { class: "bad" }, problem.message)); return; }
  const where = name ? `rows in ${name}` : query ? "rows in this part" : "rows";
  place.replaceChildren(h("p", {}, `${found.total} ${where}${found.wrong === null ? "" : `, ${found.wrong} misclassified`}${found.rows.length < found.total ? `; the first ${found.rows.length}` : ""}`),
    h("div", { class: "wide block", tabindex: "0", role: "region", "aria-label": "rows of the part" }, h("table", {}, h("thead", {}, h("tr", {}, ["row", ...found.columns].map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, found.rows.map((cells, k) => h("tr", { class: found.marked[k] ? "wrong" : null }, [found.numbers[k], ...cells].map((cell) => h("td", {}, cell ?? ""))))))));
}

function away(at, view, state) {
  const forms = ["model", "script", "command", "report", ...view.forms.filter((form) => !["html", "tree", "statistics"].includes(form))];
  return h("section", {}, h("h2", {}, "Export"), h("p", {}, forms.map((form) => [h("a", { href: `${at}/export/${form}`, download: "" }, form), " "]),
    state.kind === "table" ? h("a", { href: `/api/sheets/${state.sheet}/schema`, download: "" }, "schema") : ""));
}
