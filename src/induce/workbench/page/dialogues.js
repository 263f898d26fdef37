import { h, scrolling } from "/elements/base.js";
import { ask } from "./api.js";
import { scripts } from "./scripts.js";

// A version space asks about instances until the concept is identified.
export async function dialoguePart(main, state, choice) {
  const at = `/api/sheets/${state.sheet}/dialogue`;
  const said = h("p", { class: "bad", role: "alert" });
  const place = h("div", { "aria-live": "polite" });
  main.replaceChildren(h("h1", {}, "Answer questions"), h("p", {}, choice), said, place);
  const show = (found) => {
    const answers = found.asked.map((each) => each.answer);
    const say = async (change) => { try { show(await ask(at, { answers, unlabelled: found.unlabelled, ...change })); said.textContent = ""; } catch (problem) { said.textContent = problem.message; } };
    const names = Object.keys(found.question ?? found.asked[0]?.instance ?? {});
    const lattice = document.createElement(found.view.view === "lattice" ? "induce-lattice" : "div");
    place.replaceChildren(
      found.settled ? h("p", {}, h("b", {}, "The concept is identified.")) : h("section", {}, h("h2", {}, `Is this ${found.target} = ${found.positive}?`),
        scrolling("question", h("table", {}, h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, h("tr", {}, names.map((name) => h("td", {}, found.question[name])))))),
        h("p", {}, h("button", { type: "button", class: "main", onclick: () => say({ answers: [...answers, true] }) }, "Yes"), " ", h("button", { type: "button", class: "main", onclick: () => say({ answers: [...answers, false] }) }, "No"))),
      h("p", {}, h("button", { type: "button", disabled: !answers.length, onclick: () => say({ answers: answers.slice(0, -1) }) }, "Undo the last answer"), " ",
        h("label", {}, h("input", { type: "checkbox", checked: found.unlabelled, onchange: (event) => say({ answers: [], unlabelled: event.target.checked }) }), " ignore the classes of the table")),
      found.asked.length ? h("section", {}, h("h2", {}, "Answers"), h("ol", {}, found.asked.map((each) => h("li", {}, `${Object.values(each.instance).join(", ")}: ${each.answer ? "yes" : "no"}`)))) : "",
      h("section", {}, h("h2", {}, "Version space"), lattice, h("pre", { tabindex: "0", "aria-label": "version space as text" }, found.told)), scripts(found.python, found.command));
    if (found.view.view === "lattice") lattice.data = found.view;
  };
  try { show(await ask(at)); } catch (problem) { said.textContent = problem.message; }
}

// A game against the learned player of a run, which shows its evaluation.
export async function gamePart(main, state, choice) {
  const ready = state.runs.filter((run) => run.size);
  if (!ready.length) {
    main.replaceChildren(h("h1", {}, "Game"), h("p", {}, choice), h("p", {}, "No player has been learned yet. ", h("a", { href: `#/${state.sheet}/learn` }, "Learn one.")));
    return;
  }
  const said = h("p", { class: "bad", role: "alert" });
  const place = h("div", { "aria-live": "polite" });
  const rival = h("select", { "aria-label": "player", onchange: () => begin() }, ready.map((run, k) => h("option", { value: run.run, selected: k === ready.length - 1 }, `run ${run.run}: ${run.name}`)));
  const second = h("input", { type: "checkbox", onchange: () => begin() });
  let moves = [], seed = 0;
  const begin = () => { moves = []; seed += 1; show(); };
  main.replaceChildren(h("h1", {}, `Play ${state.table.source}`), h("p", {}, choice), h("p", {}, "against ", rival, " ", h("label", {}, second, " it moves first"), " ", h("button", { type: "button", onclick: begin }, "New game")), said, place);
  const show = async () => {
    let found;
    try { found = await ask(`/api/sheets/${state.sheet}/runs/${rival.value}/game`, { moves, second: second.checked, seed }); said.textContent = ""; } catch (problem) { moves.pop(); said.textContent = problem.message; return; }
    const last = [...found.story].reverse().find((each) => each.by !== "you");
    place.replaceChildren(h("pre", { class: "board", tabindex: "0", "aria-label": "board" }, found.board),
      found.over ? h("p", {}, h("b", {}, `The game is over: ${found.over}.`)) : h("section", {}, h("h2", {}, found.roll ? `Your move with ${found.roll}` : "Your move"),
        h("p", { class: "moves" }, found.moves.map((move) => h("button", { type: "button", onclick: () => { moves.push(move); show(); } }, move)))),
      last ? h("section", {}, h("h2", {}, `Its move: ${last.move}`), h("pre", { tabindex: "0", "aria-label": "its evaluation" }, last.expects)) : "",
      found.hint ? h("details", {}, h("summary", {}, "Its evaluation of your moves"), h("pre", { tabindex: "0", "aria-label": "hint" }, found.hint)) : "",
      found.story.length ? h("details", {}, h("summary", {}, "Moves so far"), h("ol", {}, found.story.map((each) => h("li", {}, `${each.by}: ${each.roll ? `${each.roll}, ` : ""}${each.move}`)))) : "",
      scripts(found.python, found.command));
  };
  begin();
}
