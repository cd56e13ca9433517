// The review within a conversation: the shell in a sandboxed frame, and a host around it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { HOSTILE, SOURCE, openHost, startBrowser, startServer, watchedPage } from "./support.mjs";

let server, browser, saved;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  saved = await server.save("Expenses", SOURCE);
});
after(async () => {
  await browser?.close();
  server?.stop();
});

const review = async () => (await server.rpc("tools/call", { name: "dsail_review", arguments: { name: "Expenses" } })).structuredContent;

async function hosted(options, work) {
  const { page, context, faults } = await watchedPage(browser, server.base);
  const host = await openHost(server, page, options);
  await work(host, page);
  await context.close();
  assert.deepEqual(faults, []);
}

const tab = (frame, name) => frame.getByRole("tab", { name }).click();

test("the tools and resources lead to the interface", async () => {
  const { tools } = await server.rpc("tools/list", {});
  const carrying = tools.filter((it) => it._meta?.ui).map((it) => [it.name, it._meta.ui.resourceUri]);
  const uri = "ui://dsail/review-widget.html";
  assert.deepEqual(carrying, ["dsail_check", "dsail_save_ruleset", "dsail_review"].map((it) => [it, uri]));
  const { resources } = await server.rpc("resources/list", {});
  assert.equal(resources.find((it) => it.uri === uri).mimeType, "text/html;profile=mcp-app");
});

test("a host that hands over resources gets the fragment of the day", () => hosted({}, async ({ heard, frame, show }) => {
  await show(await review());
  await frame.getByRole("heading", { name: "Expenses" }).waitFor();
  const [read] = await heard("resources/read");
  assert.match(read.uri, /^ui:\/\/dsail\/review-[0-9a-f]{64}\.html$/);
  assert.equal((await heard("ui/initialize"))[0].protocolVersion, "2026-01-26");
  assert.equal((await heard("ui/notifications/initialized")).length, 1);
  assert.ok((await heard("ui/notifications/size-changed")).length > 0);
}));

for (const [what, option] of [["swallows what it read", { swallows: true }], ["knows no such resource", { fails: true }]]) {
  test(`a host that ${what} gets the enclosed copy`, () => hosted(option, async ({ frame, show }) => {
    await show(await review());
    await frame.getByRole("heading", { name: "Expenses" }).waitFor();
  }));
}

test("where the host calls tools, an approval is a call", () => hosted({}, async ({ frame, heard, show }) => {
  await show(await review());
  await tab(frame, "Approve");
  await frame.getByLabel("Your name").fill("Ada");
  await frame.getByRole("button", { name: "Record my approval" }).click();
  await frame.getByRole("tab", { name: "Approvals (1)" }).waitFor();
  const calls = await heard("tools/call");
  assert.deepEqual(calls, [{ name: "dsail_record_approval", arguments: { ruleset_hash: saved.ruleset_hash, approver: "Ada" } }]);
  assert.deepEqual(await heard("ui/message"), []);
}));

/** The call within a message that was relayed. */
function relayed(message) {
  const text = message.content[0].text;
  assert.equal(message.role, "user");
  return [text.match(/`(dsail_\w+)`/)[1], JSON.parse(text.match(/```json\n([^]*)\n```/)[1])];
}

test("where it does not, the exact call is handed to the conversation, when asked for", () => hosted({ serverTools: false }, async ({ frame, heard, show }) => {
  await show(await review());
  for (const name of ["Units", "Source", /Approv/]) await tab(frame, name);
  assert.deepEqual([await heard("tools/call"), await heard("ui/message")], [[], []]);
  await frame.getByLabel("Your name").fill("Ada");
  await frame.getByLabel("A note").fill(HOSTILE);
  await frame.getByRole("button", { name: "Hand my approval to the conversation" }).click();
  await frame.getByText("Handed to the conversation").waitFor();
  await tab(frame, "Try it");
  await frame.getByLabel("amount, number").fill("80");
  await frame.getByRole("button", { name: "Check in the conversation" }).click();
  await frame.getByText("Handed to the conversation.", { exact: true }).waitFor();
  const messages = (await heard("ui/message")).map(relayed);
  const ruleset_hash = saved.ruleset_hash;
  assert.deepEqual(messages, [
    ["dsail_record_approval", { ruleset_hash, approver: "Ada", note: HOSTILE }],
    ["dsail_check", { ruleset_hash, claims: { amount: "80 USD", has_receipt: null, kind: null } }],
  ]);
  assert.deepEqual(await heard("tools/call"), []);
}));

test("an operator's word wins over what the host can do", async () => {
  for (const forced of [false, true]) {
    await hosted({ serverTools: !forced }, async ({ frame, show }) => {
      await show({ ...(await review()), widget: { direct_calls: forced } });
      await frame.getByRole("tab", { name: /Approv/ }).click();
      await frame.getByRole("button", { name: forced ? "Record my approval" : "Hand my approval" }).waitFor();
    });
  }
});

test("a check shows four words, each with a look of its own", () => hosted({}, async ({ frame, show }) => {
  const checked = (await server.rpc("tools/call", {
    name: "dsail_check", arguments: { ruleset_hash: saved.ruleset_hash, claims: { amount: "80 USD", has_receipt: null, kind: "unknown" } },
  })).structuredContent;
  const [one, two, three] = checked.rules;
  const torn = { ...one, assertions: [{ ...one.assertions[0], name: "torn", check: "AMBIGUOUS" }] };
  const broken = { ...one, assertions: [{ ...one.assertions[0], name: HOSTILE, check: "FALSE" }] };
  await show({ ...checked, rules: [one, two, three, torn, broken] });
  const word = frame.locator(".word");
  await word.first().waitFor();
  assert.deepEqual(await word.allTextContents(), ["FALSE", "AMBIGUOUS", "UNKNOWN", "TRUE", "TRUE"]);
  const looks = await word.evaluateAll((all) => all.map((it) => `${it.dataset.sign} ${getComputedStyle(it).borderTopStyle} ${getComputedStyle(it).backgroundColor}`));
  assert.equal(new Set(looks).size, 4);
  assert.equal(await frame.locator("img").count(), 0);
  // Nothing sums the words up to a verdict.
  assert.doesNotMatch(await frame.locator(".assay").textContent(), /pass|fail|compliant|allow|deny|approved/i);
  await frame.getByRole("button", { name: "Read the rules" }).click();
  await frame.getByRole("tab", { name: "Rules" }).waitFor();
}));

test("a saved ruleset is one step from its review", () => hosted({}, async ({ frame, show }) => {
  await show(saved);
  await frame.getByRole("button", { name: "Read and approve it" }).click();
  await frame.getByRole("heading", { name: "Expenses" }).waitFor();
}));

test("the theme is the host's", () => hosted({ theme: "dark" }, async ({ frame, show }, page) => {
  await show(await review());
  const paper = () => frame.locator(".assay").evaluate((it) => getComputedStyle(it).backgroundColor);
  const dark = await paper();
  await page.evaluate(() => window.tell("ui/notifications/host-context-changed", { theme: "light" }));
  await frame.locator("[data-theme=light]").waitFor();
  assert.notEqual(await paper(), dark);
}));
