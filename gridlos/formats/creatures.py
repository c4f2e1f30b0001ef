"""Creatures in a file of their own, for maps whose format has none: the part of a scene file that holds them."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Literal

import msgspec

from gridlos.creature import Creature
from gridlos.errors import SceneError
from gridlos.formats.files import DEFAULT_LIMITS, Limits, read_bytes, text_from
from gridlos.formats.reading import in_file
from gridlos.formats.scene_json import json_from
from gridlos.records import Override, record_from
from gridlos.scene import Scene

__all__ = ["CreaturesRecord", "load_creatures", "with_creatures"]


class CreaturesRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a file of creatures holds: these keys of a scene file (``schema`` may be missing).

    Attributes
    ----------
    creatures
        See :class:`~gridlos.creature.Creature`.
    options
        Options of an edition by name.
    overrides
        See :class:`~gridlos.records.Override`.
    schema
        ``gridlos.scene/1``.
    """

    creatures: tuple[Creature, ...]
    options: dict[str, Any] = {}
    overrides: tuple[Override, ...] = ()
    schema: Literal["gridlos.scene/1"] | None = None


def load_creatures(path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> tuple[Creature, ...]:
    """Return the creatures in a file of creatures.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right.
    """
    return _record(path, limits).creatures


def with_creatures(scene: Scene, path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> Scene:
    """Return the scene with the creatures and overrides of a file in place of its own, and the file's options added.

    Raises
    ------
    MapFileError
        As :func:`load_creatures`, and for a creature that cannot stand on the map or an override that names nobody.
    """
    record = _record(path, limits)
    try:
        return dataclasses.replace(
            scene,
            creatures=record.creatures,
            overrides=record.overrides,
            options={**scene.options, **record.options},
        )
    except SceneError as error:
        raise in_file(error, os.fspath(path)) from error


def _record(path: str | os.PathLike[str], limits: Limits) -> CreaturesRecord:
    file = os.fspath(path)
    data = json_from(text_from(read_bytes(path, limits=limits), file), file)
    try:
        record = record_from(data, CreaturesRecord)
    except SceneError as error:
        raise in_file(error, os.fspath(path)) from error
    limits.check(file, creatures=len(record.creatures))
    return record
