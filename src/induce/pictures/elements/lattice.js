import { Picture, h, scrolling, svg } from "./base.js";

// <induce-lattice>: the Hasse diagram of a version space, from S below to G above.
const WIDE = 250, HIGH = 90, LETTER = 7;

export class Lattice extends Picture {
  render() {
    const { members, edges } = this.data;
    const levels = Math.max(...members.map((each) => each.level)) + 1;
    const rows = Array.from({ length: levels }, (_, level) => members.map((each, k) => [each, k]).filter(([each]) => each.level === level));
    const wide = Math.max(WIDE, ...members.map((each) => each.text.length * LETTER + 30));
    const widest = Math.max(...rows.map((row) => row.length)) * wide;
    const place = [];
    rows.forEach((row, level) => row.forEach(([, k], number) => {
      place[k] = { x: (number + 0.5) * widest / row.length, y: (levels - level - 0.5) * HIGH };
    }));
    const picture = svg("svg", { viewBox: `0 0 ${widest} ${levels * HIGH}`, width: widest, role: "img", "aria-label": this.data.text });
    for (const [above, below] of edges) picture.append(svg("line", { x1: place[above].x, y1: place[above].y + 18, x2: place[below].x, y2: place[below].y - 18, stroke: "#888" }));
    members.forEach((each, k) => {
      const group = svg("g", {});
      const half = each.text.length * LETTER / 2 + 10;
      const colour = each.in.includes("S") ? "#0072b2" : each.in.includes("G") ? "#d55e00" : "#888";
      group.append(svg("rect", { x: place[k].x - half, y: place[k].y - 18, width: 2 * half, height: 36, rx: 6, fill: "none", stroke: colour, "stroke-width": each.in.length ? 3 : 1 }));
      const text = svg("text", { x: place[k].x, y: place[k].y + 5, "text-anchor": "middle", "font-size": 13, fill: "currentColor" });
      text.textContent = each.text + (each.in.length ? ` (${each.in.join(", ")})` : "");
      group.append(text);
      picture.append(group);
    });
    this.show(scrolling("version space", picture));
  }
}
customElements.define("induce-lattice", Lattice);
