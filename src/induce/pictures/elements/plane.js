import { Picture, colour, h, scrolling, shown, svg } from "./base.js";

// <induce-plane>: a scatter plot over one or two columns, with means, two-deviation ellipses, lines and a curve.
const WIDE = 420, HIGH = 320, EDGE = 34;
const SHAPES = ["circle", "square", "diamond", "triangle"];

export class Plane extends Picture {
  render() {
    const { axes, points = [], means = [], lines = [], curve = [], range } = this.data;
    const flat = axes.length < 2;
    const [[left, right], [low, high]] = range;
    const tall = flat ? 120 : HIGH;
    const x = (value) => EDGE + (value - left) / (right - left || 1) * (WIDE - 2 * EDGE);
    const y = (value) => flat ? tall / 2 : tall - EDGE - (value - low) / (high - low || 1) * (tall - 2 * EDGE);
    const said = `${points.length} points over ${axes.join(" and ")}${means.length ? `; means ${means.map((each) => `(${each.at.map(shown).join(", ")})`).join(", ")}` : ""}`;
    const words = (props, text) => svg("text", { fill: "currentColor", "font-size": 12, ...props }, text);
    this.show(scrolling("plane", svg("svg", { viewBox: `0 0 ${WIDE} ${tall}`, width: WIDE, role: "img", "aria-label": said },
      svg("rect", { x: EDGE, y: EDGE, width: WIDE - 2 * EDGE, height: tall - 2 * EDGE, fill: "none", stroke: "#8888" }),
      words({ x: WIDE / 2, y: tall - 8, "text-anchor": "middle" }, axes[0]), flat ? null : words({ x: 12, y: tall / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${tall / 2})` }, axes[1]),
      words({ x: EDGE, y: tall - 20, "text-anchor": "middle", "font-size": 10 }, shown(left)), words({ x: WIDE - EDGE, y: tall - 20, "text-anchor": "middle", "font-size": 10 }, shown(right)),
      flat ? null : [words({ x: EDGE - 3, y: tall - EDGE, "text-anchor": "end", "font-size": 10 }, shown(low)), words({ x: EDGE - 3, y: EDGE + 4, "text-anchor": "end", "font-size": 10 }, shown(high))],
      means.map((each, k) => each.covariance ? this.ellipse(each, k, x, y, flat) : null),
      points.map((each) => this.point(x(each.at[0]), y(each.at[1] ?? 0), each)),
      means.map((each, k) => svg("path", { d: this.cross(x(each.at[0]), y(each.at[1] ?? 0)), stroke: colour(k), "stroke-width": 4 }, svg("title", {}, `mean ${k}: ${each.at.map(shown).join(", ")}`))),
      lines.map((each) => this.line(each, left, right, low, high, x, y)),
      curve.length ? svg("polyline", { fill: "none", stroke: "#d55e00", "stroke-width": 2, points: curve.map(([a, b]) => `${x(a)},${y(Math.max(low, Math.min(high, b)))}`).join(" ") }) : null)));
  }
  // classes differ in colour and shape; misclassified points have a thick border
  point(cx, cy, { k = 0, wrong, label, size = 1 }) {
    const r = 5 * Math.sqrt(size), shape = SHAPES[k % SHAPES.length];
    const paths = { square: `M${cx - r} ${cy - r}h${2 * r}v${2 * r}h${-2 * r}z`, diamond: `M${cx} ${cy - r * 1.3}l${r * 1.3} ${r * 1.3}l${-r * 1.3} ${r * 1.3}l${-r * 1.3} ${-r * 1.3}z`,
      triangle: `M${cx} ${cy - r * 1.2}l${r * 1.2} ${r * 2.1}h${-2.4 * r}z` };
    const look = { fill: colour(k), stroke: wrong ? "#d55e00" : "#0006", "stroke-width": wrong ? 4 : 1 };
    return svg(shape === "circle" ? "circle" : "path", shape === "circle" ? { cx, cy, r, ...look } : { d: paths[shape], ...look }, label === undefined ? null : svg("title", {}, label));
  }
  cross(cx, cy) { return `M${cx - 8} ${cy}h16M${cx} ${cy - 8}v16`; }
  ellipse({ at, covariance }, k, x, y, flat) {
    const spots = [];
    const [[a, b = 0], [, d = 0] = []] = covariance;
    const one = Math.sqrt(Math.max(a, 0)), other = one > 0 ? b / one : 0, rest = Math.sqrt(Math.max(0, d - other * other));
    for (let step = 0; step <= 48; step++) {
      const angle = 2 * Math.PI * step / 48, u = 2 * Math.cos(angle), v = 2 * Math.sin(angle);
      spots.push(flat ? `${x(at[0] + one * u)},${y(0) + 12 * v}` : `${x(at[0] + one * u)},${y(at[1] + other * u + rest * v)}`);
    }
    return svg("polygon", { points: spots.join(" "), fill: colour(k), "fill-opacity": 0.15, stroke: colour(k) });
  }
  line({ a, b, c }, left, right, low, high, x, y) {
    const ends = [];
    if (b) for (const at of [left, right]) ends.push([at, -(a * at + c) / b]);
    if (a) for (const at of [low, high]) ends.push([-(b * at + c) / a, at]);
    const inside = ends.filter(([p, q]) => p >= left - 1e-9 && p <= right + 1e-9 && q >= low - 1e-9 && q <= high + 1e-9).sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    if (inside.length < 2) return null;
    const [first, last] = [inside[0], inside.at(-1)];
    return svg("line", { x1: x(first[0]), y1: y(first[1]), x2: x(last[0]), y2: y(last[1]), stroke: "#d55e00", "stroke-width": 3 });
  }
}
customElements.define("induce-plane", Plane);
