import { Picture, h, scrolling, shown, svg } from "./base.js";

// <induce-network>: a belief network; a click on a value sets evidence and updates the other probabilities.
const WIDE = 190, LINE = 24, HEAD = 30, GAP = 50;

export class Network extends Picture {
  render() {
    const { nodes, asks } = this.data;
    this.given ??= new Map();
    const layers = [];
    nodes.forEach((node, k) => { (layers[node.layer] ??= []).push(k); });
    const tall = (node) => HEAD + LINE * (node.values?.length ?? 1) + 6;
    const widest = Math.max(...layers.map((each) => each.length)) * (WIDE + 24);
    const place = [];
    let top = 0;
    for (const layer of layers) {
      layer.forEach((k, number) => { place[k] = { x: (number + 0.5) * widest / layer.length, y: top }; });
      top += Math.max(...layer.map((k) => tall(nodes[k]))) + GAP;
    }
    const chances = asks ? posteriors(nodes, this.given) : nodes.map((node) => node.prior);
    const arcs = nodes.flatMap((node, k) => node.parents.map((above) => svg("path", { d: `M${place[above].x} ${place[above].y + tall(nodes[above])} L${place[k].x} ${place[k].y - 2}`, stroke: "#888", "stroke-width": 1.5, "marker-end": "url(#tip)" })));
    const boxes = nodes.map((node, k) => h("div", { role: "group", "aria-label": node.name, style: { position: "absolute", left: `${place[k].x - WIDE / 2}px`, top: `${place[k].y}px`, width: `${WIDE}px`, height: `${tall(node)}px`, border: this.given.has(k) ? "3px solid #d55e00" : "1px solid #888", "border-radius": "6px", background: "light-dark(#fff, #16191c)", "box-sizing": "border-box", overflow: "hidden" } },
      h("div", { style: { height: `${HEAD - 4}px`, "text-align": "center", "font-weight": "600", overflow: "hidden", "text-overflow": "ellipsis", "white-space": "nowrap" }, title: node.name }, node.name),
      node.values ? node.values.map((value, v) => this.line(node, k, value, v, chances?.[k]?.[v])) : h("div", { style: { "text-align": "center" } }, node.text)));
    this.show(h("p", {}, asks ? "choose a value to say that it is so; choose it again to take it back " : h("span", { class: "muted" }, "probabilities without evidence; ask with What if"),
      this.given.size ? h("button", { type: "button", onclick: () => { this.given.clear(); this.changed(); } }, "No evidence") : ""),
    chances ? "" : h("p", { role: "alert" }, "this evidence is impossible"),
    scrolling("belief network", h("div", { style: { position: "relative", width: `${widest}px`, height: `${top - GAP + 4}px` } },
      svg("svg", { width: widest, height: top, style: { position: "absolute", left: "0", top: "0", "max-width": "none" }, "aria-hidden": "true" }, svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8z", fill: "#888" }))), arcs), boxes)));
  }
  line(node, k, value, v, chance) {
    const set = this.given.get(k) === v, share = chance === undefined ? "" : `${(100 * chance).toFixed(1)} %`;
    return h("button", { type: "button", class: "clear", disabled: !this.data.asks, "aria-pressed": String(set), "aria-label": `${node.name} = ${value}: ${share}`, onclick: () => { if (set) this.given.delete(k); else this.given.set(k, v); this.changed(`${k},${v}`); },
      style: { display: "flex", "justify-content": "space-between", width: "100%", height: `${LINE}px`, padding: "0 6px", overflow: "hidden", color: "inherit", "white-space": "nowrap", background: `linear-gradient(90deg, ${set ? "#d55e0066" : "#0072b255"} ${100 * (chance ?? 0)}%, transparent 0)` }, "data-place": `${k},${v}` },
    h("span", { style: { overflow: "hidden", "text-overflow": "ellipsis" } }, value), h("span", {}, share));
  }
  changed(focus) {
    this.render();
    if (focus) this.shadowRoot.querySelector(`[data-place="${focus}"]`)?.focus();
    this.tell("evidence", { given: Object.fromEntries([...this.given].map(([k, v]) => [this.data.nodes[k].name, this.data.nodes[k].values[v]])) });
  }
}
customElements.define("induce-network", Network);

// The posterior of every node given evidence, by variable elimination; null for impossible evidence.
export function posteriors(nodes, given) {
  const sizes = nodes.map((node) => node.values.length);
  const factors = nodes.map((node, k) => reduce({ of: [...node.parents, k], cells: node.table }, sizes, given));
  const found = nodes.map((_, k) => {
    if (given.has(k)) return Array.from({ length: sizes[k] }, (_unused, v) => Number(v === given.get(k)));
    const cells = eliminate(factors, k, sizes);
    const all = cells.reduce((a, b) => a + b, 0);
    return all > 0 ? cells.map((each) => each / all) : null;
  });
  return found.includes(null) ? null : found;
}

function reduce({ of, cells }, sizes, given) {
  const left = of.filter((k) => !given.has(k));
  const kept = [];
  cells.forEach((cell, number) => { if (digits(number, of, sizes).every((v, at) => !given.has(of[at]) || given.get(of[at]) === v)) kept.push(cell); });
  return { of: left, cells: kept };
}

function digits(number, of, sizes) {
  const found = new Array(of.length);
  for (let at = of.length - 1; at >= 0; at--) { found[at] = number % sizes[of[at]]; number = Math.floor(number / sizes[of[at]]); }
  return found;
}

function eliminate(factors, query, sizes) {
  let left = factors;
  const waiting = new Set(factors.flatMap((each) => each.of).filter((k) => k !== query));
  while (waiting.size) {
    let best = null, least = Infinity;
    for (const k of waiting) {
      const scope = new Set(left.filter((each) => each.of.includes(k)).flatMap((each) => each.of));
      const size = [...scope].reduce((product, one) => product * sizes[one], 1);
      if (size < least) { least = size; best = k; }
    }
    waiting.delete(best);
    const near = left.filter((each) => each.of.includes(best));
    left = [...left.filter((each) => !each.of.includes(best)), summed(product(near, sizes), best, sizes)];
  }
  return product(left, sizes).cells;
}

function product(factors, sizes) {
  const of = [...new Set(factors.flatMap((each) => each.of))];
  const n = of.reduce((total, k) => total * sizes[k], 1);
  const cells = Array.from({ length: n }, (_, number) => {
    const at = digits(number, of, sizes);
    return factors.reduce((value, each) => value * each.cells[each.of.reduce((index, k) => index * sizes[k] + at[of.indexOf(k)], 0)], 1);
  });
  return { of, cells };
}

function summed({ of, cells }, gone, sizes) {
  const left = of.filter((k) => k !== gone);
  const found = new Array(left.reduce((total, k) => total * sizes[k], 1)).fill(0);
  cells.forEach((cell, number) => {
    const at = digits(number, of, sizes);
    found[left.reduce((index, k) => index * sizes[k] + at[of.indexOf(k)], 0)] += cell;
  });
  return { of: left, cells: found };
}
