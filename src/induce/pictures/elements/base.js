// Shared by all elements: colours, construction of nodes from text, and the style sheet.
export const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00",
  "#f0e442", "#882255", "#999933", "#332288", "#44aa99", "#aa4499"];
export const colour = (k) => PALETTE[k % PALETTE.length];

// An HTML node; names and values become text nodes, never markup.
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, each] of Object.entries(value)) node.style.setProperty(key, each);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined).map((each) =>
    each instanceof Node ? each : document.createTextNode(String(each))));
  return node;
}

// An SVG node; strings become text nodes.
export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, each] of Object.entries(value)) node.style.setProperty(key, each);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined).map((each) =>
    each instanceof Node ? each : document.createTextNode(String(each))));
  return node;
}

// Enter and the space bar act like a click.
export const pressed = (work) => ({ onclick: work, onkeydown: (event) => {
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); work(event); }
} });

// A region for wide content, which scrolls by mouse and keyboard.
export const scrolling = (label, ...children) => h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": label }, ...children);

// Truth values are written as in Python, like the names of classes.
export const shown = (value) => {
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "number" ? String(Number(value.toPrecision(4))) : value === null ? "" : String(value);
};

const STYLE = `
:host { display: block; font: inherit; }
table { border-collapse: collapse; } th, td { padding: .15rem .6rem; text-align: left; vertical-align: top; }
svg { max-width: 100%; height: auto; } caption { text-align: left; white-space: nowrap; color: light-dark(#555, #bbb); } th { font-weight: 600; } tbody tr { border-top: 1px solid #8884; }
button, select, input { font: inherit; }
.bar { display: inline-flex; height: .8em; min-width: 1px; vertical-align: middle; background: #8882; }
.bar span { display: block; height: 100%; }
.muted { color: light-dark(#555, #bbb); } .wide { overflow-x: auto; } .clear { background: none; border: 0; padding: 0; color: inherit; cursor: pointer; }
.lit { background: light-dark(#fff1c9, #4a3c00); } .chosen { outline: 2px solid #0072b2; outline-offset: -2px; }
.gone { text-decoration: line-through; } pre { overflow-x: auto; white-space: pre-wrap; }
:focus-visible { outline: 2px solid #0072b2; outline-offset: 1px; }`;
let sheet = null;

export class Picture extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    if (!sheet) { sheet = new CSSStyleSheet(); sheet.replaceSync(STYLE); }
    this.shadowRoot.adoptedStyleSheets = [sheet];
  }
  set data(value) { this._data = value; this.render(); }
  get data() { return this._data; }
  show(...nodes) { this.shadowRoot.replaceChildren(...nodes); }
  tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true })); }
}

// One bar, divided by class; its length is the square root of the rows, so that small nodes stay visible.
export function classBar(counts, classes, most, width = 8) {
  const total = counts.reduce((a, b) => a + b, 0);
  const length = most > 0 ? Math.sqrt(total / most) * width : 0;
  const text = counts.map((n, k) => `${classes[k] ?? ""} ${shown(n)}`).join(", ");
  return h("span", { class: "bar", role: "img", "aria-label": text, title: text, style: { width: `${length}em` } },
    counts.map((n, k) => h("span", { style: { width: `${total ? 100 * n / total : 0}%`, background: colour(k) } })));
}
