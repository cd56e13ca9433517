// Signing: who approves which exact bytes, composed here and sent only when a person asks for it.

/** Characters of an approver and of a note, as the contract of the ruleset says. */
function approvalLimit(payload) {
  return payload.validation_contract?.budgets?.max_approval_chars ?? 512;
}

/** A call as a message to the conversation, with its exact arguments. */
function relayed(tool, call, lead) {
  return `${lead}: call \`${tool}\` with exactly these arguments.\n\n\`\`\`json\n${JSON.stringify(call, null, 2)}\n\`\`\``;
}

function approvalsView(payload, bridge, say, refresh) {
  const approvals = payload.approvals ?? [];
  const nobody = payload.approvals ? "Nobody has approved this revision." : "This answer does not tell who has approved this revision.";
  const list = approvals.length === 0
    ? el("p", null, nobody)
    : el("div", null, approvals.map((it) => el("article", { class: "item" },
      el("header", null, el("h2", { class: "name" }, it.approver), el("span", { class: "tag" }, time(it.approved_at))),
      it.note ? el("p", null, it.note) : null,
      el("p", { class: "quiet small" }, it.unit_library_hash === payload.unit_library_hash
        ? "Recorded under the unit library that is in force."
        : "Recorded under another unit library than the one in force, so results may differ from what was signed for."))));
  return el("div", null, list, el("h2", null, "Approve this revision"), approveForm(payload, bridge, say, refresh));
}

function approveForm(payload, bridge, say, refresh) {
  const limit = approvalLimit(payload);
  const field = (id, label, input, hint) => el("div", { class: "field" }, el("label", { for: id }, label), input, hint ?? null);
  const approver = el("input", { type: "text", id: "assay-approver", maxlength: limit, autocomplete: "name", required: true });
  const name = payload.name ? null : el("input", { type: "text", id: "assay-name", maxlength: "128" });
  const left = el("p", { class: "quiet small", id: "assay-left" });
  const count = () => { left.textContent = `${[...note.value].length} of ${limit} characters`; };
  const note = el("textarea", { id: "assay-note", "aria-describedby": "assay-left", input: count });
  count();
  const result = el("div", { "aria-live": "polite" });
  const button = el("button", { type: "button", class: "act" }, bridge.canCall() ? "Record my approval" : "Hand my approval to the conversation");
  const compose = () => {
    const call = { ruleset_hash: payload.ruleset_hash, approver: approver.value.trim() };
    if (note.value.trim() !== "") call.note = note.value.trim();
    if (name && name.value.trim() !== "") call.name = name.value.trim();
    return call;
  };
  const send = async () => {
    const call = compose();
    const fault = call.approver === "" ? "Say who approves." : [...(call.note ?? "")].length > limit ? `The note has more than ${limit} characters.` : null;
    approver.setAttribute("aria-invalid", String(call.approver === ""));
    if (fault) {
      result.replaceChildren(problem({ code: "Not yet", message: fault }));
      (call.approver === "" ? approver : note).focus();
      return;
    }
    button.disabled = true;
    try {
      if (!bridge.canCall()) {
        await bridge.relay(relayed("dsail_record_approval", call, "I have read this ruleset and approve it"));
        result.replaceChildren(el("p", { class: "note" }, "Handed to the conversation, which makes the call."));
        return;
      }
      const answer = await bridge.call("dsail_record_approval", call);
      if (answer.ok !== true) {
        result.replaceChildren(problem(answer.error ?? {}));
        return;
      }
      say(`Approval of ${answer.approval.approver} recorded`);
      refresh({ ...payload, approvals: answer.approvals, name: answer.name });
    } catch (error) {
      result.replaceChildren(problem({ message: String(error.message ?? error) }));
    } finally {
      button.disabled = false;
    }
  };
  return asking("Approval", button, send,
    el("p", null, "An approval is for exactly these bytes. It can be neither changed nor taken back, and a later revision needs one of its own."),
    facts([
      ["signed for", el("code", null, payload.ruleset_hash)],
      ["revision", String((payload.stored?.revision_depth ?? 0) + 1)],
      ["contents", `${counted(assertionsOf(payload).length, "rule")} over ${counted(payload.manifest.claims.length, "claim")}`],
      ["unit library", libraryOf(payload)],
      ["last tried", bridge.lastTally ?? null],
    ]),
    field("assay-approver", "Your name, as you want it recorded", approver),
    name ? field("assay-name", "Save it under a name (optional)", name) : null,
    field("assay-note", "A note (optional)", note, left),
    el("div", { class: "row" }, button), result);
}
