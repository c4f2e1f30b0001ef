"""Scene files: JSON of the schema ``gridlos.scene/1`` (``*.scene.json``), both ways."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from gridlos.errors import MapFileError, SceneError
from gridlos.formats.files import DEFAULT_LIMITS, Limits, read_bytes, text_from
from gridlos.formats.reading import in_file
from gridlos.records import SceneRecord, plain_from, record_from
from gridlos.scene import Scene

__all__ = ["json_from", "load_scene_json", "scene_from_data", "scene_from_json", "to_scene_json", "written"]


def load_scene_json(path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> Scene:
    """Return the scene in a scene file.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right.
    """
    return scene_from_json(read_bytes(path, limits=limits), file=os.fspath(path), limits=limits)


def scene_from_json(content: bytes, *, file: str = "", limits: Limits = DEFAULT_LIMITS) -> Scene:
    """Return the scene in the bytes of a scene file.

    Parameters
    ----------
    content
        UTF-8, with or without a byte order mark.
    file
        What errors call it.
    limits
        See :class:`~gridlos.formats.files.Limits`.

    Raises
    ------
    MapFileError
        As :func:`load_scene_json`.

    Examples
    --------
    >>> scene_from_json(b'{"schema": "gridlos.scene/1", "squares": ["..#"]}').battle_map.to_rows()
    ['..#']
    >>> scene_from_json(b'{"schema": "gridlos.scene/1", "sqares": ["..#"]}', file="x.scene.json")
    Traceback (most recent call last):
    gridlos.errors.MapFileError: x.scene.json: $: unknown key "sqares"; did you mean 'squares'?
    """
    return scene_from_data(json_from(text_from(content, file), file), file=file, limits=limits)


def scene_from_data(data: object, *, file: str = "", limits: Limits = DEFAULT_LIMITS) -> Scene:
    """Return the scene in plain data: a scene file as :func:`json_from` reads it."""
    try:
        record = record_from(data, SceneRecord)
        squares = sum(len(row) for row in record.squares)
        limits.check(file, squares=squares, walls=len(record.walls), creatures=len(record.creatures))
        return Scene.from_record(record)
    except SceneError as error:
        raise in_file(error, file) from error


def to_scene_json(scene: Scene) -> bytes:
    """Return the scene as a scene file: a key a line, a row, wall or creature a line.

    Examples
    --------
    >>> print(to_scene_json(Scene.from_drawing("A.#")).decode(), end="")
    {
      "schema": "gridlos.scene/1",
      "squares": ["..#"],
      "creatures": [{"id": "A", "at": [0, 0]}]
    }
    """
    return written(plain_from(scene.to_record()))


def written(data: Mapping[str, object]) -> bytes:
    """Return plain data as JSON: a key a line, a part of a list a line."""
    lines = [f"  {_text(key)}: {_block(value)}" for key, value in data.items()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _block(value: object) -> str:
    """Return a value as JSON, a list of several parts with a part a line."""
    if isinstance(value, list) and len(value) > 1:
        return "[\n    " + ",\n    ".join(map(_text, value)) + "\n  ]"
    return _text(value)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


class _RefusedError(ValueError):
    """JSON that Python reads and we do not, and a pattern of what is refused, the ``n``-th of ``n``."""

    def __init__(self, problem: str, pattern: str, n: int = 1) -> None:
        super().__init__(problem)
        self.pattern, self.n = pattern, n


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        pattern = rf"{re.escape(json.dumps(twice, ensure_ascii=False))}\s*:"
        raise _RefusedError(f'the key "{twice}" stands twice in one object; keep one of them', pattern, 2)
    return found


def _constant(literal: str) -> NoReturn:
    raise _RefusedError(f"{literal} is no JSON number; give a finite number", rf"(?<![-\w]){literal}")


def _float(literal: str) -> int | float:
    number = float(literal)
    if number in (float("inf"), float("-inf")):
        raise _RefusedError(f"the number {literal:.20} is too large; give a finite number", re.escape(literal))
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _int(literal: str) -> int | float:
    return int(literal) if len(literal) < 17 else _float(literal)


def json_from(text: str, file: str = "") -> Any:  # noqa: ANN401 - any JSON
    """Return a text of JSON as plain data; whole numbers are int, also if they are written as ``41.0``.

    Raises
    ------
    MapFileError
        For broken JSON with line and column; for NaN, infinite numbers, a key twice in one object, too deep nesting,
        half a surrogate pair.
    """
    try:
        data = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int
        )
        if re.search(r"\\u[dD][89a-fA-F]", text):
            json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise MapFileError(file, f"broken JSON: {_complaint(error)}", place) from error
    except _RefusedError as error:
        raise MapFileError(file, str(error), _place_of(error, text)) from error
    except RecursionError:
        raise MapFileError(file, "lists or objects are nested too deep for a map") from None
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        raise MapFileError(file, f"{half} is half of a surrogate pair; give the whole character") from None
    return data


def _complaint(error: json.JSONDecodeError) -> str:
    if error.pos >= len(error.doc.rstrip()):
        return "the file ends too early; it is cut off or a bracket is not closed"
    return error.msg[0].lower() + error.msg[1:]


def _place_of(error: _RefusedError, text: str) -> str:
    """Return the line of what is refused if no other place can be meant."""
    found = list(re.finditer(error.pattern, text))
    if len(found) != error.n:
        return ""
    line = text.count("\n", 0, found[-1].start()) + 1
    return f"line {line}"
