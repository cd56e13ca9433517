// Values exactly as they were sent. What an eye cannot see is shown as a marked escape.

/** Control characters, what changes the direction of text, what has no width, and odd spaces. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** Text as nodes. Line breaks stay line breaks where `lines` says so; elsewhere they are escapes. */
function visible(text, lines = false) {
  const nodes = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    if (lines && (character === "\n" || character === "\t")) continue;
    if (index > from) nodes.push(text.slice(from, index));
    nodes.push(el("mark", { class: "escape", title: "A character that cannot be seen" }, `\\u{${character.codePointAt(0).toString(16)}}`));
    from = index + character.length;
  }
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}

/** A number that would read differently if it were written again. */
class Digits {
  constructor(text) { this.text = text; }
}

/** The values of a JSON text, in which no number loses a digit. */
function exactly(text) {
  return JSON.parse(text, (_, value, source) => (
    typeof value === "number" && source?.source !== undefined && String(value) !== source.source ? new Digits(source.source) : value));
}

/** A value as it was sent: text framed, objects as names with what they stand for, lists as lists. */
function valueView(value, isItem = false) {
  const quiet = (word) => el("span", { class: "quiet" }, word);
  if (typeof value === "string") {
    return value === "" ? quiet("(empty text)") : el("div", { class: "text", dir: "auto" }, visible(value, !isItem));
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? quiet("(empty list)") : el("ol", { class: "list" }, value.map((it) => el("li", null, valueView(it, true))));
  }
  if (value !== null && typeof value === "object" && !(value instanceof Digits)) {
    const entries = Object.entries(value);
    return entries.length === 0 ? quiet("(nothing)") : el("dl", { class: "values" },
      entries.map(([name, it]) => [el("dt", null, name === "" ? "(no name)" : visible(name)), el("dd", null, valueView(it))]).flat());
  }
  return el("code", null, value instanceof Digits ? value.text : String(value));
}

/** More lines than this are read in a frame of their own, so that what follows is not far away. */
const MOST_LINES = 12;

/** About how many lines a value takes. */
function extent(value) {
  if (typeof value === "string") return value.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 60)), 0);
  if (value === null || typeof value !== "object" || value instanceof Digits) return 1;
  return Object.values(value).reduce((sum, it) => sum + 1 + extent(it), 0);
}

/** The arguments of a call. The name and the beginning of each are in sight. */
function argumentsView(values) {
  if (values === null || typeof values !== "object" || Array.isArray(values) || Object.keys(values).length === 0) return valueView(values);
  return el("dl", { class: "values" }, Object.entries(values).map(([name, value]) => {
    const lines = extent(value);
    const more = Array.isArray(value) ? `${value.length} of them` : `about ${lines} lines`;
    const view = valueView(value);
    return lines <= MOST_LINES ? [el("dt", null, visible(name)), el("dd", null, view)] : [
      el("dt", null, visible(name), el("span", { class: "more" }, `${more}; scroll to read all`)),
      el("dd", null, el("div", { class: "long", role: "group", tabindex: "0", "aria-label": `${name}, ${more}` }, view))];
  }).flat());
}
