"""The official Python SDK of the protocol as a client of the built command.

It connects over standard input and output and over HTTP, with the handshake, without it, and as the
SDK chooses by itself. Each time it lists and reads what there is, compiles a policy, fetches its
prompts and checks claims, and compares the text of each answer with the body of the REST door.

Usage: python sdk.py PATH-OF-ASSAY
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

from mcp import Client, MCPError, StdioServerParameters

SOURCE = """\
version 1.3;
// @ask amount What is the total of the expense, in USD? (größer als 0 €?)
// @unit amount USD
// @range amount 0..1000000
declare amount as numeric;
// @ask has_receipt Is an itemised receipt attached?
declare has_receipt as boolean;
// Expenses above 75 USD come with a receipt.
assert receipt_above_75 { Implies(amount > 75 "USD", has_receipt) };
// No expense exceeds 5,000 USD.
assert cap { amount <= 5000 "USD" };
"""

# Claims with the word that each rule answers, or with the fields that are refused.
CHECKS = [
    ({"amount": "75.01 USD", "has_receipt": False}, {"receipt_above_75": "FALSE", "cap": "TRUE"}),
    ({"amount": 5001, "has_receipt": True}, {"receipt_above_75": "TRUE", "cap": "FALSE"}),
    ({"amount": "unknown", "has_receipt": True}, {"receipt_above_75": "TRUE", "cap": "UNKNOWN"}),
    ({"amount": "90 EUR", "has_receipt": None}, {"receipt_above_75": "UNKNOWN", "cap": "UNKNOWN"}),
    ({"amount": True, "receipt": "größer"}, ["amount", "receipt", "has_receipt"]),
]

TOOLS = {
    "dsail_check": "/v1/check",
    "dsail_compile": "/v1/compile",
    "dsail_get_prompt_pack": "/v1/prompt-pack",
}

# How the SDK connects, with the version that it ends up with.
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


def equal(found, expected, what):
    if found != expected:
        found, expected = repr(found), repr(expected)
        start = max(len(os.path.commonprefix([found, expected])) - 40, 0)
        found, expected = found[start : start + 200], expected[start : start + 200]
        raise AssertionError(f"{what}\n  expected: …{expected}\n  found:    …{found}")


@contextlib.contextmanager
def server(assay, folder, *more):
    """A server on a port of its own; yields its address."""
    data = os.path.join(folder, "serve")
    command = [assay, "serve", "--http", "127.0.0.1:0", "--data", data, *more]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            launch = process.stderr.readline()
            words = [word for word in launch.split() if word.startswith("http://")]
            equal(len(words), 1, f"the launch line {launch!r} names the address")
            yield words[0]
        finally:
            process.terminate()


def get(url, body=None):
    """The bytes of a response, whatever its status."""
    # The SDK sends text unescaped, and a refusal quotes what was sent as it was spelt.
    data = None if body is None else json.dumps(body, ensure_ascii=False).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.read()
    except urllib.error.HTTPError as refusal:
        return refusal.read()


async def call(client, address, tool, arguments):
    """Calls a tool, compares the answer with that of REST, and returns it."""
    result = await client.call_tool(tool, arguments)
    equal([block.type for block in result.content], ["text"], f"the content of {tool}")
    text = result.content[0].text
    equal(text.encode(), get(address + TOOLS[tool], arguments), f"the bytes of {tool}")
    payload = json.loads(text)
    equal(result.structured_content, payload, f"the structured content of {tool}")
    equal(result.is_error, not payload["ok"], f"the error flag of {tool}")
    return payload


async def visit(client, address, version):
    """Everything that a client does with the server."""
    equal(client.protocol_version, version, "the version of the protocol")
    # A client that takes a version for granted asks for no instructions.
    instructions = client.instructions or "UNKNOWN"
    equal("UNKNOWN" in instructions, True, "the instructions explain the words")
    equal(client.instructions is None, client.mode == version, "the instructions are there")

    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    equal((len(tools), set(TOOLS) - set(tools)), (20, set()), "the tools")
    for name, tool in tools.items():
        described = [it.get("description") for it in tool.input_schema["properties"].values()]
        equal(all([tool.title, tool.description, tool.output_schema, *described]), True, name)

    pages = {page.uri: page for page in (await client.list_resources()).resources}
    for uri in ["assay://docs/language.md", "assay://docs/errors/validation-rejected.md"]:
        contents = (await client.read_resource(pages[uri].uri)).contents
        equal([it.mime_type for it in contents], ["text/markdown"], uri)
        path = uri.removeprefix("assay:/")
        equal(contents[0].text.encode(), get(address + path), f"the bytes of {uri}")

    compiled = await call(client, address, "dsail_compile", {"source": SOURCE})
    equal(compiled["source"], SOURCE, "the source comes back")
    ruleset = {"ruleset_hash": compiled["ruleset_hash"]}
    pack = await call(client, address, "dsail_get_prompt_pack", ruleset)
    equal([it["claim"] for it in pack["prompts"]], ["amount", "has_receipt"], "the prompts")

    for claims, expected in CHECKS:
        checked = await call(client, address, "dsail_check", {**ruleset, "claims": claims})
        if checked["ok"]:
            assertions = [it for rule in checked["rules"] for it in rule["assertions"]]
            found = {it["name"]: it["check"] for it in assertions}
        else:
            found = [it["field"] for it in checked["error"]["failures"]]
        equal(found, expected, f"the answer to {claims}")

    # Over MCP a description is required, so this has one: the mistake is the same everywhere.
    broken = {"source": "// It holds.\nassert x { y };"}
    failed = await call(client, address, "dsail_compile", broken)
    equal(failed["error"]["code"], "COMPILE_FAILED", "a source that does not compile")
    try:
        await client.call_tool("dsail_guess", {})
    except MCPError as error:
        equal(error.error.code, -32602, "a tool that does not exist")
    else:
        raise AssertionError("a tool that does not exist was called")


async def main(assay):
    connections = 0
    with tempfile.TemporaryDirectory() as folder, server(assay, folder) as address:
        arguments = ["stdio", "--data", os.path.join(folder, "stdio")]
        stdio = StdioServerParameters(command=assay, args=arguments)
        forward = ["stdio", "--forward", address]
        forwarded = StdioServerParameters(command=assay, args=forward)
        doors = {"stdio": stdio, "stdio --forward": forwarded, "HTTP": address + "/mcp"}
        for name, door in doors.items():
            for mode, version in MODES.items():
                try:
                    async with Client(door, mode=mode, read_timeout_seconds=60) as client:
                        await visit(client, address, version)
                except BaseException:
                    print(f"failed: {name}, {mode}", file=sys.stderr)
                    raise
                connections += 1
    print(f"{connections} connections, every answer as expected")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(main(os.path.abspath(sys.argv[1])))
