import { h } from "/elements/base.js";

// The same in Python and on the command line.
export function scripts(python, command) {
  return h("details", {}, h("summary", {}, "The same in Python and on the command line"),
    h("pre", { class: "python", tabindex: "0", "aria-label": "Python" }, python),
    h("pre", { class: "command", tabindex: "0", "aria-label": "command" }, command));
}
