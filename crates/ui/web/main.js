// What is shown for which payload. The host hands over a bridge:
//   canCall()            whether tools can be called from here
//   call(tool, args)     the payload of a call
//   relay(text)          a message to the conversation
//   open(ruleset)        an address for a ruleset, or null
//   home                 the address of the list, where there is one
//   revision(hash)       the address of a revision, or null

/** A hash, which leads to what it names where there are addresses. */
function linked(hash, bridge) {
  const address = bridge.revision(hash);
  return address ? el("a", { href: address }, el("code", null, hash)) : el("code", null, hash);
}

function reviewPage(payload, bridge, say, show) {
  const approvals = payload.approvals ?? [];
  const last = approvals.at(-1);
  const parts = tabs([
    { key: "rules", title: "Rules", view: () => rulesView(payload) },
    { key: "try", title: "Try it", view: () => exerciseView(payload, bridge, say) },
    { key: "changes", title: "Changes", view: payload.changes ? () => changesView(payload) : null },
    { key: "claims", title: "Claims", view: () => claimsView(payload) },
    { key: "source", title: "Source", view: () => sourceView(payload) },
    { key: "units", title: "Units", view: () => unitsView(payload, bridge) },
    { key: "approvals", title: approvals.length === 0 ? "Approve" : `Approvals (${approvals.length})`, view: () => approvalsView(payload, bridge, say, (next) => show(next, "approvals")) },
  ]);
  return {
    element: el("main", { class: "sheet" },
      bridge.home ? el("a", { class: "home", href: bridge.home }, "All rulesets") : null,
      el("h1", null, payload.name ?? "Ruleset without a name"),
      el("p", { class: "quiet" }, payload.summary),
      facts([
        ["hash", el("code", null, payload.ruleset_hash)],
        ["revision", payload.stored?.parent_hash ? [`${payload.stored.revision_depth + 1}, after `, linked(payload.stored.parent_hash, bridge)] : "1, the first"],
        ["approved", last ? [`by ${last.approver}, `, time(last.approved_at)] : payload.approvals ? "by nobody" : null],
      ].map(([name, value]) => [name, Array.isArray(value) ? el("span", null, value) : value])),
      diagnosticsView(payload.diagnostics, "warning"),
      parts.list, parts.panels),
    select: parts.select,
  };
}

function diagnosticsView(diagnostics, noun) {
  if ((diagnostics ?? []).length === 0) return null;
  return el("div", { class: "note" }, el("strong", null, counted(diagnostics.length, noun)),
    el("ul", null, diagnostics.map((it) => el("li", null, `line ${it.line}: ${it.message}`))));
}

function failurePage(error) {
  return el("main", { class: "sheet" }, el("h1", null, "No answer"), problem(error), diagnosticsView(error.diagnostics, "finding"));
}

function checkPage(payload, bridge, show) {
  const more = bridge.canCall()
    ? el("button", { type: "button", class: "plain", click: () => openRuleset({ ruleset_hash: payload.ruleset_hash }, bridge, show) }, "Read the rules")
    : null;
  return el("main", { class: "sheet" }, el("h1", null, "What the rules answer"),
    facts([["ruleset", el("code", null, payload.ruleset_hash)]]), answersView(payload),
    more ? el("div", { class: "row" }, more) : null);
}

function savePage(payload, bridge, show) {
  const more = bridge.canCall()
    ? el("button", { type: "button", class: "act", click: () => openRuleset({ name: payload.name }, bridge, show) }, "Read and approve it")
    : null;
  return el("main", { class: "sheet" }, el("h1", null, `Saved as ${payload.name}`),
    facts([
      ["hash", el("code", null, payload.ruleset_hash)],
      ["revision", String(payload.revision_depth + 1)],
      ["since", time(payload.bound_at)],
    ]), more ? el("div", { class: "row" }, more) : null);
}

function listPage(payload, bridge, show) {
  const open = (row) => {
    const address = bridge.open(row);
    return address
      ? el("a", { href: address }, row.name)
      : el("button", { type: "button", class: "plain", click: () => openRuleset({ name: row.name }, bridge, show) }, row.name);
  };
  const rows = payload.rulesets.map((row) => el("tr", null,
    el("td", null, open(row), row.compiles ? null : el("p", { class: "problem" }, "no longer compiles")),
    el("td", { "data-label": "holds" }, row.summary),
    el("td", { "data-label": "revision" }, String(row.revision_depth + 1)),
    el("td", { "data-label": "approvals" }, String(row.approval_count)),
    el("td", { "data-label": "saved" }, time(row.bound_at))));
  return el("main", { class: "sheet" }, el("h1", null, "Rulesets"),
    rows.length === 0 ? el("p", null, "Nothing has been saved in this workspace yet.")
      : el("div", { class: "wide" }, el("table", { class: "stack" },
        el("thead", null, el("tr", null, ["name", "holds", "revision", "approvals", "saved"].map((it) => el("th", { scope: "col" }, it)))),
        el("tbody", null, rows))));
}

async function openRuleset(which, bridge, show) {
  try {
    show(await bridge.call("dsail_review", which));
    // Who asked for it reads on from its beginning, also without seeing it.
    document.querySelector(".assay h1")?.focus();
  } catch (error) {
    show({ ok: false, error: { code: "UNREACHABLE", message: String(error.message ?? error) } });
  }
}

/** Takes over an element. The result shows payloads and sets the theme. */
function mount(root, bridge) {
  root.classList.add("assay");
  const live = el("div", { class: "hidden-text", role: "status" });
  const place = el("div", null);
  root.replaceChildren(live, place);
  const say = (text) => { live.textContent = text; };
  const show = (payload, part) => {
    // An operator may force the way in which calls are made, whatever the host can do.
    if (typeof payload?.widget?.direct_calls === "boolean") bridge.forced = payload.widget.direct_calls;
    let page;
    if (payload?.ok === false) page = failurePage(payload.error ?? {});
    else if (payload?.rulesets) page = listPage(payload, bridge, show);
    else if (payload?.manifest) {
      const review = reviewPage(payload, bridge, say, show);
      page = review.element;
      if (part) review.select(part, true);
    } else if (payload?.rules && payload?.claims) page = checkPage(payload, bridge, show);
    else if (payload?.bound_at && payload?.ruleset_hash) page = savePage(payload, bridge, show);
    else page = el("main", { class: "sheet" }, el("p", { class: "quiet" }, "Waiting for a ruleset."));
    page.querySelector("h1")?.setAttribute("tabindex", "-1");
    place.replaceChildren(page);
    if (part) page.querySelector(`#assay-tab-${part}`)?.focus();
  };
  const theme = (name) => {
    if (name !== "light" && name !== "dark") return;
    root.dataset.theme = name;
    document.documentElement.style.colorScheme = name;
  };
  return { show, theme };
}
