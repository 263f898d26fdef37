import { Picture, classBar, colour, h } from "./base.js";

// <induce-tree>: a folding tree. Only visible rows are in the page, whatever the number of nodes.
const ROW = 26;
const OPEN = 3;

export class Tree extends Picture {
  render() {
    const { parent } = this.data;
    this.children_ = parent.map(() => []);
    this.depth = parent.map(() => 0);
    parent.forEach((above, node) => {
      if (above >= 0) { this.children_[above].push(node); this.depth[node] = this.depth[above] + 1; }
    });
    this.open ??= new Set();
    if (this.of !== parent.length) {
      this.open = new Set([...parent.keys()].filter((node) => this.depth[node] < OPEN));
      this.of = parent.length;
    }
    this.at ??= 0;
    this.box = h("div", { role: "tree", tabindex: "0", "aria-label": `tree for ${this.data.target}`, onscroll: () => this.paint(),
      onkeydown: (event) => this.key(event), style: { overflow: "auto", position: "relative", "max-height": "34rem" } });
    this.space = h("div", { role: "none", style: { position: "relative" } });
    this.box.append(this.space);
    this.show(h("p", {}, h("button", { type: "button", onclick: () => this.all(true) }, "Unfold all"), " ",
      h("button", { type: "button", onclick: () => this.all(false) }, "Fold all")), this.box);
    this.list();
  }
  all(open) {
    this.open = new Set(open ? this.data.parent.keys() : []);
    this.list();
  }
  list() {
    this.rows = [];
    const waiting = [0];
    while (waiting.length) {
      const node = waiting.pop();
      this.rows.push(node);
      if (this.open.has(node)) for (let k = this.children_[node].length - 1; k >= 0; k--) waiting.push(this.children_[node][k]);
    }
    this.space.style.setProperty("height", `${this.rows.length * ROW}px`);
    this.paint();
  }
  paint() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 5);
    const count = Math.ceil((this.box.clientHeight || 600) / ROW) + 10;
    this.space.replaceChildren(...this.rows.slice(first, first + count).map((node, k) => this.row(node, first + k)));
    this.box.setAttribute("aria-activedescendant", `n${this.at}`);
  }
  row(node, place) {
    const { condition, tests, says, counts, weight, classes } = this.data;
    const inner = this.children_[node].length > 0;
    const sign = inner ? (this.open.has(node) ? "▾" : "▸") : "·";
    const lit = this.path?.has(node);
    const most = weight[0];
    const bar = counts ? classBar(counts[node], classes, most) : null;
    const leaf = inner ? `: ${tests[node]}?` : `: ${says[node]}`;
    return h("div", { role: "treeitem", id: `n${node}`, "aria-level": this.depth[node] + 1, "aria-expanded": inner ? String(this.open.has(node)) : null,
      "aria-selected": String(node === this.at), class: [lit ? "lit" : "", node === this.at ? "chosen" : ""].join(" ").trim() || null,
      style: { position: "absolute", top: `${place * ROW}px`, left: "0", "white-space": "nowrap", "padding-left": `${this.depth[node] * 1.3}em`, height: `${ROW}px`, cursor: "pointer" },
      onclick: () => this.choose(node, inner) },
    `${sign} `, h("span", {}, condition[node] || "all rows"), h("b", { style: inner ? {} : this.tint(node) }, leaf), " ", bar);
  }
  tint(node) {
    const k = this.data.class?.[node];
    return k === undefined ? {} : { "border-bottom": `3px solid ${colour(k)}` };
  }
  choose(node, fold) {
    this.at = node;
    if (fold) { if (this.open.has(node)) this.open.delete(node); else this.open.add(node); }
    this.list();
    this.tell("choose", { part: node });
  }
  // highlight the path from the root to a node
  light(node) {
    this.path = new Set();
    for (let at = node; at >= 0; at = this.data.parent[at]) { this.path.add(at); this.open.add(this.data.parent[at]); }
    this.list();
  }
  key(event) {
    const place = this.rows.indexOf(this.at);
    const moves = { ArrowDown: this.rows[place + 1], ArrowUp: this.rows[place - 1], Home: 0, End: this.rows.at(-1) };
    if (event.key in moves && moves[event.key] !== undefined) this.at = moves[event.key];
    else if (event.key === "ArrowRight" && this.children_[this.at].length) this.open.add(this.at);
    else if (event.key === "ArrowLeft") { if (this.open.has(this.at)) this.open.delete(this.at); else this.at = Math.max(0, this.data.parent[this.at]); }
    else if (event.key === "Enter") this.tell("choose", { part: this.at });
    else return;
    event.preventDefault();
    this.list();
    const top = this.rows.indexOf(this.at) * ROW;
    if (top < this.box.scrollTop || top > this.box.scrollTop + this.box.clientHeight - ROW) this.box.scrollTop = top - ROW;
  }
}
customElements.define("induce-tree", Tree);
