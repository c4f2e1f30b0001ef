import copy
import dataclasses
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scene_strategies import walls as any_walls

from gridlos.battlemap import BattleMap
from gridlos.errors import SceneError
from gridlos.walls import SquareKind, Wall, behaviour_of, stops_of

ARRAYS = {
    "squares": np.uint8,
    "terrain": np.uint8,
    "segments": np.int32,
    "stops": np.uint8,
    "west_edges": np.uint8,
    "north_edges": np.uint8,
    "free": np.int32,
}


def wall(x0, y0, x1, y1, **keys):
    return Wall(start=(x0, y0), end=(x1, y1), **keys)


def test_shapes_and_freezing():
    battle_map = BattleMap.from_rows(["...#", ".~.."], walls=[wall(0.5, 0, 1, 1), wall(1, 0, 1, 1)])
    assert (battle_map.rows, battle_map.cols) == (2, 4)
    assert battle_map.west_edges.shape == (2, 5)
    assert battle_map.north_edges.shape == (3, 4)
    for name, dtype in ARRAYS.items():
        array = getattr(battle_map, name)
        assert array.dtype == dtype, name
        assert array.flags.c_contiguous, name
        assert not array.flags.writeable, name
    with pytest.raises(dataclasses.FrozenInstanceError):
        battle_map.rows = 3
    with pytest.raises(TypeError):
        battle_map.legend["x"] = SquareKind()


def test_at_most_ten_public_methods():
    methods = [
        name
        for name, value in vars(BattleMap).items()
        if not name.startswith("_") and (callable(value) or isinstance(value, classmethod))
    ]
    assert len(methods) <= 10


def test_terrain_of_kinds():
    rows = [".#wcfbs~ ", "xWD......"]
    legend = {"x": SquareKind(kind="window"), "W": SquareKind(kind="curtain"), "D": SquareKind(kind="wall", top=3)}
    battle_map = BattleMap.from_rows(rows, legend=legend)
    assert battle_map.terrain.tolist() == [[0, 3, 0, 0, 0, 0, 0, 0, 3], [1, 2, 0, 0, 0, 0, 0, 0, 0]]
    assert battle_map.to_rows() == rows
    assert battle_map.kind_of(0, 1) == legend["x"]
    assert battle_map.is_solid(1, 0)
    assert not battle_map.is_solid(1, 1)
    assert all(battle_map.is_solid(x, y) for x, y in [(-1, 0), (9, 0), (0, -1), (0, 2)])


def test_legend_takes_the_place_of_built_in_letters():
    battle_map = BattleMap.from_rows(["w."], legend={"w": SquareKind(kind="wall"), "u": SquareKind(kind="fog")})
    assert battle_map.terrain.tolist() == [[3, 0]]
    assert battle_map.warnings == ()


def test_order_of_the_legend_is_no_difference():
    kinds = {"x": SquareKind(kind="window"), "a": SquareKind(kind="curtain")}
    assert BattleMap.from_rows(["xa"], legend=kinds) == BattleMap.from_rows(
        ["xa"], legend=dict(reversed(kinds.items()))
    )


def test_walls_on_grid_lines_become_edges():
    battle_map = BattleMap.from_rows(
        ["...", "...", "..."],
        walls=[wall(1, 2, 1, 0), wall(0, 3, 2, 3, kind="window"), wall(1, 0, 1, 1, kind="curtain")],
    )
    assert battle_map.west_edges.tolist() == [[0, 3, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]]
    assert battle_map.north_edges.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 1, 0]]
    assert battle_map.free.tolist() == []


def test_channels_of_one_edge_add_up():
    battle_map = BattleMap.from_rows([".."], walls=[wall(1, 0, 1, 1, kind="window"), wall(1, 1, 1, 0, kind="curtain")])
    assert battle_map.west_edges.tolist() == [[0, 3, 0]]


def test_other_walls_are_free():
    found = [
        wall(0, 0, 1, 1),  # oblique
        wall(0.5, 0, 0.5, 1),  # upright, off the grid lines
        wall(1, 0, 1, 0.5),  # ends between corners
        wall(1, 1, 1, 1),  # no length
        wall(1, 0, 1, 1, kind="door", state="open"),
        wall(0, 0, 1, 1, kind="fence"),
        wall(-2, -2, -1, -3),  # off the map
        wall(-1, 0.5, 5, 0.5),  # across the map and beyond
        wall(2, 2, 3, 3),  # touches the map's corner
        wall(1, 5, 1, 7),  # on a grid line, off the map
        wall(0.5, 1.5, 0.5, 1.5),  # no length
        wall(-1, -1, 0, 0),  # touches the map's other corner
    ]
    battle_map = BattleMap.from_rows(["..", ".."], walls=found)
    assert battle_map.free.tolist() == [0, 1, 2, 7, 8, 11]
    assert not battle_map.west_edges.any()
    assert not battle_map.north_edges.any()


def test_edges_are_cut_at_the_border():
    battle_map = BattleMap.from_rows(["..", ".."], walls=[wall(-3, 1, 9, 1), wall(2, -4, 2, 1), wall(0, -5, 0, -2)])
    assert battle_map.north_edges.tolist() == [[0, 0], [3, 3], [0, 0]]
    assert battle_map.west_edges.tolist() == [[0, 0, 3], [0, 0, 0]]
    assert battle_map.free.tolist() == []


@settings(max_examples=100, deadline=None)
@given(st.lists(any_walls(), max_size=5), st.sampled_from([None, 1, 2, 8]))
def test_edges_and_free_walls_by_fractions(found, subdivisions):
    battle_map = BattleMap.from_rows(["....", "....", "...."], walls=found, subdivisions=subdivisions)
    west, north, free, special = np.zeros((3, 5), int), np.zeros((4, 4), int), [], []
    for index, each in enumerate(battle_map.walls):
        x0, y0, x1, y1 = (Fraction(int(number), battle_map.subdivisions) for number in battle_map.segments[index])
        assert [x0, y0, x1, y1] == [Fraction(number).limit_denominator(6000) for number in (*each.start, *each.end)]
        stops = int(stops_of(each))
        assert battle_map.stops[index] == stops
        does_nothing = not stops and not behaviour_of(each).is_special
        if does_nothing or (x0, y0) == (x1, y1):
            continue
        reaches = max(x0, x1) >= 0 and min(x0, x1) <= 4 and max(y0, y1) >= 0 and min(y0, y1) <= 3
        if behaviour_of(each).is_special:
            special += [index] * reaches
            continue
        on_corners = all(number.denominator == 1 for number in (x0, y0, x1, y1))
        if on_corners and x0 == x1:
            for y in range(int(min(y0, y1)), int(max(y0, y1))):
                if 0 <= y < 3 and 0 <= x0 <= 4:
                    west[y, int(x0)] |= stops
        elif on_corners and y0 == y1:
            for x in range(int(min(x0, x1)), int(max(x0, x1))):
                if 0 <= x < 4 and 0 <= y0 <= 3:
                    north[int(y0), x] |= stops
        elif reaches:
            free.append(index)
    assert battle_map.west_edges.tolist() == west.tolist()
    assert battle_map.north_edges.tolist() == north.tolist()
    assert battle_map.free.tolist() == free
    assert battle_map.special.tolist() == special


def test_lattice_of_its_own_and_given():
    free = wall(5.25, 1.5, 6.75, 2.0)
    assert BattleMap.from_rows(["."], walls=[free]).segments.tolist() == [[21, 6, 27, 8]]
    battle_map = BattleMap.from_rows(["."], walls=[free], subdivisions=100)
    assert battle_map.segments.tolist() == [[525, 150, 675, 200]]
    assert battle_map.repairs == ()


def test_rounding_is_told():
    battle_map = BattleMap.from_rows(["."], walls=[wall(0, 0, 1.333333, 1)])
    assert battle_map.subdivisions == 5040
    assert battle_map.segments.tolist() == [[0, 0, 6720, 5040]]
    assert battle_map.walls[0].end == (6720 / 5040, 1)
    assert battle_map.warnings == (
        "1 of 4 wall coordinates rounded to 5040 lattice units in a square, largest shift 3.33e-07 squares",
    )
    assert battle_map.with_squares({(0, 0): "#"}).warnings == battle_map.warnings


def test_names_for_proofs():
    found = [
        wall(0, 0, 1, 1),
        wall(0, 0, 1, 1, kind="door"),
        wall(0, 0, 1, 1, kind="door", id="gate"),
        wall(0, 0, 1, 1, kind="door"),
        wall(0, 0, 1, 1),
    ]
    battle_map = BattleMap.from_rows(["."], walls=found)
    assert [battle_map.wall_name(index) for index in range(5)] == ["wall 1", "door 1", "wall gate", "door 3", "wall 2"]


def test_doors_swing_one_by_one():
    # CASES 7 and 8: the state belongs to the door, and back again is the same as before.
    shut = BattleMap.from_rows(
        ["...."], walls=[wall(1, 0, 1, 1, kind="door", id="d1"), wall(3, 0, 3, 1, kind="door", id="d2", state="closed")]
    )
    first = shut.with_wall_state("d1", "open")
    assert first.west_edges.tolist() == [[0, 0, 0, 3, 0]]
    assert first.with_wall_state("d2", "open").west_edges.tolist() == [[0, 0, 0, 0, 0]]
    assert first.with_wall_state("d1", "locked").west_edges.tolist() == shut.west_edges.tolist() == [[0, 3, 0, 3, 0]]
    assert shut.with_wall_state("d2", "open").with_wall_state("d2", "closed") == shut


@pytest.mark.parametrize(
    ("wall_id", "state", "words"),
    [
        ("gat", "open", "no wall has the id 'gat'; did you mean 'gate'"),
        ("north", "open", "is a wall; only doors"),
        ("gate", "opne", "'open'"),
    ],
)
def test_refused_door_states(wall_id, state, words):
    battle_map = BattleMap.from_rows(
        [".."], walls=[wall(1, 0, 1, 1, kind="door", id="gate"), wall(0, 0, 1, 0, id="north")]
    )
    with pytest.raises(SceneError, match=words):
        battle_map.with_wall_state(wall_id, state)


def test_other_walls_and_squares():
    battle_map = BattleMap.from_rows(["..", ".."], walls=[wall(0.5, 0, 0.5, 1)])
    assert battle_map.with_walls([]).free.tolist() == []
    assert battle_map.with_walls([]).subdivisions == 2
    changed = battle_map.with_squares({(1, 0): "#", (0, 1): "w"})
    assert changed.to_rows() == [".#", "w."]
    assert battle_map.to_rows() == ["..", ".."]
    with pytest.raises(SceneError, match="off the map of 2 by 2"):
        battle_map.with_squares({(2, 0): "#"})
    with pytest.raises(SceneError, match="unknown letter 'x'"):
        battle_map.with_squares({(1, 0): "x"})


@pytest.mark.parametrize(
    ("rows", "keys", "place", "words"),
    [
        ([], {}, "$.squares", "without squares"),
        ([""], {}, "$.squares", "without squares"),
        (["...", ".."], {}, "$.squares[1]", "2 letters, the first row has 3"),
        (["...", ".?."], {}, "$.squares[1]", r"'\?' in square \(1, 1\)"),
        (["."], {"legend": {"xy": SquareKind()}}, '$.legend["xy"]', "one printable letter"),
        (["."], {"legend": {"": SquareKind()}}, '$.legend[""]', "one printable letter"),
        (["."], {"legend": {"\n": SquareKind()}}, '$.legend["\n"]', "one printable letter"),
        (["."], {"legend": {chr(number): SquareKind() for number in range(0x4E00, 0x4F00)}}, "$.legend", "265 letters"),
        (["."], {"subdivisions": 0}, "$.subdivisions", "0 lattice units"),
        (["."], {"subdivisions": 1.5}, "$.subdivisions", "1.5 lattice units"),
        (["." * 100], {"subdivisions": 100_000}, "$.squares", "too large"),
        (["."], {"feet_per_square": 0}, "$.feet_per_square", "0 feet"),
        (["."], {"feet_per_square": float("nan")}, "$.feet_per_square", "nan feet"),
        (["."], {"walls": [wall(0, 0, 1, 0), wall(0, 0, 2.0**23, 0)]}, "$.walls[1].to", "too large"),
        (
            ["."],
            {"walls": [wall(0, 0, 1, 0, id="a"), wall(0, 0, 1, 1), wall(0, 0, 1, 1, id="a")]},
            "$.walls[0].id",
            "2 walls have the id 'a'",
        ),
    ],
)
def test_refused_maps(rows, keys, place, words):
    with pytest.raises(SceneError, match=words) as caught:
        BattleMap.from_rows(rows, **keys)
    assert caught.value.place == place


def test_constructor_checks_its_array():
    with pytest.raises(SceneError, match="not in the legend"):
        BattleMap(np.array([[0, 40]]), {"x": SquareKind()})
    with pytest.raises(SceneError, match="without squares"):
        BattleMap(np.zeros(3, np.uint8), {"x": SquareKind()})
    assert BattleMap(np.array([[0, 1]]), {"x": SquareKind(kind="wall"), ".": SquareKind()}).to_rows() == ["x."]


def test_copies_and_equality():
    battle_map = BattleMap.from_rows(["..#"], walls=[wall(0.5, 0, 1, 1)])
    for other in (copy.deepcopy(battle_map), pickle.loads(pickle.dumps(battle_map))):
        assert other == battle_map
        assert not other.segments.flags.writeable
    assert battle_map != BattleMap.from_rows(["..#"])
    assert battle_map != BattleMap.from_rows(["..."], walls=battle_map.walls)
    assert battle_map != dataclasses.replace(battle_map, feet_per_square=10)
    assert battle_map != 3


def test_what_fits_the_lattice_is_told():
    """Sides stay below 2^23 units: two squares of 3,000,000 fit, three do not."""
    assert BattleMap.from_rows(["..", ".."], subdivisions=3_000_000).cols == 2
    with pytest.raises(SceneError, match="at most 2 squares a side, or 2796202 subdivisions"):
        BattleMap.from_rows(["..."], subdivisions=3_000_000)
