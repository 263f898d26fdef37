import { Picture, h, shown } from "./base.js";

// <induce-error>: an estimate with its interval beside the baseline, the confusion and the calibration.
export class ErrorView extends Picture {
  render() {
    const { text, value, low, high, baseline, confusion, calibration, preconditions } = this.data;
    const parts = [h("p", {}, h("b", {}, text)), baseline ? h("p", {}, baseline.text) : null,
      preconditions ? h("p", { class: "muted" }, preconditions) : null, this.scale(value, low, high, baseline?.value)];
    if (confusion) parts.push(this.confusion(confusion));
    const curves = Object.entries(calibration ?? {});
    if (curves.length) parts.push(h("details", {}, h("summary", {}, "Calibration: what was said, and how often it was so"), curves.map(([name, curve]) => this.curve(name, curve))));
    this.show(...parts.filter(Boolean));
  }
  scale(value, low, high, base) {
    const top = Math.max(high, base ?? 0, value) * 1.15 || 1;
    const at = (number) => `${Math.max(0, Math.min(100, 100 * number / top))}%`;
    const mark = (number, title, colour, width) => h("span", { title, style: { position: "absolute", left: at(number), top: "0", height: "1.4rem", width, background: colour } });
    return h("div", { role: "img", "aria-label": `interval from ${shown(low)} to ${shown(high)}`, style: { position: "relative", height: "1.4rem", "max-width": "30rem", background: "#8882", margin: ".5rem 0" } },
      h("span", { style: { position: "absolute", left: at(low), width: `calc(${at(high)} - ${at(low)})`, top: ".5rem", height: ".4rem", background: "#0072b2" } }),
      mark(value, `estimate ${shown(value)}`, "#0072b2", "4px"), base === undefined || base === null ? null : mark(base, `baseline ${shown(base)}`, "#d55e00", "4px"));
  }
  confusion({ labels, counts }) {
    return h("div", { class: "wide" }, h("table", {}, h("caption", {}, "rows: the class, columns: what is said"),
      h("thead", {}, h("tr", {}, h("td", {}), labels.map((label) => h("th", { scope: "col" }, label)))),
      h("tbody", {}, counts.map((row, k) => h("tr", {}, h("th", { scope: "row" }, labels[k]),
        row.map((n, j) => h("td", { style: { background: k === j ? "#0072b233" : n ? "#d55e0033" : "none" } }, n)))))));
  }
  curve(name, points) {
    return h("div", { class: "wide" }, h("table", {}, h("caption", {}, `calibration of ${name}`),
      h("thead", {}, h("tr", {}, ["said", "was", "rows"].map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, points.map((each) => h("tr", {}, h("td", {}, shown(each.said)), h("td", {}, shown(each.was)), h("td", {}, each.rows))))));
  }
}
customElements.define("induce-error", ErrorView);
