import { Picture, colour, h, shown } from "./base.js";

// <induce-histogram>: the bins of a column, each divided by class.
export class Histogram extends Picture {
  render() {
    const { bins, classes, name } = this.data;
    const total = (bin) => bin.counts.reduce((a, b) => a + b, 0);
    const most = Math.max(1, ...bins.map(total));
    const label = (bin) => bin.value ?? (bin.high - bin.low === 1 ? `${bin.low}` : `${shown(bin.low)} to ${shown(bin.high)}`);
    const said = bins.slice(0, 8).map((bin) => `${label(bin)}: ${total(bin)}`).join(", ");
    this.show(h("div", { role: "img", "aria-label": `histogram of ${name}: ${said}`, style: { display: "flex", "align-items": "flex-end", height: "3.2rem", gap: "1px", width: "12rem" } },
      bins.map((bin) => h("span", { title: `${label(bin)}: ${bin.counts.map((n, k) => `${classes[k] ?? "rows"} ${n}`).join(", ")}`,
        style: { flex: "1", height: `${100 * total(bin) / most}%`, display: "flex", "flex-direction": "column-reverse" } },
      bin.counts.map((n, k) => h("span", { style: { height: `${total(bin) ? 100 * n / total(bin) : 0}%`, background: colour(k) } }))))));
  }
}
customElements.define("induce-histogram", Histogram);
