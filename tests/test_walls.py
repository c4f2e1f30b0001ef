import json
import math

import msgspec
import pytest

from gridlos.errors import SceneError
from gridlos.facts import Stops
from gridlos.walls import (
    BUILT_IN,
    KINDS,
    SquareKind,
    Threshold,
    Wall,
    behaviour_of,
    stops_of,
    warnings_for,
)

BOTH, EFFECT, SIGHT, NOTHING = Stops.EFFECT | Stops.SIGHT, Stops.EFFECT, Stops.SIGHT, Stops.NOTHING
ENDS = {"start": (0, 0), "end": (0, 1)}


@pytest.mark.parametrize(
    ("keys", "stops"),
    [  # the table of kinds of the scene file
        ({}, BOTH),
        ({"kind": "void"}, BOTH),
        ({"kind": "door"}, BOTH),
        ({"kind": "door", "state": "closed"}, BOTH),
        ({"kind": "door", "state": "locked"}, BOTH),
        ({"kind": "door", "state": "open"}, NOTHING),
        ({"kind": "secret door"}, BOTH),
        ({"kind": "secret door", "state": "open"}, NOTHING),
        ({"kind": "window"}, EFFECT),
        ({"kind": "curtain"}, SIGHT),
        ({"kind": "open"}, NOTHING),
        ({"kind": "water"}, NOTHING),
        ({"sight": False}, EFFECT),
        ({"effect": False}, SIGHT),
        ({"kind": "window", "sight": True}, BOTH),
        ({"kind": "open", "effect": True}, EFFECT),
        ({"kind": "door", "state": "open", "effect": True}, NOTHING),
        ({"cover": "1/4"}, BOTH),
        ({"kind": "low wall"}, BOTH),
        ({"kind": "obstacle"}, BOTH),
        ({"kind": "arrow slit"}, NOTHING),
        ({"kind": "fence"}, NOTHING),
        ({"kind": "portcullis"}, NOTHING),
        ({"kind": "terrain"}, NOTHING),
        ({"kind": "fence", "effect": True}, EFFECT),
        ({"effect": "limited"}, SIGHT),
        ({"sight": "limited"}, EFFECT),
        ({"kind": "terrain", "sight": True}, SIGHT),
        ({"top": 10}, BOTH),
        ({"bottom": 0}, BOTH),
        ({"blocks_from": "left"}, BOTH),
    ],
)
def test_what_walls_stop(keys, stops):
    assert stops_of(Wall(**ENDS, **keys)) == stops


@pytest.mark.parametrize(
    ("keys", "label"),
    [
        ({"kind": "brush"}, "brush"),
        ({"kind": "fog"}, "fog"),
        ({"threshold": Threshold(kind="proximity", feet=10)}, 'key "threshold"'),
    ],
)
def test_what_has_no_behaviour_stops_nothing_and_warns(keys, label):
    wall = Wall(**ENDS, **keys)
    behaviour = behaviour_of(wall)
    assert (behaviour.stops, behaviour.limited, behaviour.cover) == (Stops.NOTHING, Stops.NOTHING, None)
    assert warnings_for([(wall, 1), (Wall(**ENDS), 1), (wall, 1)], "wall") == (f"{label}: not used yet (2 walls)",)


def test_a_wall_of_fog_keeps_what_is_said_of_it():
    behaviour = behaviour_of(Wall(**ENDS, kind="fog", effect=True, cover="improved"))
    assert (behaviour.stops, behaviour.cover) == (Stops.EFFECT, "improved")


WHOLE = (None, None)


@pytest.mark.parametrize(
    ("keys", "limited", "band", "cover"),
    [  # the table of kinds of the scene file, and the keys that change it
        ({}, NOTHING, WHOLE, None),
        ({"kind": "low wall"}, NOTHING, (0, 3), None),
        ({"kind": "obstacle"}, NOTHING, (0, 4), None),
        ({"kind": "low wall", "top": 2}, NOTHING, (0, 2), None),
        ({"kind": "low wall", "bottom": 1}, NOTHING, (1, 3), None),
        ({"top": 10}, NOTHING, (None, 10), None),
        ({"bottom": -5}, NOTHING, (-5, None), None),
        ({"kind": "arrow slit"}, NOTHING, WHOLE, "improved"),
        ({"kind": "fence"}, NOTHING, WHOLE, "standard"),
        ({"kind": "portcullis"}, NOTHING, WHOLE, "standard"),
        ({"kind": "portcullis", "cover": "1/4", "top": 6}, NOTHING, (None, 6), "1/4"),
        ({"kind": "window", "cover": "none"}, NOTHING, WHOLE, "none"),
        ({"kind": "terrain"}, SIGHT, WHOLE, None),
        ({"effect": "limited"}, EFFECT, WHOLE, None),
        ({"kind": "terrain", "effect": "limited"}, BOTH, WHOLE, None),
        ({"kind": "terrain", "sight": False}, NOTHING, WHOLE, None),
        ({"kind": "terrain", "sight": True}, NOTHING, WHOLE, None),
        ({"kind": "door", "state": "open", "sight": "limited", "top": 3, "cover": "total"}, NOTHING, WHOLE, None),
    ],
)
def test_what_walls_stop_in_part(keys, limited, band, cover):
    found = behaviour_of(Wall(**ENDS, **keys))
    assert (found.limited, (found.bottom, found.top), found.cover) == (limited, band, cover)
    assert warnings_for([(Wall(**ENDS, **keys), 1)], "wall") == ()


@pytest.mark.parametrize(
    ("keys", "is_special"),
    [
        ({}, False),
        ({"kind": "curtain"}, False),
        ({"kind": "terrain"}, True),
        ({"kind": "terrain", "sight": False}, False),
        ({"kind": "fence"}, True),
        ({"kind": "low wall"}, True),
        ({"kind": "low wall", "effect": False, "sight": False}, False),
        ({"kind": "open", "blocks_from": "left", "top": 3}, False),
        ({"blocks_from": "right"}, True),
        ({"bottom": 0}, True),
        ({"cover": "none"}, True),
        ({"kind": "door", "state": "open", "top": 3}, False),
        ({"kind": "door", "state": "locked", "top": 3}, True),
    ],
)
def test_what_is_not_the_same_for_everybody_from_everywhere(keys, is_special):
    assert behaviour_of(Wall(**ENDS, **keys)).is_special is is_special


def test_one_side():
    sides = [behaviour_of(Wall(**ENDS, blocks_from=side)).blocks_from for side in (None, "left", "right")]
    assert sides == [None, "left", "right"]


@pytest.mark.parametrize(
    ("keys", "above_floor"),
    [
        ({"kind": "low wall"}, (True, True)),
        ({"kind": "low wall", "top": 2}, (True, False)),  # what a wall says itself is told from the ground
        ({"bottom": 1, "top": 2}, (False, False)),
    ],
)
def test_bands_of_walls_are_told_from_the_ground_and_those_of_kinds_from_the_floor(keys, above_floor):
    assert behaviour_of(Wall(**ENDS, **keys)).above_floor == above_floor


def test_bands_of_squares_are_told_from_the_floor():
    found = behaviour_of(SquareKind(kind="low wall", top=2, elevation=10))
    assert (found.bottom, found.top, found.above_floor) == (0, 2, (True, True))


def test_arrow_slits():
    """A wall with the same cover is none: nobody shoots out of it freely."""
    for one in (Wall, SquareKind):
        keys = ENDS if one is Wall else {}
        assert behaviour_of(one(kind="arrow slit", **keys)).is_slit
        assert not behaviour_of(one(kind="fence", cover="improved", **keys)).is_slit


@pytest.mark.parametrize(("key", "value"), [("cover", "total"), ("elevation", 5), ("top", 3)])
def test_keys_of_squares(key, value):
    kind = SquareKind(kind="wall", **{key: value})
    assert stops_of(kind) == BOTH
    assert behaviour_of(kind).is_special == (key != "elevation")
    assert warnings_for([(kind, 1)], "square") == ()


def test_no_warning_for_a_letter_that_the_map_does_not_have():
    assert warnings_for([(SquareKind(kind="fog"), 0)], "square") == ()


def test_built_in_letters():
    kinds = {letter: kind.kind for letter, kind in BUILT_IN.items()}
    assert kinds == {
        ".": "open",
        "#": "wall",
        "w": "low wall",
        "c": "obstacle",
        "f": "fog",
        "b": "brush",
        "s": "arrow slit",
        "~": "water",
        " ": "void",
    }
    assert {letter for letter, kind in BUILT_IN.items() if stops_of(kind)} == {"#", " ", "w", "c"}
    assert {letter for letter, kind in BUILT_IN.items() if behaviour_of(kind).is_special} == {"w", "c", "s"}


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"kind": "dor"}, "did you mean 'door'"),
        ({"state": "open"}, "only doors have a state, and this is a wall"),
        ({"kind": "window", "state": "open"}, "only doors"),
        ({"kind": "door", "state": "opne"}, "did you mean 'open'"),
        ({"id": ""}, "id is not empty"),
        ({"bottom": 5, "top": 5}, "not below"),
        ({"top": math.inf}, "top inf is not a finite number"),
        ({"cover": "standrd"}, "did you mean 'standard'"),
        ({"cover": "heavy"}, "1/4"),
        ({"cover": "5/4"}, "more than the whole"),
        ({"cover": "1/0"}, "unknown cover"),
        ({"start": (math.nan, 0)}, "not a finite number"),
        ({"end": (0, math.inf)}, "not a finite number"),
    ],
)
def test_refused_walls(keys, words):
    with pytest.raises(SceneError, match=words):
        Wall(**{**ENDS, **keys})


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"kind": "wal"}, "'wall'"),
        ({"concealment": "hevy"}, "'heavy'"),
        ({"elevation": math.nan}, "elevation"),
        ({"bottom": 3, "top": 1}, "below"),
    ],
)
def test_refused_squares(keys, words):
    with pytest.raises(SceneError, match=words):
        SquareKind(**keys)


def test_threshold_is_finite():
    with pytest.raises(ValueError, match="feet"):
        Threshold(kind="distance", feet=math.inf)


def test_every_key_of_a_wall_is_kept():
    every = {
        "from": [0.5, 1],
        "to": [2, 1],
        "kind": "secret door",
        "id": "gate",
        "state": "locked",
        "effect": "limited",
        "sight": False,
        "cover": "improved",
        "blocks_from": "left",
        "bottom": 0,
        "top": 10,
        "threshold": {"kind": "proximity", "feet": 10},
        "extra": [1],
    }
    assert json.loads(msgspec.json.encode(msgspec.convert(every, Wall))) == every
    assert set(every) == {field.encode_name for field in msgspec.structs.fields(Wall)}


def test_every_kind_of_the_scene_file():
    assert set(KINDS) == {
        "wall",
        "void",
        "door",
        "secret door",
        "window",
        "curtain",
        "low wall",
        "obstacle",
        "arrow slit",
        "fence",
        "portcullis",
        "terrain",
        "brush",
        "fog",
        "open",
        "water",
    }
