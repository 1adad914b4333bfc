"""Give a new file what belongs to the file it replaces: owner, mode, attributes."""

from __future__ import annotations

import os
import stat

_ACLS = ("system.posix_acl_access",)
"""Attributes that a new file may inherit from its directory, and the old one lacked."""


def copy_attributes(source: int, status: os.stat_result, target: int) -> list[str]:
    """Make `target` like `source`; return what could not be kept, in words.

    Both are open descriptors, and `status` is the `fstat` of `source`. The owner comes
    first, since changing it may clear mode bits, and the mode last, since the mask of
    an access control list shows in it.
    """
    if not hasattr(os, "fchown"):
        return []
    lost = _copy_owner(status, target)
    lost += _copy_extended(source, target)
    return lost + _copy_mode(status, target)


def _copy_mode(status: os.stat_result, target: int) -> list[str]:
    mode, new = (stat.S_IMODE(s.st_mode) for s in (status, os.fstat(target)))
    if new == mode:
        return []
    try:
        os.fchmod(target, mode)
    except PermissionError:  # file systems that know no modes say this
        return [f"mode {mode:o} became {new:o}"]
    return []


def _copy_owner(status: os.stat_result, target: int) -> list[str]:
    new = os.fstat(target)
    lost = []
    if new.st_gid != status.st_gid and not _chown(target, -1, status.st_gid):
        lost.append(f"group {status.st_gid} became {new.st_gid}")
    if new.st_uid != status.st_uid and not _chown(target, status.st_uid, -1):
        lost.append(f"owner {status.st_uid} became {new.st_uid}")
    return lost


def _chown(target: int, uid: int, gid: int) -> bool:
    try:
        os.fchown(target, uid, gid)
    except PermissionError:
        return False
    return True


def _copy_extended(source: int, target: int) -> list[str]:
    """Copy the extended attributes, access control lists among them (Linux)."""
    if not hasattr(os, "listxattr"):
        return []
    try:
        names = os.listxattr(source)
    except OSError:  # a file system without them
        return []
    lost = [name for name in names if not _copy_one(source, target, name)]
    for name in _ACLS:
        if name not in names:
            _remove_one(target, name)
    return [f"the extended attribute {name} was lost" for name in lost]


def _copy_one(source: int, target: int, name: str) -> bool:
    try:
        value = os.getxattr(source, name)
        if not _has(target, name, value):  # labels may be there, and not be settable
            os.setxattr(target, name, value)
    except OSError:
        return False
    return True


def _has(target: int, name: str, value: bytes) -> bool:
    try:
        return os.getxattr(target, name) == value
    except OSError:
        return False


def _remove_one(target: int, name: str) -> None:
    try:
        os.removexattr(target, name)
    except OSError:  # it was not there
        return
