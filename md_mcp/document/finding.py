"""What a checker found in a document."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """Something that is not as it should be.

    Attributes:
        line: 1-based line in the file.
        rule: the stable name of the rule, such as "version-order".
        message: what is wrong, one sentence without its stop.
    """

    line: int
    rule: str
    message: str
