import { Picture, colour, h, shown, svg } from "./base.js";

// <induce-curve>: values by step, with the current step marked; `across` sets the positions of the steps.
const WIDE = 360, HIGH = 170, EDGE = 8, FOOT = 20;

export class Curve extends Picture {
  render() {
    const { title, series, at, across } = this.data;
    const all = series.flatMap((each) => each.values).filter((each) => typeof each === "number");
    const low = Math.min(...all), high = Math.max(...all), n = Math.max(2, ...series.map((each) => each.values.length));
    const places = across ?? Array.from({ length: n }, (_, k) => k);
    const first = places[0], last = places.at(-1);
    const x = (k) => EDGE + (places[k] - first) * (WIDE - 2 * EDGE) / (last - first || 1);
    const y = (value) => HIGH - FOOT - EDGE - (high > low ? (value - low) / (high - low) : 0.5) * (HIGH - FOOT - 2 * EDGE);
    const here = series.map((each) => `${each.name} ${shown(each.values[at] ?? null)}`).join(", ");
    const words = (props, text) => svg("text", { fill: "currentColor", "font-size": 11, ...props }, text);
    const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, width: WIDE, role: "img", "aria-label": `${title}, from ${shown(low)} to ${shown(high)}; now ${here}` },
      svg("rect", { x: 0, y: 0, width: WIDE, height: HIGH - FOOT, fill: "none", stroke: "#8888" }), svg("line", { x1: x(at), x2: x(at), y1: 0, y2: HIGH - FOOT, stroke: "#888", "stroke-dasharray": "3 3" }),
      words({ x: 2, y: HIGH - 6 }, shown(first)), words({ x: WIDE - 2, y: HIGH - 6, "text-anchor": "end" }, shown(last)),
      series.map((each, k) => [svg("polyline", { fill: "none", stroke: colour(k), "stroke-width": 2, points: each.values.map((value, step) => typeof value === "number" ? `${x(step)},${y(value)}` : "").join(" ") }),
        typeof each.values[at] === "number" ? svg("circle", { cx: x(at), cy: y(each.values[at]), r: 4, fill: colour(k) }) : null]));
    this.show(h("figure", { style: { margin: "0" } }, h("figcaption", {}, `${title}: `, series.map((each, k) => h("span", { style: { "white-space": "nowrap" } },
      h("span", { class: "bar", style: { width: ".8em", background: colour(k) } }), ` ${each.name} ${shown(each.values[at] ?? null)} `))), picture));
  }
}
customElements.define("induce-curve", Curve);
