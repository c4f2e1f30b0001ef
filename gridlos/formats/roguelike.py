"""Drawings as roguelike games and their players make them: ``#`` walls, ``.`` floor, ``+`` doors."""

from __future__ import annotations

import re
import string
import textwrap
from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING

from gridlos.errors import MapFileError
from gridlos.formats.files import DEFAULT_LIMITS, Limits
from gridlos.formats.letters import LettersOptions, Signs
from gridlos.formats.reading import Remarks
from gridlos.formats.squares import scene_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from gridlos.scene import Scene

__all__ = ["is_roguelike", "scene_from_roguelike"]

_LETTERS_A_SQUARE = 2  # line ends, and blanks behind rows
_PROSE = 65536  # letters
_BOXES = "".join(map(chr, range(0x2500, 0x2580))) + "█▀▄▌▐▓▒"
_CUSTOM: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys(f"#|-＃{_BOXES}", "wall"),
    **dict.fromkeys(" \u3000\u00a0", "void"),
    **dict.fromkeys(".·∙•．<>_", "open"),
    **dict.fromkeys("+＋", "door"),
    **dict.fromkeys("'/\\", "open door"),
    **dict.fromkeys("~≈", "water"),
})  # fmt: skip
_THINGS = string.ascii_letters + string.digits + "@!?$%&*()[]{}=:;,^\"`"
_SIGNS_OF_A_GAME = frozenset(f"+'/\\<>@|-·∙•≈＃．＋{_BOXES}")
_STATEMENT = re.compile(r"(?:[A-Z0-9-] +[\w\"]|(?:wall|light|legend|option|override|scene) )")


def is_roguelike(text: str, limits: Limits = DEFAULT_LIMITS) -> bool:
    r"""Return whether a text is drawn with signs that gridlos's own drawings do not know, and has no statement of theirs.

    The first rows count, to a blank line; half of their letters or more are signs of walls, floor and doors.

    >>> is_roguelike("#+#\n#@#"), is_roguelike("#.#\n#A#"), is_roguelike("|#.#|"), is_roguelike("#+#\n\nlegend + door")
    (True, False, False, False)
    >>> is_roguelike("It's no map, but a text.")
    False
    """
    if len(text) > _LETTERS_A_SQUARE * limits.squares + _PROSE:
        return False
    lines = [line.strip() for line in text.splitlines()]
    if any(line.startswith("```") or line.casefold() == "map:" for line in lines):
        return True
    first = next((number for number, line in enumerate(lines) if line), 0)
    last = next((number for number in range(first, len(lines)) if not lines[number]), len(lines))
    if any(map(_STATEMENT.match, lines[last:])):
        return False
    drawn = lines[first:last]
    if all(len(line) > 2 and line[0] == line[-1] == "|" for line in drawn):
        drawn = [line[1:-1] for line in drawn]
    counts = Counter("".join(drawn))
    n_signs = sum(counts[sign] for sign in _CUSTOM)
    return 2 * n_signs >= counts.total() and not _SIGNS_OF_A_GAME.isdisjoint(counts)


def scene_from_roguelike(
    text: str, *, file: str = "", limits: Limits = DEFAULT_LIMITS, **options: Unpack[LettersOptions]
) -> Scene:
    r"""Return the scene in a drawing of a roguelike game.

    By custom ``#``, ``|``, ``-`` and the lines and blocks of Unicode are walls, ``.`` and ``·`` floor, a blank is void,
    ``+`` a shut door, ``'``, ``/`` and ``\`` an open one, ``<``, ``>`` (stairs) and ``_`` floor, ``~`` water. A door
    hangs across the middle of its square, between the walls on both sides. Other letters and signs stand for things and
    creatures that nobody has explained: floor, told with their count. Short rows are filled with void, common
    indentation is dropped; of a text with a block between lines of three backquotes the block is read, of one with a
    line ``map:`` what follows it.

    Parameters
    ----------
    text
        The drawing.
    file
        What errors call it.
    limits
        How much it may hold.
    letters
        What letters stand for, in place of the above; see :mod:`gridlos.formats.letters`.
    feet_per_square
        5 by default.

    Raises
    ------
    MapFileError
        One line: the file, the line in it, what is wrong and what would be right.

    Examples
    --------
    >>> scene = scene_from_roguelike("#####\n#@+.#\n#####", letters={"@": "creature heroes"})
    >>> scene.battle_map.to_rows(), scene.ids, scene.battle_map.walls[0].start
    (['#####', '#...#', '#####'], ('@',), (2.5, 1.0))
    """
    signs = Signs({**dict.fromkeys(_THINGS, "open"), **_CUSTOM, **options.get("letters", {})}, file)
    rows, first_line = _rows(text, file, limits)
    remarks = Remarks()
    explained = {*_CUSTOM, *options.get("letters", {})}
    strange = set(_THINGS) - explained
    for y, row in enumerate(rows):
        if strange.isdisjoint(row):
            continue
        for x, letter in enumerate(row):
            if letter in strange:
                remarks.add("letters that nobody has explained (letters), read as floor", f"{letter!r} at ({x}, {y})")
    drawn = signs.read(rows, first_line=first_line, limits=limits, remarks=remarks)
    return scene_of(
        drawn.rows,
        file=file,
        limits=limits,
        told=tuple(remarks.sentences()),
        legend=drawn.legend,
        walls=drawn.walls,
        creatures=drawn.creatures,
        subdivisions=2,
        feet_per_square=options.get("feet_per_square", 5.0),
    )


def _rows(text: str, file: str, limits: Limits) -> tuple[list[str], int]:
    """Return the rows, all of one length, and the number of the first one's line."""
    if len(text) > _LETTERS_A_SQUARE * limits.squares + _PROSE:
        problem = f"{len(text)} letters, and the limit is {limits.squares} squares; Limits(squares=...) allows more"
        raise MapFileError(file, problem)
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    first, last = 0, len(lines)
    fences = [number for number, line in enumerate(lines) if line.lstrip().startswith("```")]
    titles = [number for number, line in enumerate(lines) if line.strip().casefold() == "map:"]
    if fences:
        first, last = fences[0] + 1, fences[1] if len(fences) > 1 else len(lines)
    elif titles:
        first = titles[0] + 1
    while first < last and not lines[first]:
        first += 1
    while last > first and not lines[last - 1]:
        last -= 1
    rows = lines[first:last]
    if not rows:
        raise MapFileError(file, "no row is drawn", f"line {min(first + 1, len(lines))}")
    for y, row in enumerate(rows):
        if "\t" in row:
            problem = "a tab, which has no width of its own; put blanks in its place"
            raise MapFileError(file, problem, f"line {first + y + 1}, column {row.index(chr(9)) + 1}")
    width = max(map(len, rows))
    limits.check(file, squares=width * len(rows))
    rows = textwrap.dedent("\n".join(rows)).split("\n")
    width = max(map(len, rows))
    return [row.ljust(width) for row in rows], first + 1
