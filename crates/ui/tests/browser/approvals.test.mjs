// Calls that wait for people: what is shown of them, who may say what, and what becomes of it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { startPractice } from "./practice.mjs";
import { HOSTILE, startBrowser, watchedPage } from "./support.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let office, browser;

before(async () => {
  [office, browser] = await Promise.all([startPractice(), startBrowser()]);
  const { client } = office.ids;
  const check = await office.call(office.associate, "run_conflict_check", { client_id: client, parties: ["Harbour Works Ltd"] });
  const letter = await office.call(office.associate, "draft_engagement_letter", { client_id: client, scope: "The lease", fee_structure: "hourly" });
  assert.deepEqual([check.result?.verdict, letter.ok], ["CLEAN", true], JSON.stringify([check, letter]));
});
after(async () => {
  await browser?.close();
  office?.stop();
});

const openMatter = (description) => office.call(office.associate, "create_matter", {
  client_id: office.ids.client, matter_type: "dispute", responsible_partner_id: "usr_partner", fee_structure: "hourly", description,
});
const sendMail = (mail) => office.call(office.associate, "send_email", { matter_id: office.ids.matter, ...mail });

/** The page of a person, at one call where its address is given. */
async function signedIn(token, work, { at = "", ...options } = {}) {
  const { page, context, faults } = await watchedPage(browser, office.base, options);
  await page.goto(`${office.base}/approvals${at}`);
  await page.getByLabel("Session token").fill(token);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText(/^Signed in as /).waitFor();
  await work(page);
  await context.close();
  assert.deepEqual(faults, []);
}

const card = (page, refused) => page.locator(`[id="${refused.error.details.request}"]`);
const button = (at, name) => at.getByRole("button", { name, exact: true });

test("a partner approves what an associate asked for, and the associate cannot", async () => {
  const refused = await openMatter("Repairs of the pier");
  assert.equal(refused.error.code, "APPROVAL_REQUIRED");
  assert.equal(refused.error.details.page, `${office.base}/approvals#${refused.error.details.request}`);
  await signedIn(office.associate, async (page) => {
    await card(page, refused).getByText("This waits for somebody else.").waitFor();
    assert.equal(await card(page, refused).getByRole("button").count(), 0);
  });
  await signedIn(office.partner, async (page) => {
    const at = card(page, refused);
    await at.getByText("Repairs of the pier").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), refused.error.details.request);
    for (const text of ["This cannot be undone.", "sends partner notification", office.ids.client, `Ada (${office.ada})`, "1 approval from partner", /24 hours left/, /conflict check is complete/]) {
      await at.getByText(text).first().waitFor();
    }
    assert.deepEqual(await at.getByRole("button").allTextContents(), ["Approve", "Refuse"]);
    await button(at, "Approve").press("Enter");
    await at.getByText(/^You approved this/).waitFor();
    assert.equal(await page.getByRole("status").textContent(), "Your approval is recorded.");
    await button(at, "Approve").waitFor({ state: "hidden" });
  }, { at: `#${refused.error.details.request}` });
  const done = await openMatter("Repairs of the pier");
  assert.equal(done.ok, true, JSON.stringify(done));
  assert.match(done.result.matter_number, /./);
});

test("whoever asked confirms the very text, and declines", async () => {
  const mail = {
    to: ["client@example.com", "a\u202emoc.elpmaxe@b", "two\nlines@example.com"],
    subject: "Your\u200b lease",
    body: `Dear Ada,\n\n  two spaces  and ${HOSTILE}\n\u2066hidden\u2069 end`,
  };
  const refused = await sendMail(mail);
  assert.equal(refused.error.code, "CONFIRMATION_REQUIRED", JSON.stringify(refused));
  await signedIn(office.partner, async (page) => {
    // What somebody else is about to send is shown to nobody who has no say in it.
    await page.getByRole("status").waitFor();
    await page.waitForResponse((it) => it.url().endsWith("/v1/approvals"));
    assert.equal(await card(page, refused).count(), 0);
  });
  await signedIn(office.associate, async (page) => {
    const at = card(page, refused);
    await at.waitFor();
    const shown = (name) => at.locator(`dt:text-is("${name}") + dd .text`).allInnerTexts();
    assert.deepEqual(await shown("to"), ["client@example.com", "a\\u{202e}moc.elpmaxe@b", "two\\u{a}lines@example.com"]);
    assert.deepEqual(await shown("subject"), ["Your\\u{200b} lease"]);
    assert.deepEqual(await shown("body"), [`Dear Ada,\n\n  two spaces  and ${HOSTILE}\n\\u{2066}hidden\\u{2069} end`]);
    assert.deepEqual(await at.locator("mark").allTextContents(), ["\\u{2066}", "\\u{2069}", "\\u{200b}", "\\u{202e}", "\\u{a}"]);
    await button(at, "Decline").click();
    await at.getByText("Understood. This will not be carried out.").waitFor();
    assert.equal(await page.evaluate(() => window.pwned), undefined);
  });
  assert.equal((await sendMail(mail)).error.code, "CONFIRMATION_DECLINED");
  const second = { to: ["client@example.com"], subject: "Your lease", body: "It ends in spring." };
  const again = await sendMail(second);
  await signedIn(office.associate, async (page) => {
    await button(card(page, again), "Confirm").click();
    await card(page, again).getByText("Your confirmation is recorded.").waitFor();
  });
  const sent = await sendMail(second);
  assert.equal(sent.ok, true, JSON.stringify(sent));
});

test("a partner decides on a concern", async () => {
  const found = await office.call(office.associate, "run_conflict_check", { client_id: office.ids.company, parties: ["Concern Ltd"] });
  assert.equal(found.result?.verdict, "CONCERN", JSON.stringify(found));
  await signedIn(office.partner, async (page) => {
    const at = page.locator(".card", { hasText: "A check found: CONCERN" });
    await button(at, "Record my decision").click();
    await at.getByText("Please say why the work may go on.").waitFor();
    await at.getByLabel("Why the work may go on").fill("The parties know and agree.");
    await button(at, "Record my decision").click();
    await at.getByText("Your decision is recorded.").waitFor();
    await page.reload();
    await page.getByText(/^Signed in as /).waitFor();
    assert.equal(await page.locator(".card", { hasText: "CONCERN" }).count(), 0);
  });
});

test("what comes later is added below, and what is over stays where it was", async () => {
  const first = await openMatter("The first");
  await signedIn(office.partner, async (page) => {
    await card(page, first).waitFor();
    const second = await openMatter("The second");
    await card(page, second).waitFor();
    await office.ask(office.partner, "/v1/approvals").then(({ waiting }) => {
      const it = waiting.find((one) => one.request === first.error.details.request);
      return office.ask(office.partner, `/v1/approvals/${it.request}`, { shown: it.hash, word: "refuse" });
    });
    await card(page, first).getByText("This does not wait any more.").waitFor();
    assert.equal(await button(card(page, first), "Approve").isVisible(), false);
    const ids = await page.locator(".card").evaluateAll((all) => all.map((it) => it.id));
    assert.ok(ids.indexOf(first.error.details.request) < ids.indexOf(second.error.details.request));
  });
});

test("nobody else sees anything, and the token stays in the tab", async () => {
  const { page, context, faults } = await watchedPage(browser, office.base);
  const sent = [];
  page.on("request", (request) => sent.push([new URL(request.url()).pathname, request.headers().authorization]));
  await page.goto(`${office.base}/approvals`);
  const field = page.getByLabel("Session token");
  for (const token of [office.key, "made-up"]) {
    await field.fill(token);
    await field.press("Enter");
    await page.getByText("That token is not taken.").waitFor();
    await page.getByText("That token is not taken.").evaluate((it) => { it.textContent = ""; });
  }
  assert.equal(await page.locator(".card").count(), 0);
  await field.fill(office.partner);
  await field.press("Enter");
  await page.getByText(/^Signed in as /).waitFor();
  assert.deepEqual(sent, [["/approvals", undefined], ...[office.key, "made-up", office.partner].map((it) => ["/v1/approvals", `Bearer ${it}`])]);
  const kept = () => page.evaluate(() => [localStorage.length, document.cookie, Object.values(sessionStorage)]);
  assert.deepEqual(await kept(), [0, "", [office.partner]]);
  assert.ok(!page.url().includes(office.partner));
  await button(page, "Forget the token").click();
  await field.waitFor();
  assert.deepEqual(await kept(), [0, "", []]);
  assert.equal(await page.locator(".card").count(), 0);
  await context.close();
  assert.deepEqual(faults, []);
});

test("the page allows its own script and style, and no frame around it", async () => {
  const response = await fetch(`${office.base}/approvals`);
  const html = await response.text();
  const within = (tag) => html.match(new RegExp(`<${tag}>([^]*?)</${tag}>`))[1];
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  assert.equal(response.headers.get("content-security-policy"),
    `default-src 'none'; script-src ${hash(within("script"))}; style-src ${hash(within("style"))}; connect-src 'self'; img-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`);
  assert.equal(response.headers.get("referrer-policy"), "no-referrer");
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [320, 1280]) {
    test(`${colorScheme}, ${width} pixels`, async () => {
      const long = { to: Array.from({ length: 20 }, (_, at) => `client-with-a-long-name-${at}@a-long-domain.example.com`), subject: `S ${colorScheme} ${width}`, body: "A line.\n".repeat(200) };
      const refused = await sendMail(long);
      await openMatter("A look at the page");
      await office.call(office.associate, "run_conflict_check", { client_id: office.ids.company, parties: ["Concern Ltd"], occasion: `${colorScheme} ${width}` });
      const options = { colorScheme, viewport: { width, height: 800 }, bypassCSP: true };
      const { page, context, faults } = await watchedPage(browser, office.base, options);
      await page.addInitScript(axe);
      const look = async (what) => {
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${what} is ${wide} pixels wide`);
        const { violations } = await page.evaluate(() => window.axe.run());
        assert.deepEqual(violations.map((it) => `${what}: ${it.id}: ${it.nodes.map((node) => node.html).join(" ")}`), []);
        const shots = process.env.ASSAY_SHOTS;
        if (shots) await page.screenshot({ path: `${shots}/${what}-${colorScheme}-${width}.png`, fullPage: true });
      };
      await page.goto(`${office.base}/approvals`);
      await page.getByLabel("Session token").waitFor();
      await look("token");
      for (const [what, token] of [["partner", office.partner], ["associate", office.associate]]) {
        await page.getByLabel("Session token").fill(token);
        await page.getByRole("button", { name: "Go on" }).click();
        if (token === office.partner) {
          await page.locator(".card").first().waitFor();
          await look(what);
          await button(page, "Forget the token").click();
          continue;
        }
        await card(page, refused).waitFor();
        const frames = await card(page, refused).locator(".long").evaluateAll((all) => all.map((it) => [it.clientHeight, it.scrollHeight]));
        assert.equal(frames.length, 2);
        for (const [shown, whole] of frames) assert.ok(shown < 300 && whole > shown, "a long value is read within a frame of its own");
        await look(what);
        await button(page, "Forget the token").click();
      }
      await context.close();
      assert.deepEqual(faults, []);
    });
  }
}
