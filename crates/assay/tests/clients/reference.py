"""The reference client of the rule language as a client of the built command, unchanged.

Its library, its command line and its MCP proxy do what they do against the service that they were
made for: compile, prompts, check and repair, save, load, list, approve, units, workspaces, teams,
copies. Where it expects something that this installation does not have (evaluation credentials,
signing in over a browser), the refusal that it gets is looked at.

Usage: python reference.py PATH-OF-ASSAY
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import urllib.request

import dsail
from dsail.errors import (
    BadRequest,
    CompileFailed,
    CredentialScopeExceeded,
    RulesetNotFound,
    ServiceError,
    ValidationRejected,
)
from mcp import Client as McpClient
from mcp import StdioServerParameters

from sdk import equal, server

SOURCE = """\
version 1.3;
// @ask amount What is the total of the expense, in USD?
// @unit amount USD
// @range amount 0..1000000
declare amount as numeric;
// @ask has_receipt Is an itemised receipt attached?
declare has_receipt as boolean;
// No expense exceeds 25,000 USD.
assert within_cap { amount <= 25000 "USD" };
// Expenses above 75 USD come with a receipt.
assert receipt_over_75 { Implies(amount > 75 "USD", has_receipt) };
"""
SECOND = SOURCE.replace("25000", "30000").replace("25,000", "30,000")


def raises(kind, call, code):
    """The error of a call that has to be refused."""
    try:
        found = call()
    except kind as error:
        equal(error.code, code, f"the code of {error}")
        return error
    raise AssertionError(f"a refusal was expected, found {found!r}")


def words(result):
    return {it.name: it.check for it in result.assertions}


def rules(client):
    """Compiling, prompts, checks."""
    compiled = client.compile(SOURCE)
    equal(compiled.payload["source"], SOURCE, "the source comes back")
    pack = client.prompt_pack(ruleset_hash=compiled.ruleset_hash)
    equal([it.claim for it in pack.prompts], ["amount", "has_receipt"], "the prompts")
    equal(client.prompt_pack(source=SOURCE).payload, pack.payload, "both ways to the prompts")
    claims = {"amount": "120 USD", "has_receipt": False}
    expected = {"within_cap": "TRUE", "receipt_over_75": "FALSE"}
    equal(words(client.check(claims, ruleset_hash=compiled.ruleset_hash)), expected, "a check")
    open_claims = {"amount": "unknown", "has_receipt": True}
    found = client.check(open_claims, source=SOURCE)
    expected = {"within_cap": "UNKNOWN", "receipt_over_75": "TRUE"}
    equal(words(found), expected, "a check with an undetermined claim")
    equal(list(found.unbound_claims), ["amount"], "what is undetermined")

    seen = []

    def repair(current, failures):
        seen.append([it.field for it in failures])
        fixed = {name: value for name, value in current.items() if name != "extra"}
        return {**fixed, "amount": "90 USD", "has_receipt": "unknown"}

    broken = {"amount": "lots", "extra": 1}
    found = client.check_with_repair(broken, repair, ruleset_hash=compiled.ruleset_hash)
    equal(seen, [["amount", "extra", "has_receipt"]], "every failing field at once")
    expected = {"within_cap": "TRUE", "receipt_over_75": "UNKNOWN"}
    equal(words(found), expected, "a repaired check")
    raises(
        ValidationRejected,
        lambda: client.check_with_repair(broken, lambda *_: None, source=SOURCE),
        "VALIDATION_REJECTED",
    )
    failed = raises(CompileFailed, lambda: client.compile("assert x { y };"), "COMPILE_FAILED")
    equal(bool(failed.diagnostics and failed.hint), True, "problems come with the guide")
    unknown = lambda: client.check(claims, ruleset_hash="0" * 64)
    raises(RulesetNotFound, unknown, "RULESET_NOT_FOUND")
    raises(BadRequest, lambda: client.check(claims, ruleset_hash="xyz"), "BAD_REQUEST")
    return compiled.ruleset_hash


def revisions(client, first):
    """Names, revisions and approvals."""
    saved = client.save_ruleset("Expenses, 2026", SOURCE)
    equal((saved["ruleset_hash"], saved["created"]), (first, False), "compiled before")
    approved = client.record_approval(first, "Ada Lovelace", note="read in full")
    equal((approved["saved"], approved["name"]), (True, "Expenses, 2026"), "what was approved")
    second = client.save_ruleset("Expenses, 2026", SECOND)
    equal((second["parent_hash"], second["revision_depth"]), (first, 1), "the next revision")
    loaded = client.load_ruleset("Expenses, 2026")
    equal(loaded["revision_chain"], [second["ruleset_hash"], first], "the chain")
    equal(loaded["approvals"], [], "an approval never moves")
    client.save_ruleset("Expenses, 2026", SOURCE)
    equal(len(client.load_ruleset("Expenses, 2026")["approvals"]), 1, "it stays where it was")
    rows = client.list_rulesets()["rulesets"]
    equal([(it["name"], it["approval_count"]) for it in rows], [("Expenses, 2026", 1)], "the list")
    equal((rows[0]["claim_count"], rows[0]["rule_count"]), (2, 2), "the counts")
    raises(RulesetNotFound, lambda: client.load_ruleset("none"), "RULESET_NOT_FOUND")
    raises(BadRequest, lambda: client.save_ruleset("../x", SOURCE), "BAD_REQUEST")
    long = lambda: client.record_approval(first, "x" * 513)
    raises(ServiceError, long, "BUDGET_EXCEEDED")
    equal(client.vocabulary()["level_one"][0]["id"], "finance", "the vocabulary")


def units(client, ruleset):
    """Converters that a person supplies."""
    equal(len(client.unit_library()["standards_loaded"]), 6, "the standards")
    for pair, status in [
        (("km", "m"), "convertible"),
        (("EUR", "USD"), "no_path"),
        (("mo", "d"), "ambiguous"),
        (("parsnip", "USD"), "unknown_unit"),
        (("USD", "USD"), "same"),
    ]:
        equal(client.unit_bridge(*pair)["status"], status, f"{pair}")
    claims = {"amount": "24000 EUR", "has_receipt": True}
    found = client.check(claims, ruleset_hash=ruleset)
    equal(words(found)["within_cap"], "UNKNOWN", "no figure, no answer")
    added = client.add_unit_converter("EUR", "USD", 1.1, attribution="the contract, section 4")
    equal(added["changed"], True, "a new figure")
    equal("approvals" in added["warning"].lower(), True, "the answer speaks of approvals")
    again = client.add_unit_converter("EUR", "USD", 1.1, attribution="the contract, section 4")
    equal(again["changed"], False, "the same figure")
    equal(again["unit_library_hash"], added["unit_library_hash"], "the same library")
    equal(client.unit_bridge("USD", "EUR")["factor"], "10/11", "the way back is exact")
    found = client.check(claims, ruleset_hash=ruleset)
    equal(words(found)["within_cap"], "FALSE", "26,400 USD exceed the cap")
    for factor in (0, -1):
        wrong = lambda: client.add_unit_converter("GBP", "USD", factor)
        raises(BadRequest, wrong, "BAD_REQUEST")
    raises(BadRequest, lambda: client.add_unit_converter("km", "m", 999), "BAD_REQUEST")


def post(address, path, body):
    request = urllib.request.Request(
        address + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def teams(client, address):
    """Workspaces, members, copies."""
    team = client.create_team("Legal")["team_id"]
    rows = client.workspaces()["workspaces"]
    equal([it["kind"] for it in rows], ["personal", "team"], "the workspaces")
    copied = client.copy_ruleset("Expenses, 2026".replace(" ", "%20"), team)
    equal(copied["revisions"], 1, "the copy")
    client.use_workspace("Legal")
    row = client.list_rulesets()["rulesets"][0]
    equal((row["name"], row["approval_count"]), ("Expenses, 2026", 0), "copies are not approved")
    client.use_workspace("personal")
    link = client.invite_to_team(team, "bob@example.org")["invitation"]
    accept = {"invitation": link, "email": "Bob@Example.org", "name": "Bob"}
    session = post(address, "/v1/invitations/accept", accept)["session"]
    members = client.team_members(team)["members"]
    equal([(it["role"], it["email"]) for it in members], [("admin", None), ("member", None)], "two")
    bob = members[1]["subject"]
    os.environ["DSAIL_SESSION"] = session
    try:
        as_bob = dsail.Client(url=address, auto_credential=False)
        equal(as_bob.workspaces()["signed_in"], True, "a person is signed in")
        equal(as_bob.list_rulesets()["rulesets"], [], "the owner's rulesets are not Bob's")
        raises(RulesetNotFound, lambda: as_bob.load_ruleset("Expenses, 2026"), "RULESET_NOT_FOUND")
        as_bob.use_workspace(team)
        equal(len(as_bob.list_rulesets()["rulesets"]), 1, "the team's are")
        denied = lambda: as_bob.invite_to_team(team, "eve@example.org")
        raises(CredentialScopeExceeded, denied, "CREDENTIAL_SCOPE")
    finally:
        del os.environ["DSAIL_SESSION"]
    client.set_team_role(team, bob, "admin")
    client.set_team_role(team, bob, "member")
    last = lambda: client.set_team_role(team, "owner", "member")
    raises(BadRequest, last, "BAD_REQUEST")
    equal(client.remove_from_team(team, bob)["removed"], bob, "who left")
    return team


def credentials(client, address, assay, folder):
    """A key, and an installation that asks for one."""
    status, text = client.call("POST", "/v1/credentials/api-key", body={"label": "service"})
    key = json.loads(text)["credential"]
    equal((status, key.startswith("assay_key_")), (200, True), "a key")
    with_key = dsail.Client(url=address, credential=key, auto_credential=False)
    equal(len(with_key.list_rulesets()["rulesets"]), 1, "the key opens the workspace")
    equal(with_key.workspaces()["signed_in"], False, "a key is no person")
    raises(CredentialScopeExceeded, lambda: with_key.create_team("x"), "CREDENTIAL_SCOPE")
    status, text = client.call("POST", "/v1/credentials/evaluation", body={"client": "x"})
    equal((status, json.loads(text)["error"]["code"]), (400, "BAD_REQUEST"), "no evaluation")
    token = os.path.join(folder, "token")
    with open(token, "w", encoding="utf-8") as file:
        file.write("a-token-of-24-characters\n")
    with server(assay, os.path.join(folder, "locked"), "--token-file", token) as locked:
        bare = dsail.Client(url=locked, auto_credential=False)
        raises(ServiceError, bare.list_rulesets, "CREDENTIAL_REQUIRED")
        wrong = dsail.Client(url=locked, credential="wrong", auto_credential=False)
        raises(ServiceError, wrong.list_rulesets, "CREDENTIAL_INVALID")
        raises(ServiceError, dsail.Client(url=locked).list_rulesets, "BAD_REQUEST")
        owner = dsail.Client(url=locked, credential="a-token-of-24-characters")
        equal(owner.list_rulesets()["rulesets"], [], "the owner's token opens it")
        equal(owner.health()["ok"], True, "health needs none")


def command_line(address, folder, team):
    """The commands, by their exit codes and what they print."""
    source, claims = os.path.join(folder, "e.dsail"), os.path.join(folder, "claims.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write(SOURCE)
    with open(claims, "w", encoding="utf-8") as file:
        json.dump({"amount": 80, "has_receipt": None}, file)
    program = os.path.join(os.path.dirname(sys.executable), "dsail")

    def run(*arguments, expected=0):
        command = [program, "--url", address, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        equal(result.returncode, expected, f"{arguments}: {result.stdout}{result.stderr}")
        return result.stdout

    equal("2.10.0" in run("version", "--remote"), True, "version")
    run("health")
    equal("self-hosted" in run("whoami"), True, "whoami")
    equal("ruleset_hash" in run("compile", source, "--review"), True, "compile")
    equal("### amount" in run("prompt-pack", source, "--render"), True, "prompt-pack")
    equal("UNKNOWN    receipt_over_75" in run("check", source, "--claims", claims, "--summary"), True, "check")
    run("check", "--hash", "0" * 64, "--claims", claims, expected=2)
    equal(team in run("workspaces"), True, "workspaces")
    run("use", team)
    run("use", "personal")
    equal("copied" in run("copy", "Expenses,%202026", "--to", team, "--as", "again"), True, "copy")
    created = run("team", "create", "Second")
    second = created.split("(")[1].split(")")[0]
    equal("/invitation#" in run("team", "invite", second, "a@example.org"), True, "team invite")
    equal("owner" in run("team", "members", second), True, "team members")
    run("team", "demote", second, "owner", expected=2)


async def proxy(address):
    """Its MCP proxy with the definitions that it carries."""
    program = os.path.join(os.path.dirname(sys.executable), "dsail")
    environment = {**os.environ, "DSAIL_URL": address}
    door = StdioServerParameters(command=program, args=["mcp"], env=environment)
    async with McpClient(door, read_timeout_seconds=60) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        equal(len(tools), 20, "nineteen definitions and its own")

        async def call(tool, arguments):
            result = await client.call_tool(tool, arguments)
            return result.is_error, json.loads(result.content[0].text)

        failed, compiled = await call("dsail_compile", {"source": SOURCE})
        equal(failed, False, f"{compiled}")
        claims = {"amount": "120 USD", "has_receipt": True}
        arguments = {"ruleset_hash": compiled["ruleset_hash"], "claims": claims}
        failed, checked = await call("dsail_check", arguments)
        equal((failed, checked["ok"]), (False, True), "a check")
        for tool, arguments in [
            ("dsail_list_rulesets", {}),
            ("dsail_load_ruleset", {"name": "Expenses, 2026"}),
            ("dsail_get_account_status", {}),
            ("dsail_unit_library", {}),
            ("dsail_unit_library", {"from_unit": "km", "to_unit": "m"}),
            ("dsail_list_workspaces", {}),
            ("dsail_get_prompt_pack", {"ruleset_hash": compiled["ruleset_hash"]}),
            ("dsail_save_ruleset", {"name": "over the proxy", "source": SECOND}),
            ("dsail_record_approval", {"ruleset_hash": compiled["ruleset_hash"], "approver": "A"}),
            ("dsail_use_workspace", {"workspace": "personal"}),
            (
                "dsail_add_unit_converter",
                {"from_unit": "GBP", "to_unit": "USD", "factor": 1.25, "attribution": "Ada"},
            ),
            ("dsail_create_team", {"name": "Third"}),
        ]:
            failed, payload = await call(tool, arguments)
            equal((failed, payload["ok"]), (False, True), f"{tool}: {payload}")
        undescribed = "declare a as boolean;\nassert r { a };\n"
        failed, payload = await call("dsail_compile", {"source": undescribed})
        equal((failed, payload["error"]["code"]), (True, "COMPILE_FAILED"), "a bare rule")


def main(assay):
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DSAIL_CONFIG_DIR"] = os.path.join(folder, "config")
        with server(assay, folder) as address:
            client = dsail.Client(url=address)
            first = rules(client)
            revisions(client, first)
            units(client, first)
            team = teams(client, address)
            credentials(client, address, assay, folder)
            command_line(address, folder, team)
            asyncio.run(proxy(address))
    print(f"dsail {dsail.__version__}: library, command line and proxy as expected")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]))
