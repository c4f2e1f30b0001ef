"""Maps of the MovingAI benchmarks (``.map``, type octile): one letter a square."""

from __future__ import annotations

import re
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

__all__ = ["is_movingai", "scene_from_movingai"]

_HEADER_LETTERS = 4096  # a header is shorter, and so is what some write after the map
_HEADER = re.compile(r"\s*(?:type[ \t]|(?:height|width)[ \t]+\S+[ \t]*\r?\n\s*(?:height|width|type|map)\b|snake\d+x\d+\s)")
_WORDS: Mapping[str, str] = MappingProxyType({
    ".": "open", "G": "open", "S": "open", "@": "wall", "O": "wall", "T": "wall", "W": "water",
})  # fmt: skip


def is_movingai(text: str) -> bool:
    r"""Return whether a text begins like a map of MovingAI.

    >>> is_movingai("type octile\nheight 1\n"), is_movingai("height 1\nwidth 2\nmap\n"), is_movingai("height is")
    (True, True, False)
    """
    return bool(_HEADER.match(text))


def scene_from_movingai(
    text: str, *, file: str = "", limits: Limits = DEFAULT_LIMITS, **options: Unpack[LettersOptions]
) -> Scene:
    r"""Return the scene in a map of MovingAI; nobody is on it.

    ``.``, ``G`` and ``S`` (swamp) are open, ``@`` and ``O`` (out of bounds) and ``T`` (trees) are walls, ``W`` is water,
    which stops nothing.

    Parameters
    ----------
    text
        The file.
    file
        What errors call it.
    limits
        How much it may hold.
    letters
        What letters stand for, in place of the above; see :mod:`gridlos.formats.letters`.
    feet_per_square
        The file does not say; 5 by default.

    Raises
    ------
    MapFileError
        One line: the file, the line in it, what is wrong and what would be right.

    Examples
    --------
    >>> scene_from_movingai("type octile\nheight 1\nwidth 3\nmap\n.T@\n").battle_map.to_rows()
    ['.##']
    >>> scene_from_movingai("height 1\nwidth 3\nmap\n.T@", letters={"T": "brush"}).battle_map.to_rows()
    ['.b#']
    """
    signs = Signs({**_WORDS, **options.get("letters", {})}, file)
    width, height, first = _size(text[:_HEADER_LETTERS].splitlines(), file)
    limits.check(file, squares=width * height)
    n_lines = text.count("\n")
    if n_lines > height + _HEADER_LETTERS:
        raise MapFileError(file, f"{n_lines} lines, and the header says {height} rows")
    lines = text.replace("\r\n", "\n").split("\n")
    while len(lines) > first and not lines[-1].strip():
        lines.pop()
    rows = lines[first:]
    if len(rows) != height:
        raise MapFileError(file, f"{len(rows)} rows, and the header says {height}", f"line {len(lines)}")
    for y, row in enumerate(rows):
        if len(row) != width:
            problem = f"the row has {len(row)} letters, and the header says {width}"
            raise MapFileError(file, problem, f"line {first + y + 1}")
    remarks = Remarks()
    found = signs.read(rows, first_line=first + 1, limits=limits, remarks=remarks)
    return scene_of(
        found.rows,
        file=file,
        limits=limits,
        told=tuple(remarks.sentences()),
        legend=found.legend,
        walls=found.walls,
        creatures=found.creatures,
        feet_per_square=options.get("feet_per_square", 5.0),
    )


def _size(lines: list[str], file: str) -> tuple[int, int, int]:
    """Return width, height and the place of the first row."""
    found: dict[str, int] = {}
    for number, line in enumerate(lines[:16], start=1):
        words = line.split()
        place = f"line {number}"
        if words == ["map"]:
            if len(found) == 2:
                return found["width"], found["height"], number
            missing = " and ".join(name for name in ("height", "width") if name not in found)
            raise MapFileError(file, f"no {missing} before the map; the header has the lines height H and width W", place)
        if len(words) == 2 and words[0] == "type":
            if words[1] != "octile":
                problem = f"a map of type {words[1][:40]!r}; gridlos reads type octile, one letter a square"
                raise MapFileError(file, problem, place)
        elif len(words) == 2 and words[0] in ("height", "width"):
            if not re.fullmatch(r"[1-9][0-9]{0,8}", words[1]):
                raise MapFileError(file, f"{words[0]} {words[1][:40]!r}; give a whole number from 1 up", place)
            found[words[0]] = int(words[1])
        elif words:
            problem = f"{line.strip()[:40]!r} is no line of a header; it has type octile, height H, width W, map"
            raise MapFileError(file, problem, place)
    raise MapFileError(file, "no line that says map after the header; the file is cut off or no map of MovingAI")
