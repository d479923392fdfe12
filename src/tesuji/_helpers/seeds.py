"""Seeds derived from others, so that everything random in a run follows from one number."""

from __future__ import annotations

import hashlib


def derived_seed(*parts: object) -> int:
    """A 63-bit seed computed from the parts: `derived_seed(1, "deal", 5)`."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:8]) >> 1
