"""LevelDB folders of Foundry VTT: which records live, and the scenes that they make up. Nothing is written to them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from gridlos.errors import MapFileError
from gridlos.formats.files import text_from
from gridlos.formats.foundry_file import WallFields, decoded, document_from, with_scenes
from gridlos.formats.foundry_manifest import MANIFEST, version_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from gridlos.formats.files import Limits
    from gridlos.formats.foundry_file import Document
    from gridlos.formats.foundry_manifest import Version
    from gridlos.formats.reading import Remarks

__all__ = ["LevelRecords", "check_inside", "is_folder", "is_leveldb", "read_leveldb"]

_DATA_FILE = re.compile(r"([0-9]{6,20})\.(ldb|sst|log)")
_ANYTHING = msgspec.json.Decoder()
_WALL: msgspec.json.Decoder[WallFields | None] = msgspec.json.Decoder(WallFields | None)
_PARTS = ("walls", "tokens", "lights", "regions", "levels")
_MORE_IN_MEMORY = 8  # times what the folder has on the disk: text is seldom squeezed further


@dataclass(frozen=True, slots=True)
class LevelRecords:
    """The records of a folder that live.

    Attributes
    ----------
    values
        JSON by key, such as ``!scenes.walls!<scene>.<wall>``.
    """

    values: Mapping[str, bytes] = field(repr=False)

    def documents(self, file: str, limits: Limits) -> list[Document]:
        """Return the scenes, those in adventures too, and the other documents, none of them whole."""
        found = []
        for key, value in self.values.items():
            if key.count("!") == 2 and "." not in key:
                document = self._document(key, value, file, limits)
                found += with_scenes(document)
        return found

    def whole(self, scene: Document, file: str, remarks: Remarks) -> Document:
        """Return a scene with what lies in records of its own, in the order of the scene's lists of ids."""
        parts = {name: self._joined(scene, name, getattr(scene, name), file, remarks) for name in _PARTS}
        return msgspec.structs.replace(scene, **parts)

    def _joined(self, scene: Document, name: str, held: object, file: str, remarks: Remarks) -> object:
        if not isinstance(held, list):
            return held
        found: list[object] = []
        for index, entry in enumerate(held):
            if not isinstance(entry, str):
                found.append(entry)
                continue
            key = f"!scenes.{name}!{scene.id}.{entry}"
            if (value := self.values.get(key)) is None:
                remarks.add(f"{name} that the pack lacks, left out", f"{name}[{index}]")
            else:
                decoder = _WALL if name == "walls" else _ANYTHING
                data = decoded(value, decoder, file, f"record {key}")
                found.append(self._region(data, scene, file) if name == "regions" else data)
        return found

    def _region(self, region: Any, scene: Document, file: str) -> Any:  # noqa: ANN401 - any JSON
        """Return a region with its behaviours."""
        if not isinstance(region, dict) or not isinstance(region.get("behaviors"), list):
            return region
        whole = []
        for entry in region["behaviors"]:
            key = f"!scenes.regions.behaviors!{scene.id}.{region.get('_id')}.{entry}"
            held = self.values.get(key)
            whole.append(entry if held is None else decoded(held, _ANYTHING, file, f"record {key}"))
        return {**region, "behaviors": whole}

    @staticmethod
    def _document(key: str, value: bytes, file: str, limits: Limits) -> Document:
        document = document_from(text_from(value, file), file, limits, f"record {key}")
        if document is None:
            raise MapFileError(file, "a record is one JSON object, and this is something else", f"record {key}")
        return document


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder; what no path can be is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_leveldb(path: Path) -> bool:
    """Return whether a path is a folder that LevelDB writes."""
    return is_folder(path) and any(any(path.glob(name)) for name in ("CURRENT", "*.ldb", "*.sst"))


def check_inside(path: Path, root: Path) -> None:
    """Raise MapFileError for a link that leaves a folder, whose own links are resolved."""
    if not path.resolve().is_relative_to(root):
        raise MapFileError(os.fspath(path), "this is a link that leaves the folder; put the file itself into it")


def read_leveldb(folder: Path, limits: Limits) -> LevelRecords:
    """Return the records of a LevelDB folder that live: the newest of each key in the files that its manifest names.

    Files that the manifest does not name are left over from earlier and hold ghosts.

    Raises
    ------
    MapFileError
        For a folder without ``CURRENT`` or a manifest, for missing, cut off or damaged files, links that leave the
        folder, too many bytes, or if the package ``rleveldb`` is not installed.
    """
    file = os.fspath(folder)
    try:
        tables, logs = _sizes(folder, limits)
        version = version_of(folder)
        _check_tables(file, version, tables)
    except OSError as error:
        raise MapFileError(file, f"cannot be read: {error.strerror or error}") from error
    counted = {*version.tables, *version.logs(logs)}
    newest: dict[bytes, tuple[int, bytes | None]] = {}
    seen: set[int] = set()
    n_bytes = 0
    for number, key, sequence, value in _records(file):
        if number in counted:
            seen.add(number)
            n_bytes += len(key) + len(value or b"")
            if n_bytes > _MORE_IN_MEMORY * limits.file_bytes:
                raise MapFileError(file, "the folder holds too much once it is unpacked; Limits(file_bytes=...)")
            if key not in newest or newest[key][0] <= sequence:
                newest[key] = sequence, value
    for number in sorted(counted - seen):
        if tables.get(number) or logs.get(number):
            raise MapFileError(file, f"the file {number:06d} in it is damaged; copy the folder once more")
    return LevelRecords(
        {key.decode("utf-8", "replace"): value for key, (_, value) in sorted(newest.items()) if value is not None}
    )


def _sizes(folder: Path, limits: Limits) -> tuple[dict[int, int], dict[int, int]]:
    """Return the bytes of each table and of each log by its number."""
    tables: dict[int, int] = {}
    logs: dict[int, int] = {}
    root, total = folder.resolve(), 0
    for path in sorted(folder.iterdir()):
        match = _DATA_FILE.fullmatch(path.name)
        if not (match or MANIFEST.fullmatch(path.name) or path.name == "CURRENT"):
            continue
        check_inside(path, root)
        size = path.stat().st_size
        total += size
        if match:
            (logs if match[2] == "log" else tables)[int(match[1])] = size
    if total > limits.file_bytes:
        problem = f"the folder has {total} bytes, and the limit is {limits.file_bytes}"
        raise MapFileError(os.fspath(folder), f"{problem}; Limits(file_bytes={total}) allows it")
    return tables, logs


def _records(file: str) -> Iterator[tuple[int, bytes, int, bytes | None]]:
    """Return number of the file, key, sequence number and value of each record; None: deleted there."""
    try:
        import rleveldb  # type: ignore[import-untyped,import-not-found,unused-ignore]  # noqa: PLC0415 - an extra
    except ImportError:
        problem = "a LevelDB folder is read with the package rleveldb; install it with: pip install 'gridlos[foundry]'"
        raise MapFileError(file, problem) from None
    try:
        with rleveldb.RawLevelDb(file) as database:
            records = database.iterate_records_raw()
    except (ValueError, OSError) as error:
        raise MapFileError(file, f"the LevelDB folder is damaged: {error}") from error
    except BaseException as error:  # the reader's own panic has no class that can be named
        if type(error).__name__ != "PanicException":
            raise
        raise MapFileError(file, "the LevelDB folder is damaged; copy it once more") from None
    for record in records:
        match = _DATA_FILE.fullmatch(os.path.basename(record.origin_file))  # noqa: PTH119 - a text from elsewhere
        if match and record.state in (rleveldb.KeyState.Live, rleveldb.KeyState.Deleted):
            value = record.value if record.state == rleveldb.KeyState.Live else None
            yield int(match[1]), record.user_key, record.seq, value


def _check_tables(file: str, version: Version, sizes: Mapping[int, int]) -> None:
    for number, size in version.tables.items():
        if number not in sizes:
            raise MapFileError(
                file, f"the table {number:06d}.ldb is missing; copy the folder once more, with all its files"
            )
        if sizes[number] != size:
            problem = f"the table {number:06d}.ldb has {sizes[number]} bytes and should have {size}"
            raise MapFileError(file, f"{problem}; copy the folder once more")
