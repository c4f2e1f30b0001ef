"""The field of a scene says of each square what an evaluation says of a creature that stands there."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import support

import gridlos
from gridlos.creature import Creature
from gridlos.errors import QuestionError, SceneError
from gridlos.facts import Channel, Contact
from gridlos.kernels import line
from gridlos.questions.field import Field, all_pairs, field
from gridlos.questions.obstacles import obstacles_of
from gridlos.questions.table import memory_of
from gridlos.records import Light
from gridlos.rules import edition_ids
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Wall

N_SCENES = {"reduced": 3, "default": 80, "thorough": 1_500}[support.PROFILE]
SIZES = ("tiny", "small", "medium", "medium", "medium", "large", "huge")
LETTERS = {"plain": ".......##", "fog": "......ff#b", "low": "......w#cs", "floors": "......pGs#w"}
FLOORS = {"s": SquareKind(elevation=5), "G": SquareKind(elevation=10), "p": SquareKind(elevation=-10)}
SIDES = ("neutral", "party", "party", "raiders")
CONDITIONS = ((), (), (), ("prone",), ("invisible",), ("dead",))


def random_scene(rng, letters="plain", free_walls=False, raised=False, light="bright"):
    """A small scene; its creatures may share squares."""
    rows, cols = int(rng.integers(1, 8)), int(rng.integers(2, 10))
    lines = ["".join(rng.choice(list(LETTERS[letters]), cols)) for _ in range(rows)]
    if not any("." in one for one in lines):
        lines[0] = "." * cols
    walls = []
    for _ in range(int(rng.integers(4))):
        x, y = int(rng.integers(cols)), int(rng.integers(rows))
        across = rng.random() < 0.5
        wall = (x, y, x + 1, y) if across else (x, y, x, y + 1)
        if free_walls and rng.random() < 0.7:
            wall = tuple(float(n) for n in rng.integers(0, [4 * cols + 1, 4 * rows + 1] * 2) / 4)
        if wall[:2] != wall[2:]:
            top = float(rng.integers(4, 16)) if letters == "floors" else None
            walls.append(Wall(start=wall[:2], end=wall[2:], kind=str(rng.choice(KINDS)), top=top))
    scene = Scene.from_drawing("\n".join(lines), walls=walls, legend=FLOORS if letters == "floors" else {})
    battle_map = scene.battle_map
    drawn = [random_creature(rng, f"c{k}", battle_map, raised) for k in range(int(rng.integers(1, 6)))]
    creatures = [one for one in drawn if one is not None]
    lights = (Light(at=(cols / 2, rows / 2), bright=10, dim=20),) if light != "bright" else ()
    return Scene(scene.battle_map, tuple(creatures), lights=lights, light=light)


KINDS = ("wall", "wall", "door", "window", "curtain")


def random_creature(rng, name, battle_map, raised):
    """A creature where it fits; None: it does not."""
    size = str(rng.choice(SIZES))
    n = {"large": 2, "huge": 3}.get(size, 1)
    x, y = int(rng.integers(battle_map.cols)), int(rng.integers(battle_map.rows))
    if x + n > battle_map.cols or y + n > battle_map.rows or (battle_map.terrain[y : y + n, x : x + n] & 1).any():
        return None
    is_polearm = rng.random() < 0.3
    return Creature(
        id=name,
        at=(x, y),
        size=size,
        side=str(rng.choice(SIDES)),
        conditions=CONDITIONS[rng.integers(len(CONDITIONS))],
        elevation=float(rng.integers(0, 20)) if raised and rng.random() < 0.5 else None,
        reach=10 if is_polearm else None,
        reach_min=5 if is_polearm else 0,
        armed=rng.random() < 0.8,
        weapon=str(rng.choice(["bow", "melee"])) if rng.random() < 0.3 else None,
    )


def assert_is_the_evaluation(scene, found, squares, size="medium", **asked):
    """Compare all columns for a creature on each of these squares."""
    n = 0
    for x, y in squares:
        stranger = Creature(id="one more", at=(x, y), size=size)
        if not found.attackers:
            continue
        single = scene.with_creatures([*scene.creatures, stranger])
        expected = gridlos.evaluate(single, attackers=found.attackers, targets=["one more"], **asked)
        assert found.columns.keys() == expected.columns.keys()
        assert found.words == expected.words
        for name, column in expected.columns.items():
            where = (scene.to_drawing(), (x, y), name, asked)
            assert np.array_equal(found.columns[name][:, y, x], column[:, 0]), (*where, found.columns[name][:, y, x], column)
            n += len(column)
    return n


KINDS_OF_SCENES = {
    "walls on the grid": {},
    "free walls": {"free_walls": True},
    "heights of creatures": {"raised": True},
    "fog": {"letters": "fog"},
    "floors and walls of all heights": {"letters": "floors", "free_walls": True, "raised": True, "light": "dim"},
    "low walls and slits": {"letters": "low", "raised": True},
    "darkness": {"light": "dark"},
}


@pytest.mark.parametrize("kind", KINDS_OF_SCENES)
@pytest.mark.parametrize("attack", ["ranged", "melee"])
def test_promise_1(counts, kind, attack):
    """The answers are those of the evaluation with such a creature on that square: in all columns, for any scene."""
    few = N_SCENES if attack == "ranged" else N_SCENES // 5 + 1
    if kind != "walls on the grid":
        few = few // 4 + 1
    for seed in range(few):
        rng = np.random.default_rng([seed, len(kind), len(attack)])
        scene = random_scene(rng, **KINDS_OF_SCENES[kind])
        asked = {"edition": edition_ids()[seed % len(edition_ids())], "attack": attack}
        found = field(scene, **asked)
        open_squares = [(x, y) for y, x in np.argwhere(found.is_open).tolist()]
        squares = [open_squares[k] for k in rng.permutation(len(open_squares))[:4]]
        n = assert_is_the_evaluation(scene, found, squares, **asked)
        counts["answers of fields against evaluations"] += n
        assert not any(column[:, ~found.is_open].any() for column in found.columns.values())


@pytest.mark.parametrize("kind", KINDS_OF_SCENES)
@pytest.mark.parametrize("size", ["tiny", "large", "huge"])
def test_promise_1_for_a_creature_of_any_size(counts, kind, size):
    """It stands with its top left square there; where it does not fit, the scene would not take it."""
    for seed in range(N_SCENES // 6 + 1):
        rng = np.random.default_rng([seed, len(kind), len(size)])
        scene = random_scene(rng, **KINDS_OF_SCENES[kind])
        asked = {"edition": edition_ids()[seed % len(edition_ids())], "attack": "melee" if seed % 5 == 4 else "ranged"}
        found = field(scene, size=size, **asked)
        fits = np.zeros(found.is_open.shape, bool)
        for y, x in np.ndindex(fits.shape):
            try:
                scene.with_creatures([Creature(id="one more", at=(x, y), size=size)])
            except SceneError:
                continue
            fits[y, x] = True
        assert np.array_equal(fits, found.is_open)
        open_squares = [(x, y) for y, x in np.argwhere(fits).tolist()]
        squares = [open_squares[k] for k in rng.permutation(len(open_squares))[:4]]
        n = assert_is_the_evaluation(scene, found, squares, size, **asked)
        counts["answers of fields for sizes"] += n


def test_who_stands_in_a_pit_changes_nothing_for_others(counts):
    """The sides of floors count for whoever stands below them, and for nobody else: as if he were alone on the map."""
    n = 0
    for seed in range(N_SCENES):
        scene = random_scene(np.random.default_rng([seed, 9]), letters="floors", free_walls=True, raised=True)
        pits = np.argwhere(scene.battle_map.elevation < 0).tolist()
        if not pits or not scene.ids:
            continue
        below = Creature(id="below", at=pits[0][::-1], gives_cover=False, reach=0, armed=False)
        asked = {"edition": edition_ids()[seed % len(edition_ids())], "attackers": scene.ids, "targets": scene.ids}
        alone, crowd = (gridlos.evaluate(one, **asked) for one in (scene, scene.with_creatures([*scene.creatures, below])))
        for name, column in alone.columns.items():
            assert np.array_equal(column, crowd.columns[name]), (seed, scene.to_drawing(), name, asked)
        n += len(scene.ids) ** 2
    counts["pairs beside whom somebody stands in a pit"] = n
    assert n > 0


@pytest.mark.parametrize("edition", ["pathfinder1", "dnd5e", "starfinder1"])
def test_both_ways_to_a_field_agree(monkeypatch, edition):
    """What is known of strangers at once, and what is found by putting them into the scene."""
    options = {"edge_contact": "blocked_for_walls_only"} if edition == "starfinder1" else {}
    for seed in range(N_SCENES // 8 + 1):
        scene = random_scene(np.random.default_rng(seed), free_walls=seed % 2 == 1)
        size = "large" if seed % 3 == 2 else "medium"
        asked = {"edition": edition, "options": options, "weapon": "crossbow", "size": size}
        quick = field(scene, **asked)
        with monkeypatch.context() as patch:
            patch.setattr(gridlos.questions.field, "standing_facts", lambda *_, **__: None)
            slow = field(scene, **asked)
        assert quick.columns.keys() == slow.columns.keys()
        for name, column in quick.columns.items():
            assert np.array_equal(column, slow.columns[name]), (scene.to_drawing(), name)
            assert column.dtype == slow.columns[name].dtype


def test_squares_in_parts(monkeypatch):
    """So many squares as are asked about at once change nothing."""
    scene = random_scene(np.random.default_rng(4), light="dark", raised=True)
    whole = field(scene, edition="pathfinder1")
    monkeypatch.setattr(gridlos.questions.field, "_AT_ONCE", 5)
    parts = field(scene, edition="pathfinder1")
    assert whole.is_open.sum() % 5
    for name, column in whole.columns.items():
        assert np.array_equal(column, parts.columns[name]), name


def test_plain_scenes_take_the_quick_way(monkeypatch):
    """Else nobody would notice that it is never taken."""
    monkeypatch.setattr(gridlos.questions.field, "judged_standing", None)
    scene = Scene.from_drawing("A....\n.##..\n.....")
    for edition in edition_ids():
        if edition != "pathfinder2":  # it looks from centre to centre
            assert field(scene, edition=edition).cover.shape == (1, 3, 5)


SCENE = """
A......
.##....
......B
"""


def test_a_square_as_a_record():
    scene = Scene.from_drawing(SCENE)
    found = field(scene, edition="pathfinder1", attackers=["A"])
    one = found[3, 1]
    assert (one.at, one.is_open, one.attackers, one.cover, one.blocked_lines) == ((3, 1), True, ("A",), ("cover",), (2,))
    assert (one.distance, one.line_of_effect, one.can_attack, one.soft) == ((15.0,), (True,), (True,), (False,))
    assert not found[1, 1].is_open
    assert len(list(found)) == 19
    for square in ((-1, 0), (7, 0), (0, 3)):
        with pytest.raises(KeyError):
            found[square]
    with pytest.raises(AttributeError):
        found.nothing  # noqa: B018
    with pytest.raises(ValueError, match="read-only"):
        found.cover[0, 0, 0] = 1


def test_who_cannot_be_asked():
    scene = Scene.from_drawing(SCENE)
    with pytest.raises(QuestionError, match="no creature has that id"):
        field(scene, edition="pathfinder1", attackers=["Z"])
    for attack in ("area", "kick"):
        with pytest.raises(QuestionError, match="a field is for"):
            field(scene, edition="pathfinder1", attack=attack)
    with pytest.raises(QuestionError, match="did you mean 'large'"):
        field(scene, edition="pathfinder1", size="lage")
    with pytest.raises(QuestionError, match="edition"):
        field(scene, edition="chess")


def test_scenes_without_creatures_or_open_squares():
    for drawing, shape in (("...\n.#.", (0, 2, 3)), ("##\n##", (0, 2, 2))):
        found = field(Scene.from_drawing(drawing), edition="dnd5e")
        assert isinstance(found, Field)
        assert found.cover.shape == shape


def test_hidden_creatures_are_left_out():
    scene = Scene.from_drawing("A.B.", creatures={"B": {"side": "raiders", "hidden": True}})
    assert field(scene, edition="dnd5e", observer="party").attackers == ("A",)
    assert field(scene, edition="dnd5e").attackers == ("A", "B")


SHIFTS = {(0, 0): 0, (1, 0): 1, (0, 1): 2, (1, 1): 3}


@pytest.mark.parametrize("free_walls", [False, True])
def test_all_pairs(free_walls):
    """Numbers and verdicts are those of two creatures alone on the map."""
    for seed in range(N_SCENES // 8 + 1):
        rng = np.random.default_rng(seed)
        scene = random_scene(rng, free_walls=free_walls)
        pairs = all_pairs(scene, edition="pathfinder1")
        squares = [(x, y) for y, x in np.argwhere((scene.battle_map.terrain & 1) == 0).tolist()]
        some = [(squares[i], squares[j]) for i, j in rng.integers(0, len(squares), (6, 2)).tolist()]
        numbers = pairs.least_blocked(np.array([(*a, *b) for a, b in some]))
        for (a, b), number in zip(some, numbers.tolist(), strict=True):
            both = [Creature(id="A", at=a), Creature(id="T", at=b)]
            alone = Scene(scene.battle_map, tuple(both))
            verdict = gridlos.evaluate(alone, edition="pathfinder1")["A", "T"]
            lines = int(pairs.blocked_lines(np.array([[*a, *b]]))[0])
            corner = 4 * SHIFTS[verdict.proof.corner[0] - a[0], verdict.proof.corner[1] - a[1]]
            contacts = [int(one.contact == Contact.BLOCKED) << k for k, one in enumerate(verdict.proof.lines)]
            assert lines >> corner & 15 == sum(contacts)
            assert pairs[a, b].values == verdict.values
            assert pairs[a, b].proof == verdict.proof
            if not free_walls:
                assert number == verdict.blocked_lines
            assert pairs.field_from(*a)[b].cover == (verdict.cover,)


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("memory", [0, 10_000_000])
@pytest.mark.parametrize("wall", [(5, 0, 5, 1), (4.5, 0.25, 6, 2)])
def test_one_square_against_all(back, memory, wall):
    scene = Scene.from_drawing("....#...\n.#....#.\n...#....", walls=[wall])
    pairs = all_pairs(scene, edition="pathfinder1", memory=memory)
    for x, y in ((0, 0), (4, 1), (7, 2), (5, 0)):
        found = pairs.least_blocked_from(x, y, back=back)
        for v, u in np.ndindex(3, 8):
            one = [u, v, x, y] if back else [x, y, u, v]
            assert found[v, u] == pairs.least_blocked(np.array([one]))[0]


@pytest.mark.parametrize("memory", [0, 10_000_000])
@pytest.mark.parametrize("wall", [(5, 0, 5, 2), (0, 1, 3, 1), (4.5, 0.25, 6, 2)])
def test_lines_along_walls(memory, wall):
    """They are those that the walk finds, and blocked lines are among them."""
    scene = Scene.from_drawing("....#...\n.#....#.\n...#....", walls=[wall])
    obstacles = obstacles_of(scene.battle_map, Channel.EFFECT)
    numbers = np.indices((24, 24)).reshape(2, -1).T.copy()
    blocked = line.blocked_lines(*obstacles.lines, numbers, obstacles.size)
    expected = line.lines_along(*obstacles.lines, numbers, blocked, obstacles.size)
    assert (expected != blocked).any()
    pairs = all_pairs(scene, edition="starfinder1", memory=memory, along=True)
    squares = np.stack((numbers % 8, numbers // 8), axis=2).reshape(-1, 4)
    assert np.array_equal(pairs.blocked_lines(squares), expected)
    least = (expected[:, None] >> np.arange(16) & 1).reshape(-1, 4, 4).sum(axis=2).min(axis=1).reshape(24, 24)
    assert np.array_equal(pairs.least_blocked(squares).reshape(24, 24), least)
    for square in range(24):
        for back in (False, True):
            whole = pairs.least_blocked_from(square % 8, square // 8, back=back).ravel()
            assert np.array_equal(whole, least[:, square] if back else least[square])


def test_all_pairs_beyond_the_memory():
    """Squares that the table does not serve are walked."""
    scene = Scene.from_drawing("....#...\n.#....#.\n...#....")
    whole = all_pairs(scene, edition="pathfinder1")
    rng = np.random.default_rng(1)
    squares = np.stack([rng.integers(0, most, 400) for most in (8, 3, 8, 3)], axis=1)
    expected = whole.least_blocked(squares).tolist()
    part = all_pairs(scene, edition="pathfinder1", memory=memory_of(3, 8, 2))
    assert part.reach == 2
    assert part.least_blocked(squares).tolist() == expected


@pytest.mark.parametrize("walls", [(), [(0.5, 0.5, 2.25, 2.5)]])
@pytest.mark.parametrize("given", [{}, {"memory": 0}, {"along": True}])
def test_squares_off_the_map_are_refused(walls, given):
    pairs = all_pairs(Scene.from_drawing("....\n.##.\n....", walls=walls), edition="pathfinder1", **given)
    for square in ((4, 0), (0, 3), (-1, 0), (0, -1), (2**40, 0)):
        for place in ((*square, 0, 0), (3, 2, *square)):
            for ask in (pairs.blocked_lines, pairs.least_blocked):
                with pytest.raises(QuestionError, match="no square of the map; it has 4 columns, 3 rows"):
                    ask(np.array([(0, 0, 3, 2), place]))
        for back in (False, True):
            with pytest.raises(QuestionError, match="no square of the map"):
                pairs.least_blocked_from(*square, back=back)
    with pytest.raises(QuestionError, match="whole numbers"):
        pairs.blocked_lines(np.array([[0.0, 0, 3, 2]]))
    with pytest.raises(QuestionError, match="whole numbers"):
        pairs.least_blocked(np.array([0, 0, 3, 2]))
    assert pairs.blocked_lines(np.array([(0, 0, 3, 2)], np.uint8)) == pairs.blocked_lines(np.array([(0, 0, 3, 2)]))
    assert len(pairs.blocked_lines(np.zeros((0, 4), np.int64))) == 0
