"""Lights and darkness of a scene of Foundry VTT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gridlos.formats.foundry_creatures import radii
from gridlos.formats.foundry_file import plain_name
from gridlos.formats.reading import is_number
from gridlos.records import Light

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gridlos.formats.foundry_creatures import Squares
    from gridlos.formats.foundry_file import Document
    from gridlos.formats.reading import Remarks
    from gridlos.records import AmbientLight

__all__ = ["ambient_light", "darkness_of", "lights_from"]

_BRIGHT_TO, _DARK_FROM = 0.25, 0.75  # of darkness, as the system for Pathfinder 2 has it


def darkness_of(held: Document) -> float:
    """Return the darkness of a scene, from 0, day, to 1, night."""
    environment = held.environment if isinstance(held.environment, dict) else {}
    for value in (environment.get("darknessLevel"), held.darkness):
        if is_number(value):
            return min(max(value, 0.0), 1.0)
    return 0.0


def ambient_light(held: Document, darkness: float) -> tuple[AmbientLight, tuple[str, ...]]:
    """Return what no light reaches, as a word, and what is to be told of it.

    Bright up to a darkness of 0.25, dark from 0.75 on, which global light makes dim.
    """
    if darkness <= _BRIGHT_TO:
        return "bright", ()
    is_dark = darkness >= _DARK_FROM and not _has_global_light(held, darkness)
    word: AmbientLight = "dark" if is_dark else "dim"
    return word, (f"a darkness of {darkness:g} is read as {word} (bright to {_BRIGHT_TO}, dark from {_DARK_FROM})",)


def _has_global_light(held: Document, darkness: float) -> bool:
    environment = held.environment if isinstance(held.environment, dict) else {}
    settings = environment.get("globalLight")
    if isinstance(settings, dict):
        return settings.get("enabled") is True and _is_within(settings.get("darkness"), darkness)
    limit = held.global_light_threshold
    return held.global_light is True and (not is_number(limit) or darkness <= limit)


def _is_within(bounds: object, darkness: float) -> bool:
    low, high = (bounds.get("min"), bounds.get("max")) if isinstance(bounds, dict) else (0, 1)
    return (not is_number(low) or darkness >= low) and (not is_number(high) or darkness <= high)


def lights_from(lights: Sequence[object], squares: Squares, darkness: float, remarks: Remarks) -> Iterator[Light]:
    """Return the lights of a scene; those that the scene's darkness or the game master turns off do not burn."""
    ids: set[str] = set()
    for index, light in enumerate(lights):
        place = f"lights[{index}]"
        held: Mapping[str, Any] = light if isinstance(light, dict) else {}
        config = held.get("config") if isinstance(held.get("config"), dict) else held
        assert config is not None
        at = squares.point(held.get("x"), held.get("y"))
        if at is None:
            remarks.add("lights without a place of two finite numbers, left out", place)
            continue
        sizes = [one for one in (config.get("bright"), config.get("dim")) if is_number(one)]
        if config.get("negative") is True or (sizes and min(sizes) < 0):
            remarks.add("lights that darken, left out", place)
            continue
        _tell(at, held, config, squares, place, remarks)
        bright, dim = radii(config.get("bright"), config.get("dim"), squares)
        is_hidden = held.get("hidden") is True
        name = plain_name(held.get("_id"))
        x, y = (round(number, 9) for number in at)
        yield Light(
            at=(x, y),
            bright=bright,
            dim=dim,
            on=not is_hidden and _burns(config, darkness),
            id=name if name and name not in ids else None,
            hidden=is_hidden,
        )
        ids.add(name)


def _burns(config: Mapping[str, Any], darkness: float) -> bool:
    """Return whether a light burns in the scene's darkness."""
    bounds, threshold = config.get("darkness"), config.get("darknessThreshold")
    if isinstance(bounds, dict):
        return _is_within(bounds, darkness)
    return not is_number(threshold) or darkness >= threshold


def _tell(
    at: tuple[float, float],
    held: Mapping[str, Any],
    config: Mapping[str, Any],
    squares: Squares,
    place: str,
    remarks: Remarks,
) -> None:
    """Tell what of a light is not as in the file."""
    if not (0 <= at[0] <= squares.cols and 0 <= at[1] <= squares.rows):
        remarks.add("lights beyond the map, kept", place)
    angle = config.get("angle")
    if is_number(angle) and 0 < angle < 360:
        remarks.add("lights that shine to one side, read as shining all round", place)
    if held.get("walls") is False:
        remarks.add("lights that no wall stops, stopped by walls here", place)
