import json
import math

import msgspec
import pytest

from gridlos.errors import SceneError
from gridlos.facts import Stops
from gridlos.walls import BUILT_IN, KINDS, SquareKind, Threshold, Wall, stops_of, warnings_for

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
    ],
)
def test_what_walls_stop(keys, stops):
    assert stops_of(Wall(**ENDS, **keys)) == stops


@pytest.mark.parametrize(
    ("keys", "label"),
    [
        *(
            ({"kind": kind}, kind)
            for kind in ("low wall", "obstacle", "arrow slit", "fence", "portcullis", "terrain", "brush", "fog")
        ),
        ({"kind": "fence", "effect": True}, "fence"),
        ({"effect": "limited"}, '"limited"'),
        ({"sight": "limited"}, '"limited"'),
        ({"top": 10}, 'key "top"'),
        ({"bottom": 0}, 'key "bottom"'),
        ({"blocks_from": "left"}, 'key "blocks_from"'),
        ({"threshold": Threshold(kind="proximity", feet=10)}, 'key "threshold"'),
    ],
)
def test_what_has_no_behaviour_stops_nothing_and_warns(keys, label):
    wall = Wall(**ENDS, **keys)
    assert stops_of(wall) == NOTHING
    assert warnings_for([(wall, 1), (Wall(**ENDS), 1), (wall, 1)], "wall") == (f"{label}: not used yet (2 walls)",)


@pytest.mark.parametrize(("key", "value"), [("cover", "total"), ("elevation", 5)])
def test_keys_that_change_no_line_warn(key, value):
    kind = SquareKind(kind="wall", **{key: value})
    assert stops_of(kind) == BOTH
    assert warnings_for([(kind, 1)], "square") == (f'key "{key}": not used yet (1 square)',)


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
    assert {letter for letter, kind in BUILT_IN.items() if stops_of(kind)} == {"#", " "}


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
