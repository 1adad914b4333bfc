"""Thousands of requests, good and hostile, on hostile documents.

The server must live, answer each line that wants an answer exactly once, and write
nothing but messages.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ALIASES = "".join(
    f"b{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]\n" for n in range(1, 30)
).encode()

DOCUMENTS = {
    "plain.md": b"# Guide\n\nIntro.\n\n## Install\n\ntext\n\n## Use\n\n### Deep\n\nx\n",
    "crlf.md": b"# A\r\n\r\none\rtwo\x0b\x0c\r\n## B\r\n\r\ntext",
    "bom.md": b"\xef\xbb\xbf---\na: 1\nb: [x, y]\n---\n# T\n\nbody\n",
    "bomb.md": b"---\na: &a0 [x]\n" + ALIASES + b"---\n# H\n",
    "template.md": b"# {{ title }}\n\n{{ if x\n}}\n## In\n\n{{ end }}\n\n## Out {{\n",
    "fence.md": b"# A\n\n```\n# B\n\n## C\n",
    "nested.md": b"> " * 500 + b"# deep\n" + b"- " * 500 + b"x\n\n# Top\n",
    "brackets.md": b"# A\n\n" + b"[" * 50_000 + b"\n\n## B\n",
    "same.md": b"# A\n\n" + b"## Same\n\nx\n\n" * 200,
    "dots.md": b"# v1.2.3\n\n## a\\.b [x](y)\n\ntext\n\n## frontmatter\n\n## \xf0\x9f\x98\x80\n",
    "separators.md": "# A\u2028B\n\nx\u2029y\x85z\x1cw\n\n## \u202egnp\n\n\x1b]0;pwn\x07\n".encode(),
    "nul.md": b"# A\n\n" + b"x" * 9000 + b"\x00\n\n## B\n",
    "latin1.md": b"# caf\xe9\n",
    "empty.md": b"",
    "cr.md": b"# A\r\rtext\r## B\r",
    "setext.md": b"A\n===\n\n[x]: y\nB\n---\n\n| a |\n|---|\n---\n",
}

PATHS = (
    *("Guide", "Guide.Install", "guide.use.DEEP", "Install", "A", "A.B", "A.Same[7]"),
    *("frontmatter", "(preamble)", "v1\\.2\\.3", "v1.2.3", "", ".", "..", "[1]", "\\"),
    *("A" * 5000, "A." * 900, "T", "\u2028", "{{ title }}", "A.Same[0]", "B[99999999]"),
)
QUERIES = (
    *("text", ".*", "", "[", "(a|a)+$", "^(.*?,){25}P", "x" * 2000, "(" * 300, "\\"),
    *("(?b)(?:hello){e<=8}", "a{1000}{1000}", "\\p{L}", "(?P<n>x)(?P=n)", "\x00", "é"),
)
TEXTS = (
    *(
        "text",
        "x",
        "new\n",
        "# H\n",
        "## Sub\n\nx\n",
        "### Deep\n\nx\n",
        "```\n",
        "<!--",
    ),
    *(
        "",
        "\r\n",
        "\ufffd",
        "---\n",
        "a: 1\n",
        "{{",
        "\x00",
        "\U0001f600",
        "y" * 20_000,
    ),
)
HEADINGS = (
    "# N",
    "## New",
    "### N\n",
    "####### N",
    "#N",
    "",
    "## " + "n" * 3000,
    "## {{",
)
OUTSIDE = ("../x.md", "/etc/passwd", "a\x00b", "", "~", "missing.md", "." * 5000)
NUMBERS = (0, 1, 2, -1, 10**9, 10**30, 1.5, "3", "x", True, None)
GLOBS = ("*.md", "**/*.md", "../**", "/**", "[", "", "*" * 500, "plain.md")
JUNK: tuple[Any, ...] = (
    None,
    True,
    0,
    -1.5,
    "x",
    "null",
    [],
    [1],
    {},
    {"a": {"b": []}},
    10**400,
    "\udc80",
)


class Arguments:
    """Draws arguments, most of them sensible, for tools as they are listed."""

    def __init__(
        self, rng: random.Random, root: Path, paths: dict[str, list[str]]
    ) -> None:
        self.rng, self.root, self.paths = rng, root, paths

    def tool_call(self, tools: list[dict[str, Any]]) -> dict[str, Any]:
        rng, tool = self.rng, self.rng.choice(tools)
        schema = tool["inputSchema"]
        document = rng.choice(list(self.paths))
        arguments = {
            name: self.value(name, property_schema, document)
            for name, property_schema in schema["properties"].items()
            if (name in schema["required"] and rng.random() < 0.99)
            or rng.random() < 0.2
        }
        if rng.random() < 0.02:
            arguments["include_childern"] = False
        name = tool["name"] if rng.random() < 0.98 else "delete_file"
        return {"name": name, "arguments": arguments}

    def value(self, name: str, schema: dict[str, Any], document: str) -> Any:
        rng = self.rng
        if rng.random() < 0.02:
            return rng.choice(JUNK)
        if name in {"file_path", "directory"} and rng.random() < 0.1:
            return rng.choice(OUTSIDE)
        if name == "directory":
            return rng.choice((str(self.root), "."))
        if name == "file_path":
            return rng.choice((document, str(self.root / document)))
        if name in {"path", "under", "before", "after"}:
            known = self.paths[document]
            return rng.choice(known if known and rng.random() < 0.8 else PATHS)
        pools: dict[str, Any] = {
            **dict.fromkeys(("content", "new_content", "old", "new"), TEXTS),
            "query": QUERIES,
            "heading": HEADINGS,
            "glob": GLOBS,
            "expected_revision": ("0123456789ab", "", "x"),
        }
        kinds = {"integer": NUMBERS, "boolean": (True, False, "true", "no", 1)}
        fallback = schema.get("enum", TEXTS)
        return rng.choice(pools.get(name) or kinds.get(schema["type"], fallback))


def known_paths(client: Any, document: str) -> list[str]:
    """Return the dot-paths of a document, none if it cannot be read."""
    result = client.call("get_index", file_path=document)
    if result["isError"]:
        return []
    waiting = json.loads(result["content"][0]["text"])["sections"]
    paths = []
    while waiting:
        node = waiting.pop()
        paths.append(node["path"])
        waiting.extend(node["children"])
    return paths


def odd_request(rng: random.Random) -> tuple[str, Any]:
    return rng.choice(
        [
            ("ping", None),
            ("tools/list", {}),
            ("tools/list", {"cursor": "x"}),
            ("tools/call", None),
            ("tools/call", {"name": 5}),
            ("tools/call", {"name": "get_index", "arguments": [1]}),
            ("tools/call", {"name": "get_index", "_meta": {"progressToken": []}}),
            ("resources/list", {}),
            ("initialize", {}),
            ("", {}),
            ("x" * 10_000, {}),
            ("rpc.discover", {"deep": [[[[[[[[]]]]]]]]}),
        ]
    )


NOISE = (
    *(b"", b"  ", b'{"jsonrpc":"2.0","method":"notifications/x"}'),
    *(b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","method":"ping"}'),
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}',
    b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}',
)
BROKEN = (
    *(b"x", b"[]", b"{}", b"5", b"[1,2", b'"', b"\xff\xfe", b"\xef\xbb\xbf{}", b"\x00"),
    *(b"[" * 5000, b'{"a":' * 5000, b'{"jsonrpc":"2.0","id":null,"method":"ping"}'),
    *(b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', b'{"method":"ping"}', b"NaN"),
)


class Fuzzer:
    """Sends lines and counts what must be answered, and what was."""

    def __init__(self, client: Any, seed: int, root: Path) -> None:
        self.client, self.rng = client, random.Random(seed)
        paths = {document: known_paths(client, document) for document in DOCUMENTS}
        self.arguments = Arguments(self.rng, root, paths)
        self.tools = client.request("tools/list")["result"]["tools"]
        self.wanted: Counter[int | str | None] = Counter()
        self.answered: Counter[int | str | None] = Counter()
        self.cancelled: set[int | str] = set()
        self.codes: Counter[str] = Counter()
        self.ids = 10**6

    def step(self) -> None:
        kind = self.rng.random()
        if kind < 0.8:
            self.request("tools/call", self.arguments.tool_call(self.tools))
        elif kind < 0.88:
            self.request(*odd_request(self.rng))
        elif kind < 0.92:
            self.wanted[None] += 1
            self.client.send_line(self.rng.choice(BROKEN))
        elif kind < 0.95:
            self.cancel()
        else:
            self.client.send_line(self.rng.choice(NOISE))
        while self.open_requests() > 24:
            self.receive()

    def request(self, method: str, params: Any) -> None:
        self.ids += 1
        ids: list[int | str] = [self.ids, -self.ids, f"é{self.ids}"]
        request_id = self.rng.choice(ids)
        message = {"jsonrpc": "2.0", "id": request_id, "method": method}
        if params is not None:
            message["params"] = params
        text = json.dumps(message, ensure_ascii=self.rng.random() < 0.5)
        self.wanted[request_id] += 1
        # Surrogates, where they are not escaped, become bytes that are not UTF-8
        self.client.send_line(text.encode(errors="surrogatepass"))

    def cancel(self) -> None:
        waiting = [key for key in self.wanted - self.answered if key is not None]
        if waiting:
            request_id = self.rng.choice(waiting)
            self.cancelled.add(request_id)
            self.client.send("notifications/cancelled", {"requestId": request_id})

    def open_requests(self) -> int:
        open_ids = self.wanted - self.answered
        return open_ids.total() - len(self.cancelled & open_ids.keys())

    def receive(self) -> None:
        answer = self.client.receive()
        assert ("result" in answer) != ("error" in answer)
        if "content" in answer.get("result", {}):
            code = answer["result"]["content"][0]["text"].partition(":")[0]
            assert code != "INTERNAL_ERROR", answer
            self.codes[code if answer["result"]["isError"] else "done"] += 1
        self.answered[answer["id"]] += 1

    def finish(self) -> None:
        while self.open_requests() > 0:
            self.receive()
        assert self.client.request("ping")["result"] == {}


def lay_out(root: Path) -> None:
    for name, data in DOCUMENTS.items():
        (root / name).write_bytes(data)


def server_arguments(folder: Path) -> tuple[str, ...]:
    """Make the root in `folder`, and return what starts a server for it."""
    (folder / "root").mkdir(parents=True)
    (folder / "x.md").write_bytes(b"# secret\n")
    return "-m", "md_mcp", "serve", "--allow-root", str(folder / "root")


def fuzz(client: Any, folder: Path, count: int, seed: int) -> None:
    """Send `count` requests to a new server for the root in `folder`, and end it."""
    root = folder / "root"
    client.handshake()
    lay_out(root)
    fuzzer = Fuzzer(client, seed, root)
    for number in range(count):
        if number % 100 == 0:
            lay_out(root)
        fuzzer.step()
    fuzzer.finish()
    client.close_input()
    assert [answer["id"] for answer in client.rest()] == []
    assert client.exit_code() == 0
    assert fuzzer.codes["done"] > count / 5
    unanswered = fuzzer.wanted - fuzzer.answered
    assert unanswered.keys() <= fuzzer.cancelled
    assert fuzzer.answered - fuzzer.wanted == Counter()
    assert (folder / "x.md").read_bytes() == b"# secret\n"
    assert sorted(path.name for path in root.iterdir()) == sorted(DOCUMENTS)


@pytest.mark.parametrize(
    ("count", "seed"),
    [
        pytest.param(300, 1, id="300 requests"),
        pytest.param(10_000, 2, id="10,000 requests", marks=pytest.mark.slow),
    ],
)
def test_every_request_is_answered_once_whatever_it_is(
    start: Callable[..., Any], tmp_path: Path, count: int, seed: int
) -> None:
    fuzz(start(*server_arguments(tmp_path)), tmp_path, count, seed)
