"""Each odd fixture still holds what makes it odd; git and editors like to mend them."""

from __future__ import annotations

from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).resolve().parent.parent / "fixtures" / "documents"

BYTES = {
    "bom_crlf_lone_cr_no_final_ending.md": (
        b"\xef\xbb\xbf# R\r\n\r\n## A\r\n\r\none\rtwo\r\n\r\n## B\r\n\r\nlast"
    ),
    "crlf.md": b"# R\r\n\r\n## A\r\n\r\nfirst\r\n\r\n## B\r\n\r\nsecond\r\n",
    "empty.md": b"",
    "mixed_endings.md": b"# R\n\n## A\r\n\r\nfirst\nsecond\r\n\n## B\n\nlast\r\n",
    "no_final_ending.md": b"# R\n\n## A\n\na\n\n## B\n\nlast",
    "not_utf8.md": b"# R\n\ncaf\xe9\n",
    "old_mac.md": b"# R\r\r## A\r\rfirst\r\r## B\r\rsecond\r",
    "other_line_separators.md": (
        "# R\n\nform\x0cfeed, next\x85line, line\u2028separator\n\n## A\n\na\n".encode()
    ),
    "terminal_escapes.md": (
        "# R\n\n\x1b]0;title\x07 and \u202ereversed\u202c text\n".encode()
    ),
    "trailing_blank_lines.md": b"# R\n\nx\n\n\n\n",
}


def test_the_manifest_names_every_document_but_the_plain_one() -> None:
    assert sorted(path.name for path in DOCUMENTS.iterdir()) == sorted(
        [*BYTES, "guide.md"]
    )


@pytest.mark.parametrize("name", BYTES)
def test_a_fixture_still_has_its_odd_bytes(name: str) -> None:
    assert (DOCUMENTS / name).read_bytes() == BYTES[name]


def test_the_guide_keeps_what_other_editors_would_tidy_away() -> None:
    guide = (DOCUMENTS / "guide.md").read_bytes()
    kept = [
        b"title: Field guide   # shown in the sidebar\n",
        b"draft: no\n",
        b"short stalks.   \n",
        b"first.\n\n\n### Treecreeper",
        b"\n* 2024-05-02",
        b"\n+ 2024-04-11",
    ]
    assert [piece for piece in kept if piece not in guide] == []
