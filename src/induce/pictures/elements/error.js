import { Picture, colour, h, scrolling, shown, svg } from "./base.js";

// <induce-error>: an estimate with interval and baseline, the confusion matrix, ROC curves and calibration.
export class ErrorView extends Picture {
  render() {
    const { text, value, low, high, baseline, confusion, calibration, roc, preconditions } = this.data;
    const parts = [h("p", {}, h("b", {}, text)), baseline ? h("p", {}, baseline.text) : null,
      preconditions ? h("p", { class: "muted" }, preconditions) : null, this.scale(value, low, high, baseline?.value)];
    if (confusion) parts.push(this.confusion(confusion));
    const areas = Object.entries(roc ?? {});
    if (areas.length) parts.push(h("details", {}, h("summary", {}, "ROC curves"), this.roc(areas)));
    const curves = Object.entries(calibration ?? {});
    if (curves.length) parts.push(h("details", {}, h("summary", {}, "Calibration: predicted probability and observed frequency"), curves.map(([name, curve]) => this.curve(name, curve))));
    this.show(...parts.filter(Boolean));
  }
  scale(value, low, high, base) {
    const ends = [0, low ?? value, high ?? value, base ?? 0, value];
    const bottom = Math.min(...ends) * 1.15, top = Math.max(...ends) * 1.15 || (bottom < 0 ? 0 : 1);
    const at = (number) => `${Math.max(0, Math.min(100, 100 * (number - bottom) / (top - bottom)))}%`;
    const mark = (number, title, colour, width) => h("span", { title, style: { position: "absolute", left: at(number), top: "0", height: "1.4rem", width, background: colour } });
    return h("div", { role: "img", "aria-label": low === null ? `estimate ${shown(value)}` : `interval from ${shown(low)} to ${shown(high)}`, style: { position: "relative", height: "1.4rem", "max-width": "30rem", background: "#8882", margin: ".5rem 0" } },
      low === null ? null : h("span", { style: { position: "absolute", left: at(low), width: `calc(${at(high)} - ${at(low)})`, top: ".5rem", height: ".4rem", background: "#0072b2" } }),
      mark(value, `estimate ${shown(value)}`, "#0072b2", "4px"), base === undefined || base === null ? null : mark(base, `baseline ${shown(base)}`, "#d55e00", "4px"));
  }
  confusion({ labels, counts }) {
    return scrolling("confusion matrix", h("table", {}, h("caption", {}, "confusion matrix: actual class by row, predicted class by column"),
      h("thead", {}, h("tr", {}, h("td", {}), labels.map((label) => h("th", { scope: "col" }, label)))),
      h("tbody", {}, counts.map((row, k) => h("tr", {}, h("th", { scope: "row" }, labels[k]),
        row.map((n, j) => h("td", { style: { background: k === j ? "#0072b233" : n ? "#d55e0033" : "none" } }, n)))))));
  }
  // true against false positive rate, a line per class
  roc(areas) {
    const picture = document.createElement("induce-lines");
    picture.data = { across: "false positive rate", up: "true positive rate", diagonal: true, lines: areas.map(([name, each], k) => ({ name: `${name}: area ${shown(each.area)}`, points: each.points, k: this.place(name, k) })) };
    return picture;
  }
  // a class has the same colour everywhere, by its position among the classes
  place(name, k) {
    const found = (this.data.classes ?? []).findIndex((each) => String(each) === name);
    return found < 0 ? k : found;
  }
  curve(name, points) {
    return scrolling(`calibration of ${name}`, h("table", {}, h("caption", {}, `calibration of ${name}`),
      h("thead", {}, h("tr", {}, ["predicted", "observed", "rows"].map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, points.map((each) => h("tr", {}, h("td", {}, shown(each.said)), h("td", {}, shown(each.was)), h("td", {}, each.rows))))));
  }
}
customElements.define("induce-error", ErrorView);

// <induce-lines>: lines between 0 and 1, each with its name.
const SIDE = 220, EDGE = 28;
export class Lines extends Picture {
  render() {
    const { across, up, diagonal, lines } = this.data;
    const x = (value) => EDGE + value * (SIDE - 2 * EDGE), y = (value) => SIDE - EDGE - value * (SIDE - 2 * EDGE);
    const words = (props, text) => svg("text", { fill: "currentColor", "font-size": 11, "text-anchor": "middle", ...props }, text);
    this.show(h("div", { style: { display: "flex", "flex-wrap": "wrap", gap: "1rem", "align-items": "center" } }, svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, width: SIDE, role: "img", "aria-label": `${up} over ${across}; ${lines.map((each) => each.name).join(", ")}` },
      svg("rect", { x: EDGE, y: EDGE, width: SIDE - 2 * EDGE, height: SIDE - 2 * EDGE, fill: "none", stroke: "#8888" }), diagonal ? svg("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), stroke: "#888", "stroke-dasharray": "4 3" }) : null,
      words({ x: SIDE / 2, y: SIDE - 8 }, across), words({ x: 12, y: SIDE / 2, transform: `rotate(-90 12 ${SIDE / 2})` }, up),
      lines.map((each) => svg("polyline", { fill: "none", stroke: colour(each.k), "stroke-width": 2, points: each.points.map(([a, b]) => `${x(a)},${y(b)}`).join(" ") }))),
    h("ul", { style: { "list-style": "none", padding: "0" } }, lines.map((each) => h("li", {}, h("span", { class: "bar", style: { width: ".8em", background: colour(each.k) } }), ` ${each.name}`)))));
  }
}
customElements.define("induce-lines", Lines);
