"""A scene as it is written: the record that files, drawings and services share, and its checks."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, inspect

from gridlos.creature import Creature
from gridlos.errors import SceneError
from gridlos.walls import SquareKind, Wall
from gridlos.words import hint_for

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SCHEMA", "AmbientLight", "Light", "Override", "SceneRecord", "plain_from", "record_from"]

SCHEMA: Literal["gridlos.scene/1"] = "gridlos.scene/1"
AmbientLight = Literal["bright", "dim", "dark"]
Feet = Annotated[float, Meta(ge=0)]
_LETTERS = Meta(extra_json_schema={"propertyNames": {"minLength": 1, "maxLength": 1}})


class Light(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """A light on a map.

    Attributes
    ----------
    at
        ``(x, y)`` in squares, anywhere.
    bright, dim
        Two radii in feet from the same point, ``dim`` the larger and not added to ``bright``.
    on
        Whether it burns.
    id
        A name, unique among the lights.
    hidden
        Left out for observers.
    extra
        Anything; carried through.
    """

    at: tuple[float, float]
    bright: Feet = 0
    dim: Feet = 0
    on: bool = True
    id: str | None = None
    hidden: bool = False
    extra: Any = None

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (*self.at, self.bright, self.dim))) or min(self.bright, self.dim) < 0:
            raise SceneError(f"a light at {self.at} has a position or radius that is not a finite number")


class Override(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """The game master's word on a pair, or on every pair with this target.

    Attributes
    ----------
    target
        Id of the target.
    attacker
        Id of the attacker; None: whoever attacks.
    degree
        The edition's word for the cover.
    veto
        The attack is forbidden, whatever the map says.
    force
        The attack is allowed, whatever the map says.
    note
        Why.
    """

    target: str
    attacker: str | None = None
    degree: str | None = None
    veto: bool = False
    force: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        if self.veto and self.force:
            raise SceneError(f"an override on {self.target!r} both forbids and forces; give one of veto and force")


class SceneRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """A scene as a scene file holds it. Positions are in squares, lengths and heights in feet.

    Attributes
    ----------
    schema
        ``gridlos.scene/1``.
    name
        What people call the scene.
    feet_per_square
        Feet.
    subdivisions
        Lattice units in a square, if the lattice is to be fixed; None: the smallest that makes every wall exact.
    squares
        Rows of letters, all of one length.
    legend
        What letters stand for, beyond the built-in ones or in their place.
    walls
        Segments anywhere.
    light
        What no light reaches: ``bright``, ``dim`` or ``dark``.
    lights
        Lights on the map; creatures carry theirs.
    creatures
        Who stands where.
    options
        Options of an edition by name.
    overrides
        The game master's words on pairs.
    extra
        Anything; carried through.
    """

    schema: Literal["gridlos.scene/1"]
    name: str = ""
    feet_per_square: Annotated[float, Meta(gt=0)] = 5.0
    subdivisions: Annotated[int, Meta(ge=1)] | None = None
    squares: Annotated[tuple[str, ...], Meta(extra_json_schema={"minItems": 1})]
    legend: Annotated[dict[str, SquareKind], _LETTERS] = {}
    walls: tuple[Wall, ...] = ()
    light: AmbientLight = "bright"
    lights: tuple[Light, ...] = ()
    creatures: tuple[Creature, ...] = ()
    options: dict[str, Any] = {}
    overrides: tuple[Override, ...] = ()
    extra: Any = None


_Record = TypeVar("_Record")


def record_from(data: object, kind: type[_Record], place: str = "$") -> _Record:
    """Return plain data (as JSON has it) as a record.

    Parameters
    ----------
    data
        Dictionaries, lists, strings and numbers; whole numbers as int.
    kind
        The record's type.
    place
        Where the data stands, for the error.

    Raises
    ------
    SceneError
        With the path of what is wrong, and the nearest right word where a word is wrong.

    Examples
    --------
    >>> record_from({"from": [0, 0], "to": [1, 0], "knd": "door"}, Wall)
    Traceback (most recent call last):
    gridlos.errors.SceneError: $: unknown key "knd"; did you mean 'kind'?
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        problem, path = str(error), "$"
        if match := re.fullmatch(r"(.*) - at (`key` in )?`(.*)`", problem, re.DOTALL):
            problem, path = f"{match[1]} as a key" if match[2] else match[1], match[3]
        path = _exact_path(data, kind, path)
        problem, hint = _explained(problem, data, kind, path)
        raise SceneError(problem, place + path.removeprefix("$"), hint) from error
    except RecursionError:
        raise SceneError("lists or objects are nested too deep", place) from None


def plain_from(value: Any) -> Any:  # noqa: ANN401 - any record or JSON
    """Return a record as plain data in the form of a file: without what is the default, whole numbers as int.

    Raises
    ------
    SceneError
        For what no file can hold: infinite numbers, objects of other kinds in ``extra`` or ``options``.

    Examples
    --------
    >>> plain_from(Wall(start=(0, 0), end=(1.5, 0), kind="door"))
    {'from': [0, 0], 'to': [1.5, 0], 'kind': 'door'}
    """
    try:
        return _plain(value)
    except RecursionError:
        raise SceneError("lists or objects are nested too deep", "", "flatten extra and options") from None


def _plain(value: Any) -> Any:  # noqa: ANN401 - any record or JSON
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return int(value) if value.is_integer() else value
    if isinstance(value, msgspec.Struct):
        fields = ((field, getattr(value, field.name)) for field in _fields(type(value)))
        return {field.encode_name: _plain(held) for field, held in fields if not _is_default(held, field)}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: _plain(part) for key, part in value.items()}
    raise SceneError(f"{value!r} cannot stand in a file", "", "give texts, finite numbers, lists and objects")


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


def _is_default(held: object, field: msgspec.structs.FieldInfo) -> bool:
    if field.default_factory is not msgspec.NODEFAULT:
        return bool(held == field.default_factory())
    return bool(held == field.default)


_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\[(\.\.\.|\"[^\"]*\")\]")
_PLAIN = {
    "float": "a number",
    "int": "a whole number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def _steps(path: str) -> Iterator[str | int]:
    for name, index, key in _STEP.findall(path):
        yield int(index) if index else name or key.strip('"')


def _type_at(kind: Any, path: str) -> inspect.Type | None:  # noqa: ANN401 - any type that msgspec knows
    """Return the type that stands at a path inside of a record's type."""
    found: inspect.Type | None = inspect.type_info(kind)
    for step in _steps(path):
        found = _inside(found, step)
    return _plain_type(found)


def _plain_type(found: inspect.Type | None) -> inspect.Type | None:
    """Return the type without its remarks; of several, the first that holds something or names words."""
    if isinstance(found, inspect.Metadata):
        return _plain_type(found.type)
    if isinstance(found, inspect.UnionType):
        plain = [_plain_type(part) for part in found.types]
        return next((part for part in plain if isinstance(part, inspect.StructType | inspect.LiteralType)), plain[0])
    return found


def _inside(found: inspect.Type | None, step: str | int) -> inspect.Type | None:
    plain = _plain_type(found)
    match plain:
        case inspect.StructType(fields=fields):
            return next((field.type for field in fields if field.encode_name == step), None)
        case inspect.VarTupleType(item_type=item):
            return item
        case inspect.TupleType(item_types=items) if isinstance(step, int) and step < len(items):
            return items[step]
        case inspect.DictType(value_type=value):
            return value
    return None


def _value_at(data: Any, path: str) -> Any:  # noqa: ANN401 - any JSON
    for step in _steps(path):
        data = data[step]
    return data


def _exact_path(data: object, kind: type, path: str) -> str:
    """Return the path with the key in place of ``[...]``, which stands for any key of a dictionary."""
    before, dots, _ = path.partition("[...]")
    if not dots:
        return path
    within = _type_at(kind, path[: len(before) + len(dots)])
    if not isinstance(within, inspect.StructType):
        return path
    for key, value in _value_at(data, before).items():
        try:
            msgspec.convert(value, within.cls)
        except msgspec.ValidationError:
            return f'{before}["{key}"]{path[len(before) + len(dots) :]}'
    return path


def _explained(problem: str, data: object, kind: type, path: str) -> tuple[str, str]:
    """Return a decoder's complaint in our words, and what would be right."""
    found = _type_at(kind, path)
    if match := re.fullmatch(r"Object contains unknown field `(.*)`", problem, re.DOTALL):
        names = [field.encode_name for field in found.fields] if isinstance(found, inspect.StructType) else []
        return f'unknown key "{match[1]}"', hint_for(match[1], names)
    if match := re.fullmatch(r"Invalid enum value (.*)", problem, re.DOTALL):
        word = _value_at(data, path)
        words = [str(value) for value in found.values] if isinstance(found, inspect.LiteralType) else []
        return f"unknown word {match[1]}", hint_for(str(word), words)
    if match := re.fullmatch(r"Object missing required field `(.*)`", problem):
        return f'the key "{match[1]}" is missing', f'add "schema": "{SCHEMA}"' if match[1] == "schema" else "add it"
    return re.sub(r"`(\w+(?: \| \w+)*)`", _in_plain_words, problem[:1].lower() + problem[1:]), ""


def _in_plain_words(match: re.Match[str]) -> str:
    """Return the names of JSON types as people say them."""
    names = [name for name in match[1].split(" | ") if name != "null" or match[1] == "null"]
    return " or ".join(_PLAIN.get(name, name) for name in names)
