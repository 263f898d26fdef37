import { Picture, colour, h, scrolling, shown } from "./base.js";

// <induce-clusters>: the size and distinguishing columns of each cluster, and means with deviations over two columns.
export class Clusters extends Picture {
  render() {
    const { clusters, axes, means } = this.data;
    this.axes ??= [0, Math.min(1, axes.length - 1)];
    const most = Math.max(...clusters.map((each) => each.share));
    const plane = axes.length ? document.createElement("induce-plane") : null;
    const choice = (which) => {
      const field = h("select", { "aria-label": which ? "upright column" : "level column", onchange: () => { this.axes[which] = field.selectedIndex; this.render(); } },
        axes.map((name, k) => h("option", { selected: k === this.axes[which] }, name)));
      return field;
    };
    this.show(...[axes.length > 1 ? h("p", {}, choice(0), " and ", choice(1)) : null, plane,
      scrolling("clusters", h("table", {}, h("thead", {}, h("tr", {}, ["cluster", "rows", "", "distinguishing columns"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, clusters.map((each, k) => h("tr", { class: this.lit === k ? "lit" : null }, h("th", { scope: "row" }, h("button", { type: "button", class: "clear", onclick: () => this.tell("choose", { part: k }) }, h("span", { class: "bar", style: { width: ".8em", background: colour(k) } }), ` ${k}`)),
          h("td", {}, `${(100 * each.share).toFixed(1)} %`), h("td", {}, h("span", { class: "bar", style: { width: `${6 * each.share / most}em`, background: colour(k) } })),
          h("td", {}, h("ul", { style: { margin: "0", "padding-left": "1.1em" } }, each.columns.slice(0, 4).map((one) => h("li", {}, one.text)), each.rules.slice(0, 3).map((rule) => h("li", {}, `IF ${rule}`))))))))),
    ].filter(Boolean));
    if (!plane) return;
    const used = axes.length > 1 ? this.axes : [0];
    const spread = (k, at) => Math.sqrt(Math.max(0, this.data.covariances[k][at][at]));
    const span = (at) => { const ends = means.flatMap((mean, k) => [mean[at] - 2.4 * spread(k, at), mean[at] + 2.4 * spread(k, at)]); return [Math.min(...ends), Math.max(...ends)]; };
    plane.data = { axes: used.map((at) => axes[at]), range: [span(used[0]), span(used[1] ?? used[0])],
      means: means.map((mean, k) => ({ at: used.map((at) => mean[at]), covariance: used.map((one) => used.map((other) => this.data.covariances[k][one][other])) })) };
  }
  light(k) { this.lit = k; this.render(); }
}
customElements.define("induce-clusters", Clusters);
