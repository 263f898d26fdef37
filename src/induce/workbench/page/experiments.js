import { h } from "/elements/base.js";
import { ask } from "./api.js";

// The plan of an experiment, initially with the runs of the sheet.
export function experimentPart(state) {
  const at = `/api/sheets/${state.sheet}`;
  const plan = h("textarea", { rows: 12, "aria-label": "plan", spellcheck: "false" });
  const said = h("p", { class: "bad", role: "alert" });
  const run = async () => {
    try { await ask(`${at}/jobs`, { job: "experiment", plan: plan.value }); dispatchEvent(new HashChangeEvent("hashchange")); } catch (problem) { said.textContent = problem.message; }
  };
  return h("details", { ontoggle: async (event) => {
    if (event.target.open && !plan.value) {
      try { plan.value = (await ask(`${at}/plan`)).plan; } catch (problem) { said.textContent = problem.message; }
    }
  } }, h("summary", {}, "Experiment"), h("p", { class: "muted" }, "Compare learners on several tables, folds and seeds. The initial plan has the runs of this sheet."), plan, said,
  h("p", {}, h("button", { type: "button", onclick: run }, "Run the experiment")));
}
