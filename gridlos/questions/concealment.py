"""What the squares of a map conceal: fog and brush between two creatures, and around the target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Ints, Masks
from gridlos.kernels import fog
from gridlos.questions.keeping import kept

__all__ = ["Concealing", "concealing_lines", "concealing_squares", "conceals", "target_concealment"]

Indices = NDArray[np.int64]
Point = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Concealing:
    """What lines pass, from each corner of the square that they start from: ``(C, 2, 4)`` uint8 each.

    The middle axis is 0 for lines from the first square of a choice and 1 for lines from the second. The names are those
    of :class:`gridlos.facts.PairFacts`.
    """

    concealed: Masks
    concealed_at_border: Masks
    fog_depth: Masks


def conceals(battle_map: BattleMap) -> bool:
    """Return whether any square of a map does."""
    return kept(battle_map, "conceals", lambda: bool(battle_map.concealment.any()))


def concealing_lines(
    battle_map: BattleMap, spaces: Ints, pairs: Indices, starts: Indices, squares: Indices, *, counted: Masks
) -> Concealing | None:
    """Return what the squares of a map conceal on the lines of each choice; None where nothing conceals.

    Parameters
    ----------
    battle_map
        The map.
    spaces
        ``(n, 4)`` int32 of all creatures.
    pairs
        ``(P, 2)``: two creatures each.
    starts, squares
        ``(P + 1,)`` and ``(C, 2)``: the choices of pair ``k`` are ``starts[k] : starts[k + 1]``; ``row * cols + column``
        of two squares each.
    counted
        ``(rows * cols,)`` uint8: nibble of the corners of each square that lines go to.
    """
    if not conceals(battle_map):
        return None
    found = fog.concealed_lines(battle_map.concealment, battle_map.fog, spaces, pairs, starts, squares, counted)
    return Concealing(found[:, :, fog.INSIDE], found[:, :, fog.BORDER], found[:, :, fog.DEPTH])


def target_concealment(battle_map: BattleMap, spaces: Ints) -> tuple[Masks, Bools]:
    """Return ``(T,)`` uint8 and bool: how much all of each space conceals, and whether all of it is fog."""
    if (spaces[:, 2:] == 1).all():
        x, y = spaces[:, :2].T
        return battle_map.concealment[y, x], battle_map.fog[y, x]
    places = [(slice(y, y + height), slice(x, x + width)) for x, y, width, height in spaces.tolist()]
    least = np.array([battle_map.concealment[place].min() for place in places], np.uint8)
    return least, np.array([battle_map.fog[place].all() for place in places], np.bool_)


def concealing_squares(battle_map: BattleMap, start: Point, end: Point) -> tuple[Point, ...]:
    """Return the concealing squares that the line between two corners passes, in reading order.

    >>> battle_map = BattleMap.from_rows([".ff.", ".b.."])
    >>> concealing_squares(battle_map, (0, 0), (4, 1)), concealing_squares(battle_map, (0, 1), (4, 1))
    (((1, 0), (2, 0)), ((1, 0), (1, 1)))
    """
    (x0, y0), (x1, y1) = start, end
    rows = range(max(min(y0, y1) - 1, 0), min(max(y0, y1) + 1, battle_map.rows))
    columns = range(max(min(x0, x1) - 1, 0), min(max(x0, x1) + 1, battle_map.cols))
    near = [(x, y) for y in rows for x in columns if battle_map.concealment[y, x]]
    along = {(x, y) for x, y in near if (x0 == x1 and min(y0, y1) <= y < max(y0, y1) and x in (x0 - 1, x0))
             or (y0 == y1 and min(x0, x1) <= x < max(x0, x1) and y in (y0 - 1, y0))}  # fmt: skip
    step = (int(x0 == x1), int(y0 == y1))  # across the line
    sides = {(x, y) for x, y in along if {(x - step[0], y - step[1]), (x + step[0], y + step[1])} & along}
    return tuple(one for one in near if one in sides or grid.passes_inside(start, end, (*one, 1, 1)))
