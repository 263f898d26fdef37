import { h, scrolling, shown } from "/elements/base.js";
import { ask } from "./api.js";

// The prediction for a row with its reasons, and the smallest change that alters it.
export function whatIf(at, view, picture) {
  const fields = new Map(), fixed = new Set();
  const answer = h("div", { "aria-live": "polite" });
  const wanted = h("select", { "aria-label": "wanted class", onchange: () => asked() }, h("option", { value: "" }, "any other class"), view.classes.map((name) => h("option", { value: name }, String(name))));
  const asked = async () => {
    const row = Object.fromEntries([...fields].map(([name, input]) => [name, input.value]));
    try {
      const found = await ask(`${at}/explain`, { row, fixed: [...fixed], to: wanted.value || null });
      if (found.decider !== undefined && found.decider >= -1) picture.light?.(found.decider);
      const proof = found.because.some((line) => /^[\s│├└]/.test(line));
      answer.replaceChildren(h("p", {}, h("b", {}, shown(found.prediction)), found.probabilities ? ` (${Object.entries(found.probabilities).map(([name, share]) => `${name} ${Math.round(100 * share)} %`).join(", ")})` : ""),
        proof ? h("pre", { class: "proof", tabindex: "0", "aria-label": "proof" }, found.text) : h("ul", {}, found.because.map((line) => h("li", {}, line))), found.almost.length ? h("p", { class: "muted" }, found.almost.join("; ")) : "",
        found.contrast ? h("p", { class: "contrast" }, found.contrast.text) : "");
    } catch (problem) { answer.replaceChildren(h("p", { class: "bad" }, problem.message)); }
  };
  const lines = view.inputs.map((column) => {
    const input = column.kind === "nominal"
      ? h("select", { "aria-label": column.name, onchange: asked }, h("option", { value: "" }, "missing"), column.values.map((value, k) => h("option", { value, selected: k === 0 }, String(value))))
      : h("input", { "aria-label": column.name, inputmode: column.kind === "numeric" ? "decimal" : null, placeholder: "missing", onchange: asked });
    fields.set(column.name, input);
    const keep = h("input", { type: "checkbox", "aria-label": `${column.name} cannot change`, onchange: () => { if (keep.checked) fixed.add(column.name); else fixed.delete(column.name); asked(); } });
    return h("tr", {}, h("th", { scope: "row" }, column.name), h("td", {}, input), view.contrasts ? h("td", {}, keep) : "");
  });
  return h("section", {}, h("h2", {}, "What if"), scrolling("values", h("table", {}, h("thead", {}, h("tr", {}, ["column", "value", ...(view.contrasts ? ["cannot change"] : [])].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, lines))),
    h("p", {}, view.contrasts ? ["smallest change to ", wanted, " "] : "", h("button", { type: "button", onclick: asked }, "Explain")), answer);
}
