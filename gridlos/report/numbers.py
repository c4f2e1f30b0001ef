"""The numbers of a verdict for people: ``+4 AC, +2 Reflex save``."""

from __future__ import annotations

from collections.abc import Iterable

from gridlos.verdict import statistic_word

__all__ = ["numbers_text"]


def numbers_text(numbers: Iterable[tuple[str, int]], save: str) -> str:
    """Return the numbers that are not 0, each with its statistic; an empty text if there are none.

    Examples
    --------
    >>> numbers_text([("attack", 0), ("defense", 4), ("save", 2)], "reflex")
    '+4 AC, +2 Reflex save'
    """
    return ", ".join(f"{value:+d} {statistic_word(on, save)}" for on, value in numbers if value)
