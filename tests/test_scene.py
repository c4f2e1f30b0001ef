import copy
import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from scene_strategies import scenes

from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.errors import SceneError
from gridlos.records import Light, Override
from gridlos.scene import Scene
from gridlos.walls import Wall

OPEN = BattleMap.from_rows(["....", "....", "...."])


def test_lookups():
    scene = Scene(OPEN, (Creature(id="a", at=(1, 2)), Creature(id="b", at=(2, 0), size="large")))
    assert scene.ids == ("a", "b")
    assert scene.creature("b").size == "large"
    assert scene.index("b") == 1
    assert scene.spaces.tolist() == [[1, 2, 1, 1], [2, 0, 2, 2]]
    assert scene.spaces.dtype == np.int32
    assert not scene.spaces.flags.writeable


def test_unknown_creature_gets_the_nearest_name():
    scene = Scene(OPEN, (Creature(id="archer", at=(1, 2)),))
    with pytest.raises(SceneError, match="'acher'; did you mean 'archer'"):
        scene.creature("acher")


def test_scene_without_creatures_has_no_spaces():
    assert Scene(OPEN).spaces.shape == (0, 4)


@pytest.mark.parametrize(
    ("creatures", "place", "words"),
    [
        (
            [Creature(id="a", at=(0, 0)), Creature(id="b", at=(1, 0)), Creature(id="a", at=(2, 0))],
            "$.creatures[0].id",
            "2 creatures",
        ),
        ([Creature(id="a", at=(4, 0))], "$.creatures[0].at", r"\(4, 0\) is off the map"),
        ([Creature(id="a", at=(0, -1))], "$.creatures[0].at", "off the map"),
        (
            [Creature(id="b", at=(0, 0)), Creature(id="a", at=(3, 1), size="large")],
            "$.creatures[1].at",
            "2 by 2 squares, is off",
        ),
        ([Creature(id="a", at=(0, 0), mount="b")], "$.creatures[0].mount", "rides 'b'"),
        ([Creature(id="a", at=(0, 0), mount="a")], "$.creatures[0].mount", "no other creature"),
    ],
)
def test_creatures_that_no_scene_can_have(creatures, place, words):
    with pytest.raises(SceneError, match=words) as caught:
        Scene(OPEN, tuple(creatures))
    assert caught.value.place == place


@pytest.mark.parametrize("letter", ["#", " "])
def test_no_creature_stands_on_a_solid_square(letter):
    battle_map = BattleMap.from_rows(["....", "..." + letter])
    with pytest.raises(SceneError, match=r"'a' stands on the solid square \(3, 1\)") as caught:
        Scene(battle_map, (Creature(id="a", at=(2, 0), size="large"),))
    assert caught.value.place == "$.creatures[0].at"
    assert caught.value.hint


def test_creatures_stand_on_what_stops_no_effect():
    battle_map = BattleMap.from_rows(["wcfbs~."])
    assert len(Scene(battle_map, tuple(Creature(id=str(x), at=(x, 0)) for x in range(7))).ids) == 7


def test_creatures_may_share_a_square():
    scene = Scene(OPEN, (Creature(id="horse", at=(0, 0), size="large"), Creature(id="rider", at=(0, 0), mount="horse")))
    assert scene.spaces.tolist() == [[0, 0, 2, 2], [0, 0, 1, 1]]


def test_overrides_name_creatures_of_the_scene():
    creatures = (Creature(id="archer", at=(0, 0)), Creature(id="ogre", at=(2, 0)))
    with pytest.raises(SceneError, match="'orge'; did you mean 'ogre'") as caught:
        Scene(OPEN, creatures, overrides=(Override(attacker="archer", target="ogre"), Override(target="orge")))
    assert caught.value.place == "$.overrides[1].target"


def test_override_cannot_forbid_and_force():
    with pytest.raises(ValueError, match="veto and force"):
        Override(target="a", veto=True, force=True)


def test_lights_have_unique_ids():
    with pytest.raises(SceneError, match="2 lights have the id 'torch'"):
        Scene(OPEN, lights=(Light(at=(0, 0), id="torch"), Light(at=(1, 1), id="torch")))
    assert len(Scene(OPEN, lights=(Light(at=(0, 0)), Light(at=(1, 1)))).lights) == 2


@pytest.mark.parametrize(
    "keys", [{"at": (float("nan"), 0)}, {"at": (0, 0), "bright": float("inf")}, {"at": (0, 0), "dim": -1}]
)
def test_light_needs_finite_numbers(keys):
    with pytest.raises(ValueError, match="not a finite number"):
        Light(**keys)


def test_what_a_loader_says_stands_among_the_warnings():
    scene = Scene(
        BattleMap.from_rows(["wwf.", "...."]),
        (Creature(id="a", at=(2, 1), reach=10), Creature(id="b", at=(3, 1), reach=10, hidden=True)),
        lights=(Light(at=(0, 0), bright=20),),
        light="dim",
        load_warnings=("the door had no frame",),
    )
    assert scene.warnings == ("the door had no frame",)


def test_what_is_used_gives_no_warning():
    scene = Scene.from_drawing(
        """
        A.#.OO
        ....OO

        A archer small party
        wall (1, 0)-(1, 1) window
        option partial=lines
        override target=archer note=x
        """
    )
    assert scene.warnings == ()


def test_frozen():
    scene = Scene.from_drawing("A.T")
    with pytest.raises(dataclasses.FrozenInstanceError):
        scene.name = "x"
    with pytest.raises(TypeError):
        scene.options["partial"] = "lines"
    with pytest.raises(ValueError, match="read-only"):
        scene.spaces[0, 0] = 1


def test_options_are_copied():
    options = {"partial": "lines"}
    scene = Scene(OPEN, options=options)
    options["partial"] = "off"
    assert scene.options["partial"] == "lines"


def test_edited_copies():
    scene = Scene.from_drawing("A.T", walls=[Wall(start=(1, 0), end=(1, 1), kind="door", id="gate")])
    opened = scene.with_map(scene.battle_map.with_wall_state("gate", "open"))
    assert scene.battle_map.stops.tolist() == [3]
    assert opened.battle_map.stops.tolist() == [0]
    assert (
        opened.with_map(opened.battle_map.with_wall_state("gate", "closed")) != scene
    )  # "closed" is written out, and was not
    moved = scene.with_creatures([Creature(id="A", at=(1, 0))])
    assert moved.ids == ("A",)
    assert scene.ids == ("A", "T")
    with pytest.raises(SceneError, match="solid"):
        scene.with_map(scene.battle_map.with_squares({(0, 0): "#"}))


def test_equal_to_nothing_else():
    scene = Scene.from_drawing("A.T")
    assert scene == Scene.from_drawing("A.T")
    assert scene != Scene.from_drawing("A.U")
    assert scene != "A.T"


@settings(max_examples=30, deadline=None)
@given(scenes())
def test_copies_are_equal_and_frozen(scene):
    for other in (pickle.loads(pickle.dumps(scene)), copy.deepcopy(scene), copy.copy(scene)):
        assert other == scene
        assert other.warnings == scene.warnings
        assert not other.battle_map.terrain.flags.writeable


@settings(max_examples=60, deadline=None)
@given(scenes())
def test_record_round_trip(scene):
    assert Scene.from_record(scene.to_record()) == scene
