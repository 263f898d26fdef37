import { h } from "/elements/base.js";
import { ask } from "./api.js";
import { dialoguePart, gamePart } from "./dialogues.js";

// Traces of algorithms, dialogues with a version space, and games against a learned player.
export async function playPlace(main, { state, start, more }) {
  const where = state ? `#/${state.sheet}/play` : "#/play";
  const own = start.lessons.filter((each) => each.editable), books = start.lessons.filter((each) => !each.editable);
  const asks = state?.kind === "table" ? [["ask", "Answer the questions of a version space"]] : [];
  const plays = start.games.includes(state?.table.source) ? [["game", `Play ${state.table.source} against a learned player`]] : [];
  const special = [...asks, ...plays];
  const id = special.some(([key]) => key === more) || start.lessons.some((each) => each.id === more) ? more : plays.length ? "game" : start.lessons[1].id;
  const option = (value, text) => h("option", { value, selected: value === id }, text);
  const choice = h("select", { "aria-label": "lesson", onchange: () => { location.hash = `${where}/${choice.value}`; } },
    special.length ? h("optgroup", { label: "With this sheet" }, special.map(([key, text]) => option(key, text))) : "",
    h("optgroup", { label: "On a table that you can edit" }, own.map((each) => option(each.id, each.title))),
    h("optgroup", { label: "As printed in the books" }, books.map((each) => option(each.id, each.title))));
  if (id === "ask") { await dialoguePart(main, state, choice); return; }
  if (id === "game") { await gamePart(main, state, choice); return; }
  const said = h("p", { class: "bad", role: "alert" });
  const player = document.createElement("induce-player");
  const lesson = await ask(`/api/lessons/${id}`, {});
  const away = h("button", { type: "button", onclick: async () => {
    try { save(await page(id, player.data.table?.rows), `${id}.html`); } catch (problem) { said.textContent = problem.message; }
  } }, "Download the lesson as a page");
  main.replaceChildren(h("h1", {}, "Play"), h("p", {}, choice, " ", away),
    lesson.editable ? h("p", { class: "muted" }, "Edit a cell to update the trace.") : "", said, player);
  player.data = lesson;
  player.addEventListener("change", async (event) => {
    if (!event.detail?.rows) return;
    try { player.data = await ask(`/api/lessons/${id}`, { rows: event.detail.rows }); said.textContent = ""; } catch (problem) { said.textContent = problem.message; }
  });
}

// The page of a lesson with its current cells.
async function page(id, rows) {
  const answer = await fetch(`/api/lessons/${id}/page`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(rows ? { rows } : {}) });
  if (!answer.ok) throw new Error((await answer.json()).problem);
  return answer.blob();
}

function save(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
