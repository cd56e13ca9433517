// What waits for a person: the list, kept up to date for as long as it is looked at.

const EVERY = 5_000;
const KEPT = "assay-credential";
/** The token where a browser keeps nothing for the tab. */
let inMemory = null;

const token = {
  get() {
    try { return sessionStorage.getItem(KEPT) ?? inMemory; } catch { return inMemory; }
  },
  set(value) {
    inMemory = value;
    try {
      if (value === null) sessionStorage.removeItem(KEPT);
      else sessionStorage.setItem(KEPT, value);
    } catch { /* It stays in memory. */ }
  },
};

async function send(method, path, body) {
  const headers = { accept: "application/json", authorization: `Bearer ${token.get() ?? ""}` };
  if (body) headers["content-type"] = "application/json";
  const response = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: "no-store" });
  return { status: response.status, answer: exactly(await response.text()) };
}

/** Where a person says who they are. */
function askView(refused, go) {
  const input = el("input", { type: "password", id: "assay-token", autocomplete: "off", spellcheck: "false", required: true });
  const button = el("button", { type: "button", class: "act" }, "Go on");
  const start = () => {
    if (input.value.trim() !== "") go(input.value.trim());
  };
  return el("main", { class: "sheet" }, el("h1", null, "Waiting for you"),
    el("p", null, "Approvals and confirmations are given by people who signed in. A key of a program is not enough."),
    refused ? el("p", { class: "problem", role: "alert" }, "That token is not taken. Please use the token of your own session.") : null,
    asking("Session", button, start,
      el("div", { class: "field" }, el("label", { for: input.id }, "Session token"), input),
      el("p", { class: "quiet small" }, "It stays in this tab and is sent to this service alone."),
      el("div", { class: "row" }, button)));
}

function startApprovals() {
  const root = document.getElementById("assay");
  root.classList.add("assay");
  const live = el("div", { class: "hidden-text", role: "status" });
  const place = el("div");
  root.replaceChildren(live, place);
  const cards = new Map();
  let person = null, names = {}, list = null, trouble = null, about = null, timer = null, looking = false;

  const ask = (refused) => {
    token.set(null);
    clearTimeout(timer);
    cards.clear();
    list = null;
    live.textContent = "";
    place.replaceChildren(askView(refused, (given) => { token.set(given); look(); }));
    place.querySelector("input").focus();
  };
  const bridge = {
    person: () => person,
    /** People choose their names, so what tells them apart stands beside it. */
    name: (subject) => (Object.hasOwn(names, subject) ? [...visible(names[subject]), ` (${subject})`] : visible(subject)),
    say: (text) => { live.textContent = text; },
    look: () => look(),
    send: async (method, path, body) => {
      const { status, answer } = await send(method, path, body);
      if (status === 401) ask(true);
      return answer;
    },
  };
  const open = () => {
    about = el("p", { class: "quiet" });
    trouble = el("p", { class: "problem", role: "alert", hidden: true }, 
      "The service does not answer at the moment. What you see may be out of date.");
    list = el("div");
    const leave = el("button", { type: "button", class: "plain", click: () => ask(false) }, "Forget the token");
    place.replaceChildren(el("main", { class: "sheet" },
      el("div", { class: "head" }, el("h1", { tabindex: "-1" }, "Waiting for you"), leave), about, trouble, list));
  };
  /** Cards keep their places: what is new comes last, and what is over stays and says so. */
  const show = (answer) => {
    const first = list === null;
    if (first) open();
    [person, names] = [answer.person, answer.names];
    trouble.hidden = true;
    const entries = new Map();
    for (const it of answer.waiting) entries.set(it.request, [it, waitingCard]);
    for (const it of answer.findings) entries.set(it.event, [it, findingCard]);
    for (const [key, card] of cards) if (!entries.has(key)) card.update(null);
    let fresh = 0;
    for (const [key, [entry, make]] of entries) {
      if (cards.has(key)) { cards.get(key).update(entry); continue; }
      const card = make(entry, bridge);
      cards.set(key, card);
      list.append(card.element);
      fresh += 1;
    }
    const roles = answer.roles.length === 0 ? "" : `, ${answer.roles.join(" and ")}`;
    about.replaceChildren("Signed in as ", ...bridge.name(person), roles, ". ",
      entries.size === 0 ? "Nothing waits at the moment." : `${counted(entries.size, "item")} waiting.`);
    if (first) document.getElementById(location.hash.slice(1))?.focus();
    else if (fresh > 0) bridge.say(`${counted(fresh, "new item")} waiting`);
  };
  const look = async () => {
    if (looking) return;
    if (token.get() === null) { ask(false); return; }
    looking = true;
    clearTimeout(timer);
    const asked = token.get();
    try {
      const { status, answer } = await send("GET", "/v1/approvals");
      // Somebody else signed in meanwhile, or nobody is.
      if (token.get() !== asked) return;
      if (status === 401) { ask(true); return; }
      if (answer.ok !== true) throw new Error("no list");
      show(answer);
    } catch {
      if (list === null) open();
      trouble.hidden = false;
    } finally {
      looking = false;
      if (token.get() !== asked && token.get() !== null) look();
    }
    if (document.visibilityState === "visible") timer = setTimeout(look, EVERY);
  };
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.visibilityState === "visible" && list !== null) look();
  });
  look();
}

startApprovals();
