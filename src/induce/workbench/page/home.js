import { h } from "/elements/base.js";
import { ask, named, send } from "./api.js";

// Sources: files, shipped tables, environments and games.
export function home(main, start) {
  const said = h("p", { class: "bad", role: "alert" });
  const open = async (source) => {
    try { location.hash = `#/${(await ask("/api/sheets", { source })).sheet}/data`; } catch (problem) { said.textContent = problem.message; }
  };
  // an Aleph problem has several files (.b, .f, .n); the first one identifies it
  const file = h("input", { type: "file", multiple: true, "aria-label": "file", onchange: async () => {
    try {
      const kept = [];
      for (const each of file.files) kept.push(await send(each));
      if (kept.length) await open(kept[0]);
    } catch (problem) { said.textContent = problem.message; }
  } });
  const cards = (list) => h("ul", { class: "cards" }, list.map((each) => h("li", {},
    h("button", { type: "button", onclick: () => open(each.name) }, each.name), each.description ? h("div", { class: "muted" }, each.description) : "")));
  const games = start.games.map((name) => ({ name }));
  const worlds = start.environments.map((each) => ({ name: each.name, description: each.summary }));
  main.replaceChildren(h("h1", {}, "Open data"),
    h("p", {}, h("label", {}, "Open a table, Prolog files or an SQLite file: ", file)),
    h("p", { class: "muted" }, "Open another database from the command line: ", h("code", {}, "induce workbench postgresql://host/database")), said,
    start.sheets.length ? h("section", {}, h("h2", {}, "Recent sheets"), h("ul", {}, start.sheets.map((each) =>
      h("li", {}, h("a", { href: `#/${each.name}/data` }, `${each.name}: ${named(each.source)}`))))) : "",
    h("p", {}, h("a", { href: "#/play" }, "Play an algorithm step by step")),
    h("h2", {}, "Shipped tables"), cards(start.datasets), h("h2", {}, "Environments"), cards(worlds), h("h2", {}, "Games"), cards(games));
}
