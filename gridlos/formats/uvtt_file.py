"""Universal VTT files as data: their picture is left out while they are read, so that its size costs no memory."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gridlos.errors import MapFileError
from gridlos.formats.files import read_bytes, text_from
from gridlos.formats.scene_json import json_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gridlos.formats.files import Limits

__all__ = ["UvttFile", "uvtt_from_bytes", "uvtt_from_path"]

_CHUNK_BYTES = 2**20
_PICTURE_BYTES = 4 * 2**30  # a picture is read through and dropped; beyond that it is a stream without end
_VALUES_A_WALL = 40  # a wall of two points has 7; converters add keys of their own
_PICTURE = re.compile(rb'"image"\s{0,16}:\s{0,16}"')
_LONGEST_START = 64  # bytes of the above at most


class UvttFile(msgspec.Struct, frozen=True, kw_only=True):
    """What a Universal VTT file holds, the picture and the keys that nobody needs left out; nothing is checked yet."""

    resolution: Any = None
    line_of_sight: Any = None
    objects_line_of_sight: Any = None
    portals: Any = None
    lights: Any = None
    environment: Any = None
    foundry_terrain_walls: Any = None
    foundry_invisible_walls: Any = None
    foundry_movement_walls: Any = None
    foundry_unrecognized_walls: Any = None


def uvtt_from_path(path: str | os.PathLike[str], *, limits: Limits) -> UvttFile:
    """Return what a file holds.

    Parameters
    ----------
    path
        The file.
    limits
        ``file_bytes`` is for all but the picture; a picture may have 4 GiB. There may be 40 values for each of
        ``walls``.

    Raises
    ------
    MapFileError
        For what is no file, cannot be read, is too large, or is no JSON object in UTF-8.
    """
    return _uvtt(_chunks(path, limits), os.fspath(path), limits)


def uvtt_from_bytes(content: bytes, *, file: str, limits: Limits) -> UvttFile:
    """Return what the bytes of a file hold; see :func:`uvtt_from_path`."""
    chunks = (content[start : start + _CHUNK_BYTES] for start in range(0, len(content), _CHUNK_BYTES))
    return _uvtt(chunks, file, limits)


def _chunks(path: str | os.PathLike[str], limits: Limits) -> Iterator[bytes]:
    try:
        with Path(path).open("rb") as stream:
            while chunk := stream.read(_CHUNK_BYTES):
                yield chunk
    except (OSError, RuntimeError, ValueError):
        read_bytes(path, limits=limits)  # it says why this cannot be read
        raise


@dataclass(slots=True)
class _Kept:
    """The bytes of a file without its picture, and where the picture was: after ``cut_at`` kept bytes, so many bytes."""

    data: bytearray
    cut_at: int = 0
    n_cut: int = 0


def _without_picture(chunks: Iterable[bytes], file: str, limits: Limits) -> _Kept:
    kept, is_inside, is_escaped, searched = _Kept(bytearray()), False, False, 0
    for chunk in chunks:
        start = 0
        while start < len(chunk):
            if is_inside:
                end, is_escaped = _end_of_text(chunk, start, is_escaped=is_escaped)
                kept.n_cut += end - start
                if kept.n_cut > _PICTURE_BYTES:
                    raise MapFileError(file, f"the picture has more than {_PICTURE_BYTES} bytes; take it out")
                is_inside = end == len(chunk)
                start = end
                continue
            if not kept.data:
                _check_start(chunk, file)
            kept.data += chunk[start:]
            found = _PICTURE.search(kept.data, searched)
            searched = found.end() if found else max(len(kept.data) - _LONGEST_START, searched)
            start = len(chunk)
            if found:
                start -= len(kept.data) - found.end()
                del kept.data[found.end() :]
                is_inside, kept.cut_at = True, found.end()
            if len(kept.data) > limits.file_bytes:
                problem = f"the file has more than {limits.file_bytes} bytes besides its picture"
                raise MapFileError(file, f"{problem}; Limits(file_bytes=...) allows more")
    if is_inside:
        raise MapFileError(file, "the file ends inside its picture; it is cut off, get it once more")
    return kept


def _end_of_text(chunk: bytes, start: int, *, is_escaped: bool) -> tuple[int, bool]:
    """Return the place of the quote that ends a text, or the chunk's length, and whether its last byte escapes the next."""
    start += is_escaped
    while True:
        found = chunk.find(b'"', start)
        end = len(chunk) if found < 0 else found
        n_escapes = 0
        while end - n_escapes > start and chunk[end - n_escapes - 1] == ord("\\"):
            n_escapes += 1
        if found < 0 or n_escapes % 2 == 0:
            return end, found < 0 and n_escapes % 2 == 1
        start = end + 1


def _check_start(head: bytes, file: str) -> None:
    """Raise MapFileError, with the best guess at what it is, for what is no JSON object."""
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"{":
        text_from(head, file)
        raise MapFileError(file, "a Universal VTT map is one JSON object in braces, and this is something else")


def _uvtt(chunks: Iterable[bytes], file: str, limits: Limits) -> UvttFile:
    kept = _without_picture(chunks, file, limits)
    n_values, most = sum(map(kept.data.count, (b",", b"[", b"{"))), _VALUES_A_WALL * limits.walls
    if n_values > most:
        problem = f"{n_values} values, and the limit is {most}, {_VALUES_A_WALL} a wall; Limits(walls=...) allows more"
        raise MapFileError(file, problem)
    try:
        text = text_from(bytes(kept.data), file)
        if any(text.count(f'"{key}"') > 1 for key in UvttFile.__struct_fields__):
            json_from(text, file)  # it refuses a key that stands twice in one object
        return msgspec.json.decode(text, type=UvttFile)
    except msgspec.DecodeError:
        return _decoded_leniently(text, file, kept)
    except RecursionError:
        raise MapFileError(file, "lists or objects are nested too deep for a map") from None
    except MapFileError as error:
        raise MapFileError(file, error.problem, _place_in_file(error.place, kept)) from error


def _decoded_leniently(text: str, file: str, kept: _Kept) -> UvttFile:
    """Return what is no strict JSON, NaN and infinite numbers as null; MapFileError for what is no JSON at all."""
    try:
        data = json.loads(text, parse_constant=lambda _: None, parse_int=_whole)
    except (json.JSONDecodeError, RecursionError):
        try:
            json_from(text, file)
        except MapFileError as error:
            raise MapFileError(file, error.problem, _place_in_file(error.place, kept)) from None
        raise
    return UvttFile(**{key: data.get(key) for key in UvttFile.__struct_fields__})


def _whole(literal: str) -> float:
    """Return a whole number; one of very many digits, which no map has, as the nearest there is."""
    return int(literal) if len(literal) < 17 else float(literal)


def _place_in_file(place: str, kept: _Kept) -> str:
    """Return a place in the text without the picture as a place in the file."""
    found = re.fullmatch(r"line (\d+), (column|byte) (\d+)", place)
    if not found or not kept.n_cut:
        return place
    line, column = int(found[1]), int(found[3])
    before = kept.data[: kept.cut_at]
    if line == before.count(b"\n") + 1 and column > len(before) - (before.rfind(b"\n") + 1):
        column += kept.n_cut
    return f"line {line}, {found[2]} {column}"
