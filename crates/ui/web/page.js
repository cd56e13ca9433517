// In a browser the interface calls the service that it came from.

const ROUTES = {
  dsail_review: (args) => (args.name ? ["POST", "/v1/review", args] : ["GET", `/v1/review/${encodeURIComponent(args.ruleset_hash)}`]),
  dsail_check: (args) => ["POST", "/v1/check", args],
  dsail_record_approval: (args) => ["POST", "/v1/approvals", args],
  dsail_unit_library: () => ["GET", "/v1/units"],
  dsail_list_rulesets: () => ["GET", "/v1/rulesets"],
};
const KEPT = "assay-credential";

/** Asks for a credential until the service takes one. It is kept for as long as the tab is open. */
function askForCredential(root, refused) {
  return new Promise((resolve) => {
    const input = el("input", { type: "password", id: "assay-credential", autocomplete: "off", required: true });
    const send = () => {
      if (input.value.trim() === "") return;
      sessionStorage.setItem(KEPT, input.value.trim());
      form.remove();
      resolve();
    };
    const button = el("button", { type: "button", class: "act" }, "Go on");
    const form = el("main", { class: "sheet" }, el("h1", null, "This installation asks who you are"),
      refused ? el("p", { class: "problem", role: "alert" }, "That credential is not taken.") : null,
      asking("Credential", button, send,
        el("div", { class: "field" }, el("label", { for: "assay-credential" }, "Session token or API key"), input),
        el("p", { class: "quiet small" }, "It stays in this tab and is sent to this service alone."),
        el("div", { class: "row" }, button)));
    root.append(form);
    input.focus();
  });
}

function bridgeOf(root) {
  const fetched = async (method, path, body) => {
    const headers = { accept: "application/json" };
    const credential = sessionStorage.getItem(KEPT);
    if (credential) headers.authorization = `Bearer ${credential}`;
    if (body) headers["content-type"] = "application/json";
    const response = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: "no-store" });
    if (response.status !== 401) return response.json();
    await askForCredential(root, Boolean(credential));
    return fetched(method, path, body);
  };
  return {
    home: "/review",
    canCall: () => true,
    call: (tool, args) => fetched(...ROUTES[tool](args)),
    relay: async () => { throw new Error("there is no conversation here"); },
    revision: (hash) => `/review/${encodeURIComponent(hash)}`,
    open: (row) => `/review?name=${encodeURIComponent(row.name)}`,
  };
}

async function startPage() {
  const root = document.getElementById("assay");
  const bridge = bridgeOf(root);
  const view = mount(root, bridge);
  const hash = location.pathname.match(/^\/review\/([^/]+)$/)?.[1];
  const name = new URLSearchParams(location.search).get("name");
  try {
    const asked = hash ? ["dsail_review", { ruleset_hash: decodeURIComponent(hash) }]
      : name ? ["dsail_review", { name }] : ["dsail_list_rulesets", {}];
    const payload = await bridge.call(...asked);
    view.show(payload);
    if (payload.ok === true && payload.summary) document.title = `${payload.name ?? "Ruleset"} · Assay`;
  } catch (error) {
    view.show({ ok: false, error: { code: "UNREACHABLE", message: String(error.message ?? error) } });
  }
}

startPage();
