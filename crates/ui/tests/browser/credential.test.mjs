// A server that asks who its callers are, and what it sends along with a page.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";

import { SOURCE, startBrowser, startServer, watchedPage } from "./support.mjs";

const TOKEN = "a-token-of-enough-length-for-a-test-0123456789";
let server, browser, saved;

before(async () => {
  [server, browser] = await Promise.all([startServer(TOKEN), startBrowser()]);
  saved = await server.save("Expenses", SOURCE);
});
after(async () => {
  await browser?.close();
  server?.stop();
});

test("a person is asked for a credential, and it stays in the tab", async () => {
  const { page, context, faults } = await watchedPage(browser, server.base);
  const sent = [];
  page.on("request", (request) => sent.push([new URL(request.url()).pathname, request.headers().authorization]));
  await page.goto(`${server.base}/review?name=Expenses`);
  const field = page.getByLabel("Session token or API key");
  await field.fill("not-it");
  await field.press("Enter");
  await page.getByText("That credential is not taken.").waitFor();
  await field.fill(TOKEN);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("heading", { name: "Expenses" }).waitFor();
  await page.getByRole("tab", { name: "Approve" }).click();
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Record my approval" }).click();
  await page.getByRole("tab", { name: "Approvals (1)" }).waitFor();
  assert.deepEqual(sent, [
    ["/review", undefined],
    ["/v1/review", undefined],
    ["/v1/review", "Bearer not-it"],
    ["/v1/review", `Bearer ${TOKEN}`],
    ["/v1/approvals", `Bearer ${TOKEN}`],
  ]);
  const kept = await page.evaluate(() => [localStorage.length, document.cookie, Object.values(sessionStorage)]);
  assert.deepEqual(kept, [0, "", [TOKEN]]);
  assert.ok(!page.url().includes(TOKEN));
  // Another tab does not know it.
  const other = await context.newPage();
  await other.goto(`${server.base}/review`);
  await other.getByLabel("Session token or API key").waitFor();
  await context.close();
  assert.deepEqual(faults, []);
});

test("a page comes with a policy that allows its own script and style and nothing else", async () => {
  for (const path of ["/review", `/review/${saved.ruleset_hash}`, "/invitation"]) {
    const response = await fetch(server.base + path);
    const html = await response.text();
    const within = (tag) => html.match(new RegExp(`<${tag}>([^]*?)</${tag}>`))[1];
    const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    const policy = Object.fromEntries(response.headers.get("content-security-policy").split(";").map((it) => it.trim().split(/ (.*)/)));
    assert.deepEqual(policy, {
      "default-src": "'none'", "script-src": hash(within("script")), "style-src": hash(within("style")),
      "connect-src": "'self'", "img-src": "'none'", "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'",
    });
    const header = (name) => response.headers.get(name);
    assert.equal(response.status, 200);
    assert.equal(header("x-content-type-options"), "nosniff");
    assert.equal(header("referrer-policy"), "no-referrer");
    assert.equal(header("cache-control"), "no-store");
    assert.match(header("content-type"), /^text\/html; *charset=utf-8$/i);
  }
});
