"""The panel's server: a few fixed addresses on the loopback interface.

Every address starts with a random token, so that only who was shown the URL gets
anything. Host and Origin are checked against names that other sites make resolve to
this machine. No part of a request reaches the disk: pages are read at start, and a note
is chosen by a number that was sent before.
"""

from __future__ import annotations

import os
import pkgutil
import secrets
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from threading import Lock
from typing import NamedTuple

from md_mcp.errors import MdMcpError, NoteNotFoundError
from md_mcp.files import Files
from md_mcp.operations.panel import describe_note, draw_links

ADDRESS = "127.0.0.1"

_PAGES = {
    "": ("index.html", "text/html; charset=utf-8"),
    "panel.css": ("panel.css", "text/css; charset=utf-8"),
    "icon.svg": ("icon.svg", "image/svg+xml"),
    **{
        name: (name, "text/javascript; charset=utf-8")
        for name in ("panel.js", "layout.js", "picture.js", "details.js")
    },
}

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Answer(NamedTuple):
    """What goes back for one request."""

    status: HTTPStatus
    content_type: str
    body: bytes


class PanelServer(ThreadingTCPServer):
    """Serves the panel of one folder until it is shut down."""

    daemon_threads = True
    # Windows would let a second program take over the port.
    allow_reuse_address = os.name != "nt"

    def __init__(self, files: Files, directory: str, port: int) -> None:
        """Bind to `port` of the loopback interface, to a free one for 0.

        Raises:
            OSError: the port is taken.
        """
        super().__init__((ADDRESS, port), _Handler)
        self.port: int = self.server_address[1]
        self._token = secrets.token_urlsafe(18)
        self._files = files
        self._directory = directory
        self._pages = {name: _page(*page) for name, page in _PAGES.items()}
        self._numbers = _Numbers()

    @property
    def url(self) -> str:
        """The address to open in a browser, token included."""
        return f"http://{ADDRESS}:{self.port}/{self._token}/"

    def hosts(self) -> frozenset[str]:
        """Return the values of Host that mean this server."""
        names = {ADDRESS, "localhost"}
        with_port = {f"{name}:{self.port}" for name in names}
        return frozenset(names | with_port if self.port == 80 else with_port)

    def answer(self, target: str) -> Answer:
        """Return the answer to a GET of `target`, whose sender was checked."""
        path, _, query = target.partition("?")
        top, _, below = path.partition("/")
        token, slash, name = below.partition("/")
        is_known = secrets.compare_digest(token.encode(), self._token.encode())
        if top or not slash or not is_known:
            return _problem(HTTPStatus.NOT_FOUND, "Open the URL that md-mcp printed.")
        if name in self._pages:
            return self._pages[name]
        if name == "graph":
            return _guarded(self._graph)
        if name == "note":
            return _guarded(lambda: self._note(query.removeprefix("number=")))
        return _problem(HTTPStatus.NOT_FOUND, "There is nothing at this address.")

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of browsers that went away before the answer was sent."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def _graph(self) -> Answer:
        graph = draw_links(self._files, self._directory)
        for node in graph["nodes"]:
            if node["kind"] != "missing":
                node["number"] = self._numbers.of(node["path"])
        return _json(HTTPStatus.OK, graph)

    def _note(self, number: str) -> Answer:
        path = self._numbers.path(number)
        if path is None:
            return _problem(HTTPStatus.NOT_FOUND, "No note has this number.")
        try:
            note = describe_note(self._files, self._directory, path)
        except NoteNotFoundError:
            text = f'"{path}" is gone. Reload the page to draw the folder as it is.'
            return _problem(HTTPStatus.GONE, text)
        return _json(HTTPStatus.OK, note)


class _Numbers:
    """Numbers the paths that were sent, for as long as the server lives.

    So that every page, however old, means by a number the note that it shows.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._paths: list[str] = []
        self._numbers: dict[str, int] = {}

    def of(self, path: str) -> int:
        with self._lock:
            if path not in self._numbers:
                self._numbers[path] = len(self._paths)
                self._paths.append(path)
            return self._numbers[path]

    def path(self, number: str) -> str | None:
        """Return the path with this number, in plain digits; None if there is none."""
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            return None
        with self._lock:
            known = int(number) < len(self._paths)
            return self._paths[int(number)] if known else None


class _Handler(BaseHTTPRequestHandler):
    server: PanelServer
    timeout = 10
    """Seconds that a client may let pass while it sends or takes anything."""
    server_version = "md-mcp"
    sys_version = ""

    def do_GET(self) -> None:
        self._send(self._checked())

    do_HEAD = do_GET

    def _checked(self) -> Answer:
        hosts = self.server.hosts()
        origin = self.headers.get("Origin")
        if self.headers.get("Host") not in hosts:
            return _problem(HTTPStatus.FORBIDDEN, "This host name is not served.")
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            return _problem(HTTPStatus.FORBIDDEN, "Other sites are not served.")
        return self.server.answer(self.path)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def send_error(
        self, code: int, message: str | None = None, explain: str | None = None
    ) -> None:
        """Answer what is no GET, or no HTTP, with the headers of all answers."""
        status = HTTPStatus(code)
        self.close_connection = True
        self._send(_problem(status, f"{status.phrase}."))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
        """Say nothing: the terminal shows the URL, and that is enough."""


def _page(name: str, content_type: str) -> Answer:
    body = pkgutil.get_data("md_mcp.panel", f"web/{name}")
    if body is None:
        raise FileNotFoundError(f"the installation lacks panel/web/{name}")
    return Answer(HTTPStatus.OK, content_type, body)


def _guarded(make: Callable[[], Answer]) -> Answer:
    try:
        return make()
    except MdMcpError as error:
        return _problem(HTTPStatus.CONFLICT, f"{error.code}: {error}")


def _json(status: HTTPStatus, value: object) -> Answer:
    from json import dumps

    # ASCII, so that no half of a surrogate pair can be in the way.
    text = dumps(value, separators=(",", ":"))
    return Answer(status, "application/json", text.encode())


def _problem(status: HTTPStatus, text: str) -> Answer:
    return _json(status, {"problem": text})
