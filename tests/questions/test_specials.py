"""Whole scenes with special walls: the facts against the oracle, which reads the scene for itself, and what must hold of all of them.

``HYPOTHESIS_PROFILE=thorough`` compares several thousand lines.
"""

from __future__ import annotations

import random
from dataclasses import fields, replace
from itertools import product

import numpy as np
import oracle_heights as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels.support import PROFILE
from oracle import squares_of
from oracle_heights import Body
from pair_facts import pair_facts
from special_scenes import BUILT_IN, OWN, SPACES, drawn, floor_at, parts_of, read, seeded, special_scenes

import gridlos
from gridlos.creature import Creature
from gridlos.facts import Channel, PairFacts
from gridlos.questions.creatures import bodies_of
from gridlos.questions.facts import Measures
from gridlos.questions.obstacles import obstacles_of
from gridlos.questions.specials import floors_under, specials_of
from gridlos.walls import SquareKind, Wall

CHUNKS = 6
SCENES = {"reduced": 6, "default": 36, "thorough": 900}[PROFILE]
few = settings(max_examples=max(3, settings().max_examples // 5))
TERMS = [
    (Measures(), None, 1),
    (Measures(least_hidden=3, diagonals="1"), None, 3),
    (Measures(low_obstacles=True), (5, "5-10-5"), 1),
    (Measures(low_obstacles=True, diagonals="1"), (5, "1"), 1),
]


def facts_of(scene, measures=None):
    everybody = np.arange(len(scene.creatures))
    battle_map = scene.battle_map
    walls = obstacles_of(battle_map, Channel.EFFECT), specials_of(scene)
    floors = floors_under(battle_map, scene.spaces)
    bodies = bodies_of(scene.creatures, battle_map.feet_per_square, floors)
    return pair_facts(scene, walls, bodies, everybody, everybody, measures or Measures())


def choices_of(facts, a, t):
    """The numbers of the choices of a pair, with their squares."""
    n = facts.shape[1]
    for k in range(facts.choice_start[n * a + t], facts.choice_start[n * a + t + 1]):
        yield k, tuple(facts.attacker_square[k].tolist()), tuple(facts.target_square[k].tolist())


def lines(square_a, square_t):
    return [(square_a, ca, square_t, cb) for ca, cb in product(range(4), repeat=2)]


def by_the_oracle(found, a, t, squares, low, least):
    """What should stand in the facts of one choice: hidden codes, tags by word, usable and counted corners, tolls."""
    body_a, body_t = found.bodies[a], found.bodies[t]
    ask = [(body_a, p, ca, body_t, q, cb) for p, ca, q, cb in lines(*squares)]
    codes = [oracle.code(oracle.hidden(found.effect, *one, low)) for one in ask]
    tags = {}
    for word in found.words:
        bits = [oracle.tagged(found.tags, *one, word, least, low) for one in ask]
        tags[word] = [sum(bits[4 * i + j] << j for j in range(4)) for i in range(4)]
    usable, counted = (
        oracle.usable_corners(found.effect, body_a, body_t, square, is_outward=is_outward, least=least, low=low)
        for square, is_outward in zip(squares, (True, False), strict=True)
    )
    tolls = [oracle.toll(found.effect, *one) for one in ask]
    codes = [code if code >= least else 0 for code in codes]
    return [codes[4 * i : 4 * i + 4] for i in range(4)], tags, usable, counted, tolls


def in_the_facts(facts, k):
    if facts.hidden is None:
        hidden = [[7 * (nibble >> j & 1) for j in range(4)] for nibble in facts.hard[k].tolist()]
    else:
        hidden = facts.hidden[k].tolist()
    tagged = {word: nibbles[k].tolist() for word, nibbles in facts.tagged or ()}
    return hidden, tagged, int(facts.usable[k]), int(facts.counted[k])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_lines_as_the_oracle(chunk, counts):
    """Of every scene some choices, and for pairs of few squares whether any line is free."""
    n = in_part = tags = 0
    for seed in range(chunk, SCENES, CHUNKS):
        found, rng = seeded(seed), random.Random(seed)
        measures, low, least = TERMS[rng.randrange(len(TERMS))]
        facts = facts_of(found.scene, measures)
        pairs = [(a, t) for a, t in product(range(len(found.bodies)), repeat=2) if a != t]
        for a, t in rng.sample(pairs, min(2, len(pairs))):
            choices = list(choices_of(facts, a, t))
            assert [squares for _, *squares in choices] == [
                list(both) for both in product(squares_of(found.bodies[a].space), squares_of(found.bodies[t].space))
            ]
            free = []
            for k, *squares in rng.sample(choices, min(2, len(choices))):
                *right, tolls = by_the_oracle(found, a, t, squares, low, least)
                hidden, tagged, *ends = in_the_facts(facts, k)
                if all(min(row) == 7 for row in right[0]) and not any(map(any, right[1].values())):
                    ends = right[2:]  # where nothing passes, nobody asks from which corner
                known = {word: [0] * 4 for word in right[1]} | tagged
                assert [hidden, known, *ends] == [right[0], dict.fromkeys(tagged, [0] * 4) | right[1], *right[2:]], (
                    seed, a, t, squares, parts_of(found), measures,
                )  # fmt: skip
                full = [sum((code == 7) << j for j, code in enumerate(row)) for row in right[0]]
                assert facts.hard[k].tolist() == full
                free.append(min(tolls) < 2)
                n += 16
                in_part += sum(0 < code < 7 for row in right[0] for code in row)
                tags += sum(nibble.bit_count() for row in right[1].values() for nibble in row)
            if len(free) == len(choices) or any(free):
                assert facts.any_free[a, t] == any(free), (seed, a, t, parts_of(found))
    counts.add(lines_of_scenes_with_special_walls=n, of_those_hidden_in_part=in_part, of_those_with_a_word=tags)
    assert PROFILE == "reduced" or in_part > 0


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_line_of_effect_and_sight_against_witnesses(chunk, counts):
    """Where there is none, the oracle finds no free segment, and where it finds one, there is one."""
    no = yes = witnesses = 0
    for seed in range(chunk, SCENES // 2, CHUNKS):
        found, rng = seeded(5000 + seed), random.Random(seed)
        facts = facts_of(found.scene)
        for heights, answers in zip(found.channels, (facts.line_of_effect, facts.line_of_sight), strict=True):
            for a, t in product(range(len(found.bodies)), repeat=2):
                body_a, body_t = found.bodies[a], found.bodies[t]
                if a == t or set(squares_of(body_a.space)) & set(squares_of(body_t.space)):
                    continue
                no += not answers[a, t]
                yes += bool(answers[a, t])
                if rng.random() < (0.1 if answers[a, t] else 0.5):
                    segment = oracle.find_segment(heights, body_a, body_t, 4 if answers[a, t] else 12, rng)
                    assert answers[a, t] or segment is None, (seed, a, t, segment, parts_of(found))
                    witnesses += segment is not None
    counts.add(lines_of_effect_and_sight_in_scenes=no + yes, of_those_denied=no, of_those_witnessed=witnesses)
    assert PROFILE == "reduced" or yes > 0


# ---- promises


def same(one, other):
    """Whether two facts are the same, field by field."""
    for field in fields(PairFacts):
        first, second = getattr(one, field.name), getattr(other, field.name)
        if field.name == "tagged":
            first, second = (dict(each or ()) for each in (first, second))
            if first.keys() != second.keys() or any(not np.array_equal(first[word], second[word]) for word in first):
                return False
        elif not np.array_equal(first, second):
            return False
    return True


@given(special_scenes(one_way=False))
def test_effect_and_sight_are_mutual(found):
    facts = facts_of(found.scene)
    assert np.array_equal(facts.line_of_effect, facts.line_of_effect.T)
    assert np.array_equal(facts.line_of_sight, facts.line_of_sight.T)


def again(found, walls, *, finer=1, **changes):
    """The scene with other walls, on a finer lattice."""
    rows, _, s, creatures = parts_of(found)
    return drawn(changes.get("rows", rows), walls, finer * s, changes.get("creatures", creatures))


def with_bands_told(found):
    """The walls, those on a floor with the bands that they have there, so that pieces of them have the same."""
    rows, walls, s, _ = parts_of(found)
    kinds = BUILT_IN | OWN
    floors = {(x, y): kinds[letter].get("elevation", 0) for y, row in enumerate(rows) for x, letter in enumerate(row)}
    told = []
    for (x0, y0, x1, y1), own in walls:
        band, keys = {"low wall": (0, 3), "obstacle": (0, 4)}.get(own["kind"]), own
        if band:
            floor = floor_at(floors, (x0 + x1) / (2 * s), (y0 + y1) / (2 * s))
            bottom, top = keys.get("bottom", floor + band[0]), keys.get("top", floor + band[1])
            if bottom >= top:
                continue
            keys = keys | {"bottom": bottom, "top": top}
        told.append(((x0, y0, x1, y1), keys))
    return told


def turned(wall):
    """A wall drawn from its other end."""
    (x0, y0, x1, y1), keys = wall
    side = {"left": "right", "right": "left"}.get(keys.get("blocks_from"))
    return (x1, y1, x0, y0), keys | ({"blocks_from": side} if side else {})


@few
@given(special_scenes(), st.randoms(use_true_random=False))
def test_splitting_reversing_duplicating(found, rng):
    """Walls in pieces that join or overlap, from their other ends, twice, in another order, and without length."""
    walls = [(tuple(12 * v for v in ends), keys) for ends, keys in with_bands_told(found)]
    pieces = []
    for (x0, y0, x1, y1), keys in walls:
        first, last = sorted((rng.randrange(13), rng.randrange(13)))
        for low, high in ((0, last), (first, 12), (first, first), (0, 12))[: rng.choice((2, 3, 4))]:
            ends = tuple(v + k * (w - v) // 12 for k in (low, high) for v, w in ((x0, x1), (y0, y1)))
            pieces.append((ends, keys))
    pieces = [turned(piece) if rng.random() < 0.5 else piece for piece in pieces]
    rng.shuffle(pieces)
    measures = TERMS[rng.randrange(len(TERMS))][0]
    one, other = (facts_of(again(found, each, finer=12).scene, measures) for each in (walls, pieces))
    assert same(one, other)


@few
@given(special_scenes(), st.sampled_from([(1, 0), (0, 2), (3, 1)]))
def test_translation(found, by):
    """A border of solid squares is what the outside of the map is."""
    dx, dy = by
    rows, walls, s, creatures = parts_of(found)
    if any(min(ends) < 0 or max(ends[::2]) > s * len(rows[0]) or max(ends[1::2]) > s * len(rows) for ends, _ in walls):
        walls = []  # what sticks out would be met beyond the border
    far = ["#" * (dx + len(rows[0]))] * dy + ["#" * dx + row for row in rows]
    moved = [((x0 + s * dx, y0 + s * dy, x1 + s * dx, y1 + s * dy), keys) for (x0, y0, x1, y1), keys in walls]
    there = [one | {"at": (one["at"][0] + dx, one["at"][1] + dy)} for one in creatures]
    one, other = facts_of(again(found, walls).scene), facts_of(drawn(far, moved, s, there).scene)
    squares = np.array(by, np.int32)
    distinct = np.repeat(one.distinct.ravel(), np.diff(one.choice_start))[:, None]
    for name in ("attacker_square", "target_square"):
        back = np.where(distinct, getattr(other, name) - squares, getattr(one, name))
        other = replace(other, **{name: back})
    assert same(one, other)


def view(found, number):
    """The scene as one of the eight symmetries of the square shows it."""
    rows, walls, s, creatures = parts_of(found)
    for step in (number & 1, 2 * (number >> 1 & 1), number >> 2 & 1):
        cols, n_rows = len(rows[0]), len(rows)
        if step == 0:
            continue
        # Both steps turn left into right.
        walls = [(ends, turned(((0, 0, 0, 0), keys))[1]) for ends, keys in walls]
        if step == 1:
            rows = [row[::-1] for row in rows]
            walls = [((s * cols - x0, y0, s * cols - x1, y1), keys) for (x0, y0, x1, y1), keys in walls]
            creatures = [one | {"at": (cols - one["at"][0] - SPACES[one["size"]], one["at"][1])} for one in creatures]
        else:
            rows = ["".join(rows[y][x] for y in range(n_rows)) for x in range(cols)]
            walls = [((y0, x0, y1, x1), keys) for (x0, y0, x1, y1), keys in walls]
            creatures = [one | {"at": one["at"][::-1]} for one in creatures]
    return drawn(rows, walls, s, creatures)


def census(facts, measures):
    """What of the facts does not depend on how the map lies: for each pair, the sorted codes, tags and corners of its choices."""
    found = {}
    for a, t in product(range(facts.shape[0]), repeat=2):
        if a == t:
            continue
        choices = []
        for k, *_ in choices_of(facts, a, t):
            hidden, tagged, usable, counted = in_the_facts(facts, k)
            nibbles = {word: sum(n.bit_count() for n in rows) for word, rows in tagged.items()}
            codes = sorted(code for row in hidden for code in row)
            choices.append((codes, sorted(nibbles.items()), usable.bit_count(), counted.bit_count()))
        pair = facts.line_of_effect[a, t], facts.line_of_sight[a, t], facts.any_free[a, t], facts.distance[a, t]
        found[a, t] = [value.item() for value in pair], sorted(choices), measures.least_hidden
    return found


@few
@given(special_scenes(), st.integers(1, 7), st.sampled_from(TERMS))
def test_8_symmetries(found, number, terms):
    measures = terms[0]
    one, other = (facts_of(each.scene, measures) for each in (found, view(found, number)))
    assert census(one, measures) == census(other, measures)


@few
@given(special_scenes(), st.sampled_from([0.5, 1, 3]))
def test_a_higher_top_never_helps(found, feet):
    """Where low obstacles hide as others do: more is hidden, on every line, and no line of effect appears."""
    rows, _, s, creatures = parts_of(found)
    walls = with_bands_told(found)
    through_centres = [
        ends for ends, _ in walls if any(is_on(ends, (x, y), s) for y, x in product(range(len(rows)), range(len(rows[0]))))
    ]
    walls = [wall for wall in walls if wall[0] not in through_centres]
    higher = [(ends, keys | ({"top": keys["top"] + feet} if "top" in keys else {})) for ends, keys in walls]
    before, after = (facts_of(drawn(rows, each, s, creatures).scene) for each in (walls, higher))
    for name in ("line_of_effect", "line_of_sight", "any_free"):
        assert not (getattr(after, name) & ~getattr(before, name)).any(), name
    if before.hidden is not None and after.hidden is not None:
        assert (before.hidden <= after.hidden).all()


def is_on(ends, square, s):
    """Whether the centre of a square lies on the line of a wall."""
    x0, y0, x1, y1 = (2 * v for v in ends)
    x, y = ((2 * v + 1) * s for v in square)
    return (x1 - x0) * (y - y0) == (y1 - y0) * (x - x0)


@few
@given(special_scenes(most_walls=4), st.randoms(use_true_random=False))
def test_opening_a_door_never_hurts(found, rng):
    """Doors of all heights, one-way ones, and such as stop but a part."""
    rows, walls, s, creatures = parts_of(found)
    allowed = ("top", "bottom", "blocks_from", "effect", "sight", "cover")
    doors = [
        (ends, {"kind": "door", **{name: keys[name] for name in allowed if name in keys}})
        for ends, keys in walls
        if not any(is_on(ends, (x, y), s) for y, x in product(range(len(rows)), range(len(rows[0]))))
    ]
    if not doors:
        return
    chosen = rng.randrange(len(doors))
    opened = [(ends, keys | ({"state": "open"} if k == chosen else {})) for k, (ends, keys) in enumerate(doors)]
    shut, passable = (facts_of(drawn(rows, each, s, creatures).scene) for each in (doors, opened))
    for name in ("line_of_effect", "line_of_sight", "any_free"):
        assert not (getattr(shut, name) & ~getattr(passable, name)).any(), name
    for k in range(len(shut.usable)):
        (hidden, tagged, *_), (less, fewer, *_) = in_the_facts(shut, k), in_the_facts(passable, k)
        assert (np.array(less) <= np.array(hidden)).all()
        # A line that the door has hidden may have a word instead.
        whole = ((np.array(less) < np.array(hidden)) << np.arange(4)).sum(axis=1).tolist()
        for word, nibbles in fewer.items():
            assert all(new & ~old & ~all_of == 0 for new, old, all_of in zip(nibbles, tagged[word], whole, strict=True))


# ---- one thing each


def test_creatures_stand_on_the_highest_floor_under_them():
    found = drawn(["hH.", "..."], [], 1, [{"id": "a", "at": (0, 0), "size": "large"}, {"id": "b", "at": (2, 0), "size": "tiny"}])
    assert found.bodies == (Body((0, 0, 2, 2), 10, 20), Body((2, 0, 1, 1), 0, 2))
    bodies = specials_of(found.scene).bodies.tolist()
    unit = (bodies[1][5] - bodies[1][4]) / 2
    assert [(one[4] - bodies[1][4]) / unit for one in bodies] == [10, 0]
    assert (bodies[0][5] - bodies[0][4]) / unit == 10


def test_a_raised_floor_hides_who_lies_behind_it():
    """A ledge of 5 ft before a small creature (3 ft): no line of effect from the ground, one from another ledge."""
    someone = [{"id": "a", "at": (0, 0), "size": "medium"}, {"id": "b", "at": (4, 0), "size": "small"}]
    blocked = facts_of(drawn([".h.h."], [], 1, [*someone[1:], someone[0] | {"size": "small"}]).scene)
    assert not blocked.line_of_effect[0, 1]
    seen = facts_of(drawn([".h.h."], [], 1, [someone[0] | {"elevation": 20}, someone[1]]).scene)
    assert seen.line_of_effect[0, 1]
    assert seen.line_of_effect[1, 0]


def test_nothing_special_is_none():
    found = drawn(["..#", "..."], [((0, 0, 1, 1), {"kind": "window"})], 2, [{"id": "a", "at": (0, 0), "size": "tiny"}])
    assert specials_of(found.scene) is None
    assert read(["..#"], OWN, [], 1, [])[0][0].banded == ()


def test_heights_are_told_to_a_thousandth_of_a_foot():
    """5.9999 ft hide as 6 ft do, 5.998 ft do not."""
    someone = [{"id": name, "at": (x, 0), "size": "medium"} for name, x in (("a", 0), ("b", 2))]
    for top, is_free in ((5.9999, False), (5.998, True)):
        found = drawn(["..."], [((1, 0, 1, 1), {"kind": "wall", "top": top})], 1, someone)
        assert facts_of(found.scene).line_of_effect[0, 1] == is_free


@pytest.mark.parametrize("edition", ["dnd5e", "pathfinder1", "hybrid35"])
def test_who_stands_in_a_pit_far_away_changes_nothing(edition):
    """A line along one raised floor is free on its other side; floors at the feet of both make no seam of it."""
    legend = {"e": SquareKind(elevation=5), "E": SquareKind(elevation=-5)}
    rows = ["......E", ".......", "..e....", ".......", ".......", ".......", "...e...", "......."]
    pair = [Creature(id="A", at=(2, 7)), Creature(id="T", at=(2, 0))]
    far = Creature(id="far", at=(6, 0), gives_cover=False)
    battle_map = gridlos.BattleMap.from_rows(rows, legend=legend)
    alone, watched = (
        gridlos.evaluate(gridlos.Scene(battle_map=battle_map, creatures=some), edition=edition)["A", "T"]
        for some in (pair, [*pair, far])
    )
    assert alone == watched
    assert alone.blocked_lines == 2


def test_a_wall_of_another_storey_makes_no_seam_longer():
    """A ledge along the line to which a wall 20 ft up joins on: the line passes beside it, as without the wall."""
    low = Wall(start=(2, 2), end=(2, 3), top=5)
    side = Wall(start=(2, 2), end=(3, 2), top=5)
    high = Wall(start=(2, 0), end=(2, 8), bottom=20, top=30)
    found = []
    for walls in ([low, side], [low, side, high]):
        scene = gridlos.Scene.from_drawing("\n".join([".....", "..T..", *["....."] * 5, "..A.."]), walls=walls)
        found.append(gridlos.evaluate(scene, edition="dnd5e")["A", "T"])
    assert found[0] == found[1]
