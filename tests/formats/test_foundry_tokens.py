"""Tokens of Foundry VTT: where they stand, how large they are, on whose side, what they are called."""

from __future__ import annotations

import pytest
from formats.foundry_files import light, read, token, v8, v12, v14
from hypothesis import given
from hypothesis import strategies as st

import gridlos
from gridlos.errors import MapFileError
from gridlos.formats import Limits

versions = pytest.mark.parametrize("version", [v8, v12, v14])
OFF = "tokens off the grid, each side put onto the nearest grid line (1): tokens[0]"
BORDER = "tokens smaller than a square with their centre on a border, put on both sides of it (1): tokens[0]"
CUT = "tokens that reach beyond the scene, cut to it (1): tokens[0]"
OUTSIDE = "tokens outside of the scene, left out (1): tokens[0]"


def space(x, y, width=1, height=1, map_size=(1000, 1000), **keys):
    """The squares that one token takes, and what is told."""
    scene = read(v12(*map_size, tokens=[token(x, y, width, height, **keys)]))
    return [tuple(one) for one in scene.spaces.tolist()], list(scene.load_warnings)


@versions
@pytest.mark.parametrize(
    ("width", "size"),
    [
        (1, "medium"),
        (1.0, "medium"),
        (2, "large"),
        (3, "huge"),
        (4, "gargantuan"),
        (5, "gargantuan"),
        (6, "colossal"),
        (8, "colossal"),
    ],
)
def test_sizes_of_tokens_on_the_grid(version, width, size):
    scene = read(version(1000, 1000, padding=0.1, tokens=[token(200, 300, width, width)]))
    (one,) = scene.creatures
    assert (one.id, one.name, one.at, one.size) == ("T", "", (1, 2), size)
    assert scene.spaces.tolist() == [[1, 2, width, width]]
    assert scene.warnings == ()


@pytest.mark.parametrize(
    ("width", "size"), [(0.9, "tiny"), (0.6, "tiny"), (0.5, "tiny"), (0.4, "tiny"), (0.25, "diminutive"), (0.1, "fine")]
)
@pytest.mark.parametrize(("at", "square"), [((0, 0), 0), ((0.05, 0.05), 0), ((3.02, 3.07), 3)])
def test_smaller_than_a_square_is_the_square_of_the_centre(width, size, at, square):
    scene = read(v12(tokens=[token(100 * at[0], 100 * at[1], width, width)]))
    (one,) = scene.creatures
    assert (one.size, one.space, scene.load_warnings) == (size, None, ())
    assert scene.spaces.tolist() == [[square, square, 1, 1]]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ((0.5, 0), (0, 0, 1, 1)),  # its centre is at three quarters
        ((0.75, 0), (0, 0, 2, 1)),
        ((0.75, 0.75), (0, 0, 2, 2)),
        ((2.75, 0.5), (2, 0, 2, 1)),
        ((2.76, 0.5), (3, 0, 1, 1)),
    ],
)
def test_a_centre_on_a_border_is_on_both_sides_and_told(at, expected):
    found, told = space(100 * at[0], 100 * at[1], 0.5, 0.5)
    assert found == [expected]
    assert told == ([BORDER] if max(expected[2:]) == 2 else [])


@pytest.mark.parametrize(
    ("x", "y", "width", "expected", "is_told"),
    [
        (530, 100, 1, (5, 1, 1, 1), True),
        (560, 100, 1, (6, 1, 1, 1), True),
        (550, 100, 1, (5, 1, 2, 1), True),  # foundryvtt/foundryvtt#11873 and #9061
        (500, 150, 1, (5, 1, 1, 2), True),
        (550, 150, 1, (5, 1, 2, 2), True),
        (530, 100, 2, (5, 1, 2, 2), True),
        (500, 100, 1.5, (5, 1, 2, 2), True),
        (550, 100, 1.5, (5, 1, 2, 2), True),
        (500.0000001, 100, 1, (5, 1, 1, 1), False),
        (549.9999999, 100, 1, (5, 1, 2, 1), True),
    ],
)
def test_off_the_grid_each_side_goes_to_the_nearest_line(x, y, width, expected, is_told):
    found, told = space(x, y, width, width)
    assert found == [expected]
    assert told == ([OFF] if is_told else [])


@given(st.integers(0, 700), st.integers(0, 700), st.sampled_from([0.4, 0.5, 0.6, 1, 1.5, 2, 2.5, 3]))
def test_mirrored_tokens_stand_mirrored(x, y, width):
    (found,), _ = space(x, y, width, width)
    (mirrored,), _ = space(1000 - x - 100 * width, y, width, width)
    assert mirrored == (10 - found[0] - found[2], *found[1:])
    (turned,), _ = space(y, x, width, width)
    assert turned == (found[1], found[0], found[3], found[2])


@given(st.integers(-250, 1050), st.sampled_from([1, 2, 3]))
def test_no_side_moves_farther_than_half_a_square(x, width):
    found, told = space(x, 0, width, width)
    for left, _, across, _ in found:
        assert abs(100 * left - max(x, 0)) <= 50
        assert abs(100 * (left + across) - min(x + 100 * width, 1000)) <= 50
    if not found:
        assert told == [OUTSIDE]
        assert x + 100 * width < 50 or x > 950


def test_a_token_on_a_border_of_squares_answers_as_its_mirror_image():
    data = v12(1200, 600, tokens=[token(550, 100, name="T"), token(100, 100, name="A"), token(1000, 100, name="B")])
    data["walls"] = [{"c": [300, 0, 300, 150]}, {"c": [900, 0, 900, 150]}]
    found = gridlos.evaluate(read(data), edition="pathfinder1")
    for name in ("cover", "blocked_lines", "distance", "line_of_effect"):
        column = found.columns[name]
        assert column[1, 0] == column[2, 0]
        assert column[0, 1] == column[0, 2]


@pytest.mark.parametrize(
    ("x", "y", "width", "expected", "told"),
    [
        (-100, 0, 2, [(0, 0, 1, 2)], [CUT]),
        (900, 900, 3, [(9, 9, 1, 1)], [CUT]),
        (-100, 0, 1, [], [OUTSIDE]),
        (1000, 0, 1, [], [OUTSIDE]),
        (0, 5000, 1, [], [OUTSIDE]),
        (-30, 0, 1, [(0, 0, 1, 1)], [OFF]),
        (-75, 0, 0.5, [], [OUTSIDE]),
        (-25, 25, 0.5, [(0, 0, 1, 1)], [BORDER, CUT]),
    ],
)
def test_tokens_at_and_beyond_the_border(x, y, width, expected, told):
    assert space(x, y, width, width) == (expected, told)


@pytest.mark.parametrize(
    ("disposition", "side"), [(1, "party"), (0, "neutral"), (-1, "monsters"), (-2, "neutral"), (1.0, "party")]
)
def test_sides(disposition, side):
    scene = read(v12(tokens=[token(0, 0, disposition=disposition)]))
    assert (scene.creatures[0].side, scene.load_warnings) == (side, ())


@pytest.mark.parametrize("disposition", [7, "1", None, [], True])
def test_unknown_dispositions_are_told(disposition):
    scene = read(v12(tokens=[token(0, 0, disposition=disposition)]))
    assert scene.creatures[0].side == "neutral"
    assert scene.load_warnings == ("tokens with an unknown disposition, taken as neutral (1): tokens[0]",)


@pytest.mark.parametrize(("elevation", "feet"), [(0, None), (30, 30), (-10, -10), (2.5, 2.5), (None, None)])
def test_elevation(elevation, feet):
    scene = read(v12(tokens=[token(0, 0, elevation=elevation)]))
    assert (scene.creatures[0].elevation, scene.load_warnings) == (feet, ())


@pytest.mark.parametrize("elevation", ["30", 1e9, [], 1e300])
def test_elevations_that_are_none(elevation):
    scene = read(v12(tokens=[token(0, 0, elevation=elevation)]))
    assert scene.creatures[0].elevation is None
    assert scene.load_warnings == (
        "tokens with an elevation that is no number of feet, taken as on the floor (1): tokens[0]",
    )


@pytest.mark.parametrize(("hidden", "expected"), [(True, True), (False, False), (None, False), ("yes", False)])
def test_hidden_tokens_are_left_out_for_observers(hidden, expected):
    scene = read(v12(tokens=[token(0, 0, hidden=hidden)]))
    assert scene.creatures[0].hidden is expected
    assert len(scene.seen_by("party").creatures) == 1 - expected


def test_names_become_ids():
    names = ["Goblin", "Ogre", "Goblin", "Goblin 1", "", None, " The\n Rat ", "Goblin", 7]
    tokens = [token(0, 100 * row, name=name, _id=f"id{row}") for row, name in enumerate(names)]
    del tokens[8]["_id"]
    scene = read(v12(800, 1000, tokens=tokens))
    assert scene.ids == ("Goblin 2", "Ogre", "Goblin 3", "Goblin 1", "id4", "id5", "The Rat", "Goblin 4", "tokens[8]")
    assert [one.name for one in scene.creatures] == ["Goblin", "", "Goblin", "", "", "", "", "Goblin", ""]


def test_pictures_change_nothing():
    """roi007leaf/pf2e-visioner#182: the footprint decides, whatever the picture's scale and rotation."""
    plain = read(v12(tokens=[token(100, 100), token(600, 400)]))
    for texture in ({"scaleX": 0.8, "scaleY": 0.8}, {"scaleX": 1.5, "scaleY": 1.5}):
        drawn = [token(100, 100, texture=texture, rotation=45, scale=1.5), token(600, 400, shape=4, lockRotation=True)]
        assert read(v12(tokens=drawn)).creatures == plain.creatures


def test_lights_that_tokens_carry():
    tokens = [
        token(0, 0, light={"bright": 20, "dim": 40}), token(0, 100, brightLight=20, dimLight=40),
        token(0, 200, light={"bright": 0, "dim": 0}),
        token(0, 300, light={"bright": 5, "dim": 9, "negative": True}), token(0, 400, light=[]), token(0, 500),
    ]  # fmt: skip
    lights = [one.light and (one.light.bright, one.light.dim) for one in read(v12(tokens=tokens)).creatures]
    assert lights == [(20, 40), (20, 40), None, None, None, None]


def test_tokens_that_are_none():
    tokens = [
        None, 3, [], {}, {"x": 1}, token("0", 0), token(0, None), token(True, 0), token(10**400, 0), token(1e300, 0), token(0, 0),
        token(100, 100, "1", 0), token(200, 200, -1, [1]), {"x": 300, "y": 300},
    ]  # fmt: skip
    scene = read(v12(tokens=tokens))
    assert scene.spaces.tolist() == [[0, 0, 1, 1], [1, 1, 1, 1], [2, 2, 1, 1], [3, 3, 1, 1]]
    assert scene.load_warnings == (
        "tokens without a place of two finite numbers, left out (10): tokens[0], tokens[1], tokens[2] and 7 more",
        "tokens without a size, taken as one square (2): tokens[11], tokens[12]",
    )


@pytest.mark.parametrize("width", [1e300, 2**39])
def test_huge_tokens_are_cut_or_taken_as_one_square(width):
    found, _ = space(0, 0, width, width)
    assert found in ([(0, 0, 10, 10)], [(0, 0, 1, 1)])


def test_too_many_tokens():
    with pytest.raises(MapFileError, match=r"3 creatures, and the limit is 2; Limits\(creatures=3\)"):
        read(v12(tokens=[token(0, 0)] * 3), limits=Limits(creatures=2))


def test_lights_and_tokens_are_in_the_same_squares():
    scene = read(v12(padding=0.25, tokens=[token(500, 400)], lights=[light(550, 450)]))
    assert (scene.creatures[0].at, scene.lights[0].at) == ((3, 2), (3.5, 2.5))
