"""Swap two names of one directory in a single step, where the system can.

What `rename` replaces is gone. What an exchange swaps out is still there under the
other name, so that it can be looked at, and put back if it is not what was expected.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from functools import cache

from md_mcp.files.folder import Folder

_RENAME_EXCHANGE = 2
"""https://man7.org/linux/man-pages/man2/rename.2.html"""

_UNSUPPORTED = {errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM}
"""The answers of file systems that cannot exchange, old kernels and sandboxes.

What is really forbidden is forbidden to the plain rename that follows, too.
"""


def exchange(folder: Folder, one: str, other: str) -> bool:
    """Swap the names `one` and `other`; return False when that is not supported.

    Raises:
        OSError: it is supported and failed; nothing has changed then.
    """
    call, fd = _renameat2(), folder.descriptor
    if call is None or fd is None:
        return False
    error = call(fd, os.fsencode(one), os.fsencode(other))
    if error in _UNSUPPORTED:
        return False
    if error:
        raise OSError(error, os.strerror(error), other)
    return True


@cache
def _renameat2() -> Callable[[int, bytes, bytes], int] | None:
    """Return a function that exchanges and returns an errno, None on other systems."""
    import ctypes

    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return None

    def call(fd: int, one: bytes, other: bytes) -> int:
        if function(fd, one, fd, other, _RENAME_EXCHANGE) == 0:
            return 0
        return ctypes.get_errno()

    return call
