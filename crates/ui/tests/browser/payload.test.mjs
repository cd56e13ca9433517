// What is shown for which payload, and how the interface meets hosts that are slow or unwilling.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { HOSTILE, SOURCE, openHost, startBrowser, startServer, watchedPage } from "./support.mjs";

/** A ruleset whose values need a conversion, with a rule for which there is none. */
const LENGTHS = `version 1.3;
// @ask length How long is it?
// @unit length m
declare length as numeric;
// @ask price What does it cost?
// @unit price EUR
declare price as numeric;
// At most half a kilometre.
assert short { length <= 500 "m" };
// At most five dollars.
assert cheap { price <= 5 "USD" };
`;
let server, browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  await server.save("Expenses", SOURCE);
});
after(async () => {
  await browser?.close();
  server?.stop();
});

async function hosted(options, work) {
  const { page, context, faults } = await watchedPage(browser, server.base);
  const host = await openHost(server, page, options);
  await work(host, page);
  await context.close();
  assert.deepEqual(faults, []);
}

const call = async (name, args) => (await server.rpc("tools/call", { name, arguments: args })).structuredContent;
const tab = (frame, name) => frame.getByRole("tab", { name }).click();

test("a ruleset that nobody saved is approved under a name", () => hosted({ serverTools: false }, async ({ frame, heard, show }) => {
  const compiled = await call("dsail_compile", { source: LENGTHS });
  await show(compiled);
  await frame.getByRole("heading", { name: "Ruleset without a name" }).waitFor();
  // A compilation tells nothing of approvals, so neither does what is shown of it.
  assert.doesNotMatch(await frame.locator(".assay").textContent(), /nobody/);
  await tab(frame, "Approve");
  await frame.getByText("does not tell who has approved").waitFor();
  await frame.getByLabel("Your name").fill("Ada");
  await frame.getByLabel("Save it under a name").fill("Lengths");
  await frame.getByLabel("Save it under a name").press("Enter");
  await frame.getByText("Handed to the conversation").waitFor();
  const [message] = await heard("ui/message");
  const args = JSON.parse(message.content[0].text.match(/```json\n([^]*)\n```/)[1]);
  assert.deepEqual(args, { ruleset_hash: compiled.ruleset_hash, approver: "Ada", name: "Lengths" });
}));

test("conversions and missing ones are told", () => hosted({}, async ({ frame, show }) => {
  await show(await call("dsail_compile", { source: LENGTHS }));
  await tab(frame, "Units");
  await frame.getByText("cheap: USD to EUR, nothing converts them").waitFor();
  await tab(frame, "Try it");
  await frame.getByLabel("length, number").fill("0.4");
  await frame.getByLabel("length, unit").fill("km");
  await frame.getByLabel("price, number").fill("3");
  await frame.getByRole("button", { name: "Check these values" }).click();
  await frame.locator(".word").first().waitFor();
  assert.deepEqual(await frame.locator(".word").allTextContents(), ["UNKNOWN", "TRUE"]);
  await frame.getByText("Units without a conversion: USD to EUR").waitFor();
  await frame.getByText("length: 0.4 km, converted to m: 1 km = 1000 m").waitFor();
}));

test("a value that is refused is told at its field, as text", () => hosted({}, async ({ frame, show }) => {
  await show(await call("dsail_review", { name: "Expenses" }));
  await tab(frame, "Try it");
  await frame.getByLabel("amount, number").fill(HOSTILE);
  await frame.getByLabel("amount, number").press("Enter");
  const fault = frame.locator("[data-claim=amount] .problem");
  await fault.getByText("<img src=x").waitFor();
  assert.equal(await frame.locator(".assay img, .assay b").count(), 0);
  assert.equal(await frame.getByLabel("amount, number").evaluate((it) => it === document.activeElement), true);
  // What is taken back is no longer marked.
  await frame.getByRole("group", { name: "amount" }).getByLabel("unknown").check();
  await frame.getByRole("button", { name: "Check these values" }).click();
  await frame.locator(".word").first().waitFor();
  await fault.waitFor({ state: "hidden" });
}));

test("a note is counted as the service counts it", () => hosted({}, async ({ frame, heard, show }) => {
  await show(await call("dsail_review", { name: "Expenses" }));
  await tab(frame, /Approv/);
  await frame.getByLabel("Your name").fill("Ada");
  const note = frame.getByLabel("A note");
  await note.fill("🙂".repeat(513));
  await frame.getByText("513 of 512 characters").waitFor();
  await frame.getByRole("button", { name: "Record my approval" }).click();
  await frame.getByText("more than 512 characters").waitFor();
  assert.deepEqual(await heard("tools/call"), []);
  await note.fill("🙂".repeat(512));
  await frame.getByRole("button", { name: "Record my approval" }).click();
  await frame.getByRole("tab", { name: "Approvals (1)" }).waitFor();
}));

test("lists, failures and what is no payload at all", () => hosted({}, async ({ frame, show }, page) => {
  await frame.getByText("Waiting for a ruleset.").waitFor();
  await show(await call("dsail_list_rulesets", {}));
  await frame.getByRole("button", { name: "Expenses" }).click();
  await frame.getByRole("tab", { name: "Rules" }).waitFor();
  await show({ ok: false, error: { code: "GONE", message: HOSTILE } });
  await frame.getByText(`GONE ${HOSTILE}`).waitFor();
  await show(await call("dsail_compile", { source: SOURCE.replace("kind ==", "kin ==") }));
  await frame.getByText("COMPILE_FAILED").waitFor();
  assert.match(await frame.getByRole("listitem").first().textContent(), /^line 15: .*`kin`/);
  await page.evaluate(() => window.tell("ui/notifications/tool-result", { content: [{ type: "text", text: "no JSON" }] }));
  await frame.getByText("the answer could not be read").waitFor();
  await page.evaluate(() => window.tell("ui/notifications/tool-cancelled", { reason: "the person stopped it" }));
  await frame.getByText("the person stopped it").waitFor();
}));

test("a message that the conversation refuses is not called handed over", () => hosted({ serverTools: false, refuses: true }, async ({ frame, show }) => {
  await show(await call("dsail_review", { name: "Expenses" }));
  await tab(frame, "Try it");
  await frame.getByRole("button", { name: "Check in the conversation" }).click();
  await frame.getByText("did not take the message").waitFor();
  assert.equal(await frame.getByText("Handed to the conversation").count(), 0);
}));

test("a host that answers late is taken up", () => hosted({ late: true, theme: "dark" }, async ({ frame, greet, show }) => {
  await show(await call("dsail_review", { name: "Expenses" }));
  // Not yet known to call tools, and then known.
  await tab(frame, /Approv/);
  await frame.getByRole("button", { name: "Hand my approval" }).waitFor();
  await greet();
  await frame.locator("[data-theme=dark]").waitFor();
  await tab(frame, /Approv/);
  await frame.getByRole("button", { name: "Record my approval" }).waitFor();
}));

test("a host that tells of the frame's own calls does not take away what is read", () => hosted({ echoes: true }, async ({ frame, show }) => {
  await show(await call("dsail_review", { name: "Expenses" }));
  await tab(frame, "Units");
  await frame.getByText("no converters of its own").waitFor();
  await tab(frame, "Try it");
  await frame.getByRole("button", { name: "Check these values" }).click();
  await frame.locator(".word").first().waitFor();
  await tab(frame, /Approv/);
  await frame.getByLabel("Your name").fill("Grace");
  await frame.getByRole("button", { name: "Record my approval" }).click();
  await frame.getByRole("heading", { name: "Grace" }).waitFor();
  assert.equal(await frame.getByRole("heading", { level: 1, name: "Expenses" }).count(), 1);
  // What the conversation does next is shown.
  await show(await call("dsail_list_rulesets", {}));
  await frame.getByRole("heading", { name: "Rulesets" }).waitFor();
}));

test("the frame takes no orders from itself", () => hosted({}, async ({ frame, show }) => {
  await show(await call("dsail_review", { name: "Expenses" }));
  await frame.getByRole("tab", { name: "Rules" }).waitFor();
  await frame.locator(".assay").evaluate(async () => {
    const forged = { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { structuredContent: { ok: false, error: { code: "FORGED" } } } };
    window.postMessage(forged, "*");
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  assert.equal(await frame.getByText("FORGED").count(), 0);
}));
