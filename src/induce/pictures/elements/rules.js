import { Picture, classBar, h, scrolling, shown } from "./base.js";

// <induce-rules>: a sortable and filterable list of rules, each with the training rows it covers.
export class Rules extends Picture {
  render() {
    this.sort ??= "order";
    this.word ??= "";
    const columns = [["order", "rule"], ["covered", "rows"], ["precision", "right"]];
    const field = h("input", { type: "search", "aria-label": "filter rules", placeholder: "filter", oninput: (event) => { this.word = event.target.value; this.fill(); } });
    field.value = this.word;
    this.body = h("tbody");
    const head = columns.map(([key, name]) => h("th", { scope: "col", "aria-sort": this.sort === key ? "descending" : "none" },
      h("button", { type: "button", class: "clear", onclick: () => { this.sort = key; this.render(); } }, name, this.sort === key ? " ▾" : "")));
    this.show(h("p", {}, field, " ", h("span", { class: "muted" }, this.data.ordered ? "the first rule that applies decides" : "all rules that apply vote")),
      scrolling("rules", h("table", {}, h("thead", {}, h("tr", {}, head, ["classes", ...(this.data.overlaps?.length ? ["shares rows with"] : [])].map((name) => h("th", { scope: "col" }, name)))), this.body)));
    this.fill();
  }
  fill() {
    const { rules, classes, default: rest } = this.data;
    const most = Math.max(1, ...rules.map((rule) => rule.covered));
    const numbered = rules.map((rule, number) => ({ ...rule, number, precision: rule.covered ? rule.correct / rule.covered : 0 }));
    const kept = numbered.filter((rule) => `${rule.conditions.join(" AND ")} ${rule.prediction}`.toLowerCase().includes(this.word.toLowerCase()));
    if (this.sort !== "order") kept.sort((a, b) => b[this.sort] - a[this.sort] || a.number - b.number);
    const lines = kept.map((rule) => this.line(rule.number, `${rule.number + 1}: IF ${rule.conditions.join(" AND ") || "TRUE"} THEN ${rule.prediction}`,
      shown(rule.covered), `${Math.round(100 * rule.precision)} %`, classBar(rule.counts, classes, most)));
    this.body.replaceChildren(...lines, this.line(-1, `DEFAULT ${rest.prediction}`, shown(rest.counts.reduce((a, b) => a + b, 0)), "", classBar(rest.counts, classes, most)));
  }
  line(number, text, rows, right, bar) {
    return h("tr", { class: this.lit?.has(number) ? "lit" : null },
      h("td", {}, h("button", { type: "button", class: "clear", style: { "text-align": "left" }, onclick: () => this.tell("choose", { part: number }) }, text)),
      h("td", {}, rows), h("td", {}, right), h("td", {}, bar), this.data.overlaps?.length ? h("td", {}, this.shared(number)) : null);
  }
  // rules that apply to some of the same training rows
  shared(number) {
    return this.data.overlaps.filter((pair) => pair.includes(number)).map(([a, b]) => (a === number ? b : a) + 1).sort((a, b) => a - b).join(", ");
  }
  light(number) { this.lit = new Set([number]); this.fill(); }
}
customElements.define("induce-rules", Rules);
