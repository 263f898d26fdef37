import { Picture, colour, h, shown, svg } from "./base.js";

// <induce-curve>: numbers over the steps, with the step of now.
const WIDE = 360, HIGH = 150, EDGE = 8;

export class Curve extends Picture {
  render() {
    const { title, series, at } = this.data;
    const all = series.flatMap((each) => each.values).filter((each) => typeof each === "number");
    const low = Math.min(...all), high = Math.max(...all), n = Math.max(2, ...series.map((each) => each.values.length));
    const x = (k) => EDGE + k * (WIDE - 2 * EDGE) / (n - 1);
    const y = (value) => HIGH - EDGE - (high > low ? (value - low) / (high - low) : 0.5) * (HIGH - 2 * EDGE);
    const here = series.map((each) => `${each.name} ${shown(each.values[at] ?? null)}`).join(", ");
    const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, width: WIDE, role: "img", "aria-label": `${title}, from ${shown(low)} to ${shown(high)}; now ${here}` },
      svg("rect", { x: 0, y: 0, width: WIDE, height: HIGH, fill: "none", stroke: "#8888" }), svg("line", { x1: x(at), x2: x(at), y1: 0, y2: HIGH, stroke: "#888", "stroke-dasharray": "3 3" }),
      series.map((each, k) => [svg("polyline", { fill: "none", stroke: colour(k), "stroke-width": 2, points: each.values.map((value, step) => typeof value === "number" ? `${x(step)},${y(value)}` : "").join(" ") }),
        typeof each.values[at] === "number" ? svg("circle", { cx: x(at), cy: y(each.values[at]), r: 4, fill: colour(k) }) : null]));
    this.show(h("figure", { style: { margin: "0" } }, h("figcaption", { class: "muted" }, `${title}: ${here}`), picture));
  }
}
customElements.define("induce-curve", Curve);
