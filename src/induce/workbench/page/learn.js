import { h, scrolling } from "/elements/base.js";
import { ask } from "./api.js";
import { experimentPart } from "./experiments.js";
import { isBusy, poll, progress } from "./jobs.js";
import { scripts } from "./scripts.js";

// The learners for this source, the form of one of them, and the runs.
export async function learnPlace(main, { state, more }) {
  const at = `/api/sheets/${state.sheet}`;
  const list = h("section", { "aria-live": "polite" });
  const found = await ask(`${at}/catalogue`);
  const chosen = more || found.advised[0]?.name || found.groups[0]?.learners[0]?.name;
  const form = h("section");
  main.replaceChildren(h("h1", {}, "Learn"), h("p", { class: "muted" }, found.facts.join(", ")),
    h("div", { class: "two" }, h("section", {}, h("h2", {}, "Recommended"), h("ul", {}, found.advised.map((each) =>
      h("li", {}, h("a", { href: `#/${state.sheet}/learn/${each.name}` }, each.name), `: ${each.reason}`))),
    found.groups.map((group) => h("details", {}, h("summary", {}, `${group.purpose} (${group.learners.length})`), h("ul", {}, group.learners.map((each) =>
      h("li", {}, h("a", { href: `#/${state.sheet}/learn/${each.name}` }, each.name), `: ${each.summary}`))))),
    Object.keys(found.left_out).length ? h("details", {}, h("summary", {}, `not applicable to this ${state.kind === "table" ? "table" : "source"} (${Object.keys(found.left_out).length})`), h("ul", {}, Object.entries(found.left_out).map(([name, why]) => h("li", {}, `${name}: ${why}`)))) : "",
    state.kind === "table" ? experimentPart(state) : ""),
    h("div", {}, form, list)));
  if (chosen) await learnerForm(form, state, chosen, list);
  watch(list, state);
}

async function learnerForm(place, state, name, list) {
  const found = await ask(`/api/learners/${name}`);
  const fields = new Map();
  const field = (each) => {
    const input = asked(each);
    fields.set(each.name, input);
    return h("label", { class: "field" }, h("span", {}, each.name), input, h("span", { class: "muted" }, each.help));
  };
  const cv = h("input", { type: "number", min: 2, value: 10 });
  const seed = h("input", { type: "number", min: 0, placeholder: "none" });
  const said = h("p", { class: "bad", role: "alert" });
  const begin = async (event) => {
    event.preventDefault();
    const settings = {};
    for (const [key, input] of fields) if (input.value !== "" && input.value !== input.dataset.usual) settings[key] = input.value;
    try {
      await ask(`/api/sheets/${state.sheet}/runs`, { learner: name, settings, cv: Number(cv.value), seed: seed.value });
      said.textContent = "";
      watch(list, state);
    } catch (problem) { said.textContent = problem.message; }
  };
  const usual = found.parameters.filter((each) => !each.rare), rare = found.parameters.filter((each) => each.rare && each.form.kind !== "other");
  place.replaceChildren(h("h2", {}, name), h("p", {}, `${found.summary}.`), h("form", { onsubmit: begin },
    h("p", {}, h("button", { type: "submit", class: "main" }, `Run ${name}`)), said,
    h("details", {}, h("summary", {}, "Parameters"), usual.map(field),
      state.kind === "world" ? "" : h("label", { class: "field" }, h("span", {}, "folds"), cv, h("span", { class: "muted" }, "Number of folds of the cross-validation.")),
      h("label", { class: "field" }, h("span", {}, "seed"), seed, h("span", { class: "muted" }, "Random seed.")),
      rare.length ? h("details", {}, h("summary", {}, "Advanced"), rare.map(field)) : "")));
}

function asked(each) {
  const { kind, choices = [], range = {}, none } = each.form;
  let input;
  if (kind === "choice" || kind === "truth") {
    const words = [...(kind === "truth" ? ["true", "false"] : choices), ...(none ? ["none"] : [])];
    input = h("select", {}, [...new Set([each.default, ...words])].map((word) => h("option", { value: word, selected: word === each.default }, word)));
  } else input = h("input", { value: each.default, inputmode: kind === "whole" || kind === "number" ? "decimal" : null, title: each.values, "data-low": range.at_least ?? null });
  input.dataset.usual = each.default;
  return input;
}

// The runs, polled while one is running.
function watch(place, state) {
  return poll(place, state.sheet, (now) => {
    const others = now.others.filter((job) => job.kind === "experiment");
    place.replaceChildren(...(now.runs.length ? [h("h2", {}, "Runs"), scrolling("runs", h("table", {}, h("thead", {}, h("tr", {}, ["run", "learner", "error", "interval", "size", "time", "result"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, [...now.runs].reverse().map((run) => line(run, state, () => watch(place, state)))))), scripts(now.runs.at(-1).python, now.runs.at(-1).command)] : []),
    ...others.map((job) => experiment(job, state, () => watch(place, state))));
  });
}

function line(run, state, again) {
  const set = Object.entries(run.settings).map(([name, text]) => `${name}=${text}`).join(" ");
  const head = [h("td", {}, run.run), h("td", {}, run.learner, set ? h("div", { class: "muted" }, set) : "")];
  if (run.state === "done" || (run.state === "stopped" && run.size)) {
    const { error } = run;
    return h("tr", {}, head, h("td", {}, error ? error.value.toPrecision(3) : "", error && error.measure !== "error" ? h("div", { class: "muted" }, error.measure) : ""), h("td", {}, error && error.low !== null ? `${error.low.toPrecision(2)} … ${error.high.toPrecision(2)}` : ""),
      h("td", {}, run.size), h("td", { class: "whole" }, `${run.seconds.toFixed(2)} s`), h("td", { class: "whole" }, h("a", { href: `#/${state.sheet}/hypothesis/${run.run}` }, run.state === "stopped" ? "Hypothesis (stopped early)" : "Hypothesis →")));
  }
  if (!isBusy(run)) return h("tr", {}, head, h("td", { colspan: 5, class: "bad" }, run.state === "failed" ? `failed: ${run.problem}` : "stopped"));
  return h("tr", {}, head, h("td", { colspan: 5 }, progress(run, state.sheet, again)));
}

function experiment(job, state, again) {
  const parts = isBusy(job) ? h("p", {}, progress(job, state.sheet, again)) : job.state === "done"
    ? [h("pre", { tabindex: "0", "aria-label": "results" }, job.text), h("p", {}, job.says, ` ${job.done} cells done${job.failed ? `, ${job.failed} failed` : ""}. `, h("a", { href: `/api/sheets/${state.sheet}/runs/${job.run}/report`, target: "_blank" }, "Open the report"))]
    : h("p", { class: "bad" }, job.state === "failed" ? `failed: ${job.problem}` : "stopped");
  return h("section", {}, h("h2", {}, `Experiment (run ${job.run})`), parts, scripts(job.python, job.command));
}
