import { Picture, h, scrolling, shown } from "./base.js";

// <induce-policy>: a grid of states with values and arrows for the best actions, or a table without a grid.
const ARROWS = { up: "↑", down: "↓", left: "←", right: "→", north: "↑", south: "↓", west: "←", east: "→" };

export class Policy extends Picture {
  render() {
    const { states, grid } = this.data;
    this.low = Math.min(0, ...states.map((each) => each.value));
    this.high = Math.max(1e-9, ...states.map((each) => each.value));
    this.more = h("div", { "aria-live": "polite" });
    this.show(scrolling("policy", grid ? this.squares(states) : this.table(states)), this.more);
    if (this.chosen !== undefined && states[this.chosen]) this.tellMore(this.chosen);
  }
  shade(value) { return `color-mix(in srgb, #0072b2 ${Math.round(45 * (value - this.low) / (this.high - this.low || 1))}%, transparent)`; }
  squares(states) {
    const tall = Math.max(...states.map((each) => each.row)) + 1, wide = Math.max(...states.map((each) => each.column)) + 1;
    const at = new Map(states.map((each, k) => [`${each.row},${each.column}`, k]));
    return h("table", { style: { "table-layout": "fixed" } }, h("caption", {}, "value and best move of each square; select one to see all its moves"), h("tbody", {}, Array.from({ length: tall }, (_, row) => h("tr", {}, Array.from({ length: wide }, (_unused, column) => {
      const k = at.get(`${row},${column}`);
      if (k === undefined) return h("td", { style: { background: "#8886", border: "1px solid #888" } }, "");
      const state = states[k], ends = ["goal", "hole", "cliff"].includes(state.square);
      const moves = ends || !state.met ? "" : state.best.map((each) => ARROWS[each] ?? each).join(" ");
      return h("td", { class: k === this.data.lit ? "chosen" : null, style: { border: "1px solid #888", background: state.met || ends ? this.shade(state.value) : "none", "min-width": "4.6rem", "text-align": "center" } },
        h("button", { type: "button", class: "clear", style: { width: "100%" }, onclick: () => this.tellMore(k) }, h("span", {}, state.square === "free" ? state.name : `${state.name} ${state.square}`), h("br"),
          h("b", { style: { "font-size": "1.3em" } }, moves || (ends ? "■" : state.met ? "·" : "?")), h("br"), shown(Number(state.value.toPrecision(4)))));
    })))));
  }
  table(states) {
    const actions = [...new Set(states.flatMap((each) => Object.keys(each.q)))];
    return h("table", {}, h("thead", {}, h("tr", {}, ["state", "best", "value", ...actions].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, states.slice(0, 200).map((each, k) => h("tr", { class: k === this.data.lit ? "lit" : null }, h("th", { scope: "row" }, each.name), h("td", {}, each.met ? each.best.join(" or ") : "?"), h("td", { style: { background: this.shade(each.value) } }, shown(each.value)),
        actions.map((name) => h("td", {}, each.q[name] === undefined ? "" : shown(each.q[name])))))));
  }
  tellMore(k) {
    this.chosen = k;
    const state = this.data.states[k];
    const bars = document.createElement("induce-bars");
    this.more.replaceChildren(bars);
    bars.data = { title: `value of each move from ${state.name}`, bars: Object.entries(state.q).map(([name, value]) => ({ name, value, mark: state.met && state.best.includes(name) })) };
    this.tell("choose", { part: k });
  }
}
customElements.define("induce-policy", Policy);
