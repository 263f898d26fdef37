// Requests to the server; what it refuses is one sentence.
export async function ask(path, body) {
  const how = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try { answer = await fetch(path, how); } catch { lost(true); throw new Error("the workbench does not answer"); }
  lost(false);
  const type = answer.headers.get("content-type") ?? "";
  const found = type.startsWith("application/json") ? await answer.json() : { problem: (await answer.text()).trim() };
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
