"""Swap the names ONE and OTHER in the current directory as fast as it goes, for ever."""

from __future__ import annotations

import ctypes
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)
swap = (-100, os.fsencode(sys.argv[1]), -100, os.fsencode(sys.argv[2]), 2)
if libc.renameat2(*swap):
    sys.exit(os.strerror(ctypes.get_errno()))
print(flush=True)
while True:
    libc.renameat2(*swap)
