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
      await page.goto(`${server.base}/review`);
      await page.getByRole("link").first().waitFor();
      await look("list");
      await page.goto(server.base + path);
      await page.getByRole("tab").first().waitFor();
      for (const name of ["Rules", "Try it", "Changes", "Claims", "Source", "Units", "Approve"]) {
        await page.getByRole("tab", { name }).click();
        if (name === "Try it") {
          await page.getByRole("button", { name: "Check these values" }).click();
          await page.locator(".word").first().waitFor();
        }
        await look(name);
      }
      await context.close();
      assert.deepEqual(faults, []);
    });
  }
}

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
