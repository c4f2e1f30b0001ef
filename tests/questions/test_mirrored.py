"""Mirrored scenes have the same answers, also where more than cover is told from the corner that was taken for cover."""

from __future__ import annotations

from functools import partial
from itertools import combinations, product

import boards
import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SUBDIVISIONS

import gridlos
from gridlos.battlemap import BattleMap
from gridlos.errors import SceneError
from gridlos.rules import edition_ids, load_edition
from gridlos.scene import Scene

few = settings(max_examples=max(5, settings().max_examples // 2))

SAME = "same_corner_for_cover_and_concealment", "same"
TELLING = (SAME, ("partial", "area"), ("degree_from", "area"))
"""What makes answers beside cover follow from the corner that was taken for cover."""
MORE = (
    ("large_target_ranged", "all_squares"),
    ("large_attacker_ranged", "outer_corners"),
    ("adjacent_melee_mode", "all_corners"),
    ("concealment_border", "border"),
    ("fog_opaque_both_ways", "yes"),
    ("cut_corners", "count"),
)
"""What gives attackers more corners or squares, or fewer, and what changes how much conceals."""
MIRRORS = ("left and right", "top and bottom", "x and y")
WIDTHS = {"large": 2, "huge": 3}
LETTERS = ("......##fff", "........#ffwc", ".....fffwcbs", "......##wwccshHdBogvtqfb")


def telling_options():
    """Every edition, with those of its options that make answers follow from the corner, and up to two others."""
    found = []
    for name in edition_ids():
        known = load_edition(name).table.options
        telling, more = ([(key, value) for key, value in some if key in known] for some in (TELLING, MORE))
        firsts = ((), *combinations(telling, 1), *combinations(telling, 2))
        others = ((), *combinations(more, 1), *combinations(more, 2))
        found += [(name, dict(first + other)) for first in firsts for other in others]
    return found


ASKED = telling_options()


def build_scene(below, conditions):
    """A small scene with fog, low walls and walls anywhere, in which many corners have the same cover."""
    rows, cols, letters = 3 + below(4), 4 + below(5), LETTERS[below(4)]
    lines = ["".join(letters[below(len(letters))] for _ in range(cols)) for _ in range(rows)]
    s, walls = SUBDIVISIONS[below(len(SUBDIVISIONS))], []
    walls = [boards.build_wall(below, k, rows, cols, s, walls, special=True) for k in range(below(3) * below(3))]
    legend = {letter: boards.SquareKind(**keys) for letter, keys in boards.OWN.items()}
    scene = Scene(BattleMap.from_rows(lines, legend=legend, walls=walls, subdivisions=s))
    places = list(product(range(cols), range(rows)))
    for k in range(3 + below(5)):
        one = boards.build_creature(below, f"c{k}", conditions, scene.ids, places, special=below(3) == 0)
        try:
            scene = scene.with_creatures((*scene.creatures, one))
        except SceneError:
            continue
    return scene


def at_mirrored(scene, mirror, at, width=0):
    """Where a place is in the mirror, or the first square of a space there."""
    (x, y), cols, rows = at, scene.battle_map.cols, scene.battle_map.rows
    return {MIRRORS[0]: (cols - width - x, y), MIRRORS[1]: (x, rows - width - y), MIRRORS[2]: (y, x)}[mirror]


def mirrored(scene, mirror):
    """The scene as a mirror shows it: what was on the left of a wall is on the left of it still, for its ends are exchanged."""
    place = partial(at_mirrored, scene, mirror)
    record = scene.to_record()
    lines = {
        MIRRORS[0]: [line[::-1] for line in record.squares],
        MIRRORS[1]: list(record.squares)[::-1],
        MIRRORS[2]: ["".join(column) for column in zip(*record.squares, strict=True)],
    }[mirror]
    walls = [msgspec.structs.replace(one, start=place(one.end), end=place(one.start)) for one in record.walls]
    creatures = [msgspec.structs.replace(one, at=place(one.at, WIDTHS.get(one.size, 1))) for one in record.creatures]
    return Scene.from_record(
        msgspec.structs.replace(
            record,
            squares=tuple(lines),
            walls=tuple(walls),
            creatures=tuple(creatures),
            subdivisions=scene.battle_map.subdivisions,
        )
    )


def check_mirrored(scene, mirror, question):
    """Return the pairs whose answers were compared."""
    expected = gridlos.evaluate(scene, **question)
    if "origin" in question:
        question = question | {"origin": at_mirrored(scene, mirror, question["origin"])}
    found = gridlos.evaluate(mirrored(scene, mirror), **question)
    assert (found.attackers, found.targets) == (expected.attackers, expected.targets)
    assert list(found.columns) == list(expected.columns)
    distinct = expected.distinct
    for name, column in expected.columns.items():
        assert np.array_equal(found.columns[name][distinct], column[distinct]), (name, question)
    return int(distinct.sum())


def run(below):
    """Ask about a random scene and about its mirrored self; return the number of pairs compared."""
    edition, options = ASKED[below(len(ASKED))]
    scene = build_scene(below, sorted(load_edition(edition).table.conditions))
    question = {"edition": edition, "options": options, "attack": ("ranged", "ranged", "melee", "area")[below(4)]}
    if not scene.ids:
        return 0
    if question["attack"] == "area":
        x, y = scene.creatures[below(len(scene.ids))].at
        question["origin"] = int(x) + below(2), int(y) + below(2)
    return check_mirrored(scene, MIRRORS[below(3)], question)


FOG = """
A....
.....
.f...
...T.
.....
"""


@pytest.mark.parametrize("name", [name for name, options in ASKED if options == dict([SAME])])
def test_of_corners_with_the_same_cover_one_without_fog_is_taken(name):
    """Fog is on lines from the first corner in reading order, and on none from the corner to the right of it."""
    scene = Scene.from_drawing(FOG)
    question = {"edition": name, "options": dict([SAME, ("concealment_border", "interior")])}
    verdict = gridlos.evaluate(scene, **question)["A", "T"]
    assert (verdict.cover, verdict.concealment, verdict.miss_chance) == ("none", "none", 0)
    assert (verdict.proof.corner, verdict.proof.concealed_by) == ((1, 0), ())
    for mirror in MIRRORS:
        check_mirrored(scene, mirror, question)


@few
@given(st.data())
def test_a_mirrored_scene_has_the_same_answers(counts, data):
    counts["pairs of mirrored scenes"] += run(lambda bound: data.draw(st.integers(0, bound - 1)))


@pytest.mark.parametrize("seed", range(60))
def test_seeded_mirrored_scenes(seed):
    rng = np.random.default_rng(seed)
    run(lambda bound: int(rng.integers(bound)))
