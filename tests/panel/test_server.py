"""The panel over real HTTP: who gets what, and with which headers."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Mapping
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from md_mcp.files import Files
from md_mcp.panel import PanelServer
from md_mcp.panel.server import _Handler

HEADERS = {
    "Content-Security-Policy": "default-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Reply(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def problem(self) -> tuple[int, str]:
        return self.status, self.json["problem"]


def ask(
    server: PanelServer,
    target: str,
    headers: Mapping[str, str] | None = None,
    method: str = "GET",
) -> Reply:
    """Request `target` below the token's address, or from the root with a "/"."""
    path = target if target.startswith("/") else f"{prefix(server)}{target}"
    connection = HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        connection.request(method, path, headers=dict(headers or {}))
        response = connection.getresponse()
        return Reply(response.status, dict(response.headers), response.read())
    finally:
        connection.close()


def send(server: PanelServer, request: bytes) -> bytes:
    """Send bytes that need be no HTTP and return all that comes back."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        client.sendall(request)
        return b"".join(iter(lambda: client.recv(65536), b""))


def prefix(server: PanelServer) -> str:
    return server.url.removeprefix(f"http://127.0.0.1:{server.port}")


def numbers(server: PanelServer) -> dict[str, int]:
    """Return the number of each note, as a page gets to know it."""
    nodes = ask(server, "graph").json["nodes"]
    return {n["path"]: n["number"] for n in nodes if n["kind"] == "document"}


def test_it_listens_on_the_loopback_interface_only(server: PanelServer) -> None:
    assert server.socket.getsockname() == ("127.0.0.1", server.port)


def test_each_server_has_a_long_token_of_its_own(files: Files, folder: Path) -> None:
    with (
        PanelServer(files, str(folder), 0) as one,
        PanelServer(files, str(folder), 0) as other,
    ):
        tokens = {prefix(one).strip("/"), prefix(other).strip("/")}
    assert [len(token) for token in tokens] == [24, 24]


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("", "text/html; charset=utf-8"),
        ("panel.css", "text/css; charset=utf-8"),
        ("panel.js", "text/javascript; charset=utf-8"),
        ("layout.js", "text/javascript; charset=utf-8"),
        ("picture.js", "text/javascript; charset=utf-8"),
        ("details.js", "text/javascript; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
        ("graph", "application/json"),
        ("note?number=0", "application/json"),
    ],
)
def test_each_address_has_its_type_and_all_headers(
    name: str, content_type: str, server: PanelServer
) -> None:
    numbers(server)
    reply = ask(server, name)
    assert (reply.status, reply.headers["Content-Type"]) == (200, content_type)
    assert {key: reply.headers[key] for key in HEADERS} == HEADERS
    assert int(reply.headers["Content-Length"]) == len(reply.body) > 0


def test_every_file_of_the_page_is_served_and_asks_for_nothing_else() -> None:
    web = Path(sys.modules[PanelServer.__module__].__file__ or "").parent / "web"
    served = {"index.html", "panel.css", "icon.svg"}
    served |= {"panel.js", "layout.js", "picture.js", "details.js"}
    assert {path.name for path in web.iterdir()} == served
    namespace = b'xmlns="http://www.w3.org/2000/svg"'
    texts = {
        path.name: path.read_bytes().replace(namespace, b"") for path in web.iterdir()
    }
    outside = [name for name, text in texts.items() if b"://" in text]
    assert outside == []


def test_no_script_makes_markup_of_texts() -> None:
    web = Path(sys.modules[PanelServer.__module__].__file__ or "").parent / "web"
    ways = (b"innerHTML", b"outerHTML", b"insertAdjacentHTML", b"document.write")
    scripts = [path.read_bytes() for path in web.glob("*.js")]
    assert len(scripts) == 4
    assert [way for way in ways if any(way in script for script in scripts)] == []


def test_the_graph_numbers_its_notes(server: PanelServer) -> None:
    graph = ask(server, "graph").json
    assert [(node["path"], node.get("number")) for node in graph["nodes"]] == [
        ("guides/empty.md", 0),
        ("guides/setup.md", 1),
        ("home.md", 2),
        ("guides/setup.md", 1),
        ("guides/setup.md", 1),
        ("home.md", 2),
        ("home.md", 2),
        ("Lost", None),
        ("guides/gone.md", None),
    ]


def test_a_note_is_asked_for_by_its_number(server: PanelServer) -> None:
    number = numbers(server)["guides/setup.md"]
    note = ask(server, f"note?number={number}").json
    assert (note["path"], note["lines"], note["into"]) == (
        "guides/setup.md",
        5,
        ["home.md"],
    )


def test_a_number_means_the_same_note_on_an_older_page(
    server: PanelServer, folder: Path
) -> None:
    number = numbers(server)["home.md"]
    (folder / "aaa.md").write_bytes(b"# First by name\n")
    assert numbers(server) == {
        "aaa.md": 3,
        "guides/empty.md": 0,
        "guides/setup.md": 1,
        "home.md": 2,
    }
    assert ask(server, f"note?number={number}").json["path"] == "home.md"


def test_a_note_that_is_gone_is_told(server: PanelServer, folder: Path) -> None:
    number = numbers(server)["home.md"]
    (folder / "home.md").unlink()
    assert ask(server, f"note?number={number}").problem == (
        410,
        '"home.md" is gone. Reload the page to draw the folder as it is.',
    )


def test_a_folder_that_is_gone_is_told(server: PanelServer, folder: Path) -> None:
    numbers(server)
    folder.rename(folder.with_name("elsewhere"))
    status, text = ask(server, "graph").problem
    assert (status, text.partition(":")[0]) == (409, "FILE_NOT_FOUND")


@pytest.mark.parametrize(
    "query",
    [
        *("", "?", "?number=", "?number=3", "?number=-1", "?number=999999999"),
        *(
            "?number=99999999999999999999",
            "?number=1.0",
            "?number=%31",
            "?number=1&x=1",
        ),
        *(
            "?number=home.md",
            "?number=../../etc/passwd",
            "?path=home.md",
            "?number=0x1",
        ),
        *("?number=%C2%B2", "?number=\xb2", "?number=1_0"),
    ],
)
def test_anything_but_a_known_number_is_no_note(
    query: str, server: PanelServer
) -> None:
    numbers(server)
    target = f"{prefix(server)}note{query}".encode("latin-1")
    host = f"127.0.0.1:{server.port}".encode()
    reply = send(server, b"GET " + target + b" HTTP/1.0\r\nHost: " + host + b"\r\n\r\n")
    assert reply.startswith(b"HTTP/1.0 404 Not Found\r\n")
    assert reply.endswith(b'{"problem":"No note has this number."}')


@pytest.mark.parametrize(
    "target",
    [
        *("index.html", "home.md", "../home.md", "..%2fhome.md", "%2e%2e/home.md"),
        *("web/panel.js", "panel.js/", "/panel.js", "PANEL.JS", "graph/", "note/0"),
        *("./panel.js", "server.py", "../server.py", "C:\\x", "\\..\\x", "%00"),
    ],
)
def test_there_is_nothing_beside_the_fixed_addresses(
    target: str, server: PanelServer
) -> None:
    if target == "/panel.js":
        target = f"{prefix(server)}/panel.js"
    assert ask(server, target).problem == (404, "There is nothing at this address.")


def test_without_the_token_there_is_nothing(server: PanelServer) -> None:
    token = prefix(server).strip("/")
    hint = (404, "Open the URL that md-mcp printed.")
    for target in (
        *("/", "/graph", "/favicon.ico", "/robots.txt", "/panel.js", "/x/panel.js"),
        *(f"/{token}", f"/{token[:-1]}/", f"/{token}x/", f"/x/{token}/", "/?/" + token),
        *(f"/{token.swapcase()}/graph", "/" + "é".encode().decode("latin-1") + "/"),
    ):
        host = f"127.0.0.1:{server.port}"
        request = f"GET {target} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode("latin-1")
        head, _, body = send(server, request).partition(b"\r\n\r\n")
        assert (int(head.split()[1]), json.loads(body)["problem"]) == hint, target


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.1/", "http://[", "*", "//[/", "127.0.0.1:80", "?", "#"],
)
def test_a_target_that_is_no_path_finds_nothing(
    target: str, server: PanelServer
) -> None:
    request = f"GET {target} HTTP/1.0\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
    assert send(server, request.encode()).startswith(b"HTTP/1.0 404 Not Found\r\n")


@pytest.mark.parametrize(
    "host",
    [
        *("attacker.example", "attacker.example:{port}", "127.0.0.1", "localhost"),
        *("127.0.0.1:1", "127.0.0.1:{port}.attacker.example", "[::1]:{port}", ""),
        *("0.0.0.0:{port}", "127.0.0.1:{port} ,x", "user@127.0.0.1:{port}"),
    ],
)
def test_another_host_name_is_refused(host: str, server: PanelServer) -> None:
    reply = ask(server, "graph", {"Host": host.format(port=server.port)})
    assert reply.problem == (403, "This host name is not served.")


def test_a_request_without_a_host_is_refused(server: PanelServer) -> None:
    reply = send(server, f"GET {prefix(server)}graph HTTP/1.0\r\n\r\n".encode())
    assert reply.startswith(b"HTTP/1.0 403 Forbidden\r\n")


def test_localhost_is_a_name_of_the_server(server: PanelServer) -> None:
    assert ask(server, "graph", {"Host": f"localhost:{server.port}"}).status == 200


def test_on_the_port_of_http_a_browser_leaves_the_port_out(server: PanelServer) -> None:
    server.port = 80
    names = {"127.0.0.1", "localhost", "127.0.0.1:80", "localhost:80"}
    assert server.hosts() == names


@pytest.mark.parametrize(
    "origin",
    [
        *("http://attacker.example", "null", "https://127.0.0.1:{port}", ""),
        *("127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:{port}/"),
    ],
)
def test_another_origin_is_refused(origin: str, server: PanelServer) -> None:
    reply = ask(server, "graph", {"Origin": origin.format(port=server.port)})
    assert reply.problem == (403, "Other sites are not served.")


def test_the_own_origin_is_served(server: PanelServer) -> None:
    own = {"Origin": f"http://127.0.0.1:{server.port}"}
    assert ask(server, "graph", own).status == 200


def test_a_refusal_has_the_same_headers(server: PanelServer) -> None:
    for reply in (
        ask(server, "graph", {"Host": "attacker.example"}),
        ask(server, "/"),
        ask(server, "", method="POST"),
    ):
        assert {key: reply.headers.get(key) for key in HEADERS} == HEADERS
        assert reply.headers["Content-Type"] == "application/json"


def test_head_tells_the_headers_alone(server: PanelServer) -> None:
    got, head = ask(server, "panel.js"), ask(server, "panel.js", method="HEAD")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["Content-Length"] == str(len(got.body))


def test_head_of_a_wrong_address_has_no_body_either(server: PanelServer) -> None:
    assert ask(server, "/x", method="HEAD")[::2] == (404, b"")


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "get"]
)
def test_other_methods_are_not_implemented(method: str, server: PanelServer) -> None:
    reply = ask(server, "graph", method=method)
    assert reply.problem == (501, "Not Implemented.")


@pytest.mark.parametrize(
    ("request_bytes", "start"),
    [
        (b"GET / HTTP/9.9\r\n\r\n", b'{"problem":"HTTP Version Not Supported."}'),
        (b"nonsense\r\n\r\n", b'{"problem":"Bad Request."}'),
        (b"GET /".ljust(65537, b"x"), b"HTTP/1.0 414 "),
        (b"GET / HTTP/1.0\r\n" + b"A: b\r\n" * 200 + b"\r\n", b"HTTP/1.0 431 "),
    ],
    ids=["a later version", "no request", "a long address", "many headers"],
)
def test_what_is_no_sensible_request_is_refused(
    request_bytes: bytes, start: bytes, server: PanelServer
) -> None:
    assert send(server, request_bytes).startswith(start)
    assert ask(server, "graph").status == 200


def test_a_client_that_stalls_keeps_nobody_waiting(
    server: PanelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Handler, "timeout", 0.2)
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as stalled:
        stalled.sendall(b"GET /")
        assert ask(server, "graph").status == 200
        assert stalled.recv(1) == b""


def test_a_client_that_leaves_early_is_not_spoken_of(
    server: PanelServer, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(3):
        try:
            raise BrokenPipeError
        except BrokenPipeError:
            server.handle_error(None, ("127.0.0.1", 1))
    assert capfd.readouterr() == ("", "")


def test_a_fault_of_the_server_is_shown(
    server: PanelServer, capfd: pytest.CaptureFixture[str]
) -> None:
    try:
        raise KeyError("fault")
    except KeyError:
        server.handle_error(None, ("127.0.0.1", 1))
    assert "KeyError: 'fault'" in capfd.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="file names may be any bytes")
def test_names_that_are_no_text_do_not_disturb(
    server: PanelServer, folder: Path
) -> None:
    odd = os.fsencode(folder)
    for name in (b"/caf\xe9.md", b"/caf\xe9/a.md"):
        path = Path(os.fsdecode(odd + name))
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"# A\n")
    (folder / "bad.md").write_bytes(
        b"[a](caf%E9.md) [b](%ED%A0%80.md) [[\xf0\x9f\x98\x80]]\n"
    )
    graph = ask(server, "graph").json
    missing = [node["path"] for node in graph["nodes"] if node["kind"] == "missing"]
    assert "\U0001f600" in missing
    assert ask(server, f"note?number={numbers(server)['bad.md']}").status == 200
