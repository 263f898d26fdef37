// Requests to the server; its refusals are one sentence.
export class Gone extends Error {}
export async function ask(path, body) {
  const how = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let answer, found;
  try { // the server may die in the middle of an answer
    answer = await fetch(path, how);
    const type = answer.headers.get("content-type") ?? "";
    found = type.startsWith("application/json") ? await answer.json() : { problem: (await answer.text()).trim() };
  } catch { lost(true); throw new Gone("the workbench does not respond"); }
  lost(false);
  if (!answer.ok) throw new Error(found.problem);
  return found;
}

export async function send(file) {
  const answer = await fetch(`/api/uploads/${encodeURIComponent(file.name)}`, { method: "PUT", body: file });
  const found = answer.headers.get("content-type")?.startsWith("application/json") ? await answer.json() : { problem: (await answer.text()).trim() };
  if (!answer.ok) throw new Error(found.problem);
  return found.source;
}

export function lost(gone) { document.getElementById("gone").hidden = !gone; }

// The name of a file without its folder; other sources as they are.
export const named = (source) => /^[a-z][a-z0-9+]+:/i.test(source) ? source : source.split(/[\\/]/).at(-1);
