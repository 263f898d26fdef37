import { h } from "/elements/base.js";
import { ask } from "./api.js";

export const POLL = 250;
export const isBusy = (job) => job.state === "waiting" || job.state === "running";

// Progress bar of a running job, with the remaining time and a stop button.
export function progress(job, sheet, after) {
  const left = [job.phase || job.state, job.left ? `about ${Math.ceil(job.left)} s left` : ""].filter(Boolean).join(", ");
  return [h("progress", { max: 1, value: job.share || null, "aria-label": `run ${job.run}` }), ` ${left} `,
    h("button", { type: "button", onclick: async () => { await ask(`/api/sheets/${sheet}/runs/${job.run}/stop`, {}); after(); } }, "Stop")];
}

// Poll the state of a sheet while a job is running and the place is shown.
export async function poll(place, sheet, show) {
  const now = await ask(`/api/sheets/${sheet}`);
  show(now);
  if ([...now.runs, ...now.others].some(isBusy) && place.isConnected) setTimeout(() => { if (place.isConnected) poll(place, sheet, show); }, POLL);
}
