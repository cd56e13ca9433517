// The review in a browser, against a real server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { HOSTILE, SOURCE, startBrowser, startServer, watchedPage } from "./support.mjs";

let server, browser, first, second;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  first = await server.save("Expenses", SOURCE);
  second = await server.save("Expenses", SOURCE.replace("25000", "30000").replace("25,000", "30,000"));
});
after(async () => {
  await browser?.close();
  server?.stop();
});

/** Opens an address, runs `work`, and looks at whatever the page should not have done. */
async function visit(path, work, options) {
  const { page, context, faults } = await watchedPage(browser, server.base, options);
  await page.goto(server.base + path);
  await work(page);
  await context.close();
  assert.deepEqual(faults, []);
}

const tab = (page, name) => page.getByRole("tab", { name }).click();
const words = (page) => page.locator(".word").allTextContents();

test("the list leads to a ruleset", () => visit("/review", async (page) => {
  await page.getByRole("link", { name: "Expenses" }).click();
  await page.getByRole("heading", { level: 1, name: "Expenses" }).waitFor();
  assert.match(await page.locator(".facts").first().textContent(), new RegExp(second.ruleset_hash));
  assert.deepEqual(await page.locator("article h2").allTextContents(), ["within_cap", "receipt_shown", "cheap_meals"]);
  await page.getByRole("link", { name: "All rulesets" }).click();
  await page.getByRole("heading", { name: "Rulesets" }).waitFor();
}));

test("every part shows what the service says", () => visit(`/review/${second.ruleset_hash}`, async (page) => {
  await page.getByRole("tab").first().waitFor();
  const panel = page.locator("[role=tabpanel]:not([hidden])");
  assert.match(await panel.textContent(), /Nothing above 30,000 USD/);
  await tab(page, "Changes");
  const changes = await panel.textContent();
  assert.match(changes, /Rule within_cap changed/);
  assert.match(changes, /amount <= 25000 "USD" → amount <= 30000 "USD"/);
  assert.equal(await panel.locator(".source .gone").count(), 2);
  assert.equal(await panel.locator(".source .new").count(), 2);
  await tab(page, "Claims");
  assert.match(await panel.textContent(), /numeric, in USD, from 0 to 1000000/);
  await tab(page, "Source");
  assert.equal(await panel.locator(".source > div").count(), SOURCE.trimEnd().split("\n").length);
  await page.getByLabel("Jump to").selectOption({ label: "cheap_meals, line 15" });
  assert.equal(await panel.locator(".found").textContent(), '15assert cheap_meals [pessimistic] { Implies(kind == "meal", amount < 100 "USD") };');
  await tab(page, "Units");
  await page.getByText("no converters of its own").waitFor();
}));

test("values are tried, with an explicit unknown", () => visit(`/review/${first.ruleset_hash}`, async (page) => {
  await tab(page, "Try it");
  const check = page.getByRole("button", { name: "Check these values" });
  // Everything is unknown to begin with.
  await check.click();
  await page.getByText("2 UNKNOWN").first().waitFor();
  assert.deepEqual(await words(page), ["FALSE", "UNKNOWN", "UNKNOWN"]);
  await page.getByLabel("amount, number").fill("120");
  await page.locator("[data-claim=has_receipt]").getByLabel("no", { exact: true }).check();
  // A word of the vocabulary that is spelled like the sentinel is still that word.
  await page.getByLabel("kind", { exact: true }).selectOption({ label: "“unknown”" });
  await check.click();
  await page.getByText("1 FALSE, 2 TRUE").first().waitFor();
  assert.deepEqual(await words(page), ["FALSE", "TRUE", "TRUE"]);
  await page.getByLabel("amount, number").fill("9,5");
  await check.click();
  const fault = page.locator("[data-claim=amount] .problem");
  await fault.waitFor();
  assert.match(await fault.textContent(), /Expected .* found "9,5 USD"/);
  assert.equal(await page.getByLabel("amount, number").getAttribute("aria-invalid"), "true");
}));

test("an approval is recorded for the exact bytes", () => visit(`/review/${second.ruleset_hash}`, async (page) => {
  await tab(page, "Approve");
  const record = page.getByRole("button", { name: "Record my approval" });
  await record.click();
  await page.getByText("Say who approves.").waitFor();
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("A note").fill(`Read. ${HOSTILE}`);
  await record.click();
  await page.getByRole("tab", { name: "Approvals (1)" }).waitFor();
  const stored = await server.post("/v1/review", { ruleset_hash: second.ruleset_hash });
  assert.deepEqual(stored.approvals.map((it) => [it.approver, it.note, it.hash]), [["Ada Lovelace", `Read. ${HOSTILE}`, second.ruleset_hash]]);
  assert.match(await page.locator("[role=tabpanel]:not([hidden])").textContent(), /<img src=x/);
  const other = await server.post("/v1/review", { ruleset_hash: first.ruleset_hash });
  assert.deepEqual(other.approvals, []);
}));

test("hostile text stays text", async () => {
  const source = SOURCE.replace("Is a receipt attached?", HOSTILE).replace("Meals are cheap.", HOSTILE);
  const saved = await server.save(`<script>window.pwned=1<x> ${HOSTILE.replaceAll("/", "")}`, source);
  assert.equal(saved.ok, true, JSON.stringify(saved));
  await visit("/review", async (page) => {
    await page.getByRole("link", { name: "<script>" }).click();
    await page.getByRole("tab").first().waitFor();
    for (const name of ["Rules", "Try it", "Claims", "Source", "Units", "Approve"]) await tab(page, name);
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    assert.equal(await page.locator(".assay img, .assay b, .assay script").count(), 0);
    await tab(page, "Rules");
    await page.getByText(HOSTILE).first().waitFor();
  });
});

test("what is not there is said", async () => {
  await visit(`/review/${"0".repeat(64)}`, (page) => page.getByText("RULESET_NOT_FOUND").waitFor());
  await visit("/review/nothing", (page) => page.getByText("BAD_REQUEST").waitFor());
  await visit("/review?name=nothing", (page) => page.getByText("RULESET_NOT_FOUND").waitFor());
});

test("the keyboard is enough", () => visit(`/review/${first.ruleset_hash}`, async (page) => {
  await page.getByRole("tab").first().waitFor();
  const active = () => page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await active(), "Rules");
  await page.keyboard.press("ArrowRight");
  assert.equal(await active(), "Try it");
  await page.keyboard.press("End");
  assert.equal(await active(), "Approve");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Grace Hopper");
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: "Approvals (1)" }).waitFor();
  assert.equal(await active(), "Approvals (1)");
}));

test("an invitation is accepted once", async () => {
  const team = await server.post("/v1/teams", { name: "Legal" });
  const link = (await server.post(`/v1/teams/${team.team_id}/invitations`, { email: "bob@example.org" })).invitation;
  const accept = async (page) => {
    await page.getByLabel("The address").fill("bob@example.org");
    await page.getByLabel("Your name").fill("Bob");
    await page.getByRole("button", { name: "Accept" }).click();
  };
  await visit(link, async (page) => {
    await accept(page);
    await page.getByText("assay_session_").waitFor();
  });
  await visit(link, async (page) => {
    await accept(page);
    await page.getByText("was used before").waitFor();
  });
});
