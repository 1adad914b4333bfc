"""The walk by hand against the kernel's own resolution, on random trees of links."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from md_mcp.errors import BadPathError, FileMissingError, OutsideRootError
from md_mcp.files.resolve import resolve
from md_mcp.files.roots import Roots

FOLDERS = ("", "a", "a/b", "c")
NAMES = ("a", "b", "c", "f.md", "k", "l", "m")

steps = st.lists(
    st.sampled_from([*NAMES, "..", ".", "", "a/b", "../c", "none"]),
    min_size=1,
    max_size=6,
).map(lambda chosen: "/".join(chosen).lstrip("/") or ".")
links = st.dictionaries(
    st.tuples(st.sampled_from(FOLDERS), st.sampled_from(["k", "l", "m"])),
    st.tuples(st.booleans(), steps),
    max_size=6,
)


def make_folders(root: Path) -> Path:
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "f.md").write_bytes(f"# {folder}\n".encode())
    return root


@contextlib.contextmanager
def linked(
    root: Path, targets: dict[tuple[str, str], tuple[bool, str]]
) -> Iterator[None]:
    """Make links, whose targets are absolute or relative, and remove them again."""
    made = []
    for (folder, name), (absolute, target) in targets.items():
        link = root / folder / name
        os.symlink(f"{root}/{target}" if absolute else target, link)  # noqa: PTH211
        made.append(link)
    try:
        yield
    finally:
        for link in made:
            link.unlink()


def kernel_answer(path: str) -> tuple[int, int] | int:
    """Return device and inode of what `path` leads to, or the error number."""
    try:
        status = os.stat(path)  # noqa: PTH116 - Path would drop the dots
    except OSError as error:
        return error.errno or 0
    return status.st_dev, status.st_ino


@pytest.fixture(scope="module")
def shallow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders right below a root, so that many paths lead out."""
    return make_folders(tmp_path_factory.mktemp("kernel").resolve() / "root")


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders so deep below a root that no path of the tests leads out."""
    top = tmp_path_factory.mktemp("kernel").resolve()
    return make_folders(top.joinpath(*["x"] * 60))


def check(roots: Roots, path: str) -> None:
    """Compare with the kernel, whose answer must be the same."""
    expected = kernel_answer(path)
    try:
        with resolve(roots, path) as place:
            found: tuple[int, int] | int = place.status.st_dev, place.status.st_ino
    except FileMissingError:
        assert expected in {errno.ENOENT, errno.ENOTDIR}
    except BadPathError:
        assert expected == errno.ELOOP
    else:
        assert found == expected


@settings(deadline=None)
@given(links, steps)
def test_without_roots_every_answer_is_the_kernels(
    shallow: Path, targets: dict[tuple[str, str], tuple[bool, str]], path: str
) -> None:
    with linked(shallow, targets):
        check(Roots.open(()), f"{shallow}/{path}")


@settings(deadline=None)
@given(links, steps)
def test_below_a_root_an_answer_is_the_kernels_or_that_the_path_leads_out(
    shallow: Path, targets: dict[tuple[str, str], tuple[bool, str]], path: str
) -> None:
    with linked(shallow, targets), contextlib.suppress(OutsideRootError):
        check(Roots.open([shallow]), f"{shallow}/{path}")


@settings(deadline=None)
@given(links, steps)
def test_a_path_that_stays_inside_is_never_refused(
    deep: Path, targets: dict[tuple[str, str], tuple[bool, str]], path: str
) -> None:
    with linked(deep, targets):
        check(Roots.open([deep.parents[59]]), f"{deep}/{path}")
