import { h, scrolling } from "/elements/base.js";
import { ask } from "./api.js";
import { isBusy, poll, progress } from "./jobs.js";
import { scripts } from "./scripts.js";

// The estimate of a run, with comparisons, the learning curve and the test on locked rows.
export function errorPart(state, run, view) {
  const measure = run.error?.measure ?? "error";
  const place = h("section", {}, h("h2", {}, `${measure[0].toUpperCase()}${measure.slice(1)}`));
  if (run.error) {
    const picture = document.createElement("induce-error");
    place.append(picture);
    picture.data = { ...run.error, classes: view.classes };
  } else place.append(h("p", { class: "muted" }, "not estimated"));
  if (state.kind === "world") return place;
  const said = h("p", { class: "bad", role: "alert" });
  const done = h("div", { "aria-live": "polite" });
  const show = () => poll(done, state.sheet, (now) => {
    const own = now.others.filter((job) => job.of?.includes(run.run));
    done.replaceChildren(...[...own].reverse().map((job) => result(job, now, show, view)));
  });
  const begin = async (job, runs) => {
    try { await ask(`/api/sheets/${state.sheet}/jobs`, { job, runs }); said.textContent = ""; show(); } catch (problem) { said.textContent = problem.message; }
  };
  const rivals = state.runs.filter((each) => each.size && each.name !== run.name);
  const rival = h("select", { "aria-label": "compare with", onchange: () => { if (rival.value) begin("compare", [run.run, Number(rival.value)]); rival.value = ""; } },
    h("option", { value: "" }, "compare with …"), rivals.map((each) => h("option", { value: each.run }, `run ${each.run}: ${each.name}`)));
  place.append(h("p", {}, rivals.length ? [rival, " "] : "", state.kind === "table" && run.error?.baseline ? [h("button", { type: "button", onclick: () => begin("curve", [run.run]) }, "Learning curve"), " "] : "",
    run.locked ? h("button", { type: "button", onclick: () => begin("open", [run.run]) }, "Test on the locked rows") : ""), said, done);
  show();
  return place;
}

function result(job, now, again, view) {
  const name = (number) => now.runs.find((each) => each.run === number)?.name ?? `run ${number}`;
  const title = { compare: `Comparison of ${job.of.map(name).join(" and ")}`, curve: "Learning curve", open: "Test on the locked rows" }[job.kind];
  const head = h("h3", {}, title);
  if (isBusy(job)) return h("section", {}, head, h("p", {}, progress(job, now.sheet, again)));
  if (job.state !== "done") return h("section", {}, head, h("p", { class: "bad" }, job.state === "failed" ? job.problem : "stopped"));
  const notes = job.notes.map((each) => h("p", { class: "muted" }, each));
  return h("section", {}, head, ...SHOWN[job.kind](job, view), ...notes, scripts(job.python, job.command));
}

const SHOWN = {
  compare: ({ pairs, title, table: [header, ...lines], remarks, text }) => [h("ul", {}, pairs.map((line) => h("li", {}, line))),
    scrolling("comparison", h("table", {}, h("caption", {}, title), h("thead", {}, h("tr", {}, header.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, lines.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", {}, cell))))))),
    remarks.map((line) => h("p", { class: "muted" }, line)), h("details", {}, h("summary", {}, "As text"), h("pre", { tabindex: "0", "aria-label": "comparison as text" }, text))].flat(),
  curve: (job) => {
    const picture = document.createElement("induce-curve");
    const series = Object.entries(job.lines).map(([name, values]) => ({ name, values }));
    picture.data = { title: `${job.label} after ${job.sizes.at(-1)} rows`, series, at: job.sizes.length - 1, across: job.sizes };
    return [picture];
  },
  open: (job, view) => {
    const picture = document.createElement("induce-error");
    picture.data = { ...job.error, classes: view.classes };
    return [h("p", {}, job.looks === 1 ? "The locked rows were used once; the access is logged." : `The locked rows were used ${job.looks} times; only the first test is unbiased.`), picture];
  },
};
