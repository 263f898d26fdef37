import { Picture, h } from "./base.js";

// <induce-boundaries>: the boundaries S (below) and G (above), with the reasons for removed members.
export class Boundaries extends Picture {
  render() {
    const { S, G, left } = this.data;
    const members = (name, list) => h("section", {}, h("h3", {}, name),
      h("ul", {}, list.length ? list.map((each) => h("li", {}, this.text(each))) : h("li", {}, "nothing: no hypothesis fits")));
    this.show(G ? members("G, the most general", G) : null, members(G ? "S, the most specific" : "h", S),
      left.length ? h("section", {}, h("h3", {}, "left"), h("ul", {}, left.map((each) =>
        h("li", {}, h("span", { class: "gone" }, this.text(each.hypothesis)), ` from ${each.boundary}: ${each.why}`)))) : null);
  }
  show(...nodes) { super.show(...nodes.filter(Boolean)); }
  text(cells) { return Array.isArray(cells) ? `⟨${cells.map(String).join(", ")}⟩` : String(cells); }
}
customElements.define("induce-boundaries", Boundaries);
