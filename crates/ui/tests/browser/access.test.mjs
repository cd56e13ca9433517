// For everybody: both themes, a phone's width, and what a screen reader needs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { SOURCE, startBrowser, startServer, watchedPage } from "./support.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let server, browser, path;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const { ruleset_hash } = await server.save("Expenses", SOURCE);
  await server.post("/v1/approvals", { ruleset_hash, approver: "Ada", note: "Read." });
  const next = await server.save("Expenses", SOURCE.replace("25000", "30000"));
  path = `/review/${next.ruleset_hash}`;
});
after(async () => {
  await browser?.close();
  server?.stop();
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1280]) {
    test(`${colorScheme}, ${width} pixels`, async () => {
      const options = { colorScheme, viewport: { width, height: 800 }, bypassCSP: true };
      const { page, context, faults } = await watchedPage(browser, server.base, options);
      const look = async (what) => {
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${what} is ${wide} pixels wide`);
        const { violations } = await page.evaluate(() => window.axe.run());
        assert.deepEqual(violations.map((it) => `${what}: ${it.id}: ${it.nodes.map((node) => node.html).join(" ")}`), []);
      };
      await page.addInitScript(axe);
      // The service answers three of the four words to these values, so the others are put in.
      await page.route("**/v1/check", async (route) => {
        const answer = await (await route.fetch()).json();
        const [first] = answer.rules;
        const other = (check) => ({ ...first, assertions: [{ ...first.assertions[0], check }] });
        answer.rules.push(other("FALSE"), other("AMBIGUOUS"));
        answer.rules = answer.rules.filter((it, at) => at !== 2);
        await route.fulfill({ json: answer });
      });
      await page.goto(`${server.base}/review`);
      await page.getByRole("link").first().waitFor();
      await look("list");
      await page.goto(server.base + path);
      await page.getByRole("tab").first().waitFor();
      for (const name of ["Rules", "Try it", "Changes", "Claims", "Source", "Units", "Approve"]) {
        await page.getByRole("tab", { name }).click();
        if (name === "Try it") {
          await page.getByLabel("amount, number").fill("80");
          await page.getByRole("button", { name: "Check these values" }).click();
          await page.locator(".word.ambiguous").waitFor();
          assert.deepEqual(await page.locator(".word").allTextContents(), ["FALSE", "AMBIGUOUS", "UNKNOWN", "TRUE"]);
        }
        await look(name);
      }
      await page.goto(`${server.base}/invitation#token`);
      await page.getByLabel("The address").waitFor();
      await look("invitation");
      await page.route("**/v1/rulesets", (route) => route.fulfill({ status: 401, json: {} }));
      await page.goto(`${server.base}/review`);
      await page.getByLabel("Session token").waitFor();
      await look("credential");
      await context.close();
      assert.deepEqual(faults, []);
    });
  }
}

test("values are tried with the keyboard alone, and one sees where it is", async () => {
  const { page, context, faults } = await watchedPage(browser, server.base);
  await page.goto(server.base + path);
  await page.getByRole("tab").first().waitFor();
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      return `${outlineStyle} ${outlineWidth}`;
    });
    assert.equal(outline, "solid 3px", keys.join(" "));
  };
  // The list, the revision before, and then the tabs.
  await press("Tab", "Tab", "Tab");
  await press("ArrowRight");
  await press("Tab");
  await page.keyboard.type("80");
  await press("Tab", "Tab");
  assert.equal(await page.locator("[data-claim=amount] input[type=checkbox]").isChecked(), false);
  await press("Tab");
  await press("ArrowUp");
  assert.equal(await page.getByLabel("no", { exact: true }).isChecked(), true);
  await press("Tab");
  await press("m");
  await press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".word").first().waitFor();
  assert.deepEqual(await page.locator(".word").allTextContents(), ["FALSE", "TRUE", "TRUE"]);
  assert.match(await page.getByRole("status").textContent(), /1 FALSE, 2 TRUE/);
  await context.close();
  assert.deepEqual(faults, []);
});

test("a first paint comes soon, and without asking for anything else", async () => {
  const { page, context, faults } = await watchedPage(browser, server.base);
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(server.base + path);
  await page.getByRole("tab").first().waitFor();
  const painted = await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  const paint = await painted.jsonValue();
  console.log(`first contentful paint after ${paint} ms`);
  assert.deepEqual(asked, [path, `/v1${path}`]);
  await context.close();
  assert.deepEqual(faults, []);
});
