import "/elements/bars.js";
import "/elements/boundaries.js";
import "/elements/clauses.js";
import "/elements/clusters.js";
import "/elements/curve.js";
import "/elements/error.js";
import "/elements/histogram.js";
import "/elements/lattice.js";
import "/elements/network.js";
import "/elements/neural.js";
import "/elements/nomogram.js";
import "/elements/plane.js";
import "/elements/player.js";
import "/elements/policy.js";
import "/elements/rules.js";
import "/elements/told.js";
import "/elements/tree.js";
import { h } from "/elements/base.js";
import { Gone, ask, lost, named } from "./api.js";
import { dataPlace } from "./data.js";
import { home } from "./home.js";
import { hypothesisPlace } from "./hypothesis.js";
import { learnPlace } from "./learn.js";
import { playPlace } from "./play.js";

const PLACES = { data: ["Data", dataPlace], learn: ["Learn", learnPlace], hypothesis: ["Hypothesis", hypothesisPlace], play: ["Play", playPlace] };
const main = document.querySelector("main");
let turn = 0;

// The address is the state: #/SHEET/PLACE/MORE. The content comes from the steps on the server.
async function route() {
  const mine = ++turn;
  const [, sheet = "", place = "", more = ""] = location.hash.split("/").map(decodeURIComponent);
  let state = null;
  try {
    const start = await ask("/api/start");
    if (!sheet && start.source && !start.sheets.some((each) => each.source === start.source)) {
      const opened = await ask("/api/sheets", { source: start.source });
      location.replace(`#/${opened.sheet}/data`);
      return;
    }
    if (sheet && sheet !== "play") state = await ask(`/api/sheets/${sheet}`);
    if (mine !== turn) return;
    menu(sheet, place, state);
    if (sheet === "play" || place === "play") await playPlace(main, { state, start, more: place === "play" ? more : place });
    else if (state) await (PLACES[place] ?? PLACES.data)[1](main, { state, start, more });
    else home(main, start);
  } catch (problem) {
    if (mine === turn) main.replaceChildren(h("p", { class: "bad", role: "alert" }, problem.message), h("p", {}, h("a", { href: "#/" }, "Back to the start")));
  }
}

function menu(sheet, place, state) {
  const known = state ? Object.entries(PLACES) : [["play", PLACES.play]];
  const at = sheet === "play" ? "play" : place || "data";
  document.querySelector("nav").replaceChildren(...known.map(([key, [name]]) =>
    h("a", { href: state ? `#/${sheet}/${key}` : "#/play", "aria-current": key === at && (state || sheet === "play") ? "page" : null }, name)));
  document.querySelector(".what").textContent = state ? `${named(state.table.source)}${state.table.target ? `, ${state.kind === "relations" ? "learn" : "predict"} ${state.table.target}` : ""}` : "";
}

addEventListener("hashchange", () => { route().then(() => { main.focus({ preventScroll: true }); scrollTo(0, 0); }); });
route();

// Detect a lost server and reload when it is back; the notice covers requests that nothing awaits.
addEventListener("unhandledrejection", (event) => { if (event.reason instanceof Gone) event.preventDefault(); });
let away = false;
setInterval(async () => {
  try {
    await fetch("/api/alive");
    lost(false);
    if (away) { away = false; route(); }
  } catch { away = true; lost(true); }
}, 1000);
