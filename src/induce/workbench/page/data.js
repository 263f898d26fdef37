import { colour, h } from "/elements/base.js";
import { ask } from "./api.js";
import { scripts } from "./scripts.js";

const BLOCK = 100;

// The columns with their kinds, holes and histograms; suspicions follow when they are found.
export async function dataPlace(main, { state }) {
  const at = `/api/sheets/${state.sheet}`;
  const found = await ask(`${at}/columns`);
  const said = h("p", { class: "bad", role: "alert" });
  const tell = async (change) => {
    try { await ask(`${at}/table`, change); dispatchEvent(new HashChangeEvent("hashchange")); } catch (problem) { said.textContent = problem.message; }
  };
  const target = h("select", { "aria-label": "target", onchange: () => tell({ target: target.value || null }) },
    h("option", { value: "" }, "nothing (find clusters)"), found.columns.map((each) => h("option", { value: each.name, selected: each.name === found.target }, each.name)));
  const doubts = h("section", { "aria-live": "polite" }, h("p", { class: "muted" }, "looking for suspicious columns …"));
  const table = h("div");
  main.replaceChildren(h("h1", {}, `${found.name || state.table.source}: ${found.rows.toLocaleString()} rows, ${found.columns.length} columns`), said,
    h("p", {}, "predict ", target, " ", h("a", { href: `#/${state.sheet}/learn` }, h("b", {}, "Learn →"))),
    found.classes.length ? h("p", {}, found.classes.map((name, k) => h("span", { style: { "margin-right": "1em" } }, h("span", { class: "swatch", style: { background: colour(k) } }), name))) : "",
    found.notes.length ? h("ul", {}, found.notes.map((each) => h("li", { class: "muted" }, each))) : "",
    h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, ["column", "is", "missing", "values"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.columns.map((each) => column(each, found, tell))))),
    doubts, h("h2", {}, "Rows"), table, scripts(state.python, state.command));
  rows(at, table);
  ask(`${at}/suspicions`).then((list) => doubts.replaceChildren(h("h2", {}, "Suspicious"), list.length ? h("ul", {}, list.map((each) =>
    h("li", {}, `${each.text} `, ...remedy(each, found.told, tell)))) : h("p", { class: "muted" }, "nothing")));
}

function column(each, found, tell) {
  const picture = document.createElement("induce-histogram");
  const kinds = each.name === found.target ? ["target", "nominal", "numeric"] : [each.kind, "nominal", "numeric", "ignore"];
  const now = each.name === found.target ? "target" : found.told.ignore.includes(each.name) || each.role === "ignore" ? "ignore" : each.role === "id" ? "identifier" : each.kind;
  const field = h("select", { "aria-label": `kind of ${each.name}`, onchange: () => tell(changed(found.told, each.name, field.value)) },
    [...new Set([now, ...kinds])].map((kind) => h("option", { value: kind, selected: kind === now }, kind)));
  const row = h("tr", {}, h("th", { scope: "row" }, each.name, each.unit ? ` (${each.unit})` : ""), h("td", {}, field),
    h("td", {}, each.missing ? `${each.missing.toLocaleString()} (${Math.round(100 * each.missing / found.rows)} %)` : ""),
    h("td", {}, each.bins.length ? picture : h("span", { class: "muted" }, `${each.distinct ?? 0} different values`),
      each.minimum !== undefined ? h("div", { class: "muted" }, `${each.minimum} … ${each.maximum}`) : each.bins.length ? h("div", { class: "muted" }, each.bins.slice(0, 4).map((bin) => bin.value).join(", "), each.bins.length > 4 ? ", …" : "") : ""));
  if (each.bins.length) picture.data = { ...each, classes: found.classes };
  return row;
}

// A column is in one list at most.
function changed(told, name, kind) {
  const lists = Object.fromEntries(["nominal", "numeric", "ignore"].map((key) => [key, told[key].filter((each) => each !== name)]));
  if (kind in lists) lists[kind].push(name);
  return lists;
}

function remedy(each, told, tell) {
  return Object.entries(each.remedy).filter(([what]) => what in told).map(([what, value]) => {
    const change = what === "missing" ? { missing: [...new Set([...told.missing, value])] } : changed(told, value, what);
    const name = { missing: `Read ${value} as missing`, ignore: `Ignore ${value}`, nominal: `${value} is nominal`, numeric: `${value} is numeric` }[what];
    return h("button", { type: "button", onclick: () => tell(change) }, name);
  });
}

// Rows come in blocks.
async function rows(at, place, start = 0) {
  const found = await ask(`${at}/rows?start=${start}&count=${BLOCK}`);
  const last = Math.min(found.total, start + BLOCK);
  place.replaceChildren(h("p", {}, `rows ${start + 1} to ${last} of ${found.total.toLocaleString()} `,
    h("button", { type: "button", disabled: start === 0, onclick: () => rows(at, place, Math.max(0, start - BLOCK)) }, "Earlier"), " ",
    h("button", { type: "button", disabled: last >= found.total, onclick: () => rows(at, place, start + BLOCK) }, "Later")),
  h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "rows", style: { "max-height": "20rem", overflow: "auto" } },
    h("table", {}, h("thead", {}, h("tr", {}, found.columns.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.rows.map((cells) => h("tr", {}, cells.map((cell) => h("td", {}, cell ?? "")))))))); 
}
