// One ruleset as a person reads it before signing.

/** Tabs by the pattern that screen readers know: arrows move, one panel is shown. */
function tabs(entries) {
  const id = (key, part) => `assay-${part}-${key}`;
  const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Parts of the ruleset" });
  const shown = entries.filter((it) => it.view);
  const select = (key, focus) => {
    for (const entry of shown) {
      const on = entry.key === key;
      entry.tab.setAttribute("aria-selected", String(on));
      entry.tab.tabIndex = on ? 0 : -1;
      entry.panel.hidden = !on;
      if (on && !entry.panel.hasChildNodes()) entry.panel.append(entry.view());
      if (on && focus) entry.tab.focus();
    }
  };
  for (const entry of shown) {
    entry.tab = el("button", {
      type: "button", role: "tab", id: id(entry.key, "tab"), "aria-controls": id(entry.key, "panel"),
      click: () => select(entry.key),
      keydown: (event) => {
        const at = shown.indexOf(entry);
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        select(shown[(to + shown.length) % shown.length].key, true);
      },
    }, entry.title);
    entry.panel = el("section", {
      role: "tabpanel", id: id(entry.key, "panel"), "aria-labelledby": id(entry.key, "tab"), tabindex: "-1", hidden: true,
    });
    list.append(entry.tab);
  }
  select(shown[0].key);
  return { list, panels: shown.map((it) => it.panel), select };
}

function assertionsOf(payload) {
  return payload.manifest.rules.flatMap((rule) => rule.assertions);
}

function rulesView(payload) {
  const claims = new Map(payload.manifest.claims.map((it) => [it.claim, it]));
  const policy = {
    pessimistic: "not established counts as violated",
    optimistic: "not refuted counts as kept",
    neutral: "undetermined stays UNKNOWN",
  };
  return el("div", null, assertionsOf(payload).map((it) => el("article", { class: "item" },
    el("header", null, el("h2", { class: "name" }, it.name), el("span", { class: "tag" }, `${it.unknown_policy}: ${policy[it.unknown_policy] ?? ""}`)),
    it.description ? el("p", null, it.description) : el("p", { class: "quiet" }, "The source does not describe this rule."),
    el("code", { class: "code" }, it.source ?? ""),
    (it.reads ?? []).length === 0 ? null : el("details", null,
      el("summary", null, `Reads ${counted(it.reads.length, "claim")}`),
      el("ul", null, it.reads.map((name) => el("li", null, el("code", null, name), ": ", claims.get(name)?.question ?? "")))))));
}

function claimsView(payload) {
  const answer = (claim) => [
    claim.data_type,
    claim.unit ? `in ${claim.unit}` : null,
    claim.range ? `from ${claim.range.min} to ${claim.range.max}` : null,
    claim.vocabulary ? `one of ${claim.vocabulary.map((it) => `“${it}”`).join(claim.ordered ? " < " : ", ")}` : null,
  ].filter(Boolean).join(", ");
  return el("div", null, payload.manifest.claims.map((claim) => el("article", { class: "item" },
    el("header", null, el("h2", { class: "name" }, claim.claim), el("span", { class: "tag" }, answer(claim))),
    el("p", null, claim.question),
    claim.context ? el("p", { class: "quiet" }, claim.context) : null)));
}

function sourceView(payload) {
  const lines = payload.source.replace(/\n$/, "").split("\n");
  const rows = lines.map((text, at) => el("div", { id: `assay-line-${at + 1}` },
    el("span", { "aria-hidden": "true" }, String(at + 1)), el("span", null, text === "" ? " " : text)));
  const jump = (line) => {
    for (const row of rows) row.classList.remove("found");
    const row = rows[line - 1];
    if (!row) return;
    row.classList.add("found");
    row.scrollIntoView({ block: "center" });
  };
  const select = el("select", { id: "assay-jump", change: (event) => jump(Number(event.target.value)) },
    el("option", { value: "0" }, "choose a rule"),
    assertionsOf(payload).filter((it) => it.line).map((it) => el("option", { value: it.line }, `${it.name}, line ${it.line}`)));
  return el("div", null,
    el("div", { class: "row" }, el("label", { for: "assay-jump" }, "Jump to"), select),
    el("div", { class: "source", role: "group", "aria-label": "Source", tabindex: "0" }, rows));
}

function changesView(payload) {
  const { changes, parent_hash: hash, parent_source: source } = payload.changes;
  const verbs = { added: "was added", removed: "was removed", changed: "changed" };
  const side = (aspect, text) => {
    if (text === null) return el("em", { class: "quiet" }, "nothing");
    return ["question", "context", "description"].includes(aspect) ? `“${text}”` : el("code", null, text);
  };
  const sides = (it) => el("li", null, `${it.aspect}: `, side(it.aspect, it.before), " → ", side(it.aspect, it.after));
  return el("div", null,
    el("p", { class: "quiet small" }, "Compared with the revision before, ", el("code", null, hash), "."),
    changes.length === 0
      ? el("p", null, "No claim and no rule says anything else than before. Only the text differs.")
      : changes.map((it) => el("article", { class: "item" },
        el("h2", { class: "name" }, `${{ claim: "Claim", rule: "Rule", local: "Local name" }[it.subject]} ${it.name} ${verbs[it.kind]}`),
        it.kind === "changed" ? el("ul", null, it.aspects.map(sides)) : el("ul", null, it.aspects.map((one) =>
          el("li", null, `${one.aspect}: `, side(one.aspect, one.after ?? one.before)))))),
    el("h2", null, "Line by line"), diffView(source, payload.source));
}

/** The unit library in force, by its hash. */
function libraryOf(payload) {
  return payload.unit_library_hash ? el("code", null, payload.unit_library_hash) : "the built-in standards alone";
}

function unitsView(payload, bridge) {
  const causes = { missing: "nothing converts them", ambiguous: "only bounds are fixed" };
  const library = el("div", null);
  if (bridge.canCall()) {
    bridge.call("dsail_unit_library", {}).then((answer) => {
      if (answer.ok !== true) return library.append(problem(answer.error ?? {}));
      const rows = answer.project_converters;
      library.append(rows.length === 0 ? el("p", { class: "quiet" }, "The workspace has no converters of its own.")
        : el("div", { class: "wide" }, el("table", { class: "stack" },
          el("thead", null, el("tr", null, ["from", "to", "factor", "offset", "supplied by"].map((it) => el("th", { scope: "col" }, it)))),
          el("tbody", null, rows.map((it) => el("tr", null, [["from", it.from], ["to", it.to], ["factor", it.factor], ["offset", it.offset], ["supplied by", it.attribution ?? "not said"]]
            .map(([label, value]) => el("td", { "data-label": label }, String(value)))))))));
      return null;
    }, () => library.append(problem({ message: "the unit library could not be read" })));
  }
  return el("div", null,
    payload.unbridged_units.length === 0
      ? el("p", null, "Every comparison has the units that it needs.")
      : el("div", { class: "note" }, el("strong", null, "These comparisons answer UNKNOWN, whatever the values:"),
        el("ul", null, payload.unbridged_units.map((it) => el("li", null, el("code", null, it.rule), `: ${it.from} to ${it.to}, ${causes[it.cause] ?? it.cause}`)))),
    facts([["unit library", libraryOf(payload)]]),
    bridge.canCall() ? el("h2", null, "Converters of the workspace") : null, library);
}
