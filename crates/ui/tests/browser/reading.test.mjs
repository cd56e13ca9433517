// How a ruleset reads: where a person lands, how wide a line is, and what leads to what.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { SOURCE, openHost, startBrowser, startServer, watchedPage } from "./support.mjs";

const SHELL = "ui://dsail/review-widget.html";
const NAMES = ["Expenses", "Temperatures of the cold chain"];
let server, browser, first, second;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  for (const name of NAMES) first = await server.save(name, SOURCE);
  second = await server.save(NAMES[1], SOURCE.replace("25000", "30000").replace("25,000", "30,000"));
});
after(async () => {
  await browser?.close();
  server?.stop();
});

async function watched(options, work) {
  const { page, context, faults } = await watchedPage(browser, server.base, options);
  await work(page);
  await context.close();
  assert.deepEqual(faults, []);
}

const open = (page, path) => page.goto(server.base + path);
const tab = (page, name) => page.getByRole("tab", { name }).click();

test("a revision leads to the one before", () => watched({}, async (page) => {
  await open(page, `/review/${second.ruleset_hash}`);
  await page.getByRole("link", { name: first.ruleset_hash }).click();
  await page.getByText("1, the first").waitFor();
  assert.equal(new URL(page.url()).pathname, `/review/${first.ruleset_hash}`);
}));

test("a change of prose is told as prose", () => watched({}, async (page) => {
  await open(page, `/review/${second.ruleset_hash}`);
  await tab(page, "Changes");
  const lines = page.locator("article", { hasText: "Rule within_cap changed" }).locator("li");
  assert.deepEqual(await lines.allTextContents(), [
    "description: “Nothing above 25,000 USD.” → “Nothing above 30,000 USD.”",
    'expression: amount <= 25000 "USD" → amount <= 30000 "USD"',
  ]);
  assert.deepEqual(await lines.locator("code").allTextContents(), ['amount <= 25000 "USD"', 'amount <= 30000 "USD"']);
}));

test("a field says which numbers it takes", () => watched({}, async (page) => {
  await open(page, `/review/${second.ruleset_hash}`);
  await tab(page, "Try it");
  await page.getByText("What is the total, in USD? From 0 to 1000000.").waitFor();
}));

test("on a phone whole lines are read without moving them", () => watched({ viewport: { width: 360, height: 800 } }, async (page) => {
  await open(page, `/review/${second.ruleset_hash}`);
  for (const name of ["Changes", "Source"]) {
    await tab(page, name);
    const lines = page.locator("[role=tabpanel]:not([hidden]) .source");
    const [shown, whole] = await lines.evaluate((it) => [it.clientWidth, it.scrollWidth]);
    assert.ok(whole <= shown, `${name}: ${whole} of ${shown} pixels`);
  }
}));

test("names in the list stay whole", () => watched({ viewport: { width: 1280, height: 800 } }, async (page) => {
  await open(page, "/review");
  const name = page.getByRole("link", { name: "Expenses" });
  await name.waitFor();
  // A name that was broken has a box for each of its lines.
  assert.equal(await name.evaluate((it) => it.getClientRects().length), 1);
}));

test("who opens a review in a conversation reads on from its title", () => watched({}, async (page) => {
  const { frame, show } = await openHost(server, page);
  await show(second);
  await frame.getByRole("button", { name: "Read and approve it" }).press("Enter");
  await frame.locator("h1:focus", { hasText: NAMES[1] }).waitFor();
}));

test("a frame that is taller than what it shows has one colour", () => watched({ colorScheme: "light" }, async (page) => {
  const { frame, show } = await openHost(server, page, { theme: "dark" });
  await show(second);
  const colours = frame.locator(".assay").evaluate((it) => [it, document.body].map((one) => getComputedStyle(one).backgroundColor));
  const [inside, around] = await colours;
  assert.equal(inside, around);
}));

test("the interface asks its host for no other origin", async () => {
  const nothing = { baseUriDomains: [], connectDomains: [], frameDomains: [], resourceDomains: [] };
  const { resources } = await server.rpc("resources/list", {});
  const { contents } = await server.rpc("resources/read", { uri: SHELL });
  for (const it of [resources.find((one) => one.uri === SHELL), contents[0]]) {
    assert.deepEqual(it._meta.ui, { csp: nothing, prefersBorder: true });
  }
});
