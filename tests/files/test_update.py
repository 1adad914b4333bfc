"""What `Files.update` promises its callers, one process at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from md_mcp.document import edit
from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.errors import (
    ArgumentError,
    ConflictError,
    EditError,
    FileMissingError,
    HardLinkedError,
    NotAFileError,
    OutsideRootError,
    ReadOnlyError,
    TextNotFoundError,
    TooLargeError,
    UnsettledFileError,
)
from md_mcp.files import Files, change

Swap = Callable[[str, str], Callable[[Document], Edit]]
Listing = Callable[[], list[str]]

GUIDE = "# Guide\n\n## Alpha\n\none\n\n## Beta\n\ntwo\n"


class StopError(Exception):
    """What a check raises to give a call up."""


def revision(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def test_an_update_writes_the_edit_and_names_the_new_revision(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    done = files.update("a.md", swap("one", "1"))
    data = GUIDE.replace("one", "1").encode()
    assert (root / "a.md").read_bytes() == data
    assert (done.changed, done.name, done.warnings) == (True, "a.md", ())
    assert done.revision == revision(data) == files.read("a.md").revision
    assert done.diff.startswith("--- a/a.md\n+++ b/a.md\n")
    assert listing() == ["a.md"]


def test_the_document_of_an_update_is_the_one_read_next(
    files: Files, swap: Swap
) -> None:
    done = files.update("a.md", swap("one", "1"))
    assert files.read("a.md").document is done.edit.result


def test_only_the_splice_differs(files: Files, root: Path, swap: Swap) -> None:
    before = b"\xef\xbb\xbf# T\r\n\r\n## A\r\n\r\none\rCR\r\n\r\n## B\r\n\r\nend"
    (root / "x.md").write_bytes(before)
    files.update("x.md", swap("one", "1"))
    assert (root / "x.md").read_bytes() == before.replace(b"one", b"1")


def test_an_edit_that_changes_nothing_writes_nothing(
    files: Files, root: Path, swap: Swap
) -> None:
    before = (root / "a.md").stat()
    done = files.update("a.md", swap("one", "one"))
    after = (root / "a.md").stat()
    assert (done.changed, done.diff) == (False, "")
    assert done.revision == revision(GUIDE.encode())
    assert (before.st_ino, before.st_mtime_ns, before.st_ctime_ns) == (
        after.st_ino,
        after.st_mtime_ns,
        after.st_ctime_ns,
    )


def test_a_dry_run_gives_the_change_and_writes_nothing(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    before = (root / "a.md").stat()
    planned = files.update("a.md", swap("one", "1"), dry_run=True)
    after = (root / "a.md").stat()
    assert (before.st_ino, before.st_mtime_ns, before.st_ctime_ns) == (
        after.st_ino,
        after.st_mtime_ns,
        after.st_ctime_ns,
    )
    assert (root / "a.md").read_bytes() == GUIDE.encode()
    assert listing() == ["a.md"]
    done = files.update("a.md", swap("one", "1"))
    assert (planned.diff, planned.revision) == (done.diff, done.revision)


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_dry_run_refuses_what_the_update_refuses(
    files: Files, root: Path, swap: Swap, dry_run: bool
) -> None:
    (root / "a.md").chmod(0o444)
    with pytest.raises(ReadOnlyError):
        files.update("a.md", swap("one", "1"), dry_run=dry_run)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("none.md", FileMissingError),
        ("../outside/s.md", OutsideRootError),
        (".", NotAFileError),
    ],
)
def test_what_cannot_be_read_is_not_written(
    files: Files, swap: Swap, listing: Listing, path: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        files.update(path, swap("one", "1"))
    assert listing() == ["a.md"]


def test_a_plan_that_fails_writes_nothing(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    with pytest.raises(TextNotFoundError):
        files.update("a.md", swap("absent", "1"))
    assert (root / "a.md").read_bytes() == GUIDE.encode()
    assert listing() == ["a.md"]


def test_read_only_files_are_never_written(root: Path, swap: Swap) -> None:
    files = Files.open([root], read_only=True)
    assert files.read("a.md").document.text == GUIDE
    with pytest.raises(ReadOnlyError, match="--read-only"):
        files.update("a.md", swap("one", "1"))
    assert (root / "a.md").read_bytes() == GUIDE.encode()


# --- revisions ------------------------------------------------------------------------


def test_the_expected_revision_lets_the_edit_through(
    files: Files, root: Path, swap: Swap
) -> None:
    seen = files.read("a.md").revision
    done = files.update("a.md", swap("one", "1"), expected_revision=seen)
    again = files.update("a.md", swap("two", "2"), expected_revision=done.revision)
    assert again.revision == revision((root / "a.md").read_bytes())


def test_a_stale_revision_is_a_conflict_that_shows_the_section(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    stale = files.read("a.md").revision
    newer = GUIDE.replace("two", "2").encode()
    (root / "a.md").write_bytes(newer)
    before = (root / "a.md").stat()
    with pytest.raises(ConflictError) as caught:
        files.update("a.md", swap("one", "1"), expected_revision=stale)
    error = caught.value
    assert (error.code, error.expected) == ("CONFLICT", stale)
    assert error.revision == revision(newer)
    assert error.current == "## Alpha\n\none\n\n"
    assert str(error) == (
        f'"a.md" changed since revision {stale}; its revision is now {error.revision}. '
        "Plan the edit anew on what stands there now, and name that revision:\n"
        "## Alpha\n\none\n\n"
    )
    assert (root / "a.md").stat().st_mtime_ns == before.st_mtime_ns
    assert listing() == ["a.md"]


def test_a_stale_revision_of_a_section_that_is_gone_is_a_conflict_too(
    files: Files, root: Path, swap: Swap
) -> None:
    stale = files.read("a.md").revision
    (root / "a.md").write_bytes(b"# Guide\n")
    with pytest.raises(ConflictError) as caught:
        files.update("a.md", swap("one", "1"), expected_revision=stale)
    assert caught.value.current is None
    assert str(caught.value).endswith("Read it again and plan the edit anew.")


@pytest.mark.parametrize("given", ["", "abc", "0" * 64, "ABCDEF012345", "xyz" * 4])
def test_what_is_no_revision_is_a_wrong_argument(
    files: Files, swap: Swap, given: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        files.update("a.md", swap("one", "1"), expected_revision=given)
    assert caught.value.argument == "expected_revision"


def test_a_long_section_is_cut_in_the_message_only(
    files: Files, root: Path, swap: Swap
) -> None:
    stale = files.read("a.md").revision
    (root / "a.md").write_bytes(b"# G\n\n## Alpha\n\none " + b"x" * 9000 + b"\n")
    with pytest.raises(ConflictError) as caught:
        files.update("a.md", swap("one", "1"), expected_revision=stale)
    assert caught.value.current is not None
    assert len(caught.value.current) == 9000 + len("## Alpha\n\none \n")
    assert str(caught.value).endswith("x\n(cut here; get_section shows it all)")


# --- changes by others while an update runs -------------------------------------------


def saving(path: Path, *texts: str) -> Callable[[], None]:
    """Return a check in which an editor saves `texts`, one each time it is called."""
    left = list(texts)

    def check() -> None:
        if left:
            saved = path.with_name("editor-temporary")
            saved.write_bytes(left.pop(0).encode())
            saved.replace(path)

    return check


def rewriting(path: Path, text: str) -> Callable[[], None]:
    """Return a check in which an editor once writes `text` into the file in place."""
    left = [text]

    def check() -> None:
        if left:
            path.write_bytes(left.pop().encode())

    return check


@pytest.mark.parametrize("how", [saving, rewriting])
def test_an_edit_is_applied_again_when_another_section_changed(
    files: Files,
    root: Path,
    swap: Swap,
    listing: Listing,
    how: Callable[[Path, str], Callable[[], None]],
) -> None:
    check = how(root / "a.md", GUIDE.replace("two", "2"))
    done = files.with_check(check).update("a.md", swap("one", "1"))
    expected = GUIDE.replace("two", "2").replace("one", "1")
    assert (root / "a.md").read_bytes().decode() == expected
    assert done.edit.document.text == GUIDE.replace("two", "2")
    assert listing() == ["a.md"]


@pytest.mark.parametrize("how", [saving, rewriting])
def test_an_edit_of_a_section_that_changed_meanwhile_is_a_conflict(
    files: Files,
    root: Path,
    swap: Swap,
    listing: Listing,
    how: Callable[[Path, str], Callable[[], None]],
) -> None:
    newer = GUIDE.replace("one", "one or more")
    check = how(root / "a.md", newer)
    with pytest.raises(ConflictError) as caught:
        files.with_check(check).update("a.md", swap("one", "1"))
    assert caught.value.current == "## Alpha\n\none or more\n\n"
    assert caught.value.revision == revision(newer.encode())
    assert "changed during the edit" in str(caught.value)
    assert (root / "a.md").read_bytes().decode() == newer
    assert listing() == ["a.md"]


def test_an_edit_of_a_section_that_vanished_meanwhile_is_a_conflict(
    files: Files, root: Path, swap: Swap
) -> None:
    check = saving(root / "a.md", "# Guide\n")
    with pytest.raises(ConflictError) as caught:
        files.with_check(check).update("a.md", swap("one", "1"))
    assert caught.value.current is None
    assert (root / "a.md").read_bytes() == b"# Guide\n"


def test_a_named_revision_conflicts_with_every_change_meanwhile(
    files: Files, root: Path, swap: Swap
) -> None:
    seen = files.read("a.md").revision
    newer = GUIDE.replace("two", "2")
    check = saving(root / "a.md", newer)
    with pytest.raises(ConflictError):
        files.with_check(check).update("a.md", swap("one", "1"), expected_revision=seen)
    assert (root / "a.md").read_bytes().decode() == newer


def test_several_saves_meanwhile_are_all_kept(
    files: Files, root: Path, swap: Swap
) -> None:
    texts = [GUIDE.replace("two", "x" * size) for size in range(1, 20)]
    files.with_check(saving(root / "a.md", *texts)).update("a.md", swap("one", "1"))
    assert (root / "a.md").read_bytes().decode() == texts[-1].replace("one", "1")


def test_a_file_that_never_rests_is_given_up(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    texts = [GUIDE.replace("two", "x" * size) for size in range(1, 100)]
    with pytest.raises(UnsettledFileError):
        files.with_check(saving(root / "a.md", *texts)).update("a.md", swap("one", "1"))
    assert (root / "a.md").read_bytes().decode() in texts
    assert listing() == ["a.md"]


def test_a_file_removed_meanwhile_stays_removed(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    with pytest.raises(FileMissingError):
        files.with_check((root / "a.md").unlink).update("a.md", swap("one", "1"))
    assert listing() == []


def test_a_file_removed_while_its_edit_is_planned_is_missing(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    def plan(document: Document) -> Edit:
        (root / "a.md").unlink()
        return swap("one", "1")(document)

    with pytest.raises(FileMissingError):
        files.update("a.md", plan)
    assert listing() == []


def test_a_folder_removed_meanwhile_is_missing(
    files: Files, root: Path, swap: Swap
) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "a.md").write_bytes(GUIDE.encode())

    def plan(document: Document) -> Edit:
        (root / "sub" / "a.md").unlink()
        (root / "sub").rmdir()
        return swap("one", "1")(document)

    with pytest.raises(FileMissingError):
        files.update("sub/a.md", plan)


def test_a_mode_changed_meanwhile_is_kept(files: Files, root: Path, swap: Swap) -> None:
    check = lambda: (root / "a.md").chmod(0o600)  # noqa: E731
    files.with_check(check).update("a.md", swap("one", "1"))
    assert (root / "a.md").stat().st_mode & 0o7777 == 0o600


# --- giving up ------------------------------------------------------------------------


def test_a_check_that_raises_stops_the_write_and_leaves_nothing(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    def check() -> None:
        raise StopError

    with pytest.raises(StopError):
        files.with_check(check).update("a.md", swap("one", "1"))
    assert (root / "a.md").read_bytes() == GUIDE.encode()
    assert listing() == ["a.md"]
    assert files.update("a.md", swap("one", "1")).changed


def test_a_timeout_from_a_check_is_not_taken_for_an_error_of_the_disk(
    files: Files, swap: Swap
) -> None:
    def check() -> None:
        raise TimeoutError("deadline")

    with pytest.raises(TimeoutError, match="deadline"):
        files.with_check(check).update("a.md", swap("one", "1"))


def test_the_check_comes_before_the_commit_and_the_commit_counts_as_running(
    files: Files, root: Path, swap: Swap
) -> None:
    seen: list[tuple[bytes, bool]] = []

    def check() -> None:
        seen.append(((root / "a.md").read_bytes(), files.commits_idle(0)))

    assert files.commits_idle(0)
    files.with_check(check).update("a.md", swap("one", "1"))
    assert seen == [(GUIDE.encode(), False)]
    assert files.commits_idle(0)


def test_commits_are_idle_again_after_a_veto(files: Files, swap: Swap) -> None:
    def check() -> None:
        raise StopError

    with pytest.raises(StopError):
        files.with_check(check).update("a.md", swap("one", "1"))
    assert files.commits_idle(0)


# --- text that no file may hold -------------------------------------------------------


def test_a_lone_surrogate_is_refused(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    with pytest.raises(EditError, match=r"U\+D800"):
        files.update("a.md", swap("one", "1\ud800"))
    assert (root / "a.md").read_bytes() == GUIDE.encode()
    assert listing() == ["a.md"]


def test_a_nul_that_would_make_the_file_binary_is_refused(
    files: Files, root: Path, swap: Swap
) -> None:
    with pytest.raises(EditError, match="NUL"):
        files.update("a.md", swap("one", "1\0"))
    assert (root / "a.md").read_bytes() == GUIDE.encode()


def test_a_file_that_would_grow_too_large_is_refused(
    files: Files, root: Path, swap: Swap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change, "MAX_FILE_BYTES", 100)
    with pytest.raises(TooLargeError) as caught:
        files.update("a.md", swap("one", "x" * 100))
    assert caught.value.size == len(GUIDE) + 97
    assert (root / "a.md").read_bytes() == GUIDE.encode()


# --- links ----------------------------------------------------------------------------


def test_a_symbolic_link_is_written_through(
    files: Files, root: Path, swap: Swap
) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "link.md").symlink_to("../a.md")
    done = files.update("sub/link.md", swap("one", "1"))
    assert done.name == "a.md"
    assert (root / "sub" / "link.md").readlink() == Path("../a.md")
    assert (root / "a.md").read_bytes() == GUIDE.replace("one", "1").encode()
    assert not (root / "a.md").is_symlink()


def test_a_hard_link_is_refused_and_the_way_out_named(
    files: Files, root: Path, outside: Path, swap: Swap, listing: Listing
) -> None:
    (root / "h.md").hardlink_to(outside / "s.md")
    with pytest.raises(HardLinkedError, match="--break-hardlinks") as caught:
        files.update("h.md", swap("SECRET", "x"))
    assert (caught.value.code, caught.value.links) == ("HARDLINKED", 2)
    assert (root / "h.md").samefile(outside / "s.md")
    assert (outside / "s.md").read_bytes() == b"# Outside\n\nSECRET\n"
    assert listing() == ["a.md", "h.md"]


def test_a_hard_link_can_be_broken_on_demand(
    root: Path, outside: Path, swap: Swap
) -> None:
    (root / "h.md").hardlink_to(outside / "s.md")
    Files.open([root], break_hardlinks=True).update("h.md", swap("SECRET", "x"))
    assert (root / "h.md").read_bytes() == b"# Outside\n\nx\n"
    assert (outside / "s.md").read_bytes() == b"# Outside\n\nSECRET\n"
    assert (root / "h.md").stat().st_nlink == 1


def test_a_section_of_a_mixed_file_is_replaced_and_all_else_is_kept(
    files: Files, root: Path
) -> None:
    """CRLF, a byte order mark, a lone CR and no final newline, through a real verb."""
    before = (
        b"\xef\xbb\xbf# T\r\n\r\n## A\r\n\r\nlone\rreturn\r\n\r\n"
        b"## B\r\n\r\nold\r\n\r\n## C\r\n\r\nend"
    )
    (root / "x.md").write_bytes(before)
    done = files.update("x.md", lambda text: edit.replace(text, "T.B", "new\nlines\n"))
    assert (root / "x.md").read_bytes() == before.replace(b"old", b"new\r\nlines")
    assert done.diff == (
        "--- a/x.md\n+++ b/x.md\n@@ -6,7 +6,8 @@\n \r\n ## B\r\n \r\n"
        "-old\r\n+new\r\n+lines\r\n \r\n ## C\r\n \r\n"
    )
