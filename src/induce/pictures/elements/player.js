import { Picture, h, shown } from "./base.js";

// <induce-player>: the frames of a trace, with slider, keys and a play button; cells of its table can be edited.
const PAUSE = 1200;

export class Player extends Picture {
  render() {
    const { frames, table, hypothesis, note } = this.data;
    this.at = Math.min(this.at ?? 0, frames.length - 1);
    clearInterval(this.clock);
    this.slider = h("input", { type: "range", min: 0, max: frames.length - 1, "aria-label": "step", oninput: () => this.go(Number(this.slider.value)), style: { width: "16rem", "max-width": "60vw" } });
    this.button = h("button", { type: "button", onclick: () => this.play() }, "Play");
    this.caption = h("p", { "aria-live": "polite" });
    this.place = h("span", { class: "muted" });
    this.picture = h("div", { style: { "min-width": "0", "max-width": "100%" } });
    this.side = table ? h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "table of the lesson", style: { "max-width": "100%" } }) : h("div");
    this.show(h("div", { role: "group", "aria-label": "player", onkeydown: (event) => this.key(event) },
      h("p", {}, h("button", { type: "button", "aria-label": "back", onclick: () => this.go(this.at - 1) }, "◀"), " ", this.slider, " ",
        h("button", { type: "button", "aria-label": "forward", onclick: () => this.go(this.at + 1) }, "▶"), " ", this.button, " ", this.place), this.caption),
    h("div", { style: { display: "flex", "flex-wrap": "wrap", gap: "2rem" } }, this.side, this.picture),
    note ? h("p", { class: "muted" }, note) : "", h("details", {}, h("summary", {}, "Learned hypothesis"), h("pre", { tabindex: "0" }, hypothesis)));
    this.go(this.at);
  }
  disconnectedCallback() { clearInterval(this.clock); }
  go(at) {
    const { frames } = this.data;
    this.at = Math.max(0, Math.min(frames.length - 1, at));
    const frame = frames[this.at];
    this.slider.value = this.at;
    this.place.textContent = `step ${this.at + 1} of ${frames.length}`;
    this.caption.textContent = frame.caption;
    this.pictures(frame);
    if (this.data.table) this.fill(frame.row);
    this.tell("step", { at: this.at });
  }
  // existing pictures get the new frame as data, so that they keep their selection
  pictures(frame) {
    const parts = [frame, ...(frame.also ?? [])];
    const names = parts.map((part) => `induce-${part.picture}`);
    const old = [...this.picture.children];
    if (old.length !== parts.length || old.some((each, k) => each.localName !== names[k])) this.picture.replaceChildren(...names.map((name) => document.createElement(name)));
    parts.forEach((part, k) => {
      const picture = this.picture.children[k];
      picture.data = part.tree ?? part;
      if (part.tree) picture.light(part.node);
    });
  }
  fill(row) {
    const { table, editable } = this.data;
    this.side.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, table.columns.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, table.rows.map((cells, r) => h("tr", { class: r === row ? "lit" : null }, cells.map((cell, c) =>
        h("td", {}, editable ? this.choice(r, c, cell) : cell)))))));
  }
  choice(r, c, cell) {
    const { table } = this.data, values = table.domains[c], label = `${table.columns[c]} of row ${r + 1}`;
    if (table.fixed?.includes(table.columns[c])) return cell;
    const change = () => {
      const rows = table.rows.map((each) => [...each]);
      rows[r][c] = field.value;
      this.tell("change", { rows });
    };
    const field = values ? h("select", { "aria-label": label, onchange: change }, values.map((value) => h("option", { value, selected: value === cell }, value)))
      : h("input", { type: "number", step: "any", "aria-label": label, value: cell, onchange: change, style: { width: "5rem" } });
    return field;
  }
  play() {
    if (this.clock) { clearInterval(this.clock); this.clock = null; this.button.textContent = "Play"; return; }
    if (this.at === this.data.frames.length - 1) this.go(0);
    this.button.textContent = "Pause";
    this.clock = setInterval(() => { if (this.at === this.data.frames.length - 1) this.play(); else this.go(this.at + 1); }, PAUSE);
  }
  key(event) {
    if (event.target === this.slider) return;
    if (event.key === "ArrowRight") this.go(this.at + 1);
    else if (event.key === "ArrowLeft") this.go(this.at - 1);
    else return;
    event.preventDefault();
  }
}
customElements.define("induce-player", Player);
