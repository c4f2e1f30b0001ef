"""From a drawing to plain data in the form of a scene file."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from gridlos.creature import SQUARES_BY_SIZE
from gridlos.drawing.words import MARKS, SCENE_KEYS, SIZE_BY_SQUARES, UNDRAWN, unquoted, words_and_values
from gridlos.errors import SceneError
from gridlos.records import SCHEMA
from gridlos.walls import BUILT_IN, WallState
from gridlos.words import hint_for

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["Parsed", "parse_drawing"]

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_POINT = rf"\(\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\)"
_ID = r"(?:(?P<id>\"(?:[^\"\\]|\\.)*\"|[^\s(\"]\S*)\s+)?"
_WALL = re.compile(rf"\s*{_ID}{_POINT}\s*-\s*{_POINT}(?P<rest>.*)", re.DOTALL)
_LIGHT = re.compile(rf"\s*{_ID}{_POINT}(?P<rest>.*)", re.DOTALL)
_KEYWORDS = ("wall", "light", "legend", "option", "override", "scene")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A drawing as plain data in the form of a scene file, and where its parts stand.

    Attributes
    ----------
    data
        As JSON has it, not yet checked.
    lines
        For the JSON path of each row, creature, wall, light, override and letter of the legend the number of its line.
    """

    data: dict[str, Any]
    lines: dict[str, int] = field(default_factory=dict)

    def place(self, path: str) -> str:
        """Return ``line 7, at`` for a JSON path within a part that has a line; any other path as it is."""
        parts = [part for part in self.lines if path == part or path.startswith((f"{part}.", f"{part}["))]
        if not parts:
            return path
        part = max(parts, key=len)
        return ", ".join(word for word in (f"line {self.lines[part]}", path.removeprefix(part).lstrip(".")) if word)


def parse_drawing(text: str, letters: Collection[str] = ()) -> Parsed:
    """Return a drawing as plain data.

    Parameters
    ----------
    text
        The drawing.
    letters
        Letters that stand for squares, beyond the built-in ones and those of the drawing's own legend.

    Raises
    ------
    SceneError
        With the line that is wrong.

    Examples
    --------
    >>> parse_drawing("A.#").data["squares"], parse_drawing("A.#").data["creatures"]
    (['..#'], [{'id': 'A', 'at': [0, 0]}])
    """
    lines = textwrap.dedent(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    last = next((number for number in range(first, len(lines)) if not lines[number].strip()), len(lines))
    rows = _unframed([line.rstrip() for line in lines[first:last]])
    parsed = Parsed({"schema": SCHEMA, "squares": rows, "walls": [], "lights": [], "creatures": [], "overrides": []})
    parsed.lines.update({f"$.squares[{y}]": first + y + 1 for y in range(len(rows))})
    creature_lines: list[tuple[int, str, str]] = []
    for number in range(last, len(lines)):
        if not (line := lines[number].strip()):
            continue
        word = line.split(maxsplit=1)[0]
        rest = line[len(word) + 1 :]
        if len(word) == 1:
            creature_lines.append((number + 1, word, rest))
        else:
            _read_statement(parsed, number + 1, word, rest)
    known = {*BUILT_IN, *letters, *parsed.data.get("legend", ())}
    _read_creatures(parsed, creature_lines, _Marks(rows, known, first + 1))
    return parsed


def _unframed(rows: list[str]) -> list[str]:
    if rows and all(len(row) > 2 and row[0] == row[-1] == "|" for row in rows):
        return [row[1:-1] for row in rows]
    return rows


class _Marks:
    """The rectangle of squares of each creature's mark; ``rows`` are changed in place."""

    def __init__(self, rows: list[str], known: set[str], first_line: int) -> None:
        self.rows = rows
        self.first_line = first_line
        squares: dict[str, list[tuple[int, int]]] = {}
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                if letter in MARKS and letter not in known:
                    squares.setdefault(letter, []).append((x, y))
        self.rectangles = {mark: self._rectangle(mark, found) for mark, found in squares.items()}

    def _rectangle(self, mark: str, squares: list[tuple[int, int]]) -> tuple[int, int, int, int]:
        columns, rows = zip(*squares, strict=True)
        x, y = min(columns), min(rows)
        width, height = max(columns) - x + 1, max(rows) - y + 1
        if width * height != len(squares):
            raise SceneError(
                f"the squares marked {mark} are no rectangle",
                f"line {self.first_line + y}",
                "a creature is one rectangle of a letter of its own",
            )
        return x, y, width, height

    def erase(self, mark: str, ground: str) -> None:
        """Put the ground where the creature stands."""
        x, y, width, height = self.rectangles[mark]
        for row in range(y, y + height):
            self.rows[row] = self.rows[row][:x] + ground * width + self.rows[row][x + width :]


def _read_creatures(parsed: Parsed, lines: list[tuple[int, str, str]], marks: _Marks) -> None:
    """Add the creatures that have a line, in the order of the lines, then the others in reading order."""
    creatures = parsed.data["creatures"]
    seen: set[str] = set()
    for number, mark, rest in lines:
        if mark != UNDRAWN and (mark in seen or mark not in marks.rectangles):
            problem = f"a second line for creature {mark}" if mark in seen else f"no square is marked {mark}"
            raise SceneError(problem, f"line {number}", "a creature that is not drawn has the mark - and at=[x,y]")
        seen.add(mark)
        parsed.lines[f"$.creatures[{len(creatures)}]"] = number
        creatures.append(_creature(number, mark, rest, marks))
    drawn = sorted(marks.rectangles.items(), key=lambda item: (item[1][1], item[1][0]))
    for mark, (x, y, width, height) in drawn:
        if mark not in seen:
            marks.erase(mark, ".")
            parsed.lines[f"$.creatures[{len(creatures)}]"] = marks.first_line + y
            creatures.append({"id": mark, "at": [x, y], **size_of(width, height)})


def _creature(number: int, mark: str, rest: str, marks: _Marks) -> dict[str, Any]:
    """Return a creature as its line and its place in the drawing say."""
    words, values = words_and_values(rest, number)
    found: dict[str, Any] = {} if mark == UNDRAWN else {"id": mark}
    if words and words[0] not in SQUARES_BY_SIZE:
        found["id"] = words.pop(0)
    for word in words:
        key = "size" if word in SQUARES_BY_SIZE else "side"
        if key in found:
            raise SceneError(
                f"two words for the {key}: {found[key]} and {word}",
                f"line {number}",
                "a creature's line is: MARK id size side key=value",
            )
        found[key] = word
    found.update(values)
    ground = found.pop("on", ".")
    if mark == UNDRAWN:
        return found
    if not (isinstance(ground, str) and len(ground) == 1):
        raise SceneError(f"on={ground!r} is no letter of the map", f"line {number}", 'write on=f, or on=" " for void')
    marks.erase(mark, ground)
    x, y, width, height = marks.rectangles[mark]
    found.setdefault("at", [x, y])
    if "size" not in found and "space" not in found:
        found.update(size_of(width, height))
    own = SQUARES_BY_SIZE.get(str(found.get("size", "medium")))
    at, space = _whole(found["at"]), _whole(found.get("space", own and [own, own]), up=True)
    if (at is not None and at != [x, y]) or (space is not None and space != [width, height]):
        raise SceneError(
            f"creature {mark} is drawn on {width} by {height} squares at {[x, y]}, "
            f"and by its line it has {space} squares at {found['at']}",
            f"line {number}",
            "draw all of its squares, or give space=[width,height]",
        )
    return found


def size_of(width: int, height: int) -> dict[str, Any]:
    """Return the size, or the space if it is no size's own, of a creature that is drawn on so many squares."""
    if width == height and width in SIZE_BY_SQUARES:
        size = SIZE_BY_SQUARES[width]
        return {} if size == "medium" else {"size": size}
    return {"space": [width, height]}


def _whole(numbers: object, *, up: bool = False) -> list[int] | None:
    """Return two numbers as whole squares; None for anything else, of which the record's own checks tell."""
    if not isinstance(numbers, list) or len(numbers) != 2 or not all(isinstance(part, int | float) for part in numbers):
        return None
    return [int(-(-part // 1)) if up else int(part // 1) for part in numbers if abs(part) < 2**53]


def _read_statement(parsed: Parsed, number: int, word: str, rest: str) -> None:
    """Add what one line below the rows says, if it is no creature."""
    data = parsed.data
    if word in ("wall", "light"):
        name = f"{word}s"
        parsed.lines[f"$.{name}[{len(data[name])}]"] = number
        data[name].append(_wall(rest, number) if word == "wall" else _light(rest, number))
        return
    if word == "legend":
        words, values = words_and_values(rest[1:], number)
        parsed.lines[f'$.legend["{rest[:1]}"]'] = number
        data.setdefault("legend", {})[rest[:1]] = {**({"kind": " ".join(words)} if words else {}), **values}
        return
    if word not in _KEYWORDS:
        raise SceneError(
            f"a line begins with {word!r}",
            f"line {number}",
            f"below the rows it begins with a creature's letter or one of {', '.join(_KEYWORDS)}",
        )
    words, values = words_and_values(rest, number)
    if words:
        raise SceneError(f"{word} {words[0]!r} has no value", f"line {number}", f"write {word} {words[0]}=value")
    if word == "override":
        parsed.lines[f"$.overrides[{len(data['overrides'])}]"] = number
        data["overrides"].append(values)
    elif word == "option":
        options = data.setdefault("options", {})
        twice = options.keys() & values.keys() if isinstance(options, dict) else {"options"}
        if twice:
            raise SceneError(f"{min(twice)} is given twice", f"line {number}", "give each option once")
        options.update(values)
    else:
        for key in values:
            if key not in SCENE_KEYS:
                raise SceneError(f"unknown key {key!r}", f"line {number}", hint_for(key, SCENE_KEYS))
            parsed.lines[f"$.{key}"] = number
        data.update(values)


def _wall(rest: str, number: int) -> dict[str, Any]:
    match = _WALL.fullmatch(rest)
    if match is None:
        raise SceneError(f"{rest!r} is no wall", f"line {number}", "write: wall id (x, y)-(x, y) kind state key=value")
    words, values = words_and_values(match["rest"], number)
    x0, y0, x1, y1 = (float(match[index]) for index in range(2, 6))
    wall: dict[str, Any] = {"from": [x0, y0], "to": [x1, y1]}
    if match["id"]:
        wall["id"] = unquoted(match["id"])
    if len(words) > 1 and words[-1] in get_args(WallState):
        wall["state"] = words.pop()
    if words:
        wall["kind"] = " ".join(words)
    return {**wall, **values}


def _light(rest: str, number: int) -> dict[str, Any]:
    match = _LIGHT.fullmatch(rest)
    if match is None:
        raise SceneError(f"{rest!r} is no light", f"line {number}", "write: light id (x, y) bright=20 dim=40")
    words, values = words_and_values(match["rest"], number)
    if words:
        raise SceneError(f"light {words[0]!r} has no value", f"line {number}", f"write {words[0]}=value")
    light: dict[str, Any] = {"at": [float(match[2]), float(match[3])]}
    if match["id"]:
        light["id"] = unquoted(match["id"])
    return {**light, **values}
