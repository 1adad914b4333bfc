"""Where the new text comes from, and that only UTF-8 gets through."""

from __future__ import annotations

import io
from argparse import Namespace
from pathlib import Path

import pytest

from md_mcp.cli.content import check_text, read_content
from md_mcp.errors import ArgumentError, FileError, NotUtf8Error


class Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def options(content: str | None = None, file: object = None) -> Namespace:
    return Namespace(content=content, content_file=None if file is None else str(file))


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Stdin(b"caf\xc3\xa9\r\n\n"))


def test_the_argument_is_the_text() -> None:
    assert read_content(options("a\\n b ")) == "a\\n b "


def test_an_empty_argument_is_an_empty_text() -> None:
    assert read_content(options("")) == ""


@pytest.mark.usefixtures("stdin")
@pytest.mark.parametrize(
    "given", [options("-"), options(file="-")], ids=["a dash", "--file -"]
)
def test_standard_input_is_read_as_bytes(given: Namespace) -> None:
    assert read_content(given) == "café\r\n\n"


def test_a_file_is_read_as_bytes(tmp_path: Path) -> None:
    path = tmp_path / "new.md"
    path.write_bytes("a\r\n\u2028\r b\n".encode())
    assert read_content(options(file=path)) == "a\r\n\u2028\r b\n"


def test_a_byte_order_mark_in_front_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "new.md"
    path.write_bytes(b"\xef\xbb\xbf# A\xef\xbb\xbf\n")
    assert read_content(options(file=path)) == "# A\ufeff\n"


def test_a_file_that_is_not_utf8_is_refused_with_the_offset(tmp_path: Path) -> None:
    path = tmp_path / "latin1.txt"
    path.write_bytes(b"caf\xe9")
    with pytest.raises(NotUtf8Error) as caught:
        read_content(options(file=path))
    assert (caught.value.path, caught.value.offset) == (str(path), 3)


def test_standard_input_that_is_not_utf8_is_refused_with_the_offset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", Stdin(b"\xff"))
    with pytest.raises(NotUtf8Error) as caught:
        read_content(options("-"))
    assert (caught.value.path, caught.value.offset) == ("standard input", 0)


@pytest.mark.parametrize("name", ["missing.txt", ".", "nul\0byte"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    path = f"{tmp_path}/{name}"
    with pytest.raises(FileError) as caught:
        read_content(options(file=path))
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("given", "argument"),
    [
        pytest.param(options(), "content", id="none"),
        pytest.param(options("a", "b.txt"), "file", id="two"),
    ],
)
def test_exactly_one_text_is_wanted(given: Namespace, argument: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        read_content(given)
    assert caught.value.argument == argument


def test_an_argument_that_is_not_utf8_is_refused_with_the_byte_offset() -> None:
    with pytest.raises(ArgumentError) as caught:
        check_text(Namespace(path="Guide", content="é\udcff"))
    assert caught.value.argument == "content"
    assert str(caught.value) == (
        "content is not UTF-8: the first bad byte is at offset 2. Give it in UTF-8."
    )


def test_names_of_files_may_be_any_bytes() -> None:
    check_text(Namespace(file_path="caf\udce9.md", allow_root=["\udcff"], depth=1))
