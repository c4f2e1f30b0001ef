"""From a scene's record to its drawing."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gridlos.creature import SQUARES_BY_SIZE
from gridlos.drawing.read import size_of
from gridlos.drawing.words import MARKS, SCENE_KEYS, UNDRAWN, is_key, pairs, quoted
from gridlos.records import plain_from
from gridlos.walls import BUILT_IN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gridlos.creature import Creature
    from gridlos.records import SceneRecord

__all__ = ["text_of"]

_NO_MARKS: Mapping[tuple[int, int], str] = MappingProxyType({})


def text_of(record: SceneRecord, marks: Mapping[tuple[int, int], str] = _NO_MARKS) -> str:
    """Return a scene as a drawing, with other letters in some squares if wanted.

    Parameters
    ----------
    record
        The scene.
    marks
        Letters by square; they hide what stands there, so such a drawing is for people.
    """
    canvas = _Canvas(record)
    lines = canvas.draw(record.creatures)
    for (x, y), letter in marks.items():
        canvas.put(x, y, letter)
    rows = canvas.rows()
    has_bars = all(len(row) > 2 and row[0] == row[-1] == "|" for row in rows)
    if has_bars or any(" " in (row[0], row[-1]) for row in rows):
        rows = [f"|{row}|" for row in rows]
    below = [*lines, *_statements(plain_from(record))]
    return "\n".join([*rows, "", *below] if below else rows) + "\n"


class _Canvas:
    """The rows of a drawing, with those creatures in their squares that can be drawn."""

    def __init__(self, record: SceneRecord) -> None:
        self.ground = record.squares
        self.drawn: dict[int, list[str]] = {}
        self.taken: set[tuple[int, int]] = set()
        self.free = [mark for mark in MARKS if mark not in BUILT_IN and mark not in record.legend]

    def put(self, x: int, y: int, letter: str) -> None:
        """Put a letter into a square."""
        if y not in self.drawn:
            self.drawn[y] = list(self.ground[y])
        self.drawn[y][x] = letter

    def rows(self) -> list[str]:
        """Return the rows with what was put into them."""
        return ["".join(self.drawn[y]) if y in self.drawn else row for y, row in enumerate(self.ground)]

    def draw(self, creatures: tuple[Creature, ...]) -> list[str]:
        """Draw the creatures and return their lines; none if the letters say all."""
        kept = {creature.id for creature in creatures if creature.id in self.free}
        lines, is_plain_drawing = [], True
        for creature in creatures:
            mark, ground = self._draw(creature, kept)
            lines.append(_creature_line(creature, mark, ground))
            is_plain_drawing = is_plain_drawing and lines[-1] == mark
        order = [(creature.occupied[1], creature.occupied[0]) for creature in creatures]
        return [] if is_plain_drawing and order == sorted(order) else lines

    def _draw(self, creature: Creature, kept: set[str]) -> tuple[str, str]:
        """Return the mark of a creature and the letter under it, after drawing it if that is possible."""
        x, y, width, height = creature.occupied
        squares = {(column, row) for column in range(x, x + width) for row in range(y, y + height)}
        grounds = {self.ground[row][column] for column, row in squares}
        wanted = (creature.id, creature.id[0].upper(), *(mark for mark in self.free if mark not in kept))
        mark = next((mark for mark in wanted if mark in self.free and (mark == creature.id or mark not in kept)), None)
        if mark is None or len(grounds) != 1 or squares & self.taken:
            return UNDRAWN, ""
        self.free.remove(mark)
        self.taken |= squares
        for column, row in squares:
            self.put(column, row, mark)
        return mark, grounds.pop()


def _creature_line(creature: Creature, mark: str, ground: str) -> str:
    """Return the line of a creature; its mark alone if the drawing says all the rest."""
    values: dict[str, Any] = plain_from(creature)
    name, size, side = values.pop("id"), values.pop("size", "medium"), values.pop("side", None)
    words = [mark]
    if mark != UNDRAWN:
        x, y, width, height = creature.occupied
        if values["at"] == [x, y]:
            del values["at"]
        said = size_of(width, height)
        if (size, values.get("space")) == (said.get("size", "medium"), said.get("space")):
            size = "medium"
            values.pop("space", None)
        if ground != ".":
            values["on"] = ground
    if name in SQUARES_BY_SIZE:
        values = {"id": name, **values}
    elif name != mark or mark == UNDRAWN or (side is not None and side not in SQUARES_BY_SIZE):
        words.append(quoted(name))
    if size != "medium":
        words.append(size)
    if side is not None and side not in SQUARES_BY_SIZE and "id" not in values:
        words.append(quoted(side))
    elif side is not None:
        values = {"side": side, **values}
    return " ".join([*words, *pairs(values)])


def _point(at: list[float]) -> str:
    x, y = at
    return f"({x}, {y})"


def _named(word: str, name: str | None) -> str:
    return word if name is None else f"{word} {quoted(name)}"


def _statements(data: dict[str, Any]) -> Iterator[str]:
    """Yield the lines below the rows that are no creatures."""
    for wall in data.get("walls", ()):
        head = f"{_named('wall', wall.pop('id', None))} {_point(wall.pop('from'))}-{_point(wall.pop('to'))}"
        words = [wall.pop(key) for key in ("kind", "state") if key in wall]
        yield " ".join([head, *words, *pairs(wall)])
    for light in data.get("lights", ()):
        yield " ".join([f"{_named('light', light.pop('id', None))} {_point(light.pop('at'))}", *pairs(light)])
    for letter, kind in data.get("legend", {}).items():
        yield " ".join([f"legend {letter} {kind.pop('kind', 'open')}", *pairs(kind)])
    for override in data.get("overrides", ()):
        yield " ".join(["override", *pairs(override)])
    if data.get("options") and all(map(is_key, data["options"])):
        yield " ".join(["option", *pairs(data.pop("options"))])
    rest: dict[str, Any] = {key: data[key] for key in SCENE_KEYS if key in data}
    if rest:
        yield " ".join(["scene", *pairs(rest)])
