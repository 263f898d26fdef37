import { Picture, classBar, h, scrolling, shown } from "./base.js";

// <induce-clauses>: clauses with the examples that each covers; a click shows them.
export class Clauses extends Picture {
  render() {
    const { clauses, rest, classes } = this.data;
    const all = [...clauses.map((each) => each.counts), rest.counts];
    const most = Math.max(1, ...all.map((counts) => counts.reduce((a, b) => a + b, 0)));
    const line = (number, nodes, counts) => h("tr", { class: this.lit === number ? "lit" : null },
      h("td", {}, h("button", { type: "button", class: "clear", style: { "text-align": "left", font: "inherit" }, onclick: () => this.tell("choose", { part: number }) }, nodes)),
      h("td", {}, shown(counts.reduce((a, b) => a + b, 0))), h("td", {}, classBar(counts, classes, most)));
    this.show(scrolling("clauses", h("table", {}, h("thead", {}, h("tr", {}, ["clause", "rows", "classes"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, clauses.map((each, k) => line(k, this.text(each), each.counts)), line(-1, [rest.text], rest.counts)))));
  }
  text({ head, body }) {
    return [h("code", {}, head), body.length ? " if " : "", body.map((each, k) => [k ? " and " : "", h("code", {}, each)])];
  }
  light(number) { this.lit = number; this.render(); }
}
customElements.define("induce-clauses", Clauses);

// <induce-proof>: a proof as an indented list, with the literals that remain to be explained.
export class Proof extends Picture {
  render() {
    const { lines, frontier, rule } = this.data;
    this.show(...[h("ul", { style: { "list-style": "none", "padding-left": "0" } }, lines.map((each) => h("li", { class: each.lit ? "lit" : null, style: { "padding-left": `${1.6 * each.depth}em` } }, h("code", {}, each.text), each.note ? ` ${each.note}` : ""))),
      rule ? h("p", {}, "by ", h("code", {}, rule)) : null,
      frontier ? h("section", {}, h("h3", {}, "the clause so far"), h("ul", {}, frontier.map((each) => h("li", {}, h("code", {}, each))))) : null].filter(Boolean));
  }
}
customElements.define("induce-proof", Proof);
