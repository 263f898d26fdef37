import { h } from "/elements/base.js";
import { ask } from "./api.js";

// The true trace of an algorithm, step by step; the cells of its table can be changed.
export async function playPlace(main, { state, start, more }) {
  const id = start.lessons.some((each) => each.id === more) ? more : start.lessons[1].id;
  const where = state ? `#/${state.sheet}/play` : "#/play";
  const choice = h("select", { "aria-label": "lesson", onchange: () => { location.hash = `${where}/${choice.value}`; } },
    start.lessons.map((each) => h("option", { value: each.id, selected: each.id === id }, each.title)));
  const said = h("p", { class: "bad", role: "alert" });
  const player = document.createElement("induce-player");
  const lesson = await ask(`/api/lessons/${id}`, {});
  main.replaceChildren(h("h1", {}, "Play"), h("p", {}, choice, " ", h("a", { href: `/api/lessons/${id}/page`, download: "" }, "Take the lesson away as a page")),
    lesson.editable ? h("p", { class: "muted" }, "Change a cell, and the trace follows.") : "", said, player);
  player.data = lesson;
  player.addEventListener("change", async (event) => {
    if (!event.detail?.rows) return;
    try { player.data = await ask(`/api/lessons/${id}`, { rows: event.detail.rows }); said.textContent = ""; } catch (problem) { said.textContent = problem.message; }
  });
}
