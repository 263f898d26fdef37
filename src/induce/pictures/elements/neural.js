import { Picture, h, pressed, scrolling, shown, svg } from "./base.js";

// <induce-neural>: layers of units with their weights, and the hidden codes of rows.
const ACROSS = 200, DOWN = 46;

export class Neural extends Picture {
  render() {
    const { layers, links, codes } = this.data;
    const tall = Math.max(...layers.map((each) => each.units.length)) * DOWN + 40, wide = layers.length * ACROSS;
    const place = (layer, unit) => ({ x: (layer + 0.5) * ACROSS, y: 20 + (unit + 0.5) * (tall - 40) / layers[layer].units.length });
    const most = Math.max(1e-9, ...links.flatMap((link) => link.weights.flat().map(Math.abs)));
    const thin = links.reduce((sum, link) => sum + link.weights.length * (link.weights[0]?.length ?? 0), 0) > 2000;
    const lines = links.flatMap((link) => link.weights.flatMap((row, i) => row.map((weight, j) => {
      const chosen = this.unit && this.unit[0] === link.to && this.unit[1] === j;
      if (!weight || (thin && Math.abs(weight) < 0.2 * most && !chosen)) return null;
      const from = place(link.from, i), to = place(link.to, j);
      return svg("line", { x1: from.x + 12, y1: from.y, x2: to.x - 12, y2: to.y, stroke: weight < 0 ? "#d55e00" : "#0072b2", "stroke-width": 0.5 + 4 * Math.abs(weight) / most, "stroke-opacity": this.unit && !chosen ? 0.15 : 0.8, "stroke-dasharray": weight < 0 ? "6 3" : null });
    }))).filter(Boolean);
    const nodes = layers.flatMap((layer, l) => layer.units.map((name, u) => {
      const at = place(l, u), says = this.data.said?.[l]?.[u];
      const look = { role: "button", tabindex: 0, "aria-label": `unit ${name}${says === undefined ? "" : `, says ${shown(says)}`}`, style: { cursor: "pointer" }, ...pressed(() => { this.unit = [l, u]; this.render(); this.tell("choose", { layer: l, unit: u }); }) };
      const side = l === layers.length - 1 ? { x: at.x + 16, "text-anchor": "start" } : { x: at.x, "text-anchor": "middle" };
      return svg("g", look, svg("circle", { cx: at.x, cy: at.y, r: 11, fill: says === undefined ? "light-dark(#fff, #16191c)" : `color-mix(in srgb, #0072b2 ${Math.round(100 * Math.max(0, Math.min(1, says)))}%, light-dark(#fff, #16191c))`, stroke: this.unit?.[0] === l && this.unit[1] === u ? "#d55e00" : "#888", "stroke-width": 2 }),
        svg("text", { ...side, y: side["text-anchor"] === "start" ? at.y + 4 : at.y - 15, "font-size": 12, fill: "currentColor" }, name, says === undefined ? "" : ` ${shown(says)}`));
    }));
    this.show(h("p", { class: "muted" }, "blue: positive, orange and dashed: negative; choose a unit for its weights"),
      scrolling("network of units", svg("svg", { viewBox: `0 0 ${wide} ${tall}`, width: wide, role: "group", "aria-label": layers.map((each) => `${each.name}: ${each.units.length}`).join(", ") }, lines, nodes)),
      this.weights(), codes ? this.codes(codes) : "");
  }
  weights() {
    if (!this.unit) return "";
    const [l, u] = this.unit, { layers, links } = this.data;
    const bars = links.filter((link) => link.to === l).flatMap((link) => link.weights.map((row, i) => ({ name: layers[link.from].units[i], value: row[u] })));
    if (layers[l].bias[u] !== undefined) bars.push({ name: "bias", value: layers[l].bias[u] });
    const picture = document.createElement("induce-bars");
    picture.data = { title: bars.length ? `weights into ${layers[l].units[u]}` : `${layers[l].units[u]} is an input`, bars: bars.sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, 40) };
    return picture;
  }
  // activations of the hidden units for each row
  codes({ units, rows }) {
    return h("section", {}, h("h3", {}, "hidden codes"), h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "hidden codes", style: { "max-height": "22rem", "overflow-y": "auto" } }, h("table", {}, h("thead", {}, h("tr", {}, ["row", ...units, "prediction"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row", style: { "white-space": "nowrap" } }, row.name), row.code.map((value) => h("td", { style: { background: `color-mix(in srgb, #0072b2 ${Math.round(50 * Math.max(0, Math.min(1, value)))}%, transparent)` } }, value.toFixed(2))), h("td", {}, row.says)))))));
  }
  set said(value) { this.data.said = value; this.render(); }
}
customElements.define("induce-neural", Neural);
