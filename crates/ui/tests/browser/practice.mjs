// A practice for the browser tests: a real server with governed tools, a real back end behind them,
// and people who signed in.

import { execFileSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

import { startServer } from "./support.mjs";

const TOKEN = "a-token-of-enough-length-for-a-practice-0123456789";

/**
 * A server for a firm: its owner is a partner, Ada an associate, and both have a session. The back
 * end holds a client and a matter of theirs.
 */
export async function startPractice() {
  const program = resolve(dirname(process.env.ASSAY_BINARY), "examples/practice");
  const folder = mkdtempSync(join(tmpdir(), "assay-practice-"));
  const database = join(folder, "practice.db");
  const registry = join(process.env.ASSAY_FIXTURES, "practice/registry");
  const server = await startServer(TOKEN, {
    more: ["--profile", "all", "--registry", registry, "--skill", "practice-desk@1.0"],
    environment: { PRACTICE_COMMAND: program, PRACTICE_DATABASE: database },
  });
  const assay = (...words) => execFileSync(process.env.ASSAY_BINARY, [...words, "--data", join(server.folder, "data")], { encoding: "utf8" });
  const ask = async (bearer, path, body) => {
    const headers = { "content-type": "application/json", ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) };
    const response = await fetch(server.base + path, { method: body === undefined ? "GET" : "POST", headers, body: body && JSON.stringify(body) });
    return response.json();
  };
  const did = async (...asked) => {
    const answer = await ask(...asked);
    if (answer.ok !== true) throw new Error(`${asked[1]}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const partner = JSON.parse(assay("person", "session", "owner", "--json")).session;
  const { team_id: team } = await did(partner, "/v1/teams", { name: "Practice" });
  await did(partner, "/v1/workspaces/current", { workspace: team });
  const { invitation } = await did(partner, `/v1/teams/${team}/invitations`, { email: "ada@example.org" });
  const { session: associate } = await did(null, "/v1/invitations/accept", { invitation, email: "ada@example.org", name: "Ada" });
  await did(associate, "/v1/workspaces/current", { workspace: team });
  const { members } = await did(partner, `/v1/teams/${team}/members`);
  const ada = members.find((it) => it.name === "Ada").subject;
  assay("role", "grant", "owner", "partner", "--workspace", team);
  assay("role", "grant", ada, "associate", "--workspace", team);
  const key = (await did(partner, "/v1/credentials/api-key", {})).credential;
  const ids = JSON.parse(execFileSync(program, ["seed", "--database", database, "--org", team], { encoding: "utf8" }));
  const call = (bearer, tool, args) => ask(bearer, `/v1/tools/${tool}`, args);
  const stop = () => {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { base: server.base, partner, associate, ada, key, ids, call, ask, stop };
}
