// Cards: a call that waits, and a finding that somebody has to decide on.

const PAST = { approve: "approved", refuse: "refused", confirm: "confirmed", decline: "declined" };

/** A moment that is given in milliseconds. */
function moment(milliseconds) {
  return time(new Date(milliseconds).toISOString());
}

/** How much time is left, in the largest unit that says it well. */
function left(until) {
  const minutes = Math.ceil((until - Date.now()) / 60_000);
  if (minutes <= 0) return "the time for this is over";
  if (minutes < 120) return `${counted(minutes, "minute")} left`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours left` : `${Math.round(hours / 24)} days left`;
}

function needsOf(needs) {
  return needs.map(({ count, roles }) => `${counted(count, "approval")} from ${roles.join(" or ")}`).join("; ") || null;
}

/** A button that sends, and what became of it. Nothing is sent twice at once. */
function sender(buttons, result, say) {
  return async (work, done) => {
    buttons.forEach((it) => { it.disabled = true; });
    result.replaceChildren();
    try {
      const answer = await work();
      if (answer.ok === true) {
        result.replaceChildren(el("p", { class: "note" }, done));
        say(done);
        return true;
      }
      const sentence = answer.error?.user_message ?? answer.error?.message ?? "no answer came";
      result.replaceChildren(el("p", { class: "problem", role: "alert" }, "This was not taken: ", visible(sentence)));
    } catch {
      result.replaceChildren(el("p", { class: "problem", role: "alert" },
        "The service did not answer, so it is not known whether this was recorded. Please look again in a moment."));
    } finally {
      buttons.forEach((it) => { it.disabled = false; });
    }
    return false;
  };
}

/** The card of a call. It is changed in place, so that nothing moves below a pointer. */
function waitingCard(first, bridge) {
  const { shown, hash, request } = first;
  const title = shown.title ?? "A step that is not offered any more";
  const name = `assay-${request}`;
  const timeLeft = el("span");
  const said = el("div");
  const result = el("div");
  const words = [
    ["approve", "Approve", "act", "Your approval is recorded."],
    ["refuse", "Refuse", "plain", "Your refusal is recorded. This will not be carried out."],
    ["confirm", "Confirm", "act", "Your confirmation is recorded. It can be carried out now."],
    ["decline", "Decline", "plain", "Understood. This will not be carried out."],
  ].map(([word, label, look, done]) => {
    const described = { "aria-describedby": name };
    return { word, done, button: el("button", { type: "button", class: look, ...described, click: () => speak(word, done) }, label) };
  });
  const send = sender(words.map((it) => it.button), result, bridge.say);
  const speak = async (word, done) => {
    // Every word is bound to what this card shows.
    const took = await send(() => bridge.send("POST", `/v1/approvals/${encodeURIComponent(request)}`, { shown: hash, word }), done);
    if (!took) return;
    if (word === "refuse" || word === "decline") gone();
    // The button goes, and whoever pressed it reads on from here.
    element.focus();
    bridge.look();
  };
  const row = el("div", { class: "row" }, words.map((it) => it.button));
  const state = el("p", { class: "note", hidden: true });
  const others = el("p", { class: "quiet" }, "This waits for somebody else.");
  const gone = (sentence = "This does not wait any more.") => {
    row.hidden = others.hidden = true;
    state.hidden = false;
    state.textContent = sentence;
    timeLeft.textContent = "";
  };
  const update = (next) => {
    if (next === null) return gone();
    if (next.hash !== hash) return gone("This has changed since it was shown here. Reload the page to see it as it is now.");
    timeLeft.textContent = `, ${left(shown.expires_at)}`;
    const own = next.said.filter((it) => it.person === bridge.person()).map((it) => it.word);
    for (const { word, button } of words) {
      const may = word === "approve" || word === "refuse" ? next.approves : next.confirms;
      button.hidden = !may || own.includes(word);
    }
    row.hidden = words.every((it) => it.button.hidden);
    others.hidden = next.approves || next.confirms;
    state.hidden = true;
    said.replaceChildren(...next.said.map((it) => el("p", { class: "quiet" },
      it.person === bridge.person() ? "You" : bridge.name(it.person), ` ${PAST[it.word] ?? it.word} this, `, moment(it.at))));
    return null;
  };
  const element = el("article", { class: "card", id: request, tabindex: "-1", "aria-labelledby": name },
    el("h2", { id: name }, visible(title)),
    el("p", { class: "quiet" }, "Asked for by ", el("strong", null, bridge.name(shown.requester)), ", ", moment(shown.made_at)),
    shown.undoable === false ? el("p", { class: "warning" }, el("strong", null, "This cannot be undone.")) : null,
    (shown.side_effects ?? []).length === 0 ? null : el("div", null, el("h3", null, "What it does"),
      el("ul", null, shown.side_effects.map((it) => el("li", null, visible(it))))),
    shown.notes ? el("p", { class: "note" }, visible(shown.notes, true)) : null,
    el("h3", null, "With exactly this"),
    el("div", { class: "arguments" }, argumentsView(shown.arguments)),
    facts([
      ...(shown.matter ? [["for the matter", visible(shown.matter)]] : []),
      ["needs", needsOf(shown.needs ?? [])],
      ["waits until", el("span", null, moment(shown.expires_at), timeLeft)],
      ["reference", el("code", null, request)],
    ]),
    said, others, row, state, result);
  update(first);
  return { element, update };
}

/** The card of a finding. */
function findingCard(finding, bridge) {
  const id = `assay-${finding.event}`;
  const note = el("textarea", { id: `${id}-note`, required: true, maxlength: "512" });
  const result = el("div");
  const state = el("p", { class: "note", hidden: true }, "This does not wait any more.");
  const button = el("button", { type: "button", class: "act" }, "Record my decision");
  const send = sender([button], result, bridge.say);
  const decide = async () => {
    note.setAttribute("aria-invalid", String(note.value.trim() === ""));
    if (note.value.trim() === "") {
      result.replaceChildren(el("p", { class: "problem", role: "alert" }, "Please say why the work may go on."));
      note.focus();
      return;
    }
    const path = `/v1/findings/${encodeURIComponent(finding.event)}`;
    if (await send(() => bridge.send("POST", path, { note: note.value.trim() }), "Your decision is recorded.")) {
      form.hidden = true;
      element.focus();
    }
  };
  const form = asking("Decision", button, decide,
    el("div", { class: "field" }, el("label", { for: note.id }, "Why the work may go on all the same"), note),
    el("p", { class: "quiet small" }, "Where it may not, do nothing: work that depends on this stays held back."),
    el("div", { class: "row" }, button));
  const element = el("article", { class: "card", id: finding.event, tabindex: "-1", "aria-labelledby": id },
    el("h2", { id }, "A check found: ", visible(finding.verdict)),
    facts([
      ["check", el("span", null, visible(finding.tool))],
      ["found", moment(finding.found_at)],
      ["to decide", finding.role],
      ["reference", el("code", null, finding.event)],
    ]), form, state, result);
  const update = (next) => {
    if (next === null && !form.hidden) [form.hidden, state.hidden] = [true, false];
  };
  return { element, update };
}
