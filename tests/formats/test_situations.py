"""Published situations about files and about tokens, state and size of scenes, from the file to the answer.

Each test names its number in the collection of situations. Elsewhere: 88 and 96 in every edition in ``tests/cases``; 91
more widely in ``test_uvtt.py``; 95 (tokens off the grid) and 98 (scaled pictures) in ``test_foundry_tokens.py``.
"""

from __future__ import annotations

import json
import math
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from formats.foundry_files import read as read_foundry
from formats.foundry_files import token, v12

import gridlos
from gridlos.creature import Creature
from gridlos.facts import Channel
from gridlos.formats import load, scene_from_json, scene_from_uvtt, to_scene_json
from gridlos.kernels import line
from gridlos.questions.obstacles import blocked_lines, obstacles_of
from gridlos.scene import Scene
from gridlos.walls import Wall


def points(*pairs):
    return [{"x": x, "y": y} for x, y in pairs]


def uvtt(size, origin=(0, 0), pixels=70, **sections):
    resolution = {
        "map_origin": {"x": origin[0], "y": origin[1]}, "map_size": {"x": size[0], "y": size[1]}, "pixels_per_grid": pixels
    }  # fmt: skip
    return {"format": 0.3, "resolution": resolution, "line_of_sight": [], **sections}


def scene_of(data, creatures=None, **options):
    scene = scene_from_uvtt(json.dumps(data).encode(), **options)
    return scene.with_creatures(Creature(id=name, at=at) for name, at in (creatures or {}).items())


def answers(scene, edition="dnd5e"):
    return gridlos.evaluate(scene, edition=edition)


def effect(scene, attacker="A", target="T"):
    found = answers(scene)
    return bool(found.columns["line_of_effect"][found.attackers.index(attacker), found.targets.index(target)])


def sight(scene, attacker="A", target="T"):
    found = answers(scene)
    return bool(found.columns["line_of_sight"][found.attackers.index(attacker), found.targets.index(target)])


def same_columns(one, other):
    return all(np.array_equal(one.columns[name], other.columns[name]) for name in ("cover", "blocked_lines", "line_of_effect"))


@pytest.mark.parametrize("origin", [(2, 3), (-2, 3), (4, -6), (2.5, 3.25)])
def test_85_a_cropped_export_answers_as_the_whole_map_does(origin):
    x, y = origin
    whole = {
        "line_of_sight": [points((x, y), (x + 5, y)), points((x + 2, y + 1), (x + 2.25, y + 3))],
        "objects_line_of_sight": [points((x + 1, y + 1), (x + 2, y + 1), (x + 2, y + 2))],
        "portals": [{"position": {"x": x + 2.5, "y": y}, "bounds": points((x + 2, y), (x + 3, y)), "closed": True}],
        "lights": [{"position": {"x": x + 2.5, "y": y + 2.5}, "range": 4}],
    }  # fmt: skip
    creatures = {"A": (0, 1), "B": (1, 2), "T": (3, 1), "U": (4, 3)}
    cropped = scene_of(uvtt((5, 5), origin, **whole), creatures)
    moved = json.loads(json.dumps(whole), object_hook=lambda held: shifted(held, 4 - x, 4 - y))
    larger = scene_of(uvtt((15, 15), **moved), {name: (a + 4, b + 4) for name, (a, b) in creatures.items()})
    ends = [(*wall.start, *wall.end) for wall in cropped.battle_map.walls]
    assert ends == [(0, 0, 5, 0), (2, 1, 2.25, 3), (1, 1, 2, 1), (2, 1, 2, 2), (2, 0, 3, 0)]
    assert cropped.lights[0].at == (2.5, 2.5)
    assert same_columns(answers(cropped), answers(larger))
    assert len(set(answers(cropped).columns["blocked_lines"].ravel().tolist())) > 2


def shifted(held, dx, dy):
    return {"x": held["x"] + dx, "y": held["y"] + dy} if held.keys() == {"x", "y"} else held


@pytest.mark.parametrize(
    ("closed", "windows", "has_effect", "has_sight"),
    [(True, "none", False, False), (False, "none", True, True), (False, "open", False, True), (True, "short", False, False)],
)
def test_86_portals_that_are_closed_and_that_are_not(closed, windows, has_effect, has_sight):
    data = uvtt(
        (8, 6), line_of_sight=[points((4, 0), (4, 2)), points((4, 3), (4, 6))],
        portals=[{"bounds": points((4, 2), (4, 3)), "closed": closed}],
    )  # fmt: skip
    scene = scene_of(data, {"A": (1, 2), "T": (6, 2)}, windows=windows)
    assert (effect(scene), sight(scene)) == (has_effect, has_sight)
    cover = answers(scene)["A", "T"].cover
    assert (cover == "total") is not has_effect


@pytest.mark.parametrize("rotation", [0, 1.5708, 3.1416])
def test_87_a_door_is_where_its_ends_are(rotation):
    portal = {"position": {"x": 3.5, "y": 2}, "rotation": rotation, "bounds": points((3, 2), (4, 2)), "closed": True}
    data = uvtt((8, 4), line_of_sight=[points((0, 2), (3, 2)), points((4, 2), (8, 2))], portals=[portal])
    creatures = {f"{row}{x}": (x, row) for row in (0, 1, 2, 3) for x in range(8)}
    found = answers(scene_of(data, creatures)).columns["line_of_effect"]
    above = np.array([name[0] in "01" for name in creatures])
    assert not found[np.ix_(above, ~above)].any()
    assert found[np.ix_(above, above)].all()


def test_88_outlines_of_objects_are_walls_or_seen_into():
    ring = points((3, 1), (4, 1), (4, 2), (3, 2), (3, 1))
    creatures = {"A": (1, 1), "T": (6, 1), "U": (3, 1)}
    hard, see_into = (scene_of(uvtt((8, 4), objects_line_of_sight=[ring]), creatures, objects=word) for word in ("hard", "see-into"))
    assert (effect(hard), sight(hard), sight(hard, "A", "U")) == (False, False, False)
    assert (sight(see_into), sight(see_into, "A", "U"), effect(see_into, "A", "U")) == (False, True, True)


def test_89_rounded_coordinates_open_no_gaps():
    data = uvtt(
        (8, 5), line_of_sight=[points((0, 2), (3.449999, 2)), points((4.450001, 2), (8, 2))],
        portals=[{"bounds": points((3.45, 2), (4.45, 2)), "closed": True}],
    )  # fmt: skip
    creatures = {f"{row}{x}": (x, row) for row in (0, 1, 2, 3) for x in range(8)}
    scene = scene_of(data, creatures)
    above = np.array([name[0] in "01" for name in creatures])
    for one in (scene, scene_from_json(to_scene_json(scene))):
        assert not answers(one).columns["line_of_effect"][np.ix_(above, ~above)].any()


def test_90_caves_keep_all_their_points():
    angles = [2 * math.pi * k / 61 for k in range(62)]
    arc = [(round(5 + 3 * math.cos(angle), 6), round(5 + 3 * math.sin(angle), 6)) for angle in angles]
    short = [(round(0.5 + 0.016 * k, 6), round(9 + 0.012 * k, 6)) for k in range(60)]  # steps of 0.02 squares
    scene = scene_of(uvtt((10, 10), line_of_sight=[points(*arc), points(*short)]), {"A": (5, 2), "B": (3, 4), "T": (5, 1), "U": (0, 0)})
    walls = scene.battle_map.walls
    assert len(walls) == 61 + 59
    for wall, (start, end) in zip(walls, [*pairwise(arc), *pairwise(short)], strict=True):
        assert math.dist(wall.start, start) < 0.03
        assert math.dist(wall.end, end) < 0.03
    assert min(number for wall in walls for number in (*wall.start, *wall.end)) > 0.49
    found = answers(scene).columns["line_of_effect"]
    assert not found[:2, 2:].any()
    assert found[0, 1]


def test_91_malformed_polylines_are_left_out_and_named():
    rows = [[], points((1, 1)), points((2, 2), (2, 2)), points((1, 1), (None, 2)), points(("3.5", 1), (4, 1)), [[1, 2, 3], [4, 5, 6]]]
    content = json.dumps(uvtt((8, 6), line_of_sight=[*rows, points((float("nan"), 1), (2, 1)), points((4, 0), (4, 6))]))
    scene = scene_from_uvtt(content.encode())
    assert [(*wall.start, *wall.end) for wall in scene.battle_map.walls] == [(4, 0, 4, 6)]
    told = " ".join(scene.load_warnings)
    assert all(f"line_of_sight[{i}]" in told for i in (0, 1, 2, 3, 4, 5))
    assert "left out (5): line_of_sight[3][1], line_of_sight[4][0], line_of_sight[5][0] and 2 more" in told


def test_92_walls_beyond_the_picture_are_kept_and_told():
    walls = [points((-2, 5), (58, 5)), points((0, 0), (24, 0), (24, 33), (0, 33), (0, 0))]
    scene = scene_of(uvtt((24, 33), line_of_sight=walls), {"A": (0, 4), "B": (23, 4), "T": (0, 5), "U": (23, 5)})
    assert scene.load_warnings == ("1 of 5 walls reach beyond the map of 24 by 33 squares; kept",)
    found = answers(scene).columns["line_of_effect"]
    assert not found[:2, 2:].any()
    assert found[0, 1]
    assert found[2, 3]


@pytest.mark.parametrize("pixels", [4096 / 59, 256, 70])
def test_93_a_grid_of_pixels_does_not_drift(pixels):
    data = uvtt((59, 59), pixels=pixels, line_of_sight=[points((58, 0), (58, 59))])
    scene = scene_of(data, {"A": (56, 30), "B": (57, 30), "T": (58, 30)})
    assert (effect(scene, "A", "B"), effect(scene, "A", "T"), effect(scene, "B", "T")) == (True, False, False)


@pytest.mark.parametrize("size", [55, 69, 123, 248])
def test_93_nor_does_one_of_foundry_vtt(size):
    data = v12(59 * size, 3 * size, tokens=[token(x * size, size, name=name) for name, x in (("A", 56), ("B", 57), ("T", 58))])
    data["grid"]["size"] = size
    data["walls"] = [{"c": [58 * size, 0, 58 * size, 3 * size]}]
    scene = read_foundry(data)
    assert [space[0] for space in scene.spaces.tolist()] == [56, 57, 58]
    assert (effect(scene, "A", "B"), effect(scene, "A", "T"), effect(scene, "B", "T")) == (True, False, False)


def test_94_the_range_of_a_light_is_in_squares_whatever_was_loaded_before(tmp_path):
    lights = [{"position": {"x": 2, "y": 2}, "range": 4}]
    for name, pixels in (("one", 70), ("other", 256)):
        (tmp_path / f"{name}.dd2vtt").write_text(json.dumps(uvtt((8, 8), pixels=pixels, lights=lights)), encoding="utf-8")
    one, other = tmp_path / "one.dd2vtt", tmp_path / "other.dd2vtt"
    for feet, radius in ((5, 20), (1, 4), (2, 8), (5, 20)):
        found = [load(path, feet_per_square=feet).lights for path in (one, other, one)]
        assert [[light.bright for light in lights] for lights in found] == [[radius]] * 3


def test_97_an_answer_depends_on_nothing_but_the_scene():
    walls = [Wall(start=(3.5, 0.5), end=(4.5, 2.5)), Wall(start=(6, 0), end=(6, 1))]
    scene = Scene.from_drawing(".........\nA.B.C.D..\n.........", walls=walls)
    first = answers(scene)
    asked = [("D", "A"), ("D", "B"), ("D", "A"), ("A", "D"), ("D", "B"), ("C", "B")]
    for attacker, target in asked:
        alone = gridlos.evaluate(scene, edition="dnd5e", attackers=[attacker], targets=[target])
        assert alone[attacker, target].explain() == first[attacker, target].explain()
    away = scene.with_creatures(
        Creature(id="B", at=(7, 2)) if creature.id == "B" else creature for creature in scene.creatures
    )
    assert not same_columns(answers(away), first)
    back = away.with_creatures(scene.creatures)
    assert same_columns(answers(back), first)
    assert back == scene


# ---- many walls


def circle(x, y, radius, n=20):
    turn = 2 * math.pi / n
    return [(x + radius * math.cos(turn * k), y + radius * math.sin(turn * k)) for k in [*range(n), 0]]


def circles(rng, n=90):
    return [circle(rng.uniform(1, 59), rng.uniform(1, 59), rng.uniform(0.3, 1.5)) for _ in range(n)]


def cave(rng, n=5000):
    """A long crooked line of short walls through the map."""
    x, y, heading, found = 5.0, 30.0, 0.0, []
    for _ in range(n + 1):
        found.append((x, y))
        heading += rng.gauss(0, 0.2) + 0.002 * (math.atan2(30 - y, 30 - x) - heading)
        x, y = min(max(x + 0.15 * math.cos(heading), 0.1), 59.9), min(max(y + 0.15 * math.sin(heading), 0.1), 59.9)
    return [found]


def crossings(p, q, walls):
    """Whether some wall properly crosses a segment, and whether some wall meets it at all; all in whole numbers."""
    (px, py), (qx, qy) = p, q
    x0, y0, x1, y1 = walls.T
    sides = [np.sign((qx - px) * (y - py) - (qy - py) * (x - px)) for x, y in ((x0, y0), (x1, y1))]
    ends = [np.sign((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) for x, y in (p, q)]
    by_wall, by_segment = sides[0] * sides[1], ends[0] * ends[1]
    return bool(np.any((by_wall < 0) & (by_segment < 0))), bool(np.any((by_wall <= 0) & (by_segment <= 0)))


@pytest.mark.parametrize(("draw", "n_walls"), [(circles, 1800), (cave, 5000)])
def test_99_the_index_finds_what_asking_every_wall_finds(draw, n_walls):
    """A line that a wall properly crosses, or its leg at a corner, is blocked, and one that no wall meets is free."""
    rng = Random(99)
    scene = scene_of(uvtt((60, 60), line_of_sight=[points(*line) for line in draw(rng)]), weld=0)
    battle_map = scene.battle_map
    assert len(battle_map.walls) >= n_walls - 60  # some are shorter than what is told apart
    size = battle_map.subdivisions
    walls = 2 * battle_map.segments.astype(np.int64)
    pairs = np.array([[rng.randrange(3600) for _ in "ab"] for _ in range(100)])
    near = [[a, min(a + rng.choice([1, 2, 60, 62, 121, 180]), 3599)] for a in pairs[:, 0].tolist()]
    pairs = np.concatenate((pairs, near)).astype(np.int64)
    obstacles = obstacles_of(battle_map, Channel.EFFECT)
    found = line.blocked_lines(*obstacles.lines, pairs, size)
    assert np.array_equal(found, blocked_lines(obstacles, pairs))
    n_free, n_blocked = 0, 0
    for (a, b), mask in zip(pairs.tolist(), found.tolist(), strict=True):
        corners, centres = [], []
        for x, y in ((a % 60, a // 60), (b % 60, b // 60)):
            corners.append([(2 * size * (x + (c & 1)), 2 * size * (y + (c >> 1))) for c in range(4)])
            centres.append((2 * size * x + size, 2 * size * y + size))
        for i, j in product(range(4), range(4)):
            legs = ((centres[0], corners[0][i]), (corners[0][i], corners[1][j]), (corners[1][j], centres[1]))
            is_blocked, met = bool(mask >> (4 * i + j) & 1), [crossings(*leg, walls) for leg in legs]
            if any(is_crossed for is_crossed, _ in met):
                n_blocked += 1
                assert is_blocked, (a, b, i, j)
            elif not any(is_met for _, is_met in met):
                n_free += 1
                assert not is_blocked, (a, b, i, j)
    assert min(n_free, n_blocked) > 100
    assert n_free + n_blocked > 3100  # of 3,200; the others are touched


def test_99_many_creatures_among_many_walls_are_answered():
    rng = Random(9)
    rings = circles(rng)
    creatures: dict[str, tuple[int, int]] = {}
    while len(creatures) < 40:
        creatures[f"c{len(creatures)}"] = (rng.randrange(58), rng.randrange(58))
    scene = scene_of(uvtt((60, 60), line_of_sight=[points(*ring) for ring in rings]))
    scene = scene.with_creatures(
        Creature(id=name, at=at, size="large" if k < 10 else "medium") for k, (name, at) in enumerate(creatures.items())
    )
    found = answers(scene).columns["line_of_effect"]
    assert found.shape == (40, 40)
    assert np.array_equal(found, found.T)
    assert 40 < found.sum() < 1600  # everybody reaches himself


def test_100_walls_far_away_take_no_bush_off_the_list():
    rng = Random(100)
    bush = [Wall(start=one, end=other, kind="terrain", effect="limited") for one, other in pairwise(circle(10.3, 10.4, 1.2))]
    far = [
        Wall(start=one, end=other, kind="terrain", effect="limited")
        for _ in range(89)
        for one, other in pairwise(circle(rng.uniform(25, 58), rng.uniform(25, 58), rng.uniform(0.3, 1.5)))
    ]
    creatures = (Creature(id="A", at=(5, 10)), Creature(id="T", at=(15, 10)), Creature(id="U", at=(10, 10)))

    def found(walls):
        rows = "\n".join(["." * 60] * 60)
        return answers(Scene.from_drawing(rows, walls=walls).with_creatures(creatures))

    alone, among = found(bush), found([*far[:900], *bush, *far[900:]])
    assert len(far) == 1780
    assert same_columns(alone, among)
    assert alone["A", "T"].cover != "none"
    assert found([])["A", "T"].cover != alone["A", "T"].cover
