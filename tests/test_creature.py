import json
import math

import msgspec
import pytest

from gridlos.creature import SQUARES_BY_SIZE, CarriedLight, Creature, Senses
from gridlos.errors import SceneError

# Pathfinder Core Rulebook, Combat, Big and Little Creatures in Combat; what is smaller than a square fills it.
SPACES = {
    "fine": 1,
    "diminutive": 1,
    "tiny": 1,
    "small": 1,
    "medium": 1,
    "large": 2,
    "huge": 3,
    "gargantuan": 4,
    "colossal": 6,
}


@pytest.mark.parametrize(("size", "squares"), SPACES.items())
def test_space_of_each_size(size, squares):
    assert Creature(id="a", at=(3, 4), size=size).occupied == (3, 4, squares, squares)


def test_every_size_has_a_space():
    assert set(SQUARES_BY_SIZE) == set(SPACES)


def test_space_of_its_own():
    assert Creature(id="horse", at=(3, 4), size="large", space=(1, 2)).occupied == (3, 4, 1, 2)


@pytest.mark.parametrize("at", [(2.5, 3), (2.5, 3.5), (2, 3.5), (2, 3)])
def test_a_space_smaller_than_a_square_counts_as_its_whole_square(at):
    assert Creature(id="rat", at=at, size="tiny").occupied == (2, 3, 1, 1)
    assert Creature(id="rat", at=(2, 3), space=(0.5, 0.5)).occupied == (2, 3, 1, 1)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"id": ""}, "empty id"),
        ({"size": "lage"}, "did you mean 'large'"),
        ({"at": (math.nan, 0)}, "finite"),
        ({"at": (math.inf, 0)}, "finite"),
        ({"at": (0, -(2.0**23))}, "finite"),
        ({"at": (1e300, 0)}, "finite"),
        ({"at": (0.5, 0)}, "a medium creature stands on whole squares"),
        ({"at": (0, 0.5), "size": "small"}, "a small creature stands on whole squares"),
        ({"at": (0.25, 0), "size": "tiny"}, "halves"),
        ({"space": (0, 1)}, "whole squares"),
        ({"space": (1.5, 1)}, "whole squares"),
        ({"space": (1, -2)}, "whole squares"),
        ({"space": (math.nan, 1)}, "whole squares"),
        ({"space": (math.inf, 1)}, "whole squares"),
        ({"reach": -5}, "reach -5"),
        ({"reach_min": math.nan}, "reach_min nan"),
        ({"height": math.inf}, "height inf"),
        ({"elevation": math.nan}, "elevation nan"),
    ],
)
def test_refused(keys, words):
    with pytest.raises(SceneError, match=words):
        Creature(**{"id": "a", "at": (0, 0), **keys})


def test_elevation_may_be_negative():
    assert Creature(id="a", at=(0, 0), elevation=-10).elevation == -10


@pytest.mark.parametrize("number", [-1, math.nan, math.inf])
def test_senses_and_lights_reach_finite_feet(number):
    with pytest.raises(ValueError, match="darkvision"):
        Senses(darkvision=number)
    with pytest.raises(ValueError, match="bright"):
        CarriedLight(bright=number)
    with pytest.raises(ValueError, match="dim"):
        CarriedLight(dim=number)


EVERY_KEY = {
    "id": "archer",
    "name": "Anne",
    "at": [1, 1],
    "size": "large",
    "space": [1, 2],
    "side": "party",
    "reach": 10,
    "reach_min": 5,
    "elevation": 15,
    "height": 6,
    "dexterity": 3,
    "shield": 2,
    "weapon": "bow",
    "armed": False,
    "senses": {"darkvision": 60, "low_light": True},
    "conditions": ["kneeling", "off-guard"],
    "gives_cover": ["party"],
    "can_be_flanked": False,
    "mount": "horse",
    "light": {"bright": 20, "dim": 40, "on": False},
    "hidden": True,
    "extra": {"a": [1]},
}


def test_every_key_of_the_scene_file_is_kept():
    creature = msgspec.convert(EVERY_KEY, Creature)
    assert json.loads(msgspec.json.encode(creature)) == EVERY_KEY
    assert set(EVERY_KEY) == {field.encode_name for field in msgspec.structs.fields(Creature)}
    assert creature.senses == Senses(darkvision=60, low_light=True)
    assert creature.gives_cover == ("party",)


def test_defaults():
    creature = Creature(id="a", at=(0, 0))
    assert (creature.size, creature.armed, creature.can_be_flanked, creature.hidden) == ("medium", True, True, False)
    assert creature.dexterity is None
