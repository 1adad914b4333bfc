"""A small folder of notes, and a panel that is served over it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from md_mcp.files import Files
from md_mcp.panel import PanelServer

NOTES = {
    "home.md": (
        "# Home\n"
        "\n"
        "[[Setup]], again [the setup](guides/setup.md#install) and [[Lost]].\n"
        "\n"
        "## More\n"
        "\n"
        "[[Setup#Nowhere]], [gone](guides/gone.md), <b>tea & [[Lost]]</b>, [here](#no).\n"
    ),
    "guides/setup.md": "# Setup\n\n## Install\n\nBack [home](../home.md).\n",
    "guides/empty.md": "",
    "data.csv": "1,2\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "notes"
    for name, text in NOTES.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return path


@pytest.fixture
def files(folder: Path) -> Files:
    return Files.open([folder])


@pytest.fixture
def serve() -> Iterator[Callable[[Path], PanelServer]]:
    """Serve the panel of a folder until the test ends."""
    with ExitStack() as stack:

        def start(folder: Path) -> PanelServer:
            files = Files.open([folder])
            server = stack.enter_context(PanelServer(files, str(folder), 0))
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.shutdown)
            return server

        yield start


@pytest.fixture
def server(serve: Callable[[Path], PanelServer], folder: Path) -> PanelServer:
    return serve(folder)
