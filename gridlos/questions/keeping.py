"""What follows from a map or a scene alone: found when it is first asked for, and kept with it; and the memory for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from gridlos.battlemap import BattleMap
from gridlos.scene import Scene

__all__ = ["keep_freed_memory", "kept", "once"]

_Found = TypeVar("_Found")

_LARGEST_FREED = 16 << 20
"""Bytes of the largest array whose memory is kept when it is freed; at most twice as many stay with the process unused."""


def kept(owner: BattleMap | Scene, key: Hashable, find: Callable[[], _Found]) -> _Found:
    """Return what was found for that key, once: maps and scenes never change, and edits start with nothing kept.

    Examples
    --------
    >>> battle_map = BattleMap.from_rows(["..#"])
    >>> kept(battle_map, "squares", lambda: 3), kept(battle_map, "squares", lambda: 4)
    (3, 3)
    >>> kept(battle_map.with_squares({(0, 0): "#"}), "squares", lambda: 4)
    4
    """
    return once(owner.kept, key, find)


def once(found: dict[Any, Any], key: Hashable, find: Callable[[], _Found]) -> _Found:
    """Return what is found for that key among what was ``found`` before, or else find it and keep it there."""
    if key not in found:
        found[key] = find()
    answer: _Found = found[key]
    return answer


@lru_cache(maxsize=1)
def keep_freed_memory() -> None:
    """Let the memory of arrays that are freed stay with the process, for those of the next question.

    Else the system takes back the few megabytes of a question and gives them anew, page by page, for the next one, which
    takes as long as the kernels do. Where the C library is glibc it keeps blocks as large as the largest one that has been
    freed; so one is made, in which nothing is written, and freed. Elsewhere that does nothing.
    """
    np.empty(_LARGEST_FREED, np.uint8)
