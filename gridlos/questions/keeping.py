"""What follows from a map or a scene alone: found when it is first asked for, and kept with it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from gridlos.battlemap import BattleMap
from gridlos.scene import Scene

__all__ = ["kept", "once"]

_Found = TypeVar("_Found")


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
