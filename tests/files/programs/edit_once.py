"""Make one edit of FILE when told to by SIGUSR1; after that, look for a mark.

An edit of REHEARSAL comes first, so that all modules are loaded by then.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from pathlib import Path

from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.document.splice import Splice
from md_mcp.document.text import Span
from md_mcp.files import Files

PR_SET_PTRACER, ANY = 0x59616D61, -1


def plan(document: Document) -> Edit:
    at = document.text.index("one")
    splices = (Splice(Span(at, at + 3), "three"),)
    return Edit(document, splices, "edit", "Alpha", Span(0, len(document.text)))


ctypes.CDLL(None).prctl(PR_SET_PTRACER, ctypes.c_ulong(ANY), 0, 0, 0)
file, rehearsal = Path(sys.argv[1]), Path(sys.argv[2])
files = Files.open([file.parent, rehearsal.parent])
files.update(rehearsal, plan)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
print(flush=True)
signal.sigwait({signal.SIGUSR1})
files.update(file, plan)
Path("/mark-of-the-end").exists()
