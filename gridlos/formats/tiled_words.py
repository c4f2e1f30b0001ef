"""The words of Tiled's makers for walls and doors: there is no standard, so these are the customs."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from gridlos.errors import MapFileError
from gridlos.walls import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gridlos.walls import WallState

__all__ = ["SOLID_PROPERTIES", "class_kind", "door_state", "is_named", "is_solid", "layer_kind", "properties_of"]

SOLID_PROPERTIES = (
    "collide", "collides", "collision", "collidable", "solid", "blocked", "blocks", "blocking", "wall", "impassable",
)  # fmt: skip
"""Names of properties that make a tile, an object or a layer solid where they are true."""

_WALL_WORDS = frozenset({
    "collision", "collide", "collider", "collidable", "solid", "block", "blocked", "blocking", "blocker", "impassable",
})  # fmt: skip
_NO_CLASSES = frozenset({"terrain", "open", "void"})  # said of tiles and layers in another sense
_NO_LAYERS = _NO_CLASSES | {"fog", "brush"}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOISE = re.compile(r"[\W\d_]+")
_TRUE = frozenset({"true", "yes", "1", "on"})


def _words(name: str) -> list[str]:
    return _NOISE.sub(" ", _CAMEL.sub(" ", name)).casefold().split()


def _kind(words: list[str]) -> str | None:
    """Return the kind that words name, in the singular or the plural."""
    name = " ".join(words)
    for word in (name, name.removesuffix("s"), name.removesuffix("es")):
        if word in _WALL_WORDS:
            return "wall"
        if word in KINDS:
            return word
    return None


def layer_kind(name: str) -> str | None:
    """Return the kind of wall or square that a layer's name says, None if it says none.

    >>> [layer_kind(name) for name in ("Walls", "Tile Layer 1", "doors_2", "CollisionLayer", "upperwall", "Terrain")]
    ['wall', None, 'door', 'wall', None, None]
    """
    words = [word for word in _words(name[:100]) if word not in ("layer", "layers", "tile", "tiles", "object", "objects")]
    kind = _kind(words)
    return None if kind in _NO_LAYERS else kind


def class_kind(name: object) -> str | None:
    """Return the kind that the class (or type) of a tile or object says, None if it says none.

    >>> class_kind("low_wall"), class_kind("SecretDoor"), class_kind("area"), class_kind("")
    ('low wall', 'secret door', None, None)
    """
    kind = _kind(_words(name[:100])) if isinstance(name, str) else None
    return None if kind in _NO_CLASSES else kind


def is_named(name: str, patterns: Sequence[str]) -> bool:
    """Return whether a name is one of these, ``*`` and ``?`` standing for any letters; capitals are as good as small ones.

    >>> is_named("Walls", ["wall*"]), is_named("Ground", ["wall*"])
    (True, False)
    """
    return any(fnmatchcase(name.casefold(), pattern.casefold()) for pattern in patterns)


def properties_of(holder: Mapping[str, Any], file: str, place: str) -> dict[str, Any]:
    """Return the properties of a layer, tile or object by their names in small letters."""
    listed = holder.get("properties")
    if isinstance(listed, dict):  # before Tiled 1.2
        return {name.casefold(): value for name, value in listed.items()}
    if listed is None:
        return {}
    if not isinstance(listed, list):
        raise MapFileError(file, "expected a list of properties", place)
    pairs = [(one.get("name"), one.get("value")) for one in listed if isinstance(one, dict)]
    return {name.casefold(): value for name, value in pairs if isinstance(name, str)}


def is_solid(properties: Mapping[str, Any], names: Sequence[str]) -> bool | None:
    """Return whether one of the named properties is true, or a number other than 0; None if there is none of them.

    >>> is_solid({"collides": "true"}, SOLID_PROPERTIES), is_solid({"solid": 0}, SOLID_PROPERTIES), is_solid({}, ())
    (True, False, None)
    """
    said = [properties[name.casefold()] for name in names if name.casefold() in properties]
    return any(map(_is_true, said)) if said else None


def _is_true(value: object) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in _TRUE
    return isinstance(value, int | float) and value != 0


def door_state(properties: Mapping[str, Any]) -> WallState:
    """Return how a door stands, by its properties ``state``, ``open`` and ``locked``; without them it is shut.

    >>> door_state({"open": True}), door_state({"locked": "true"}), door_state({"state": "Open"}), door_state({})
    ('open', 'locked', 'open', 'closed')
    """
    word = properties.get("state")
    state = word.strip().casefold() if isinstance(word, str) else ""
    if state == "open" or _is_true(properties.get("open")):
        return "open"
    return "locked" if state == "locked" or _is_true(properties.get("locked")) else "closed"
