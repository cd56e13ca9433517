// Which lines changed between two texts.

/** Beyond this many comparisons everything between the equal ends counts as replaced. */
const MOST_COMPARISONS = 4_000_000;
/** Equal lines that are shown around a change. */
const AROUND = 3;

/** Every line of both texts, as `{ kind: "same" | "gone" | "new", before, after, text }`. */
function diff(before, after) {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [enda, endb] = [a.length, b.length];
  while (enda > start && endb > start && a[enda - 1] === b[endb - 1]) [enda, endb] = [enda - 1, endb - 1];
  const lines = [];
  const same = (i, j) => lines.push({ kind: "same", before: i + 1, after: j + 1, text: a[i] });
  const gone = (i) => lines.push({ kind: "gone", before: i + 1, after: null, text: a[i] });
  const fresh = (j) => lines.push({ kind: "new", before: null, after: j + 1, text: b[j] });
  for (let i = 0; i < start; i += 1) same(i, i);
  let [i, j] = [start, start];
  const [rows, columns] = [enda - start, endb - start];
  if (rows * columns <= MOST_COMPARISONS) {
    const width = columns + 1;
    const longest = new Uint32Array((rows + 1) * width);
    for (let r = rows - 1; r >= 0; r -= 1) {
      for (let c = columns - 1; c >= 0; c -= 1) {
        longest[r * width + c] = a[start + r] === b[start + c]
          ? longest[(r + 1) * width + c + 1] + 1
          : Math.max(longest[(r + 1) * width + c], longest[r * width + c + 1]);
      }
    }
    const left = () => longest[(i - start + 1) * width + (j - start)];
    const right = () => longest[(i - start) * width + (j - start + 1)];
    while (i < enda && j < endb) {
      if (a[i] === b[j]) { same(i, j); i += 1; j += 1; }
      else if (left() >= right()) { gone(i); i += 1; }
      else { fresh(j); j += 1; }
    }
  }
  for (; i < enda; i += 1) gone(i);
  for (; j < endb; j += 1) fresh(j);
  for (let k = 0; enda + k < a.length; k += 1) same(enda + k, endb + k);
  return lines;
}

/** The changed lines with a few around them; what lies between is one line that says so. */
function diffView(before, after) {
  const lines = diff(before, after);
  const near = new Set();
  lines.forEach((line, at) => {
    if (line.kind === "same") return;
    for (let k = at - AROUND; k <= at + AROUND; k += 1) near.add(k);
  });
  const view = el("div", { class: "source", role: "group", "aria-label": "Changed lines", tabindex: "0" });
  let skipped = 0;
  const rest = () => {
    if (skipped > 0) view.append(el("div", { class: "gap" }, el("span", null, ""), el("span", null, `${counted(skipped, "equal line")}`)));
    skipped = 0;
  };
  lines.forEach((line, at) => {
    if (!near.has(at)) { skipped += 1; return; }
    rest();
    const sign = { same: " ", gone: "−", new: "+" }[line.kind];
    const spoken = { same: "", gone: "removed: ", new: "added: " }[line.kind];
    view.append(el("div", { class: line.kind },
      el("span", { "aria-hidden": "true" }, String(line.after ?? line.before)),
      el("span", null, el("span", { class: "hidden-text" }, spoken), `${sign} ${line.text}`)));
  });
  rest();
  return view;
}
