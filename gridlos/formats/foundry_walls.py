"""Walls of Foundry VTT: what the numbers of one mean, and which walls of gridlos it is."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from gridlos.formats.foundry_file import decoded, finite_or_none
from gridlos.formats.reading import is_number
from gridlos.walls import Threshold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gridlos.formats.foundry_file import WallFields

__all__ = ["EffectChannel", "Look", "WallReader"]

EffectChannel = Literal["move", "sight", "light", "sound", "both"]
_Stop = Literal["none", "proximity", "distance", "limited", "normal"]  # from mild to strict
_ORDER = ("none", "proximity", "distance", "limited", "normal")

_STOPS: Mapping[int, _Stop] = MappingProxyType({
    0: "none",
    1: "normal", 2: "limited",  # up to version 8
    10: "limited", 20: "normal", 30: "proximity", 40: "distance",  # from version 9 on: no number means two things
})  # fmt: skip
_SIDES = MappingProxyType({0: None, 1: "left", 2: "right"})
_DOORS = MappingProxyType({0: None, 1: "door", 2: "secret door"})
_STATES = MappingProxyType({0: "closed", 1: "open", 2: "locked"})
_KINDS: Mapping[tuple[bool | str, bool | str], Mapping[str, Any]] = MappingProxyType({
    (True, True): {"kind": "wall"},
    (True, False): {"kind": "window"},
    (False, True): {"kind": "curtain"},
    (True, "limited"): {"kind": "terrain", "effect": True},
    (False, "limited"): {"kind": "terrain"},
    ("limited", "limited"): {"kind": "terrain", "effect": "limited"},
    ("limited", True): {"kind": "wall", "effect": "limited"},
    ("limited", False): {"kind": "window", "effect": "limited"},
    (False, False): {"kind": "open"},
})  # fmt: skip
_COVERS = MappingProxyType({0: "none", 1: "1/2", 2: "3/4", 3: None})
_HIGHEST = 1_000_000  # feet
_N_EMPTY = 2  # bytes of an empty list or object

_UNKNOWN = "walls with an unknown number, the usual one taken in its place"
_EMPTY = "walls that stop neither effect nor sight, left out"
_NO_HEIGHT = "walls whose top is not above their bottom, left out"
_OTHER_LIGHT = "walls that stop light otherwise than sight; light goes as sight does"
_THRESHOLDS = MappingProxyType({
    "proximity": "walls that only stop who is far from them (proximity), kept and read as windows are: what depends on a "
    "distance passes",
    "distance": "walls that only stop who is near them (distance), kept: what depends on a distance passes",
})


_NUMBERS = ("move", "sight", "sense", "light", "sound", "door", "state", "side")
_ANYTHING = msgspec.json.Decoder()


class Look(NamedTuple):
    """The walls of gridlos that a wall is, by their keywords, what is to be told of it, whether a distance is in it."""

    walls: tuple[Mapping[str, Any], ...]
    remarks: tuple[str, ...] = ()
    is_by_distance: bool = False


@dataclass(frozen=True, slots=True)
class _Channel:
    """What a wall does in one channel; ``feet`` only where it depends on the distance."""

    stop: _Stop
    feet: float = 0.0

    @property
    def blocks(self) -> bool | Literal["limited"]:
        """What it stops from everywhere."""
        return "limited" if self.stop == "limited" else self.stop == "normal"

    @property
    def threshold(self) -> Threshold | None:
        """From where on it stops anything, if that is so."""
        return Threshold(kind=self.stop, feet=self.feet) if self.stop in ("proximity", "distance") else None


class WallReader:
    """Reads walls of one scene; walls that look alike are looked at once.

    Parameters
    ----------
    effect_channel
        Which number says what stops effect.
    feet_per_unit
        Feet in a unit of distance of the scene.
    levels
        Bottom and top, in feet, of each level by its id; None: without end.
    """

    def __init__(
        self,
        effect_channel: EffectChannel,
        feet_per_unit: float,
        levels: Mapping[str, tuple[float | None, float | None]],
    ) -> None:
        self._effect_channel = effect_channel
        self._feet_per_unit = feet_per_unit
        self._levels = levels
        self._known: dict[tuple[object, ...], Look] = {}

    def look(self, wall: WallFields) -> Look:
        """Return the keywords of the walls that a wall is: none, one, or two where near and far differ."""
        numbers: tuple[object, ...] = (
            wall.move, wall.sight, wall.sense, wall.light, wall.sound, wall.door, wall.state, wall.side,
        )  # fmt: skip
        more: tuple[str, ...] = ()
        try:
            look = self._known.get(numbers)
        except TypeError:  # a list or an object where a number should be
            more, look = (_UNKNOWN,), None
            numbers = tuple(None if isinstance(one, list | dict) else one for one in numbers)
        if look is None:
            look = self._read(dict(zip(_NUMBERS, numbers, strict=True)), _object(wall.threshold))
            if not look.is_by_distance:
                self._known[numbers] = look
        if len(wall.flags) > _N_EMPTY or len(wall.levels) > _N_EMPTY:
            look = self._with_flags(look, _object(wall.flags), _value(wall.levels))
        return look._replace(remarks=more + look.remarks) if more else look

    def _read(self, numbers: Mapping[str, object], threshold: Mapping[str, Any]) -> Look:
        remarks: list[str] = []
        sight_key = "sense" if numbers["sight"] is None else "sight"
        keys = {"move": "move", "sight": sight_key, "light": "light", "sound": "sound"}
        channels = {name: self._channel(numbers[key], threshold.get(name), remarks) for name, key in keys.items()}
        if numbers["light"] is None:  # up to version 8 sight and light are one
            channels["light"] = channels["sight"]
        sight, light = channels["sight"], channels["light"]
        if self._effect_channel == "both":
            effect = min(channels["move"], sight, key=lambda channel: _ORDER.index(channel.stop))
        else:
            effect = channels[self._effect_channel]
        base: dict[str, Any] = {}
        if (side := _known_number(numbers["side"], _SIDES, 0, remarks)) is not None:
            base["blocks_from"] = side
        if (door := _known_number(numbers["door"], _DOORS, 0, remarks)) is not None:
            base |= {"kind": door, "state": _known_number(numbers["state"], _STATES, 0, remarks)}
        if light.stop != sight.stop and base.get("state") != "open":
            remarks.append(_OTHER_LIGHT)
        look = _as_walls(effect, sight, base, remarks)
        return look._replace(is_by_distance=not {30, 40}.isdisjoint(numbers[key] for key in keys.values()))

    def _channel(self, number: object, threshold: object, remarks: list[str]) -> _Channel:
        stop = _known_number(number, _STOPS, 1, remarks)
        if stop in ("proximity", "distance"):
            units = finite_or_none(threshold)
            if not units or units < 0:  # without a distance it is a wall like others
                return _Channel("normal")
            return _Channel(stop, min(units * self._feet_per_unit, _HIGHEST))
        return _Channel(stop)

    def _with_flags(self, look: Look, flags: Mapping[str, Any], levels: object) -> Look:
        """Return the look with what modules say of the wall's height and cover, and with the height of its levels."""
        remarks = list(look.remarks)
        bottom, top = self._band(flags, levels)
        if bottom is not None and top is not None and not bottom < top:
            return Look((), (_NO_HEIGHT,))
        more: dict[str, Any] = {}
        if bottom is not None:
            more["bottom"] = bottom
        if top is not None:
            more["top"] = top
        walls, cover = look.walls, _cover(flags)
        if cover is not None:
            more["cover"] = cover
            if not walls and _COVERS[0] != cover:
                walls = ({"kind": "open"},)
                remarks.remove(_EMPTY)
        if not more:
            return look
        return Look(tuple({**wall, **more} for wall in walls), tuple(remarks))

    def _band(self, flags: Mapping[str, Any], levels: object) -> tuple[float | None, float | None]:
        """Return bottom and top in feet, None: without end."""
        for module, bottom, top in (
            ("wall-height", "bottom", "top"),
            ("wallHeight", "wallHeightBottom", "wallHeightTop"),
        ):
            held = flags.get(module)
            if isinstance(held, dict) and (held.get(bottom) is not None or held.get(top) is not None):
                return self._feet(held.get(bottom)), self._feet(held.get(top))
        names = [one for one in levels if isinstance(one, str)] if isinstance(levels, list) else []
        bands = [self._levels[name] for name in names if name in self._levels]
        if not bands:
            return None, None
        bottoms, tops = [low for low, _ in bands if low is not None], [high for _, high in bands if high is not None]
        return (
            min(bottoms) if len(bottoms) == len(bands) else None,
            max(tops) if len(tops) == len(bands) else None,
        )

    def _feet(self, units: object) -> float | None:
        number = finite_or_none(units)
        if number is None or abs(number * self._feet_per_unit) > _HIGHEST:
            return None
        return number * self._feet_per_unit


def _value(raw: msgspec.Raw) -> Any:  # noqa: ANN401 - any JSON
    return decoded(bytes(raw), _ANYTHING, "", "") if len(raw) else None


def _object(raw: msgspec.Raw) -> Mapping[str, Any]:
    held = _value(raw)
    return held if isinstance(held, dict) else {}


def _known_number(number: object, known: Mapping[int, Any], default: int, remarks: list[str]) -> Any:  # noqa: ANN401
    if number is None:
        return known[default]
    if is_number(number) and number in known:
        return known[int(number)]
    if _UNKNOWN not in remarks:
        remarks.append(_UNKNOWN)
    return known[default]


def _as_walls(effect: _Channel, sight: _Channel, base: Mapping[str, Any], remarks: list[str]) -> Look:
    """Return the walls that stop effect and sight so: two where only one of both depends on the distance."""
    near_or_far = {"effect": effect.threshold, "sight": sight.threshold}
    thresholds = [one for one in near_or_far.values() if one is not None]
    walls = []
    if len(thresholds) == 2 and thresholds[0] == thresholds[1]:
        walls.append(_wall(base, effect=True, sight=True) | {"threshold": thresholds[0]})
    else:
        if effect.blocks or sight.blocks or not thresholds:
            walls.append(_wall(base, effect=effect.blocks, sight=sight.blocks))
        for name, threshold in near_or_far.items():
            if threshold is not None:
                walls.append(_wall(base, effect=name == "effect", sight=name == "sight") | {"threshold": threshold})
    remarks += dict.fromkeys(_THRESHOLDS[one.kind] for one in thresholds)
    if walls[0]["kind"] == "open":
        return Look((), (*(one for one in remarks if one != _OTHER_LIGHT), _EMPTY))
    return Look(tuple(walls), tuple(remarks))


def _wall(base: Mapping[str, Any], *, effect: bool | str, sight: bool | str) -> dict[str, Any]:
    if "kind" not in base:
        return {**_KINDS[effect, sight], **base}
    own = {name: stops for name, stops in (("effect", effect), ("sight", sight)) if stops is not True}
    return {**base, **own}


def _cover(flags: Mapping[str, Any]) -> str | None:
    """Return the word for the cover that people gave a wall by hand; its highest level is what a wall gives anyway."""
    held = flags.get("simbuls-cover-calculator")
    level = finite_or_none(held.get("coverLevel")) if isinstance(held, dict) else None
    return _COVERS.get(int(level)) if level is not None and level == int(level) else None
