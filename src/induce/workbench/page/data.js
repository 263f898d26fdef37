import { colour, h, scrolling } from "/elements/base.js";
import { ask, send } from "./api.js";
import { relationsPlace, worldPlace } from "./sources.js";
import { scripts } from "./scripts.js";

const BLOCK = 100;
const KINDS = ["nominal", "numeric", "text", "identifier", "ignore"];

// The columns with kinds, missing values and histograms; suspicions are loaded later.
export async function dataPlace(main, { state }) {
  const at = `/api/sheets/${state.sheet}`;
  const found = await ask(`${at}/columns`);
  const said = h("p", { class: "bad", role: "alert" });
  const tell = async (change, path = "table") => {
    try { await ask(`${at}/${path}`, change); dispatchEvent(new HashChangeEvent("hashchange")); } catch (problem) { said.textContent = problem.message; }
  };
  if (found.kind === "relations") { relationsPlace(main, state, found, tell, said); return; }
  if (found.kind === "world") { worldPlace(main, state, found, tell, said); return; }
  const target = h("select", { "aria-label": "target", onchange: () => tell({ target: target.value || null }) },
    h("option", { value: "" }, "no target (find clusters)"), found.columns.map((each) => h("option", { value: each.name, selected: each.name === found.target }, each.name)));
  const doubts = h("section", { "aria-live": "polite" }, h("p", { class: "muted" }, "checking for suspicious columns …"));
  const table = h("div");
  main.replaceChildren(h("h1", {}, `${found.name || state.table.source}: ${found.rows.toLocaleString()} rows, ${found.columns.length} columns`), said,
    h("p", {}, "predict ", target, " ", h("a", { href: `#/${state.sheet}/learn` }, h("b", {}, "Learn →"))),
    (found.likely || []).length ? h("p", { role: "status" }, "Which column is to be predicted? The likeliest: ",
      found.likely.map((name) => h("button", { type: "button", onclick: () => tell({ target: name }) }, name))) : "",
    found.classes.length ? h("p", {}, found.classes.map((name, k) => h("span", { class: "class" }, h("span", { class: "swatch", style: { background: colour(k) } }), name))) : "",
    found.notes.length ? h("ul", {}, found.notes.map((each) => h("li", { class: "muted" }, each))) : "",
    scrolling("columns", h("table", {}, h("thead", {}, h("tr", {}, ["column", "kind", "missing", "values"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.columns.map((each) => column(each, found, tell))))),
    doubts, more(state, at, found, tell, said), h("h2", {}, "Rows"), table, scripts(state.python, state.command));
  rows(at, table);
  ask(`${at}/suspicions`).then((list) => doubts.replaceChildren(h("h2", {}, "Suspicious columns"), list.length ? h("ul", {}, list.map((each) =>
    h("li", {}, `${each.text} `, ...remedy(each, found.told, tell)))) : h("p", { class: "muted" }, "none")));
}

function column(each, found, tell) {
  const picture = document.createElement("induce-histogram");
  const own = each.name === found.target;
  const now = own ? "target" : found.told.ignore.includes(each.name) || each.role === "ignore" ? "ignore" : each.role === "id" ? "identifier" : each.kind;
  const kinds = own ? ["target", "nominal", "numeric"] : [now, ...KINDS];
  const field = h("select", { "aria-label": `kind of ${each.name}`, onchange: () => tell(changed(found.told, each.name, field.value)) },
    [...new Set(kinds)].map((kind) => h("option", { value: kind, selected: kind === now }, kind)));
  const row = h("tr", {}, h("th", { scope: "row" }, each.name, each.unit ? ` (${each.unit})` : ""), h("td", {}, field, each.kind === "nominal" && !own && each.bins.length ? order(each, found, tell) : "", ["target", "ignore", "identifier"].includes(now) ? "" : measured(each, found, tell)),
    h("td", {}, each.missing ? `${each.missing.toLocaleString()} (${Math.round(100 * each.missing / found.rows)} %)` : ""),
    h("td", {}, each.bins.length ? picture : h("span", { class: "muted" }, `${each.distinct ?? 0} distinct values`),
      each.minimum !== undefined ? h("div", { class: "muted" }, `${each.minimum} … ${each.maximum}`) : each.bins.length ? h("div", { class: "muted" }, each.bins.slice(0, 4).map((bin) => bin.value).join(", "), each.bins.length > 4 ? ", …" : "") : ""));
  if (each.bins.length) picture.data = { ...each, classes: found.classes };
  return row;
}

// The order of the values of a nominal column.
function order(each, found, tell) {
  const ordered = found.ordered.includes(each.name);
  const field = h("input", { type: "text", size: 24, "aria-label": `order of ${each.name}`, value: each.bins.map((bin) => bin.value).join(", ") });
  return h("details", {}, h("summary", {}, ordered ? "ordered" : "order"), field, " ",
    h("button", { type: "button", onclick: () => tell({ columns: { [each.name]: { kind: "nominal", ordered: true, domain: field.value.split(",").map((text) => text.trim()).filter(Boolean) } } }) }, "Set order"),
    ordered ? h("button", { type: "button", onclick: () => tell({ columns: { [each.name]: { ordered: false } } }) }, "Remove order") : "");
}

// The cost of measuring a column, and its unit.
function measured(each, found, tell) {
  const now = found.costs[each.name], numeric = each.kind === "numeric";
  const cost = h("input", { type: "number", min: 0, step: "any", "aria-label": `cost of ${each.name}`, value: now });
  const unit = h("input", { type: "text", size: 6, "aria-label": `unit of ${each.name}`, value: each.unit, placeholder: "kg" });
  const said = [now === 1 ? "" : `cost ${now}`, numeric && each.unit ? `in ${each.unit}` : ""].filter(Boolean).join(", ");
  const set = () => tell({ columns: { [each.name]: { cost: cost.value === "" ? 1 : Number(cost.value), ...(numeric ? { unit: unit.value.trim() } : {}) } } });
  return h("details", {}, h("summary", {}, said || (numeric ? "cost, unit" : "cost")), h("label", {}, "cost ", cost), " ", numeric ? h("label", {}, "unit ", unit, " ") : "",
    h("button", { type: "button", onclick: set }, "Set"));
}

// A column is in at most one list; texts and identifiers are declared in the schema file.
function changed(told, name, kind) {
  const lists = Object.fromEntries(["nominal", "numeric", "ignore"].map((key) => [key, told[key].filter((each) => each !== name)]));
  if (kind in lists) lists[kind].push(name);
  if (kind === "text") return { ...lists, columns: { [name]: { kind: "text", role: "input" } } };
  if (kind === "identifier") return { ...lists, columns: { [name]: { role: "id" } } };
  return told.schema && kind !== "ignore" && kind !== "target" ? { ...lists, columns: { [name]: { kind, role: "input" } } } : lists;
}

// Codes of missing values, the schema file, and locked rows.
function more(state, at, found, tell, said) {
  const codes = h("input", { type: "text", "aria-label": "codes of missing values", value: found.told.missing.join(", "), placeholder: "-999, unknown" });
  const schema = h("input", { type: "file", "aria-label": "schema file", accept: ".json,.toml", onchange: async () => {
    try { await tell({ schema: await send(schema.files[0]) }); } catch (problem) { said.textContent = problem.message; }
  } });
  const share = h("input", { type: "number", min: 1, max: 90, value: 25, "aria-label": "percent of locked rows" });
  return h("details", {}, h("summary", {}, "Missing values, schema, locked rows"),
    h("p", {}, h("label", {}, "codes of missing values: ", codes), " ", h("button", { type: "button", onclick: () => tell({ missing: codes.value.split(",").map((text) => text.trim()).filter(Boolean) }) }, "Set")),
    h("p", {}, h("a", { href: `${at}/schema`, download: "" }, "Download the schema"), h("label", {}, " or upload one: ", schema)),
    state.table.test ? h("p", {}, "Some rows are locked for one final test; run it on the Hypothesis page.")
      : found.target ? h("p", {}, "lock ", share, " % of the rows for one final test ", h("button", { type: "button", onclick: () => tell({ share: Number(share.value) / 100 }, "lock") }, "Lock")) : "");
}

function remedy(each, told, tell) {
  return Object.entries(each.remedy).filter(([what]) => what in told).map(([what, value]) => {
    const change = what === "missing" ? { missing: [...new Set([...told.missing, value])] } : changed(told, value, what);
    const name = { missing: `Read ${value} as missing`, ignore: `Ignore ${value}`, nominal: `${value} is nominal`, numeric: `${value} is numeric` }[what];
    return h("button", { type: "button", onclick: () => tell(change) }, name);
  });
}

// One block of rows.
async function rows(at, place, start = 0) {
  const found = await ask(`${at}/rows?start=${start}&count=${BLOCK}`);
  const last = Math.min(found.total, start + BLOCK);
  place.replaceChildren(h("p", {}, `rows ${start + 1} to ${last} of ${found.total.toLocaleString()} `,
    h("button", { type: "button", disabled: start === 0, onclick: () => rows(at, place, Math.max(0, start - BLOCK)) }, "Previous"), " ",
    h("button", { type: "button", disabled: last >= found.total, onclick: () => rows(at, place, start + BLOCK) }, "Next")),
  h("div", { class: "wide block", tabindex: "0", role: "region", "aria-label": "rows" },
    h("table", {}, h("thead", {}, h("tr", {}, found.columns.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.rows.map((cells) => h("tr", {}, cells.map((cell) => h("td", {}, cell ?? ""))))))));
}
