import { h } from "/elements/base.js";
import { scripts } from "./scripts.js";

const next = (state) => h("a", { href: `#/${state.sheet}/learn` }, h("b", {}, "Learn →"));

// Relations: the target, the background and the first examples.
export function relationsPlace(main, state, found, tell, said) {
  const { told } = found;
  const fields = [["target", "relation or table to learn"], ["label", "column with the classes"], ["ignore", "tables and columns to ignore"], ["negatives", "negative examples"]];
  const inputs = Object.fromEntries(fields.map(([name]) => [name, h("input", { type: "text", value: name === "ignore" ? told.ignore.join(", ") : told[name] ?? "" })]));
  const set = (event) => {
    event.preventDefault();
    tell({ target: inputs.target.value || null, label: inputs.label.value || null, negatives: inputs.negatives.value || null,
      ignore: inputs.ignore.value.split(",").map((text) => text.trim()).filter(Boolean) });
  };
  main.replaceChildren(h("h1", {}, "Relations"), said, found.problem ? h("p", { class: "bad", role: "alert" }, found.problem) : h("p", {}, found.text, " ", next(state)),
    h("form", { onsubmit: set }, fields.map(([name, text]) => h("label", { class: "field" }, h("span", {}, name), inputs[name], h("span", { class: "muted" }, text))), h("p", {}, h("button", { type: "submit" }, "Set"))),
    found.relations.length ? h("section", {}, h("h2", {}, "Background"), h("table", {}, h("thead", {}, h("tr", {}, ["relation", "facts"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.relations.map((each) => h("tr", {}, h("th", { scope: "row" }, each.name), h("td", {}, each.facts === null ? "rules" : each.facts.toLocaleString())))))) : "",
    found.examples.length ? h("section", {}, h("h2", {}, "Examples"), h("div", { class: "wide block", tabindex: "0", role: "region", "aria-label": "examples" }, h("table", {}, h("thead", {}, h("tr", {}, ["example", "class"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.examples.map((each) => h("tr", {}, h("td", {}, each.text), h("td", {}, each.class))))))) : "",
    scripts(state.python, state.command));
}

// An environment with its parameters, or a game with its initial position.
export function worldPlace(main, state, found, tell, said) {
  const settings = found.told.settings;
  const inputs = found.parameters.filter((each) => !each.default.includes("\n")).map((each) => [each, h("input", { type: "text", value: settings[each.name] ?? "", placeholder: each.default === "None" ? "" : each.default })]);
  const set = (event) => {
    event.preventDefault();
    tell({ settings: Object.fromEntries(inputs.filter(([each, input]) => input.value !== "" && input.value !== each.default).map(([each, input]) => [each.name, input.value])) });
  };
  main.replaceChildren(h("h1", {}, `${state.table.source}: ${found.game ? found.summary : "an environment"}`), said, h("p", {}, found.game ? "" : `${found.summary} `, next(state)),
    h("pre", { tabindex: "0", "aria-label": found.game ? "initial position" : "environment" }, found.text),
    inputs.length ? h("form", { onsubmit: set }, inputs.map(([each, input]) => h("label", { class: "field" }, h("span", {}, each.name), input, h("span", { class: "muted" }, each.default === "None" ? "" : `default: ${each.default}`))), h("p", {}, h("button", { type: "submit" }, "Set"))) : "",
    scripts(state.python, state.command));
}
