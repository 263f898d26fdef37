import { Picture, h, shown } from "./base.js";

// <induce-bars>: a bar per name, some highlighted; bars to the left are negative.
export class Bars extends Picture {
  render() {
    const { title, bars } = this.data;
    const most = Math.max(1e-12, ...bars.map((each) => Math.abs(each.value ?? 0)));
    this.show(h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": title, style: { "max-height": "34rem", "overflow-y": "auto" } }, h("table", {}, h("caption", {}, title), h("tbody", {}, bars.map((each) => h("tr", { class: each.mark ? "lit" : null },
      h("th", { scope: "row" }, each.mark ? h("b", {}, each.name) : each.name), h("td", {}, each.text ?? shown(each.value ?? null)),
      h("td", {}, h("span", { class: "bar", style: { width: `${10 * Math.abs(each.value ?? 0) / most}em`, background: (each.value ?? 0) < 0 ? "#d55e00" : "#0072b2" } }))))))));
  }
}
customElements.define("induce-bars", Bars);

// <induce-votes>: the members of an ensemble with the weights of their votes.
export class Votes extends Picture {
  render() {
    const bars = document.createElement("induce-bars");
    this.show(bars);
    bars.data = { title: "members and their votes", bars: this.data.members.map((each, k) => ({ name: `${k + 1}: ${each.text}`, value: each.vote })) };
  }
}
customElements.define("induce-votes", Votes);
