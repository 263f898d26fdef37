import { Picture, h, scrolling, shown } from "./base.js";

// <induce-told>: the fields of an event, as nested tables.
export class Told extends Picture {
  render() {
    this.show(scrolling("event", h("table", {}, h("tbody", {}, this.data.fields.map(([name, value]) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, this.cell(value))))))));
  }
  cell(value) {
    if (Array.isArray(value)) {
      if (value.some((each) => each && typeof each === "object")) return h("ul", {}, value.slice(0, 30).map((each) => h("li", {}, this.cell(each))));
      return value.slice(0, 60).map(shown).join(", ") + (value.length > 60 ? " …" : "");
    }
    if (value && typeof value === "object") {
      return h("table", {}, h("tbody", {}, Object.entries(value).slice(0, 40).map(([name, each]) =>
        h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, this.cell(each))))));
    }
    return shown(value);
  }
}
customElements.define("induce-told", Told);
