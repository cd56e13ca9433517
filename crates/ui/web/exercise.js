// Trying values: one control for each claim, and what the rules answer.

/** The control of one claim; `value()` is what is submitted, and `null` for undetermined. */
function control(claim) {
  const id = `assay-claim-${claim.claim}`;
  const hint = `${id}-question`;
  const fault = el("div", { id: `${id}-fault`, class: "problem", hidden: true });
  const named = { "aria-describedby": `${hint} ${id}-fault` };
  let value, inputs;
  if (claim.data_type === "boolean") {
    const options = [["yes", true], ["no", false], ["unknown", null]];
    const radios = options.map(([label, answer]) => {
      const input = el("input", { type: "radio", name: id, checked: answer === null, ...named });
      return { label, answer, input };
    });
    inputs = radios.map((it) => el("label", { class: "choice" }, it.input, it.label));
    value = () => radios.find((it) => it.input.checked)?.answer ?? null;
  } else if (claim.data_type === "enum") {
    const select = el("select", { "aria-label": claim.claim, ...named },
      el("option", { value: "" }, "unknown"),
      claim.vocabulary.map((it, at) => el("option", { value: at + 1 }, `“${it}”`)));
    inputs = [select];
    value = () => (select.value === "" ? null : claim.vocabulary[Number(select.value) - 1]);
  } else {
    const open = el("input", { type: "checkbox", checked: true, ...named });
    const determined = () => { open.checked = number.value.trim() === ""; };
    const number = el("input", { type: "text", inputmode: "decimal", size: "14", "aria-label": `${claim.claim}, number`, ...named, input: determined });
    const unit = el("input", { type: "text", size: "8", "aria-label": `${claim.claim}, unit`, value: claim.unit ?? "", placeholder: "unit" });
    inputs = [number, claim.unit ? unit : null, el("label", { class: "choice" }, open, "unknown")];
    value = () => {
      if (open.checked) return null;
      const inUnit = claim.unit && unit.value.trim() !== "" ? ` ${unit.value.trim()}` : "";
      return `${number.value.trim()}${inUnit}`;
    };
  }
  const element = el("fieldset", { "data-claim": claim.claim },
    el("legend", null, claim.claim),
    el("p", { id: hint, class: "quiet" }, claim.question, claim.range ? ` From ${claim.range.min} to ${claim.range.max}.` : null),
    el("div", { class: "row" }, inputs), fault);
  const first = () => element.querySelector("input, select");
  const refuse = (failure) => {
    fault.hidden = !failure;
    fault.textContent = failure ? `Expected ${failure.expected}, found ${failure.received}.` : "";
    for (const it of element.querySelectorAll("input, select")) it.setAttribute("aria-invalid", String(Boolean(failure)));
  };
  return { name: claim.claim, element, value, refuse, focus: () => first()?.focus() };
}

/** What the rules answered, what is violated first. */
function answersView(payload, described = new Map()) {
  const answers = payload.rules.flatMap((rule) => rule.assertions);
  const order = (it) => WORDS.indexOf(it.check);
  const sorted = answers.map((it, at) => [it, at]).sort(([a, i], [b, j]) => order(a) - order(b) || i - j);
  const quantities = (payload.claims.quantities ?? []).filter((it) => it.conversion);
  return el("div", null,
    el("p", { class: "quiet" }, tally(payload)),
    sorted.map(([it]) => el("article", { class: "item" },
      el("header", null, word(it.check), el("h2", { class: "name" }, it.name)),
      described.get(it.name) ? el("p", null, described.get(it.name)) : null,
      it.reason_unknown ? el("p", { class: described.get(it.name) ? "quiet" : null }, it.reason_unknown) : null,
      (it.unbridged_units ?? []).length === 0 ? null
        : el("p", null, `Units without a conversion: ${it.unbridged_units.map((pair) => `${pair.from} to ${pair.to}`).join(", ")}`),
      it.source ? el("code", { class: "code" }, it.source) : null)),
    quantities.length === 0 ? null : el("div", null, el("h2", null, "Conversions"),
      el("ul", null, quantities.map((it) => el("li", null, el("code", null, it.claim), `: ${it.submitted}, ${converted(it.conversion)}`)))));
}

/** What became of a value in another unit than the claim is measured in. */
function converted({ from, to, status, factor, offset }) {
  if (status === "same") return `which is the same as ${to}`;
  if (status !== "convertible") return `which nothing converts exactly to ${to}`;
  return `converted to ${to}: 1 ${from} = ${factor} ${to}${offset === undefined ? "" : `, and ${offset} is added`}`;
}

/** How often each word came, and what was left open. It sums up nothing. */
function tally(payload) {
  const answers = payload.rules.flatMap((rule) => rule.assertions).map((it) => it.check);
  const counts = WORDS.map((it) => [answers.filter((answer) => answer === it).length, it]).filter(([count]) => count > 0);
  const open = payload.claims.unbound ?? [];
  return `${counts.map(([count, it]) => `${count} ${it}`).join(", ")}${open.length === 0 ? "" : `; undetermined: ${open.join(", ")}`}`;
}

function exerciseView(payload, bridge, say) {
  const controls = payload.manifest.claims.map(control);
  const described = new Map(assertionsOf(payload).map((it) => [it.name, it.description]));
  const result = el("div", { "aria-live": "polite" });
  const button = el("button", { type: "button", class: "act" }, bridge.canCall() ? "Check these values" : "Check in the conversation");
  const run = async () => {
    for (const it of controls) it.refuse(null);
    const claims = Object.fromEntries(controls.map((it) => [it.name, it.value()]));
    const call = { ruleset_hash: payload.ruleset_hash, claims };
    button.disabled = true;
    try {
      if (!bridge.canCall()) {
        await bridge.relay(relayed("dsail_check", call, "Please check these values"));
        result.replaceChildren(el("p", { class: "note" }, "Handed to the conversation."));
        return;
      }
      const answer = await bridge.call("dsail_check", call);
      if (answer.ok === true) {
        bridge.lastTally = tally(answer);
        result.replaceChildren(el("h2", null, "What the rules answer"), answersView(answer, described));
        say(`Answered: ${tally(answer)}`);
        return;
      }
      const failures = answer.error?.failures ?? [];
      result.replaceChildren(problem(answer.error ?? {}));
      for (const failure of failures) controls.find((it) => it.name === failure.field)?.refuse(failure);
      controls.find((it) => failures.some((failure) => failure.field === it.name))?.focus();
    } catch (error) {
      result.replaceChildren(problem({ message: String(error.message ?? error) }));
    } finally {
      button.disabled = false;
    }
  };
  return asking("Values to try", button, run,
    el("p", null, "The values are answered and not kept. What you do not know stays unknown."),
    controls.map((it) => it.element), el("div", { class: "row" }, button), result);
}
