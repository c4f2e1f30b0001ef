"""Tiny scenes: one question to an edition about creature A attacking creature T."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec.structs import replace as replace_record
from traced.registry import Load

import gridlos
from gridlos.records import Light, Override
from gridlos.scene import Scene
from gridlos.verdict import Verdict
from gridlos.walls import SquareKind, Wall

NEAR, FAR, REACH = "AT", "A..T", "A.T"
"""Adjacent; at a distance; two squares apart, within a reach of 10 ft."""

ONE_LINE, TWO_LINES = "A.. .#T", "A... ..#T"
"""From the attacker's best corner: one line cuts through the pillar, the others touch it at most; two lines do."""

WIDE = ".... A..T ...."
ORIGIN: Mapping[str, Any] = {"pair": ("origin", "T"), "question": {"origin": (0, 1)}}
"""An effect from the west side of that map."""


def fence(word: str, x: int = 1, height: int = 1) -> list[dict[str, Any]]:
    """Return a fence of that word of cover across the map, at the west side of column ``x``."""
    return [{"start": (x, 0), "end": (x, height), "kind": "fence", "cover": word}]


def curtain(x: int = 1, height: int = 1) -> list[dict[str, Any]]:
    """Return a curtain across the map."""
    return [{"start": (x, 0), "end": (x, height), "kind": "curtain"}]


def blast(
    ask: Callable[..., Verdict], load: Load, word: str, origin: tuple[float, float] = (0, 1), **question: Any
) -> Verdict:
    """Return the verdict on T of an effect, by default from behind a fence of that word."""
    told = {"origin": origin, **question}
    return ask(load, WIDE, "area", walls=fence(word, height=3), pair=("origin", "T"), question=told)


_SCENES: dict[str, Scene] = {}
"""Scenes made so far: the same are asked of many editions, and a scene never changes."""


def scene_of(
    drawing: str,
    creatures: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    legend: Mapping[str, Any] | None = None,
    walls: Sequence[Any] = (),
    light: str = "bright",
    lights: Sequence[Mapping[str, Any]] = (),
    brush: Sequence[tuple[int, int]] = (),
) -> Scene:
    """Return the scene of a drawing; A and T are enemies with an unremarkable Dexterity unless told otherwise.

    ``brush``: squares with brush, under creatures too.
    """
    rows = drawing.split()
    sides = {"A": {"side": "a", "dexterity": 0}, "T": {"side": "t", "dexterity": 0}}
    said = creatures or {}
    drawn = {letter for row in rows for letter in row if letter.isupper()}
    keys = {one: {**sides.get(one, {}), **said.get(one, {})} for one in drawn}
    kinds = {letter: SquareKind(**keys) for letter, keys in (legend or {}).items()}
    built = [Wall(**wall) if isinstance(wall, dict) else wall for wall in walls]
    scene = Scene.from_drawing("\n".join(rows), creatures=keys, legend=kinds, walls=built)
    if brush:
        ground = [list(row) for row in scene.battle_map.to_rows()]
        for x, y in brush:
            ground[y][x] = "b"
        record = replace_record(scene.to_record(), squares=tuple("".join(row) for row in ground))
        scene = Scene.from_record(record)
    return replace(scene, light=light, lights=tuple(Light(**one) for one in lights))


def ask(
    edition: str,
    load: Load,
    drawing: str = FAR,
    attack: str = "ranged",
    *,
    a: Mapping[str, Any] | None = None,
    t: Mapping[str, Any] | None = None,
    others: Mapping[str, Mapping[str, Any]] | None = None,
    options: Mapping[str, str] | None = None,
    overrides: Sequence[Mapping[str, Any]] = (),
    pair: tuple[str, str] = ("A", "T"),
    question: Mapping[str, Any] | None = None,
    **scene: Any,
) -> Verdict:
    """Return the verdict of an edition on A attacking T.

    ``a``, ``t``, ``others``: more keys of the creatures; ``options``: of the edition; ``question``: more for evaluate.
    """
    creatures = {"A": a or {}, "T": t or {}, **(others or {})}
    key = repr((drawing, creatures, scene))
    if key not in _SCENES:
        _SCENES[key] = scene_of(drawing, creatures, **scene)
    result = gridlos.evaluate(
        _SCENES[key],
        edition=load(edition, **(options or {})),
        attack=attack,
        overrides=[Override(**one) for one in overrides],
        **(question or {}),
    )
    return result[pair]


def asker(edition: str) -> Callable[..., Verdict]:
    """Return :func:`ask` of one edition."""
    return partial(ask, edition)


def has(verdict: Verdict, rule: str, on: str, value: int) -> bool:
    """Return whether a verdict has that number by that rule, and it counts."""
    return any((one.rule, one.on, one.value, one.kept) == (rule, on, value, True) for one in verdict.modifiers)
