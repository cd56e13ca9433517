// The shell: talks to the host of a conversation, fetches the interface and starts it.
// It changes rarely, because hosts keep it for as long as a connection lives.

const PROTOCOL = "2026-01-26";
/** How long a host may take to hand over what it fetched before the enclosed copy is used. */
const PATIENCE = 1500;

let next = 1;
const waiting = new Map();
let host = { capabilities: {}, context: {} };
let view = null;
let latest = null;
/** Calls of this interface that are open, and the answers to those that were made. */
let calls = 0;
const answered = new Set();

function send(message) {
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function ask(method, params) {
  const id = next;
  next += 1;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    send({ id, method, params });
  });
}

/** The payload of a tool's result: its structured content, else its text. */
function payloadOf(result) {
  if (result?.structuredContent) return result.structuredContent;
  const text = (result?.content ?? []).find((it) => it.type === "text")?.text;
  try { return JSON.parse(text ?? ""); } catch { return { ok: false, error: { message: "the answer could not be read" } }; }
}

const bridge = {
  forced: undefined,
  canCall() { return this.forced ?? Boolean(host.capabilities.serverTools); },
  async call(tool, args) {
    calls += 1;
    try {
      const payload = payloadOf(await ask("tools/call", { name: tool, arguments: args }));
      answered.add(JSON.stringify(payload));
      return payload;
    } finally {
      calls -= 1;
    }
  },
  async relay(text) {
    const answer = await ask("ui/message", { role: "user", content: [{ type: "text", text }] });
    if (answer?.isError) throw new Error("the conversation did not take the message");
  },
  open() { return null; },
  revision() { return null; },
};

function theme() {
  if (view) view.theme(host.context.theme);
}

window.addEventListener("message", (event) => {
  if (event.source !== window.parent) return;
  const message = event.data;
  if (message?.jsonrpc !== "2.0") return;
  if (message.method === undefined) {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) asked?.reject(new Error(message.error.message ?? "the host refused"));
    else asked?.resolve(message.result);
    return;
  }
  if (message.method === "ui/notifications/tool-result") {
    const payload = payloadOf(message.params);
    // Some hosts tell of the calls of the interface itself as well. Their answers have their place.
    if (calls > 0 || answered.has(JSON.stringify(payload))) return;
    latest = payload;
    view?.show(latest);
  } else if (message.method === "ui/notifications/tool-cancelled") {
    latest = { ok: false, error: { code: "CANCELLED", message: message.params?.reason ?? "the call was stopped" } };
    view?.show(latest);
  } else if (message.method === "ui/notifications/host-context-changed") {
    host.context = { ...host.context, ...message.params };
    theme();
  } else if (message.id !== undefined) {
    const known = message.method === "ping" || message.method === "ui/resource-teardown";
    send(known ? { id: message.id, result: {} } : { id: message.id, error: { code: -32601, message: "there is no such method" } });
  }
});

/** Starts the interface: its style, then its script, which defines `mount`. */
function start(fragment) {
  if (view) return;
  const parts = new DOMParser().parseFromString(fragment, "text/html");
  for (const it of parts.querySelectorAll("style")) document.head.append(document.importNode(it, true));
  const script = document.createElement("script");
  script.textContent = parts.querySelector("script")?.textContent ?? "";
  document.head.append(script);
  view = window.assayReview(document.getElementById("assay"), bridge);
  theme();
  view.show(latest);
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    send({ method: "ui/notifications/size-changed", params: { height } });
  }).observe(document.documentElement);
}

async function open() {
  const greeted = ask("ui/initialize", {
    protocolVersion: PROTOCOL, appInfo: { name: "assay-review", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  });
  // A host that says nothing still shows what it was given.
  const enclosed = setTimeout(() => start(ENCLOSED), PATIENCE);
  try {
    const answer = await greeted;
    host = { capabilities: answer?.hostCapabilities ?? {}, context: answer?.hostContext ?? {} };
    send({ method: "ui/notifications/initialized", params: {} });
    // A host that took its time finds the enclosed copy at work, which did not know it yet.
    theme();
    view?.show(latest);
    const read = await ask("resources/read", { uri: FRAGMENT });
    const text = read?.contents?.[0]?.text;
    start(typeof text === "string" && text !== "" ? text : ENCLOSED);
  } catch {
    start(ENCLOSED);
  }
  clearTimeout(enclosed);
}

open();
