import { Picture, h, shown } from "./base.js";

// <induce-nomogram>: a scale per column; the points of the chosen values are summed.
export class Nomogram extends Picture {
  render() {
    const { outputs, columns } = this.data;
    this.output ??= outputs.length - 1;
    this.taken ??= new Map();
    const choice = h("select", { "aria-label": "points for", onchange: () => { this.output = choice.selectedIndex; this.render(); } },
      outputs.map((name, k) => h("option", { selected: k === this.output }, name)));
    const spans = columns.flatMap((column) => column.points.map((point) => this.points(point)));
    this.low = Math.min(0, ...spans);
    this.high = Math.max(0, ...spans);
    const order = [...columns].sort((a, b) => this.width(b) - this.width(a));
    this.sum = h("p", { "aria-live": "polite" });
    this.show(h("p", {}, "points for ", choice, " ", h("span", { class: "muted" }, "choose a value on each scale")), ...order.map((column) => this.scale(column)), this.sum);
    this.add();
  }
  // points for the chosen output, relative to the mean of all outputs if they compete
  points(point) {
    const { softmax } = this.data;
    return point.adds[this.output] - (softmax ? point.adds.reduce((a, b) => a + b, 0) / point.adds.length : 0);
  }
  width(column) {
    const all = column.points.map((point) => this.points(point));
    return Math.max(...all) - Math.min(...all);
  }
  scale(column) {
    const taken = this.taken.get(column.name);
    const at = (number) => `${100 * (number - this.low) / (this.high - this.low || 1)}%`;
    const field = h("select", { "aria-label": column.name, onchange: () => { this.taken.set(column.name, field.selectedIndex - 1); this.render(); } },
      h("option", {}, "–"), column.points.map((point, k) => h("option", { selected: k === taken }, `${point.value} (${shown(this.points(point))})`)));
    return h("div", { style: { display: "grid", "grid-template-columns": "minmax(6rem, 1fr) minmax(7rem, 11rem) 3fr", gap: ".6rem", "align-items": "center" } },
      h("b", {}, column.name), field,
      h("div", { role: "img", "aria-label": `points of ${column.name}: ${column.points.map((point) => `${point.value} ${shown(this.points(point))}`).join(", ")}`,
        style: { position: "relative", height: "1.6rem", "border-bottom": "1px solid #888" } },
      h("span", { style: { position: "absolute", left: at(0), top: "0", bottom: "0", "border-left": "1px dashed #888" } }),
      column.points.map((point, k) => h("span", { title: `${point.value}: ${shown(this.points(point))}`, style: { position: "absolute", left: at(this.points(point)), bottom: "0",
        width: k === taken ? "9px" : "5px", height: k === taken ? "100%" : "60%", "margin-left": "-2px", background: k === taken ? "#d55e00" : "#0072b2" } }))));
  }
  add() {
    const { base, columns, outputs, softmax } = this.data;
    const sums = [...base];
    for (const column of columns) {
      const point = column.points[this.taken.get(column.name)];
      if (point) point.adds.forEach((each, k) => { sums[k] += each; });
    }
    const top = Math.max(...sums);
    const parts = sums.map((each) => Math.exp(each - top));
    const all = parts.reduce((a, b) => a + b, 0);
    this.sum.replaceChildren(softmax ? `together: ${outputs.map((name, k) => `${name} ${Math.round(100 * parts[k] / all)} %`).join(", ")}`
      : `together: ${outputs.map((name, k) => `${name} ${shown(sums[k])}`).join(", ")}`);
  }
}
customElements.define("induce-nomogram", Nomogram);
