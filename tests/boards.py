"""Random boards and what can happen on them, and the comparison of a board with a fresh evaluation."""

from __future__ import annotations

from itertools import product

import msgspec
import numpy as np
import pytest
from special_scenes import OWN, build_keys
from strategies import SUBDIVISIONS, free_wall

import gridlos
from gridlos.battlemap import BattleMap
from gridlos.creature import CarriedLight, Creature, Senses
from gridlos.errors import QuestionError, SceneError
from gridlos.records import Light, Override
from gridlos.rules import edition_ids, load_edition
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Wall

SIDES = ("party", "party", "raiders", "raiders", "raiders", "neutral")
SPACES = {"tiny": 1, "small": 1, "medium": 1, "large": 2, "huge": 3}
OPTIONS = (
    {},
    {},
    {},
    {"cut_corners": "count"},
    {"line_of_effect": "touching"},
    {"partial": "area"},
    {"cover_by": "area"},
    {"edge_contact": "blocked_for_walls_only"},
)


def editions():
    """Every edition, and some with an option of theirs."""
    found = []
    for name in edition_ids():
        for options in OPTIONS[2:]:
            known = load_edition(name).table.options
            if all(key in known and value in known[key].values for key, value in options.items()):
                found.append((name, options))
    return found


def build_wall(below, k, rows, cols, s, found, *, special):
    """A door, plain or special; a plain wall; a special one."""
    if below(3):
        found.append(free_wall(below, rows, cols, s, found))
    else:
        x, y = below(cols), below(rows)
        dx, dy = ((1, 0), (0, 1), (0, 2), (2, 0))[below(4)]
        found.append((s * x, s * y, s * (x + dx), s * (y + dy)))
    x0, y0, x1, y1 = found[-1]
    keys = build_keys(below) if special and below(2) else {}
    if below(2):
        keys = {key: value for key, value in keys.items() if key != "cover" or below(2)}
        keys |= {"kind": ("door", "secret door")[below(2)], "state": ("open", "closed", None)[below(3)]}
    name = f"w{k}" if below(2) else None
    return Wall(start=(x0 / s, y0 / s), end=(x1 / s, y1 / s), id=name, **keys)


def build_creature(below, name, conditions, ids, places, *, special):
    """A creature somewhere; it may not fit there."""
    keys = {"id": name, "at": places[below(len(places))], "side": SIDES[below(len(SIDES))]}
    keys["size"] = ("medium", "medium", "medium", "medium", "small", "tiny", "large", "huge")[below(8)]
    keys["conditions"] = tuple({conditions[below(len(conditions))] for _ in range(below(3) // 2 * 2)})
    keys["senses"] = Senses(darkvision=(0, 0, 15, 60)[below(4)], low_light=below(3) == 0)
    keys["dexterity"] = (None, 3, -1)[below(3)]
    keys["weapon"] = (None, "bow", "melee", "thrown")[below(4)]
    for key, values in (
        ("reach", (0, 5, 10, 15)),
        ("reach_min", (5,)),
        ("armed", (False,)),
        ("gives_cover", (True, False, ("party",), ("raiders", "neutral"))),
        ("can_be_flanked", (False,)),
        ("shield", (2,)),
        ("hidden", (True,)),
        ("light", (CarriedLight(bright=5, dim=10), CarriedLight(bright=10, dim=20), CarriedLight(dim=15, on=False))),
        ("mount", tuple(ids)),
    ):
        if values and below(4) == 0:
            keys[key] = values[below(len(values))]
    if special and below(3) == 0:
        keys["elevation"] = (-5, 3, 5, 10, 20)[below(5)]
    return Creature(**keys)


def build_board(below):
    """A scene, with the question about it."""
    rows, cols = 2 + below(6), 3 + below(6)
    special = below(2)
    letters = ("......##", "......##ff", ".....#wcbs", "......##wwccshHdBogvtqfb")[below(4) if special else below(2)]
    lines = ["".join(letters[below(len(letters))] for _ in range(cols)) for _ in range(rows)]
    s, found = SUBDIVISIONS[below(len(SUBDIVISIONS))], []
    walls = [build_wall(below, k, rows, cols, s, found, special=special) for k in range(below(7))]
    legend = {letter: SquareKind(**keys) for letter, keys in OWN.items()}
    battle_map = BattleMap.from_rows(lines, legend=legend, walls=walls, subdivisions=s)
    edition, options = (every := editions())[below(len(every))]
    conditions = sorted(load_edition(edition).table.conditions)
    scene = Scene(
        battle_map,
        light=("bright", "bright", "dark", "dim")[below(4)],
        lights=tuple(Light(at=(below(2 * cols) / 2, below(2 * rows) / 2), bright=5, dim=15) for _ in range(below(2))),
    )
    places = list(product(range(cols), range(rows)))
    for k in range((0, 2, 4, 5, 6, 7, 8)[below(7)]):
        one = build_creature(below, f"c{k}", conditions, scene.ids, places, special=special)
        try:
            scene = scene.with_creatures((*scene.creatures, one))
        except SceneError:
            continue
    if scene.ids and below(3) == 0:
        degrees = load_edition(edition).degrees
        words = []
        for _ in range(1 + below(3)):
            target, attacker = (scene.ids[below(len(scene.ids))] for _ in range(2))
            degree, veto = (degrees[below(len(degrees))], False) if below(2) else (None, True)
            words.append(Override(target=target, attacker=attacker if below(2) else None, degree=degree, veto=veto))
        scene = Scene(scene.battle_map, scene.creatures, scene.lights, scene.light, overrides=tuple(words))
    question = {"edition": edition, "attack": ("ranged", "melee")[below(2)], "options": options}
    if below(5) == 0:
        question["observer"] = SIDES[below(len(SIDES))]
    if below(5) == 0:
        question["weapon"] = "bow"
    return scene, question


def build_plain_board(below):
    """A larger scene in the light whose walls stop all, or all sight or effect, with the question about it."""
    rows, cols = 5 + below(10), 5 + below(10)
    letters = ("......##", "..........#", "......##ww", "......#cc")[below(4)]
    lines = ["".join(letters[below(len(letters))] for _ in range(cols)) for _ in range(rows)]
    s, found = SUBDIVISIONS[below(len(SUBDIVISIONS))], []
    walls = [build_wall(below, k, rows, cols, s, found, special=False) for k in range(below(4) * below(4))]
    scene = Scene(BattleMap.from_rows(lines, walls=walls, subdivisions=s))
    edition, options = (every := editions())[below(len(every))]
    conditions = sorted(load_edition(edition).table.conditions)
    places = list(product(range(cols), range(rows)))
    for k in range(3 + below(12)):
        one = build_creature(below, f"c{k}", conditions, scene.ids, places, special=below(4) == 0)
        if below(3):
            one = msgspec.structs.replace(one, conditions=(), mount=None)
        try:
            scene = scene.with_creatures((*scene.creatures, one))
        except SceneError:
            continue
    return scene, {"edition": edition, "attack": ("ranged", "melee")[below(2)], "options": options}


def build_change(below, board, edition, k):
    """Something to do with a board: the name of the method and its arguments."""
    scene = board.scene
    cols, rows = scene.battle_map.cols, scene.battle_map.rows
    conditions = sorted(load_edition(edition).table.conditions)
    ids = scene.ids or ("nobody",)
    name = ids[below(len(ids))]
    kind = below(12)
    if kind == 0:
        places = list(product(range(cols), range(rows)))
        return "add", (build_creature(below, f"n{k}", conditions, scene.ids, places, special=below(2)),), {}
    if kind == 1:
        return "remove", (name,), {}
    if kind in (2, 3) and scene.battle_map.walls:
        place = below(len(scene.battle_map.walls))
        door = scene.battle_map.walls[place].id or place
        return "open_door", (door, ("open", "closed", "locked")[below(3)]), {}
    if kind in (4, 5):
        return "set_condition", (name, conditions[below(len(conditions))]), {"on": bool(below(3))}
    if kind == 6:
        return "set_light", (name,), {"on": bool(below(2))}
    if kind == 7 or not scene.ids:
        return "move", (name, (below(cols + 1), below(rows + 1))), {}
    if kind == 8:
        return "move", (name, scene.creature(ids[below(len(ids))]).at), {}
    x, y = scene.creature(name).at
    return "move", (name, (int(x) + below(3) - 1, int(y) + below(3) - 1)), {}


def assert_same(found, expected, *, verdicts=0, below=None):
    """Two evaluations say the same of everything."""
    assert found.attackers == expected.attackers
    assert found.targets == expected.targets
    assert list(found.columns) == list(expected.columns)
    assert dict(found.words) == dict(expected.words)
    assert dict(found.frame) == dict(expected.frame)
    distinct = expected.distinct
    assert np.array_equal(found.distinct, distinct)
    for name, column in expected.columns.items():
        assert found.columns[name].dtype == column.dtype, name
        assert not found.columns[name].flags.writeable
        assert np.array_equal(found.columns[name][distinct], column[distinct]), name
    pairs = np.argwhere(distinct).tolist()
    for _ in range(verdicts if pairs else 0):
        a, t = (expected.attackers[k] for k in pairs[below(len(pairs))])
        assert found[a, t] == expected[a, t]
        assert found[a, t].explain() == expected[a, t].explain()


def assert_changed(changed, before, after):
    """What a change has returned are the pairs whose answers are other ones than before."""
    assert changed.names == after.attackers
    assert len(changed) == len(changed.ids) == len(set(changed.ids))
    expected = set()
    for i, a in enumerate(after.attackers):
        for j, t in enumerate(after.targets):
            if i == j:
                continue
            if a not in before.attackers or t not in before.targets:
                expected.add((a, t))
                continue
            k, m = before.attackers.index(a), before.targets.index(t)
            if any(after.columns[name][i, j] != before.columns[name][k, m] for name in after.columns):
                expected.add((a, t))
    assert set(changed.ids) == expected
    assert list(changed.columns) == list(after.columns)
    for name, column in changed.columns.items():
        assert np.array_equal(column, after.columns[name][changed.attackers, changed.targets]), name


def run(below, n_changes, verdicts=2, build=build_board):
    """Play on a random board; return the numbers of changes and of pairs compared."""
    scene, question = build(below)
    board = gridlos.Board(scene, **question)
    before = gridlos.evaluate(scene, **question)
    assert_same(board.evaluation, before)
    compared, asked = 0, 0
    for k in range(n_changes):
        method, arguments, options = build_change(below, board, question["edition"], k)
        scene, kept = board.scene, board.evaluation
        copied = msgspec.structs.asdict(scene.to_record())
        try:
            changed = getattr(board, method)(*arguments, **options)
        except (SceneError, QuestionError):
            assert board.scene is scene
            assert_same(board.evaluation, before)
            continue
        asked += 1
        after = gridlos.evaluate(board.scene, **question)
        assert_same(board.evaluation, after, verdicts=verdicts, below=below)
        assert_same(kept, before)  # an evaluation stays what it was
        assert msgspec.structs.asdict(scene.to_record()) == copied
        assert_changed(changed, before, after)
        compared += len(after)
        before = after
    return asked, compared


def refused(board, method, *arguments, match, error=SceneError):
    """Assert that a change is refused and nothing has changed."""
    scene, before = board.scene, board.evaluation
    with pytest.raises(error, match=match):
        getattr(board, method)(*arguments)
    assert board.scene is scene
    assert board.evaluation is before
