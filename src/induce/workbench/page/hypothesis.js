import { h, shown } from "/elements/base.js";
import { ask } from "./api.js";
import { scripts } from "./scripts.js";

const ELEMENTS = { tree: "induce-tree", rules: "induce-rules", nomogram: "induce-nomogram", lattice: "induce-lattice" };

// What a run learned, and beside it what if, rows and error.
export async function hypothesisPlace(main, { state, more }) {
  const ready = state.runs.filter((run) => run.size);
  if (!ready.length) {
    main.replaceChildren(h("h1", {}, "Hypothesis"), h("p", {}, "There is none yet. ", h("a", { href: `#/${state.sheet}/learn` }, "Learn one.")));
    return;
  }
  const run = ready.find((each) => String(each.run) === more) ?? ready.at(-1);
  const at = `/api/sheets/${state.sheet}/runs/${run.run}`;
  const view = await ask(`${at}/view`);
  const picture = document.createElement(ELEMENTS[view.view] ?? "div");
  const choice = h("select", { "aria-label": "run", onchange: () => { location.hash = `#/${state.sheet}/hypothesis/${choice.value}`; } },
    ready.map((each) => h("option", { value: each.run, selected: each === run }, `run ${each.run}: ${each.learner}`)));
  const rows = h("section", { "aria-live": "polite" });
  main.replaceChildren(h("h1", {}, `${run.learner}: ${view.size}`), h("p", {}, choice),
    run.notes.length ? h("ul", {}, run.notes.map((each) => h("li", { class: "muted" }, each))) : "",
    h("div", { class: "two" }, h("section", {}, h("h2", {}, "Hypothesis"), picture, rows),
      h("div", {}, error(run), view.explains && view.inputs.length ? whatIf(at, view, picture) : "", away(at, view))),
    scripts(run.python, run.command));
  if (ELEMENTS[view.view]) {
    picture.data = view;
    if (view.parts) picture.addEventListener("choose", (event) => showRows(at, rows, event.detail.part));
  } else {
    if (view.picture) picture.append(h("img", { src: `${at}/export/svg?show=1`, alt: `picture of the hypothesis: ${view.size}` }));
    picture.append(h("pre", { tabindex: "0" }, view.text));
  }
}

function error(run) {
  const place = h("section", {}, h("h2", {}, "Error"));
  if (!run.error) { place.append(h("p", { class: "muted" }, "not estimated")); return place; }
  const picture = document.createElement("induce-error");
  place.append(picture);
  picture.data = run.error;
  return place;
}

async function showRows(at, place, part) {
  const found = await ask(`${at}/rows?part=${part}`);
  place.replaceChildren(h("h2", {}, "Rows"), h("p", {}, `${found.total} rows end here, ${found.wrong} of them wrong${found.rows.length < found.total ? `; the first ${found.rows.length}` : ""}`),
    h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "rows of the part", style: { "max-height": "22rem", overflow: "auto" } }, h("table", {}, h("thead", {}, h("tr", {}, ["row", ...found.columns].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.rows.map((cells, k) => h("tr", { class: found.marked[k] ? "wrong" : null }, [found.numbers[k], ...cells].map((cell) => h("td", {}, cell ?? ""))))))));
}

function whatIf(at, view, picture) {
  const fields = new Map(), fixed = new Set();
  const answer = h("div", { "aria-live": "polite" });
  const wanted = h("select", { "aria-label": "wanted class", onchange: () => asked() }, h("option", { value: "" }, "any other class"), view.classes.map((name) => h("option", { value: name }, name)));
  const asked = async () => {
    const row = Object.fromEntries([...fields].map(([name, input]) => [name, input.value]));
    try {
      const found = await ask(`${at}/explain`, { row, fixed: [...fixed], to: wanted.value || null });
      if (found.decider !== undefined && found.decider >= -1) picture.light?.(found.decider);
      answer.replaceChildren(h("p", {}, h("b", {}, shown(found.prediction)), found.probabilities ? ` (${Object.entries(found.probabilities).map(([name, share]) => `${name} ${Math.round(100 * share)} %`).join(", ")})` : ""),
        h("ul", {}, found.because.map((line) => h("li", {}, line))), found.almost.length ? h("p", { class: "muted" }, found.almost.join("; ")) : "",
        found.contrast ? h("p", { class: "contrast" }, found.contrast.text) : "");
    } catch (problem) { answer.replaceChildren(h("p", { class: "bad" }, problem.message)); }
  };
  const lines = view.inputs.map((column) => {
    const input = column.kind === "nominal"
      ? h("select", { onchange: asked }, h("option", { value: "" }, "missing"), column.values.map((value, k) => h("option", { value, selected: k === 0 }, String(value))))
      : h("input", { inputmode: "decimal", placeholder: "missing", onchange: asked });
    fields.set(column.name, input);
    const keep = h("input", { type: "checkbox", "aria-label": `${column.name} cannot change`, onchange: () => { if (keep.checked) fixed.add(column.name); else fixed.delete(column.name); asked(); } });
    return h("tr", {}, h("th", { scope: "row" }, column.name), h("td", {}, h("label", {}, h("span", { hidden: true }, column.name), input)), h("td", {}, view.contrasts ? keep : ""));
  });
  for (const [name, input] of fields) input.setAttribute("aria-label", name);
  const place = h("section", {}, h("h2", {}, "What if"), h("table", {}, h("thead", {}, h("tr", {}, ["column", "value", view.contrasts ? "cannot change" : ""].map((name) => h("td", {}, name)))), h("tbody", {}, lines)),
    h("p", {}, view.contrasts ? ["smallest change for ", wanted, " "] : "", h("button", { type: "button", onclick: asked }, "Explain")), answer);
  return place;
}

function away(at, view) {
  const forms = ["model", "script", "command", "report", ...view.forms.filter((form) => !["html", "tree", "statistics"].includes(form))];
  return h("section", {}, h("h2", {}, "Take away"), h("p", {}, forms.map((form) => [h("a", { href: `${at}/export/${form}`, download: "" }, form), " "])));
}
