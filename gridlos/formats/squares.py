"""What the formats share whose maps are made of squares: their letters, doors in the middle of a square, remarks."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypedDict, cast

import numpy as np

from gridlos.battlemap import BattleMap
from gridlos.errors import SceneError
from gridlos.formats.reading import in_file
from gridlos.scene import Scene
from gridlos.walls import BUILT_IN, KindWord, SquareKind, Wall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from gridlos.creature import Creature
    from gridlos.facts import Bools
    from gridlos.formats.files import Limits
    from gridlos.formats.reading import Remarks
    from gridlos.walls import WallState

__all__ = [
    "LETTERS",
    "OPEN",
    "ROCK",
    "SquaresOptions",
    "across",
    "door_look",
    "doors_of",
    "legend_for",
    "rows_of",
    "scene_of",
    "square_letter",
]

OPEN, ROCK = ".", "#"
_OWN = {"door": "+", "secret door": "?", "window": "=", "curtain": "%", "fence": "h", "portcullis": "p"}
LETTERS: Mapping[str, str] = MappingProxyType({**{kind.kind: letter for letter, kind in BUILT_IN.items()}, **_OWN})
"""The letter of a square of each kind: the built-in one, or one that the map's legend explains."""


class SquaresOptions(TypedDict, total=False):
    """How a map made of squares is read.

    ``feet_per_square``: how wide a square is, which no file says (5 by default).
    """

    feet_per_square: float


def square_letter(kind: SquareKind, wanted: str, legend: dict[str, SquareKind]) -> str:
    """Return the letter for squares of a kind: the built-in one, else ``wanted`` if it is free; added to the legend.

    >>> legend = {}
    >>> square_letter(SquareKind(kind="wall"), "X", legend), square_letter(SquareKind(top=9), "X", legend), list(legend)
    ('#', 'X', ['X'])
    """
    for letter, known in (*BUILT_IN.items(), *legend.items()):
        if known == kind:
            return letter
    candidates = (wanted, *(chr(code) for code in (*range(ord("a"), ord("z") + 1), *range(0xA1, 0x24F))))
    letter = next(one for one in candidates if one.isprintable() and one not in BUILT_IN and one not in legend)
    legend[letter] = kind
    return letter


def legend_for(rows: Sequence[str]) -> dict[str, SquareKind]:
    """Return the legend that rows in :data:`LETTERS` need beyond the built-in letters.

    >>> legend_for(["#+#"])
    {'+': SquareKind(kind='door')}
    """
    used = set().union(*rows)
    return {letter: SquareKind(kind=cast("KindWord", kind)) for kind, letter in _OWN.items() if letter in used}


def rows_of(codes: NDArray[np.uint8], letters: Sequence[str]) -> list[str]:
    """Return rows of letters for an array of their numbers."""
    table = np.array([ord(letter) for letter in letters], dtype="<u4")
    return [row.tobytes().decode("utf-32-le", "surrogatepass") for row in table[codes]]


def doors_of(
    doors: Mapping[tuple[int, int], Mapping[str, Any]], shut: Bools, remarks: Remarks
) -> tuple[list[Wall], dict[tuple[int, int], str]]:
    """Return doors that are given as squares: walls across the middle of their square, and the letters of the others.

    A door hangs between two squares that are shut (solid, off the map, or doors), opposite to each other. Where both
    pairs are shut, it hangs between the pair with more solid squares. Any other door fills its square, if it is shut;
    that is told.

    Parameters
    ----------
    doors
        By square ``(x, y)`` what the wall is: ``kind`` and, for doors, ``state``.
    shut
        ``(rows, cols)`` of bool: the squares that are solid.
    remarks
        Told there.

    Examples
    --------
    >>> from gridlos.formats.reading import Remarks
    >>> walls, _ = doors_of({(1, 0): {"kind": "door"}}, np.array([[True, False, True]]), Remarks())
    >>> walls[0].start, walls[0].end
    ((1.0, 0.5), (2.0, 0.5))
    """
    walls, letters = [], {}
    for (x, y), look in doors.items():
        upright = _is_upright(x, y, doors, shut)
        if upright is not None:
            walls.append(across(x, y, look, upright=upright))
            continue
        letters[x, y] = OPEN if look.get("state") == "open" else LETTERS[look["kind"]]
        remarks.add("doors without a wall on two sides, which fill their square", f"({x}, {y})")
    return walls, letters


def across(x: int, y: int, look: Mapping[str, Any], *, upright: bool) -> Wall:
    """Return a wall across the middle of a square: from north to south if it is upright, else from west to east."""
    start, end = ((x + 0.5, float(y)), (x + 0.5, y + 1.0)) if upright else ((float(x), y + 0.5), (x + 1.0, y + 0.5))
    return Wall(start=start, end=end, **look)


def _is_upright(x: int, y: int, doors: Mapping[tuple[int, int], Any], shut: Bools) -> bool | None:
    rows, cols = shut.shape

    def is_off(square: tuple[int, int]) -> bool:
        return not (0 <= square[0] < cols and 0 <= square[1] < rows)

    n_solid = []
    for sides in (((x - 1, y), (x + 1, y)), ((x, y - 1), (x, y + 1))):
        is_held = all(is_off(side) or shut[side[1], side[0]] or side in doors for side in sides)
        solid = [side for side in sides if not is_off(side) and side not in doors]
        n_solid.append(1 + len(solid) if is_held else 0)
    level, upright = n_solid
    return None if level == upright else upright > level


def scene_of(
    rows: Sequence[str],
    *,
    file: str,
    limits: Limits,
    told: Sequence[str],
    legend: Mapping[str, SquareKind] = MappingProxyType({}),
    walls: Sequence[Wall] = (),
    creatures: Sequence[Creature] = (),
    subdivisions: int | None = None,
    feet_per_square: float = 5.0,
    name: str = "",
    extra: Mapping[str, Any] | None = None,
) -> Scene:
    """Return the scene of these rows and walls; MapFileError for what no scene can be."""
    limits.check(file, squares=sum(map(len, rows)), walls=len(walls), creatures=len(creatures))
    try:
        battle_map = BattleMap.from_rows(
            rows, legend=legend, walls=walls, subdivisions=subdivisions, feet_per_square=feet_per_square
        )
        return Scene(
            battle_map,
            creatures=tuple(creatures),
            name=name or Path(file).stem.encode(errors="replace").decode(),
            extra=dict(extra) if extra else None,
            load_warnings=tuple(told),
        )
    except SceneError as error:
        raise in_file(error, file) from error


def door_look(kind: KindWord, state: WallState = "closed") -> dict[str, Any]:
    """Return the kind, and the state of what has one."""
    return {"kind": kind, "state": state} if kind in ("door", "secret door") else {"kind": kind}
