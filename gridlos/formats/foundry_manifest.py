"""The manifest of a LevelDB folder: which of its files count. The others are left over from earlier and hold ghosts."""

from __future__ import annotations

import os
import re
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gridlos.errors import MapFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["MANIFEST", "Version", "version_of"]

MANIFEST = re.compile(r"MANIFEST-[0-9]{6,20}")
_BLOCK_BYTES, _HEADER_BYTES = 32768, 7
_FULL, _FIRST, _LAST = 1, 2, 4  # pieces of records
_LOG, _DELETED_TABLE, _NEW_TABLE, _EARLIER_LOG = 2, 6, 7, 9  # sorts of entries
_OTHERS = {1: "t", 3: "n", 4: "n", 5: "nt"}  # what else there is: numbers and texts, which nobody needs


@dataclass(slots=True)
class Version:
    """What a manifest says.

    Attributes
    ----------
    tables
        The bytes of each table that counts by its number.
    log, earlier_log
        Logs from this number on count, and the earlier one if it is not 0.
    """

    tables: dict[int, int] = field(default_factory=dict)
    log: int = 0
    earlier_log: int = 0

    def logs(self, numbers: Iterable[int]) -> set[int]:
        """Return which of the logs, by their numbers, count."""
        return {number for number in numbers if number >= self.log or number == self.earlier_log != 0}

    def apply(self, edit: bytes) -> None:
        """Change the version as a record of a manifest says."""
        entries = _Entries(edit)
        while entries.is_left:
            sort = entries.number()
            if sort in _OTHERS:
                entries.skip(_OTHERS[sort])
            elif sort == _LOG:
                self.log = entries.number()
            elif sort == _EARLIER_LOG:
                self.earlier_log = entries.number()
            elif sort == _DELETED_TABLE:
                entries.skip("n")
                self.tables.pop(entries.number(), None)
            elif sort == _NEW_TABLE:
                entries.skip("n")
                number = entries.number()
                self.tables[number] = entries.number()
                entries.skip("tt")
            else:
                raise ValueError(f"it has an entry of the unknown sort {sort}")


@dataclass(slots=True)
class _Entries:
    """The entries of a record, from a place on."""

    content: bytes
    place: int = 0

    @property
    def is_left(self) -> bool:
        return self.place < len(self.content)

    def number(self) -> int:
        """Return the next number: seven bits a byte, the lowest first."""
        value = shift = 0
        while shift <= 63:
            byte = self.content[self.place]
            self.place += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise ValueError("a number in it is too large")

    def skip(self, sorts: str) -> None:
        """Pass numbers (n) and texts (t)."""
        for sort in sorts:
            length = self.number()
            self.place += length if sort == "t" else 0
            if self.place > len(self.content):
                raise ValueError("a text in it is too long")


def version_of(folder: Path) -> Version:
    """Return what the manifest of a folder says.

    Raises
    ------
    MapFileError
        If there is none, or it is damaged.
    """
    file = os.fspath(folder)
    current = folder / "CURRENT"
    if not current.is_file():
        raise MapFileError(
            file, "the LevelDB folder has no file CURRENT; copy the folder once more, with all its files"
        )
    name = current.read_bytes()[:100].decode("ascii", "replace").strip()
    if not MANIFEST.fullmatch(name) or not (folder / name).is_file():
        raise MapFileError(file, f"CURRENT names {name!r}, and that is no manifest in the folder", "CURRENT")
    version = Version()
    try:
        for edit in _log_records((folder / name).read_bytes()):
            version.apply(edit)
    except (IndexError, ValueError, struct.error) as error:
        raise MapFileError(file, f"the manifest is damaged: {error}", name) from error
    return version


def _log_records(content: bytes) -> Iterator[bytes]:
    """Return the records of a file in LevelDB's log format: blocks of 32 KiB with pieces of records."""
    place, pieces = 0, list[bytes]()
    while place + _HEADER_BYTES <= len(content):
        left = _BLOCK_BYTES - place % _BLOCK_BYTES
        if left < _HEADER_BYTES:
            place += left
            continue
        length, kind = struct.unpack_from("<HB", content, place + 4)
        place += _HEADER_BYTES
        if kind == 0:  # filled up in advance
            return
        if kind > _LAST or place + length > len(content):
            raise ValueError("it is cut off or overwritten")
        pieces = [] if kind in (_FULL, _FIRST) else pieces
        pieces.append(content[place : place + length])
        place += length
        if kind in (_FULL, _LAST):
            yield b"".join(pieces)
            pieces = []
