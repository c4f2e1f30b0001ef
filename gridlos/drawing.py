"""Drawings: a scene as text that people read and write.

A drawing is a block of rows, one letter a square, and below it, after a blank line, what letters cannot say::

    ########
    #..w.OO#
    #A...OO#
    ########

    A archer medium party weapon=bow
    O ogre large monsters reach=10
    wall gate (4, 1)-(4, 2) door closed

Rows hold the letters of the map (``.`` open, ``#`` wall, ``w c f b s ~``, space for void, the legend's) and, for creatures, capital
letters and digits that the legend does not use. A big creature is a rectangle of one letter. A letter without a line is a creature of
that id, on open ground, of the size that the rectangle has. Common indentation is dropped. Where the first or last column holds void,
every row stands between bars: ``|  ##|``; bars that begin and end every row are a frame.

Below the rows, one statement a line, in any order; values are JSON or plain words::

    MARK [id] [size] [side] [key=value ...]      a creature; the keys of a scene file, and on=LETTER for the ground under it;
                                                 MARK - is a creature that is not drawn and needs id and at=[x,y]
    wall [id] (x, y)-(x, y) [kind] [state] [key=value ...]
    light [id] (x, y) [key=value ...]
    legend LETTER kind [key=value ...]
    option name=value ...
    override target=id [attacker=id] [key=value ...]
    scene [name=...] [feet_per_square=...] [subdivisions=...] [light=...] [options={...}] [extra=...]

A creature with ``at`` in halves is drawn in the square that holds this point.
"""

from __future__ import annotations

import json
import re
import string
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from gridlos.creature import SQUARES_BY_SIZE, Creature
from gridlos.errors import SceneError
from gridlos.records import SCHEMA, SceneRecord, plain_from
from gridlos.walls import BUILT_IN, WallState
from gridlos.words import hint_for

__all__ = ["Parsed", "parse_drawing", "text_of"]

MARKS = string.ascii_uppercase + string.digits
_UNDRAWN = "-"
_SIZE_BY_SQUARES = {1: "medium", 2: "large", 3: "huge", 4: "gargantuan", 6: "colossal"}
_POINT = r"\(\s*([-+.\deE]+)\s*,\s*([-+.\deE]+)\s*\)"
_ID = r"(?:(?P<id>\"(?:[^\"\\]|\\.)*\"|[^\s(]\S*)\s+)?"
_WALL = re.compile(rf"{_ID}{_POINT}\s*-\s*{_POINT}(?P<rest>.*)", re.DOTALL)
_LIGHT = re.compile(rf"{_ID}{_POINT}(?P<rest>.*)", re.DOTALL)
_PLAIN_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_KEY = re.compile(r"([A-Za-z_][\w-]*)=")
_KEYWORDS = ("wall", "light", "legend", "option", "override", "scene")


@dataclass(slots=True)
class Parsed:
    """A drawing as plain data in the form of a scene file, and the line of each of its parts.

    ``lines`` has the number of the line for the JSON path of each row, creature, wall, light, legend letter and override.
    """

    data: dict[str, Any]
    lines: dict[str, int] = field(default_factory=dict)

    def place(self, path: str) -> str:
        """Return ``line 7`` for a JSON path within a part that has a line; the path itself for any other."""
        parts = [part for part in self.lines if path == part or path.startswith((f"{part}.", f"{part}["))]
        return f"line {self.lines[max(parts, key=len)]}" if parts else path


def parse_drawing(text: str, legend: Mapping[str, object] | None = None) -> Parsed:
    """Return a drawing as plain data in the form of a scene file.

    Parameters
    ----------
    text
        The drawing.
    legend
        Letters, beyond those that the drawing has, that stand for kinds of squares.

    Raises
    ------
    SceneError
        With the line that is wrong.
    """
    lines = textwrap.dedent(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    last = next((number for number in range(first, len(lines)) if not lines[number].strip()), len(lines))
    rows = _unframed([line.rstrip() for line in lines[first:last]])
    parsed = Parsed({"schema": SCHEMA, "squares": rows, "walls": [], "lights": [], "creatures": [], "overrides": []})
    parsed.lines = {f"$.squares[{y}]": first + y + 1 for y in range(len(rows))}
    statements = [(number + 1, lines[number]) for number in range(last, len(lines)) if lines[number].strip()]
    creature_lines: list[tuple[int, str, str]] = []
    for number, line in statements:
        word, _, rest = line.partition(" ")
        if len(word) == 1:
            creature_lines.append((number, word, rest))
        else:
            _read_statement(parsed, number, word, rest)
    known = {**BUILT_IN, **(legend or {}), **parsed.data.get("legend", {})}
    _read_creatures(parsed, creature_lines, _Marks(rows, set(known), first + 1))
    return parsed


def _unframed(rows: list[str]) -> list[str]:
    if rows and all(len(row) > 2 and row[0] == row[-1] == "|" for row in rows):
        return [row[1:-1] for row in rows]
    return rows


class _Marks:
    """The rectangle of squares of each creature's mark."""

    def __init__(self, rows: list[str], known: set[str], first_line: int) -> None:
        self.rows = rows
        squares: dict[str, list[tuple[int, int]]] = {}
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                if letter in MARKS and letter not in known:
                    squares.setdefault(letter, []).append((x, y))
        self.rectangles: dict[str, tuple[int, int, int, int]] = {}
        for mark, found in squares.items():
            (x0, y0), (x1, y1) = map(min, zip(*found, strict=True)), map(max, zip(*found, strict=True))
            if (x1 - x0 + 1) * (y1 - y0 + 1) != len(found):
                raise SceneError(f"the squares marked {mark} are no rectangle", f"line {first_line + found[0][1]}",
                                 "a creature is one rectangle; give each creature its own letter")  # fmt: skip
            self.rectangles[mark] = (x0, y0, x1 - x0 + 1, y1 - y0 + 1)

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
        if mark != _UNDRAWN and (mark in seen or mark not in marks.rectangles):
            problem = f"a second line for creature {mark}" if mark in seen else f"no square is marked {mark}"
            raise SceneError(problem, f"line {number}", "a creature that is not drawn has the mark - and at=[x,y]")
        seen.add(mark)
        parsed.lines[f"$.creatures[{len(creatures)}]"] = number
        creatures.append(_creature(number, mark, rest, marks))
    drawn = sorted(marks.rectangles.items(), key=lambda item: (item[1][1], item[1][0]))
    for mark, rectangle in drawn:
        if mark not in seen:
            marks.erase(mark, ".")
            creatures.append({"id": mark, "at": list(rectangle[:2]), **_size_of(rectangle)})


def _creature(number: int, mark: str, rest: str, marks: _Marks) -> dict[str, Any]:
    words, values = _words_and_values(rest, number)
    found: dict[str, Any] = {} if mark == _UNDRAWN else {"id": mark}
    sizes = [word for word in words[1:] if word in SQUARES_BY_SIZE]
    others = [word for word in words[1:] if word not in SQUARES_BY_SIZE]
    if words and words[0] in SQUARES_BY_SIZE:
        sizes.insert(0, words[0])
    elif words:
        found["id"] = words[0]
    for key, given in (("size", sizes), ("side", others)):
        if len(given) > 1:
            raise SceneError(f"two words for the {key}: {' and '.join(given)}", f"line {number}",
                             "a creature's line is: MARK id size side key=value")  # fmt: skip
        found.update({key: word for word in given})
    found.update(values)
    ground = found.pop("on", ".")
    if mark == _UNDRAWN:
        return found
    marks.erase(mark, ground)
    x, y, width, height = marks.rectangles[mark]
    at = found.setdefault("at", [x, y])
    if "size" not in found and "space" not in found:
        found.update(_size_of((x, y, width, height)))
    own = SQUARES_BY_SIZE.get(found.get("size", "medium"), width)
    space = found.get("space", [own, own])
    if _whole(at) != [x, y] or _whole(space, up=True) != [width, height]:
        raise SceneError(f"creature {mark} is drawn on {width} by {height} squares at ({x}, {y}), and its line says "
                         f"{space[0]} by {space[1]} at {tuple(at)}", f"line {number}",
                         "draw all of its squares, or give space=[width,height]")  # fmt: skip
    return found


def _whole(numbers: Any, *, up: bool = False) -> list[int] | None:  # noqa: ANN401 - whatever the drawing says
    """Return two numbers as whole squares; None for anything else, which the record's own checks name."""
    if not (isinstance(numbers, list) and len(numbers) == 2 and all(isinstance(number, int | float) for number in numbers)):
        return None
    return [int(-(-number // 1)) if up else int(number // 1) for number in numbers]


def _size_of(rectangle: tuple[int, int, int, int]) -> dict[str, Any]:
    """Return the size, and the space if it is not the size's own, of a creature that is drawn as this rectangle."""
    _, _, width, height = rectangle
    if width == height and width in _SIZE_BY_SQUARES:
        size = _SIZE_BY_SQUARES[width]
        return {} if size == "medium" else {"size": size}
    return {"space": [width, height]}


def _read_statement(parsed: Parsed, number: int, word: str, rest: str) -> None:
    """Add what one line below the rows says, if it is no creature."""
    data, place = parsed.data, f"line {number}"
    if word in ("wall", "light"):
        name, read = ("walls", _wall) if word == "wall" else ("lights", _light)
        parsed.lines[f"$.{name}[{len(data[name])}]"] = number
        data[name].append(read(rest, number))
        return
    if word == "legend":
        letter, kind = rest[:1], rest[1:]
        words, values = _words_and_values(kind, number)
        parsed.lines[f'$.legend["{letter}"]'] = number
        data.setdefault("legend", {})[letter] = {"kind": " ".join(words), **values}
        return
    if word not in _KEYWORDS:
        raise SceneError(f"a line begins with {word!r}", place,
                         f"it begins with a creature's letter or one of {', '.join(_KEYWORDS)}; {hint_for(word, _KEYWORDS)}")  # fmt: skip
    words, values = _words_and_values(rest, number)
    if words:
        raise SceneError(f"{word} {words[0]!r} has no value", place, f"write {word} {words[0]}=value")
    if word == "override":
        parsed.lines[f"$.overrides[{len(data['overrides'])}]"] = number
        data["overrides"].append(values)
    elif word == "option":
        data.setdefault("options", {}).update(values)
    else:
        data.update(values)


def _wall(rest: str, number: int) -> dict[str, Any]:
    match = _WALL.fullmatch(rest.strip())
    if match is None:
        raise SceneError(f"{rest.strip()!r} is no wall", f"line {number}", "write wall id (x, y)-(x, y) kind state key=value")
    x0, y0, x1, y1 = (_number(match[index], number) for index in range(2, 6))
    words, values = _words_and_values(match["rest"], number)
    wall: dict[str, Any] = {"from": [x0, y0], "to": [x1, y1]}
    if match["id"]:
        wall["id"] = _value(match["id"])
    if len(words) > 1 and words[-1] in get_args(WallState):
        wall["state"] = words.pop()
    if words:
        wall["kind"] = " ".join(words)
    return {**wall, **values}


def _light(rest: str, number: int) -> dict[str, Any]:
    match = _LIGHT.fullmatch(rest.strip())
    if match is None:
        raise SceneError(f"{rest.strip()!r} is no light", f"line {number}", "write light id (x, y) bright=20 dim=40")
    words, values = _words_and_values(match["rest"], number)
    if words:
        raise SceneError(f"light {words[0]!r} has no value", f"line {number}", f"write {words[0]}=value")
    light: dict[str, Any] = {"at": [_number(match[2], number), _number(match[3], number)]}
    if match["id"]:
        light["id"] = _value(match["id"])
    return {**light, **values}


def _number(text: str, number: int) -> int | float:
    value = _value(text)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SceneError(f"{text!r} is no number", f"line {number}")
    return value


def _refuse(literal: str) -> float:
    raise ValueError(literal)


def _float(literal: str) -> int | float:
    number = float(literal)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_float)


def _value(text: str) -> Any:  # noqa: ANN401 - any JSON
    """Return a whole text as JSON, or else as the plain word that it is."""
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return text
    return value if end == len(text) else text


def _words_and_values(text: str, number: int) -> tuple[list[str], dict[str, Any]]:
    """Return the bare words of a line and its values by key."""
    words: list[str] = []
    values: dict[str, Any] = {}
    position = 0
    while match := re.compile(r"\S").search(text, position):
        position = match.start()
        key = _KEY.match(text, position)
        value, position = _value_at(text, key.end() if key else position)
        if key is None:
            words.append(str(value))
        elif key[1] in values:
            raise SceneError(f"{key[1]} is given twice", f"line {number}")
        else:
            values[key[1]] = value
    return words, values


def _value_at(text: str, start: int) -> tuple[Any, int]:
    """Return the value that begins there and where it ends: JSON if that ends at a blank, else all up to the next blank."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        end = -1
    if end >= 0 and text[end : end + 1].strip() == "":
        return value, end
    blank = re.compile(r"\s|$").search(text, start)
    end = blank.start() if blank else len(text)
    return text[start:end], end


def text_of(record: SceneRecord, marks: Mapping[tuple[int, int], str] | None = None) -> str:
    """Return a scene as a drawing, with other letters in some squares if wanted.

    Parameters
    ----------
    record
        The scene.
    marks
        Letters by square; they hide what stands there, so such a drawing is for people.
    """
    drawn = _Canvas(record)
    lines = drawn.creature_lines(record.creatures)
    for (x, y), letter in (marks or {}).items():
        drawn.rows[y][x] = letter
    rows = ["".join(row) for row in drawn.rows]
    barred = all(row[0] == row[-1] == "|" and len(row) > 2 for row in rows)
    if barred or any(" " in (row[0], row[-1]) for row in rows):
        rows = [f"|{row}|" for row in rows]
    below = [*lines, *_statements(record)]
    return "\n".join([*rows, "", *below] if below else rows) + "\n"


class _Canvas:
    """The rows of a drawing, with the creatures that can be drawn in their squares."""

    def __init__(self, record: SceneRecord) -> None:
        self.rows = [list(row) for row in record.squares]
        self.ground = record.squares
        self.letters = set(BUILT_IN) | set(record.legend)
        self.taken: set[tuple[int, int]] = set()

    def creature_lines(self, creatures: tuple[Creature, ...]) -> list[str]:
        """Draw the creatures and return their lines; none if the letters say all."""
        free = [mark for mark in MARKS if mark not in self.letters]
        exact = {creature.id for creature in creatures if creature.id in free}
        spare = [mark for mark in free if mark not in exact]
        lines, plain = [], True
        for creature in creatures:
            mark, ground = self._draw(creature, spare)
            line = _creature_line(creature, mark, ground)
            plain = plain and line == mark
            lines.append(line)
        order = [(creature.occupied[1], creature.occupied[0]) for creature in creatures]
        return [] if plain and order == sorted(order) else lines

    def _draw(self, creature: Creature, spare: list[str]) -> tuple[str, str]:
        """Return the mark that the creature got and the letter under it."""
        x, y, width, height = creature.occupied
        squares = {(column, row) for column in range(x, x + width) for row in range(y, y + height)}
        grounds = {self.ground[row][column] for column, row in squares}
        initial = creature.id[0].upper()
        mark = creature.id if creature.id in MARKS and creature.id not in self.letters else initial if initial in spare else ""
        mark = mark or (spare[0] if spare else "")
        if not mark or len(grounds) != 1 or squares & self.taken:
            return _UNDRAWN, ""
        if mark in spare:
            spare.remove(mark)
        self.taken |= squares
        for column, row in squares:
            self.rows[row][column] = mark
        return mark, grounds.pop()


def _creature_line(creature: Creature, mark: str, ground: str) -> str:
    """Return the line of a creature; its mark alone if the drawing says all the rest."""
    values: dict[str, Any] = plain_from(creature)
    words = [mark]
    name = values.pop("id")
    side = values.pop("side", None)
    size = values.pop("size", None)
    if mark != _UNDRAWN:
        x, y, width, height = creature.occupied
        if list(creature.at) == [x, y]:
            del values["at"]
        if _size_of((0, 0, width, height)) == _without_none(size=size, space=values.get("space")):
            size = None
            values.pop("space", None)
        elif size is None:
            size = "medium"
        if ground != ".":
            values["on"] = ground
    if _is_plain(name) and name not in SQUARES_BY_SIZE:
        words += [name] if name != mark or (side and _is_plain(side)) else []
    else:
        values = {"id": name, **values}
    words += [size] if size else []
    if side is not None and _is_plain(side) and side not in SQUARES_BY_SIZE and len(words) > 1 and "id" not in values:
        words.append(side)
    elif side is not None:
        values["side"] = side
    return " ".join([*words, *_pairs(values)])


def _without_none(**values: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    return {key: value for key, value in values.items() if value is not None}


def _is_plain(word: str) -> bool:
    return bool(_PLAIN_WORD.fullmatch(word)) and word not in ("true", "false", "null")


def _pairs(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        plain = isinstance(value, str) and _is_plain(value)
        yield f"{key}={value}" if plain else f"{key}={json.dumps(value, separators=(',', ':'), ensure_ascii=False)}"


def _point(at: list[float]) -> str:
    x, y = at
    return f"({x}, {y})"


def _named(word: str, name: str | None) -> str:
    if name is None:
        return word
    return f"{word} {name if _is_plain(name) else json.dumps(name, ensure_ascii=False)}"


def _statements(record: SceneRecord) -> Iterator[str]:
    """Yield the lines below the rows that are no creatures."""
    data: dict[str, Any] = plain_from(record)
    for wall in data.get("walls", ()):
        head = f"{_named('wall', wall.pop('id', None))} {_point(wall.pop('from'))}-{_point(wall.pop('to'))}"
        state = wall.pop("state", None)
        words = [word for word in (wall.pop("kind", None), state) if word]
        yield " ".join([head, *words, *_pairs(wall)])
    for light in data.get("lights", ()):
        yield " ".join([f"{_named('light', light.pop('id', None))} {_point(light.pop('at'))}", *_pairs(light)])
    for letter, kind in data.get("legend", {}).items():
        yield " ".join([f"legend {letter} {kind.pop('kind', 'open')}", *_pairs(kind)])
    for override in data.get("overrides", ()):
        yield " ".join(["override", *_pairs(override)])
    options = data.get("options", {})
    if options and all(_KEY.fullmatch(f"{name}=") for name in options):
        yield " ".join(["option", *_pairs(options)])
        options = None
    keys = ("name", "feet_per_square", "subdivisions", "light", "extra")
    rest = {key: data[key] for key in keys if key in data} | ({"options": options} if options else {})
    if rest:
        yield " ".join(["scene", *_pairs(rest)])
