// Elements from data. Whatever comes from a payload becomes text, never markup.

/** An element with attributes and children; a string among the children is text. */
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((it) => it !== null && it !== undefined));
  return element;
}

/**
 * Fields and the button that sends them, by a click or by Enter. It is no `form`, because hosts show
 * the interface in frames in which nothing is submitted.
 */
function asking(label, button, send, ...children) {
  button.addEventListener("click", send);
  const keydown = (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("input")) return;
    event.preventDefault();
    if (!button.disabled) send();
  };
  return el("div", { role: "form", "aria-label": label, keydown }, ...children);
}

/** `1 rule`, `2 rules`. */
function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Names with what they stand for. Rows without a value are left out. */
function facts(rows) {
  const list = el("dl", { class: "facts" });
  for (const [name, value] of rows) {
    if (value === null || value === undefined || value === "") continue;
    list.append(el("dt", null, name), el("dd", null, value));
  }
  return list;
}

const SIGNS = { TRUE: "✓", FALSE: "✕", UNKNOWN: "?", AMBIGUOUS: "≠" };
/** The order in which answers are read: what is violated first. */
const WORDS = ["FALSE", "AMBIGUOUS", "UNKNOWN", "TRUE"];

/** One of the four words. */
function word(text) {
  const known = Object.hasOwn(SIGNS, text);
  return el("span", { class: `word ${known ? text.toLowerCase() : "unknown"}`, "data-sign": known ? SIGNS[text] : "?" }, text);
}

/** A failure as the service tells it. */
function problem(error) {
  return el("div", { class: "problem", role: "alert" },
    el("strong", null, error.code ?? "FAILED"), " ", error.message ?? "no answer came");
}

/** A time as people of the place write it, with the exact one beside it. */
function time(text) {
  const date = new Date(text);
  const shown = Number.isNaN(date.getTime()) ? text : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return el("time", { datetime: text, title: text }, shown);
}
