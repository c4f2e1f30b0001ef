"""Published situations, from ``tests/cases/<edition>.toml``: what each edition says of them, however they are drawn.

Each situation is asked as it stands in the file; turned or mirrored; with its walls reversed, split, doubled or
shuffled; with its solid squares replaced by their four sides; and moved to another place of a larger map.
The oracles judge every one as well, with the counting of the editions in ``judge_of_cases.py``: a check of the files
themselves.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest
from judge_of_cases import Judged, fog_of
from walls_of_cases import Ground

import gridlos
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Wall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EDITIONS = (
    "pathfinder1", "defense", "starfinder1", "hybrid35", "dnd30", "dnd35", "dnd4e", "dnd5e", "dnd5e-2024",
    "pathfinder2",
)  # fmt: skip
FOLDER = Path(__file__).parent / "cases"
EXPECTATIONS = {
    "cover", "lines", "soft", "line_of_effect", "line_of_sight", "in_reach", "flanked", "concealment",
    "opportunity", "can_attack", "can_hide", "attack_modifier", "defense_modifier", "save_modifier", "stealth_modifier",
    "miss_chance", "evasion", "roll", "combat_advantage",
}  # fmt: skip
SOLID, OPEN = "#", "."

Segment = tuple[Fraction, Fraction, Fraction, Fraction, dict[str, Any]]  # x0, y0, x1, y1, keys of a scene file
OTHER_SIDE = {"left": "right", "right": "left"}


def swapped(keys: dict[str, Any]) -> dict[str, Any]:
    side = keys.get("blocks_from")
    return keys | {"blocks_from": OTHER_SIDE[side]} if side else keys


@dataclass(frozen=True)
class Situation:
    """A drawing and its walls, in squares counted from the first square of the drawing.

    ``undrawn`` has the square of each creature that is not drawn, because it shares it with another.
    """

    rows: tuple[str, ...]
    walls: tuple[Segment, ...]
    undrawn: tuple[tuple[str, int, int], ...] = ()

    def transposed(self) -> Situation:
        rows = tuple("".join(column) for column in zip(*self.rows, strict=True))
        walls = tuple((y0, x0, y1, x1, swapped(keys)) for x0, y0, x1, y1, keys in self.walls)
        return Situation(rows, walls, tuple((letter, y, x) for letter, x, y in self.undrawn))

    def mirrored(self) -> Situation:
        width = len(self.rows[0])
        rows = tuple(row[::-1] for row in self.rows)
        walls = tuple((width - x0, y0, width - x1, y1, swapped(keys)) for x0, y0, x1, y1, keys in self.walls)
        return Situation(rows, walls, tuple((letter, width - 1 - x, y) for letter, x, y in self.undrawn))

    def turned(self, symmetry: int) -> Situation:
        """One of the eight symmetries of the square; 0 changes nothing."""
        result = self.mirrored() if symmetry & 1 else self
        result = result.transposed() if symmetry & 2 else result
        return result.mirrored() if symmetry & 4 else result

    def padded(self, letter: str, left: int, top: int, right: int, bottom: int) -> Situation:
        width = left + len(self.rows[0]) + right
        rows = (letter * width,) * top
        rows += tuple(letter * left + row + letter * right for row in self.rows)
        rows += (letter * width,) * bottom
        walls = tuple((x0 + left, y0 + top, x1 + left, y1 + top, *rest) for x0, y0, x1, y1, *rest in self.walls)
        return Situation(rows, walls, tuple((letter, x + left, y + top) for letter, x, y in self.undrawn))

    def with_sides(self) -> Situation:
        """The four sides of each solid square as walls, and the squares open."""
        sides = [
            (Fraction(x + x0), Fraction(y + y0), Fraction(x + x1), Fraction(y + y1), {"kind": "wall"})
            for x, y in self.solid_squares()
            for x0, y0, x1, y1 in ((0, 0, 1, 0), (0, 1, 1, 1), (0, 0, 0, 1), (1, 0, 1, 1))
        ]
        return replace(self, rows=tuple(row.replace(SOLID, OPEN) for row in self.rows), walls=(*self.walls, *sides))

    def solid_squares(self) -> list[tuple[int, int]]:
        return [(x, y) for y, row in enumerate(self.rows) for x, letter in enumerate(row) if letter == SOLID]

    def spaces(self) -> dict[str, tuple[int, int, int, int]]:
        """``x, y, width, height`` of each creature."""
        squares: dict[str, list[tuple[int, int]]] = {}
        for y, row in enumerate(self.rows):
            for x, letter in enumerate(row):
                if letter.isupper():
                    squares.setdefault(letter, []).append((x, y))
        drawn = {
            letter: (*found[0], found[-1][0] - found[0][0] + 1, found[-1][1] - found[0][1] + 1)
            for letter, found in squares.items()
        }
        return drawn | {letter: (x, y, 1, 1) for letter, x, y in self.undrawn}

    def text(self) -> str:
        walls = [
            f"wall ({float(x0):g}, {float(y0):g})-({float(x1):g}, {float(y1):g}) {' '.join(map(str, keys.values()))}"
            for x0, y0, x1, y1, keys in self.walls
        ]
        return "\n".join([*self.rows, "", *walls])


@dataclass(frozen=True)
class Case:
    """One entry of a file; a key that no field stands for is an error."""

    edition: str
    id: str
    source: str
    note: str
    drawing: str
    expect: list[dict[str, Any]]
    walls: list[list[Any]] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    creatures: dict[str, dict[str, Any]] = field(default_factory=dict)
    on: dict[str, str] = field(default_factory=dict)
    legend: dict[str, dict[str, Any]] = field(default_factory=dict)
    undrawn: dict[str, list[int]] = field(default_factory=dict)
    attack: str = "ranged"
    origin: tuple[int, int] = (0, 0)
    margin: int = 2
    symmetries: bool = False

    def __str__(self) -> str:
        return f"{self.edition}-{self.id}"

    @property
    def situation(self) -> Situation:
        dx, dy = self.origin
        walls = []
        for x0, y0, x1, y1, *rest in self.walls:
            words = {key: word for key, word in zip(("kind", "state"), rest, strict=False) if isinstance(word, str)}
            keys = rest[0] if rest and isinstance(rest[0], dict) else words
            xs = [Fraction(str(x)) - dx for x in (x0, x1)]
            ys = [Fraction(str(y)) - dy for y in (y0, y1)]
            walls.append((xs[0], ys[0], xs[1], ys[1], {"kind": "wall"} | keys))
        undrawn = tuple((letter, x - dx, y - dy) for letter, (x, y) in self.undrawn.items())
        return Situation(tuple(self.drawing.split()), tuple(walls), undrawn).padded(OPEN, *[self.margin] * 4)


@cache
def cases(edition: str) -> tuple[Case, ...]:
    """The cases of an edition, in the order of its file."""
    entries = tomllib.loads((FOLDER / f"{edition}.toml").read_text(encoding="utf-8"))
    assert set(entries) == {"case"}
    return tuple(Case(edition, **entry) for entry in entries["case"])


ALL = [case for edition in EDITIONS for case in cases(edition)]
# Lines are the same in every edition that counts corners: those of two, of the one with centres, and of whoever counts lines
# along walls, are drawn otherwise, too.
REDRAWN = [case for case in ALL if case.edition in {"pathfinder1", "dnd5e", "pathfinder2"} or "edge_contact" in case.options]
WALLED = [case for case in REDRAWN if case.walls]
SOLIDS = [case for case in REDRAWN if SOLID in case.drawing]
SYMMETRIC = [case for case in ALL if case.symmetries]
TO_BE_FAR = {"CASES-10a", "CASES-10b", "CASES-14", "CASES-24", "CASES-62", "CASES-63-3-2", "CASES-81-down"}
FAR = [case for case in ALL if case.id in TO_BE_FAR]


def scene_of(
    situation: Situation,
    creatures: Mapping[str, Any],
    subdivisions: int | None = None,
    ground: Mapping[str, str] = MappingProxyType({}),
    legend: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> Scene:
    """The scene of a situation; ``ground`` is the letter of the ground under a creature, if it is not open."""
    walls = [
        Wall(start=(float(x0), float(y0)), end=(float(x1), float(y1)), **keys) for x0, y0, x1, y1, keys in situation.walls
    ]
    statements = [f"scene subdivisions={subdivisions}"] if subdivisions else []
    statements += [f"{letter} {letter} on={under}" for letter, under in ground.items()]
    statements += [f"- {letter} at=[{x},{y}]" for letter, x, y in situation.undrawn]
    text = "\n".join([*situation.rows, "", *statements])
    kinds = {letter: SquareKind(**kind) for letter, kind in legend.items()}
    return Scene.from_drawing(text, walls=walls, legend=kinds, creatures=creatures)


def check(case: Case, situation: Situation, subdivisions: int | None = None) -> None:
    """Fail, with the drawing and the lines, unless the package says of the situation what the case expects."""
    scene = scene_of(situation, case.creatures, subdivisions, case.on, case.legend)
    result = gridlos.evaluate(scene, edition=case.edition, attack=case.attack, options=case.options)
    failures = []
    for attacker, target, expected in expectations(case, scene.ids):
        verdict = result[attacker, target]
        i, j = result.attackers.index(attacker), result.targets.index(target)
        found = {key: answer(result, key, i, j) for key in expected}
        if any(found[key] != value for key, value in expected.items()):
            failures.append(f"{attacker} against {target}: expected {expected}, found {found}\n{verdict.explain()}")
    if failures:
        pytest.fail("\n".join([f"{case}: {case.note}", situation.text(), *failures]), pytrace=False)


def answer(result: gridlos.verdict.Evaluation, key: str, i: int, j: int) -> Any:
    """What the result says of a pair, in the words of the cases; nobody flanks where the question does not arise."""
    name = "blocked_lines" if key == "lines" else key
    if name == "flanked" and name not in result.columns:
        return False
    value = result.columns[name][i, j].item()
    return result.words[name][value] if name in result.words else value


def expectations(case: Case, ids: tuple[str, ...]):
    """Attacker, target and what is expected, for every pair that the case speaks of; ``*`` is every other creature."""
    for entry in case.expect:
        expected = {key: value for key, value in entry.items() if key not in {"attacker", "target"}}
        for target in ids if entry["target"] == "*" else [entry["target"]]:
            if target != entry["attacker"]:
                yield entry["attacker"], target, expected


@pytest.mark.parametrize("case", ALL, ids=str)
def test_situation(case: Case) -> None:
    check(case, case.situation)


def some_of(cases: Sequence[Case], ways: Sequence[Any]) -> list[tuple[Case, Any]]:
    """Each case with one of the ways to write it otherwise, in turn; with all of them in the thorough profile.

    A situation stands in the files of most editions, so it meets most of the ways all the same.
    """
    if os.environ.get("HYPOTHESIS_PROFILE") == "thorough":
        return [(case, way) for case in cases for way in ways]
    places = [EDITIONS.index(case.edition) + crc32(case.id.encode()) for case in cases]
    return [(case, ways[place % len(ways)]) for case, place in zip(cases, places, strict=True)]


@pytest.mark.parametrize(("case", "symmetry"), some_of(SYMMETRIC, range(1, 8)), ids=str)
def test_turned_and_mirrored(case: Case, symmetry: int) -> None:
    check(case, case.situation.turned(symmetry))


def reversed_walls(walls: tuple[Segment, ...]) -> list[Segment]:
    return [(x1, y1, x0, y0, swapped(keys)) for x0, y0, x1, y1, keys in walls]


def split_walls(walls: tuple[Segment, ...]) -> list[Segment]:
    """Each wall in two parts that meet at its middle, the second one drawn backwards."""
    parts = []
    for x0, y0, x1, y1, keys in walls:
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        parts += [(x0, y0, x, y, keys), (x1, y1, x, y, swapped(keys))]
    return parts


def doubled_walls(walls: tuple[Segment, ...]) -> list[Segment]:
    """Each wall twice, a part of it once more, and its ends as walls without length."""
    result = []
    for x0, y0, x1, y1, keys in walls:
        part = ((3 * x0 + x1) / 4, (3 * y0 + y1) / 4, (x0 + x1) / 2, (y0 + y1) / 2)
        copies = [(x0, y0, x1, y1), part, (x0, y0, x0, y0), (x1, y1, x1, y1)]
        result += [*((*copy, keys) for copy in copies), (x1, y1, x0, y0, swapped(keys))]
    return result


def shuffled_walls(walls: tuple[Segment, ...]) -> list[Segment]:
    return [*walls[1::2], *walls[0::2]][::-1]


REWRITTEN = (reversed_walls, split_walls, doubled_walls, shuffled_walls)


@pytest.mark.parametrize(("case", "rewritten"), some_of(WALLED, REWRITTEN), ids=lambda one: getattr(one, "__name__", str(one)))
def test_walls_written_otherwise(case: Case, rewritten) -> None:
    """CASES-49, 51 and 53: duplicates, overlaps, walls without length, order and direction mean nothing."""
    situation = case.situation
    check(case, replace(situation, walls=tuple(rewritten(situation.walls))))


@pytest.mark.parametrize("case", SOLIDS, ids=str)
def test_solid_squares_as_their_sides(case: Case) -> None:
    check(case, case.situation.with_sides())


@pytest.mark.parametrize("case", REDRAWN, ids=str)
def test_moved(case: Case) -> None:
    """CASES-56: the outside of a map is solid, so solid squares round it change nothing but the place."""
    check(case, case.situation.padded(SOLID, 23, 11, 3, 1))


@pytest.mark.parametrize("case", FAR, ids=str)
def test_moved_far(case: Case) -> None:
    """CASES-56: nearly as far as the lattice reaches, 2^23 units."""
    check(case, case.situation.padded(SOLID, 1600, 2, 1, 1), subdivisions=5040)


def test_door_swings_back_and_forth() -> None:
    """CASES-7: the answer depends on the door as it stands, not on what it was."""
    case = next(case for case in cases("pathfinder1") if case.id == "CASES-7-open")
    found = []
    for state in ("open", "closed", "open", "locked", "open"):
        walls = tuple(
            (*ends, {**keys, "state": state} if keys["kind"] == "door" else keys) for *ends, keys in case.situation.walls
        )
        scene = scene_of(replace(case.situation, walls=walls), {})
        result = gridlos.evaluate(scene, edition="pathfinder1", attack="ranged")
        found.append(result["A", "T"].cover)
    assert found == ["none", "total", "none", "total", "none"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_files_are_sound(edition: str) -> None:
    ids = [case.id for case in cases(edition)]
    assert len(ids) == len(set(ids))
    assert len(ids) >= (120 if edition == "pathfinder2" else 250)
    for case in cases(edition):
        assert case.source, case.id
        assert case.expect, case.id
        spaces = case.situation.spaces()
        for entry in case.expect:
            assert entry["attacker"] in spaces, case.id
            assert entry["target"] in {*spaces, "*"}, case.id
            assert entry.keys() & EXPECTATIONS, case.id
            assert entry.keys() <= EXPECTATIONS | {"attacker", "target"}, case.id
        for letter, (_, _, width, height) in spaces.items():
            assert letter in case.undrawn or "".join(case.situation.rows).count(letter) == width * height, case.id


# ---- the same cases by the oracle


def oracle_judges(case: Case, situation: Situation) -> Judged:
    rows = tuple("".join(case.on.get(letter, letter) for letter in row) for row in situation.rows)
    return Judged(
        edition=case.edition,
        attack=case.attack,
        options=case.options,
        ground=Ground(rows, case.legend, situation.walls),
        spaces=situation.spaces(),
        keys=case.creatures,
        fog=fog_of(situation.rows, case.on, case.legend),
    )


@pytest.mark.parametrize("case", ALL, ids=str)
def test_oracle_agrees(case: Case) -> None:
    situation = case.situation
    judged = oracle_judges(case, situation)
    for attacker, target, expected in expectations(case, tuple(situation.spaces())):
        pair = judged.pair(attacker, target)
        text = f"{case}: {attacker} against {target}\n{situation.text()}"
        assert {key: getattr(pair, key) for key in expected} == expected, text
