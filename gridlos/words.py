"""Help with misspelt words: which known word the writer meant."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["hint_for", "nearest_word"]


def nearest_word(word: str, words: Iterable[str]) -> str | None:
    """Return the known word that is nearest to a misspelt one, or None if none is near.

    >>> nearest_word("trasure", ["treasure", "trap"])
    'treasure'
    >>> nearest_word("xyz", ["treasure", "trap"]) is None
    True
    """
    known = {known.casefold(): known for known in words}
    near = difflib.get_close_matches(word.casefold(), list(known), n=1, cutoff=0.6)
    return known[near[0]] if near else None


def hint_for(word: str, words: Iterable[str]) -> str:
    """Return what would be right instead of an unknown word: the nearest one, or else all that are known.

    >>> hint_for("lage", ["small", "medium", "large"])
    "did you mean 'large'?"
    >>> hint_for("xyz", ["small", "medium"])
    'known are medium, small'
    """
    known = sorted(words)
    near = nearest_word(word, known)
    if near is not None:
        return f"did you mean {near!r}?"
    return "known are " + ", ".join(known) if known else "none is known"
