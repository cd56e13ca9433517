// What the browser tests share: a real server, a real browser, and a host of a conversation.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";

/** Without these, the browser calls home at its start. */
const QUIET = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export const SOURCE = `version 1.3;
// @ask amount What is the total, in USD?
// @unit amount USD
// @range amount 0..1000000
declare amount as numeric;
// @ask has_receipt Is a receipt attached?
declare has_receipt as boolean;
// @ask kind Which kind is it?
declare kind as enum ["meal", "unknown"];
// Nothing above 25,000 USD.
assert within_cap { amount <= 25000 "USD" };
// A receipt above 75 USD.
assert receipt_shown { Implies(amount > 75 "USD", has_receipt) };
// Meals are cheap.
assert cheap_meals [pessimistic] { Implies(kind == "meal", amount < 100 "USD") };
`;

/** Text that would do something if it were taken for markup. */
export const HOSTILE = `<img src=x onerror="window.pwned=1"><b>bold`;

/**
 * A server on a port and a folder of its own; with a token it asks its callers for one. `more` is
 * what else stands on its command line, and `environment` what else it finds around it.
 */
export async function startServer(token = null, { more = [], environment = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "assay-ui-"));
  const asking = token ? ["--token-file", join(folder, "token")] : [];
  if (token) writeFileSync(join(folder, "token"), token, { mode: 0o600 });
  const server = spawn(process.env.ASSAY_BINARY, ["serve", "--http", "127.0.0.1:0", "--data", join(folder, "data"), ...asking, ...more], {
    stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...environment },
  });
  const identity = token ? { authorization: `Bearer ${token}` } : {};
  const base = await new Promise((resolve, reject) => {
    let said = "";
    server.stderr.on("data", (bytes) => {
      said += bytes;
      const address = said.match(/http:\/\/[^\s]+/);
      if (address) resolve(address[0]);
    });
    server.on("exit", () => reject(new Error(`the server ended: ${said}`)));
  });
  const stop = () => {
    server.removeAllListeners("exit");
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const post = async (path, body) => {
    const response = await fetch(base + path, { method: "POST", headers: { "content-type": "application/json", ...identity }, body: JSON.stringify(body) });
    return response.json();
  };
  const rpc = async (method, params) => {
    const response = await fetch(`${base}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "mcp-protocol-version": "2025-11-25" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return (await response.json()).result;
  };
  const save = (name, source) => post("/v1/rulesets", { name, source });
  return { base, folder, stop, post, rpc, save };
}

export async function startBrowser() {
  return chromium.launch({ executablePath: process.env.ASSAY_BROWSER, args: QUIET });
}

/** A page that notes whatever it should not do: errors, refused content, requests to elsewhere. */
export async function watchedPage(browser, base, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const faults = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A refused request is part of what is tested, and the browser writes it down as an error.
    const isStatus = message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && !isStatus) faults.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    const is_own = [base, "about:", "data:", "blob:"].some((it) => url.startsWith(it));
    if (!is_own || url.endsWith("/x")) faults.push(`request: ${url}`);
  });
  return { page, context, faults };
}

/**
 * A conversation's host around the shell, in a sandboxed frame with the policy that hosts impose.
 * `serverTools` says whether it calls tools for the frame, `swallows` whether it keeps for itself
 * what it read, `fails` whether it answers that with an error, `refuses` whether it takes no message,
 * `late` whether it answers the greeting only when `greet` is called, and `echoes` whether it tells
 * of the frame's own calls as well.
 */
export async function openHost(server, page, { serverTools = true, swallows = false, fails = false, refuses = false, late = false, echoes = false, theme = "light" } = {}) {
  const shell = (await server.rpc("resources/read", { uri: "ui://dsail/review-widget.html" })).contents[0];
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">`;
  await page.exposeFunction("onServer", (method, params) => server.rpc(method, params));
  await page.goto(`${server.base}/health`);
  await page.setContent(`<iframe id="frame" sandbox="allow-scripts" style="width:100%;height:2000px;border:0"></iframe>`);
  await page.evaluate(({ html, serverTools, swallows, fails, refuses, late, echoes, theme }) => {
    const frame = document.getElementById("frame");
    window.heard = [];
    const reply = (id, result) => frame.contentWindow.postMessage({ jsonrpc: "2.0", id, result }, "*");
    window.tell = (method, params) => frame.contentWindow.postMessage({ jsonrpc: "2.0", method, params }, "*");
    window.addEventListener("message", async (event) => {
      if (event.source !== frame.contentWindow) return;
      const { id, method, params } = event.data;
      window.heard.push({ method, params });
      if (method === "ui/initialize") {
        if (late) await new Promise((resolve) => { window.greet = resolve; });
        const hostCapabilities = { message: {}, ...(serverTools ? { serverTools: {} } : {}) };
        reply(id, { protocolVersion: params.protocolVersion, hostInfo: { name: "test", version: "1" }, hostCapabilities, hostContext: { theme } });
      } else if (fails && method === "resources/read") {
        frame.contentWindow.postMessage({ jsonrpc: "2.0", id, error: { code: -32002, message: "no such resource" } }, "*");
      } else if (method === "resources/read" && !swallows) reply(id, await window.onServer("resources/read", params));
      else if (method === "tools/call") {
        const result = await window.onServer("tools/call", params);
        if (echoes) window.tell("ui/notifications/tool-result", result);
        reply(id, result);
        if (echoes) window.tell("ui/notifications/tool-result", result);
      }
      else if (method === "ui/message") reply(id, refuses ? { isError: true } : {});
    });
    frame.srcdoc = html;
  }, { html: shell.text.replace("<head>", `<head>${policy}`), serverTools, swallows, fails, refuses, late, echoes, theme });
  const frame = page.frameLocator("#frame");
  await frame.locator(".assay").waitFor();
  const heard = (method) => page.evaluate((method) => window.heard.filter((it) => it.method === method).map((it) => it.params), method);
  const show = (payload) => page.evaluate((payload) => window.tell("ui/notifications/tool-result", { structuredContent: payload, content: [] }), payload);
  const greet = () => page.evaluate(() => window.greet());
  return { frame, greet, heard, show };
}
