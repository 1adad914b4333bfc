"""What front matter is bounded by."""

from __future__ import annotations

MAX_BYTES = 64 * 1024
"""UTF-8 bytes between the delimiters; a larger block is not front matter."""

MAX_DEPTH = 50
"""Collections inside one another, the outermost mapping included."""

MAX_ALIASES = 100
"""YAML aliases in a block."""

MAX_VALUES = 100_000
MAX_CHARACTERS = 1_000_000
"""What a block may expand to when it is read. Without aliases none comes near."""

MAX_EXACT_INTEGER = 2**53 - 1
"""Largest integer that every JSON reader takes as written (RFC 8259, section 6)."""
