"""The tiles of a layer of Tiled: lists, CSV, and base64 with its compressions, never more than was said."""

from __future__ import annotations

import base64
import binascii
import importlib
import re
import zlib
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from gridlos.errors import MapFileError

__all__ = ["TILE", "Gids", "tiles_from"]

Gids = NDArray[np.uint32]
Gid = Annotated[int, Meta(ge=0, lt=2**32)]
TILE = 0x0FFF_FFFF
"""The bits of a tile's number; the four above them say how it is flipped and turned."""

_ZLIB_OR_GZIP = 47


def tiles_from(
    data: object, encoding: str, compression: str, shape: tuple[int, int], file: str, place: str
) -> Gids:
    r"""Return the tiles of a layer or chunk as an array of that shape, with the bits for flipped tiles.

    Parameters
    ----------
    data
        A list of numbers, or a text.
    encoding, compression
        As Tiled names them; ``""`` for none.
    shape
        ``(rows, cols)``.
    file, place
        For errors.

    Raises
    ------
    MapFileError
        For data that is broken or of another size, and for a compression that cannot be read.

    Examples
    --------
    >>> tiles_from("1,2147483650,\n0,4", "csv", "", (2, 2), "", "").tolist()
    [[1, 2147483650], [0, 4]]
    """
    count = shape[0] * shape[1]
    if isinstance(data, list):
        numbers = _listed(data, file, place)
    elif not isinstance(data, str):
        raise MapFileError(file, "a layer without the data of its tiles", place)
    elif encoding == "base64":
        numbers = _packed(data, compression, count, file, place)
    elif encoding in ("csv", ""):
        numbers = _written(data, count, file, place)
    else:
        raise MapFileError(file, f"unknown encoding {encoding[:40]!r}; known are csv and base64", place)
    if len(numbers) != count:
        problem = f"{len(numbers)} tiles, and {shape[1]} by {shape[0]} squares have {count}"
        raise MapFileError(file, problem, place)
    return numbers.reshape(shape)


def _listed(data: list[Any], file: str, place: str) -> Gids:
    try:
        return np.array(msgspec.convert(data, list[Gid]), dtype=np.uint32)
    except msgspec.ValidationError as error:
        index = int(str(error).rpartition("[")[2].partition("]")[0])
        problem = f"{str(data[index])[:40]!r} is no number of a tile; it is a whole number from 0 to {2**32 - 1}"
        raise MapFileError(file, problem, f"{place}, tile {index}") from error


def _written(data: str, count: int, file: str, place: str) -> Gids:
    text = data.strip().removesuffix(",")  # some write a comma after the last number too
    n_numbers = text.count(",") + 1 if text else 0
    if n_numbers != count:
        raise MapFileError(file, f"{n_numbers} tiles, and it has {count} squares", place)
    try:
        return np.array(msgspec.json.decode(f"[{text}]", type=list[Gid]), dtype=np.uint32)
    except msgspec.DecodeError:
        for index, word in enumerate(text.split(",")):
            if not re.fullmatch(r"\s*(?:0|[1-9][0-9]{0,9})\s*", word) or int(word) >= 2**32:
                problem = f"{word.strip()[:40]!r} is no number of a tile; it is a whole number from 0 to {2**32 - 1}"
                raise MapFileError(file, problem, f"{place}, tile {index}") from None
        raise


def _packed(data: str, compression: str, count: int, file: str, place: str) -> Gids:
    try:
        packed = base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise MapFileError(file, f"the data is no base64: {error}", place) from error
    size = 4 * count
    if compression in ("zlib", "gzip"):
        raw = _inflated(packed, size, file, place)
    elif compression == "zstd":
        raw = _zstd(packed, size, file, place)
    elif compression in ("", "none"):
        raw = packed
    else:
        problem = f"unknown compression {compression[:40]!r}; known are zlib, gzip and zstd"
        raise MapFileError(file, problem, place)
    if len(raw) != size:
        more = "more" if len(raw) > size else "fewer"
        raise MapFileError(file, f"the data has {more} bytes than its {count} squares need, which is {size}", place)
    return np.frombuffer(raw, dtype="<u4").astype(np.uint32)


def _inflated(packed: bytes, size: int, file: str, place: str) -> bytes:
    """Return what zlib or gzip unpacks, one byte more than wanted at most."""
    unpacker = zlib.decompressobj(_ZLIB_OR_GZIP)
    try:
        return unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        raise MapFileError(file, f"the data cannot be unpacked: {error}", place) from error


def _zstd(packed: bytes, size: int, file: str, place: str) -> bytes:
    """Return what zstd unpacks, where the standard library knows it."""
    try:
        zstd = importlib.import_module("compression.zstd")
    except ImportError:
        problem = "compressed by zstd, which Python reads from version 3.14 on; save the map with zlib (Map Properties)"
        raise MapFileError(file, problem, place) from None
    try:
        return bytes(zstd.ZstdDecompressor().decompress(packed, max_length=size + 1))
    except (zstd.ZstdError, EOFError) as error:
        raise MapFileError(file, f"the data cannot be unpacked: {error}", place) from error
