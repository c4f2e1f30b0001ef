"""Where scenes of Foundry VTT lie: one JSON file, a pack in one file (``.db``), a folder of sources, a LevelDB folder."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gridlos.errors import MapFileError
from gridlos.formats.files import read_bytes, text_from
from gridlos.formats.foundry_file import Document, document_from, documents_from, plain_name, with_scenes
from gridlos.formats.foundry_leveldb import LevelRecords, check_inside, is_folder, is_leveldb, read_leveldb
from gridlos.words import hint_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlos.formats.files import Limits
    from gridlos.formats.reading import Remarks

__all__ = ["Pack", "is_foundry_folder", "pack_from_path", "pack_from_text"]

_N_NAMES_TOLD = 200
_MOST_FILES = 10_000


@dataclass(frozen=True, slots=True)
class Pack:
    """The scenes in a file or folder, and what else is there.

    Attributes
    ----------
    file
        What errors call it.
    scenes
        In the order of the file.
    n_others
        How many documents are no scenes.
    records
        What scenes of a LevelDB folder hold, which lies apart from them.
    """

    file: str
    scenes: tuple[Document, ...]
    n_others: int = 0
    records: LevelRecords | None = field(default=None, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """What each scene is asked for by: its name or, where that is missing or not the only one, its id."""
        names = [plain_name(scene.name) for scene in self.scenes]
        counts = Counter(names)
        found = []
        for index, (scene, name) in enumerate(zip(self.scenes, names, strict=True)):
            found.append(name if name and counts[name] == 1 else plain_name(scene.id) or name or f"scene {index + 1}")
        return tuple(found)

    def scene(self, name: str | None, remarks: Remarks) -> Document:
        """Return one scene whole: that of a name or id, or the only one.

        Raises
        ------
        MapFileError
            If there is none or none of that name; without a name, if there are several: with the list of their names.
        """
        names = self.names
        if not names:
            others = f"; {self.n_others} other documents are in it" if self.n_others else ""
            what = "this is a folder, and there" if self.file and is_folder(Path(self.file)) else "there"
            raise MapFileError(self.file, f"{what} is no scene in it{others}; give a scene or a pack of scenes")
        index = 0
        if name is not None:
            found = [index for index, scene in enumerate(self.scenes) if name in (names[index], plain_name(scene.id))]
            if not found:
                raise MapFileError(self.file, f"no scene is called {name!r}; {hint_for(name, names)}")
            index = found[0]
        elif len(names) > 1:
            told = ", ".join(map(repr, names[:_N_NAMES_TOLD]))
            more = f" and {len(names) - _N_NAMES_TOLD} more" if len(names) > _N_NAMES_TOLD else ""
            problem = f"{len(names)} scenes are in it; name one with scene=... (--scene NAME): {told}{more}"
            raise MapFileError(self.file, problem)
        scene = self.scenes[index]
        return scene if self.records is None else self.records.whole(scene, self.file, remarks)


def pack_from_text(text: str, file: str, limits: Limits) -> Pack:
    """Return the scenes in a text of JSON: a scene, an adventure, or a list of these."""
    return _pack(documents_from(text, file, limits), file)


def pack_from_path(path: str | os.PathLike[str], *, limits: Limits) -> Pack:
    """Return the scenes in a file or a folder.

    Raises
    ------
    MapFileError
        One line: the file, the place in it, what is wrong and what would be right.
    """
    file = os.fspath(path)
    folder = Path(path)
    if is_leveldb(folder):
        records = read_leveldb(folder, limits)
        documents = records.documents(file, limits)
        pack = _pack(documents, file)
        return Pack(file, pack.scenes, pack.n_others, records)
    if is_foundry_folder(folder):
        return _pack_from_folder(folder, limits)
    content = read_bytes(path, limits=limits)
    if not content.strip():
        problem = (
            "the pack is empty; newer versions leave such a file beside a folder of the same name: give the folder"
        )
        raise MapFileError(file, problem)
    text = text_from(content, file)
    if folder.suffix.lower() == ".db":
        return _pack(_documents_from_log(text, file, limits), file)
    return pack_from_text(text, file, limits)


def is_foundry_folder(path: Path) -> bool:
    """Return whether a path is a LevelDB folder, or a folder with files of JSON in it or a little below."""
    return is_leveldb(path) or (is_folder(path) and next(_sources(path), None) is not None)


def _sources(folder: Path) -> Iterator[Path]:
    for pattern in ("*.json", "*/*.json", "*/*/*.json"):
        yield from (path for path in folder.glob(pattern) if path.is_file())


def _pack(documents: list[Document], file: str) -> Pack:
    scenes = tuple(document for document in documents if document.is_scene)
    return Pack(file, scenes, len(documents) - len(scenes))


def _documents_from_log(text: str, file: str, limits: Limits) -> list[Document]:
    """Return the documents of a pack in one file: one a line, the last line of an id counts, deleted ones are gone."""
    kept: dict[str, list[Document]] = {}
    for number, line in enumerate(text.split("\n"), 1):  # no other line ends: texts may hold them
        if not line.strip():
            continue
        place = f"line {number}"
        document = document_from(line, file, limits, place)
        if document is None:
            raise MapFileError(file, "a pack has one JSON object a line, and this is something else", place)
        name = document.id if isinstance(document.id, str) else None
        if name is not None and document.is_deleted:
            kept.pop(name, None)
        elif name is not None or document.is_scene:
            kept[name or place] = with_scenes(document)
    return [document for documents in kept.values() for document in documents]


def _pack_from_folder(folder: Path, limits: Limits) -> Pack:
    """Return the scenes in the files of JSON of a folder and the folders in it; links that leave it are not followed."""
    file = os.fspath(folder)
    documents: list[Document] = []
    root, left = folder.resolve(), limits.file_bytes
    paths = sorted(_sources(folder))
    if len(paths) > _MOST_FILES:
        raise MapFileError(file, f"{len(paths)} files of JSON are in the folder, and the limit is {_MOST_FILES}")
    for path in paths:
        check_inside(path, root)
        content = read_bytes(path, limits=limits)
        left -= len(content)
        if left < 0:
            problem = f"the files in the folder have more than {limits.file_bytes} bytes"
            raise MapFileError(file, f"{problem}; Limits(file_bytes=...) allows more")
        documents += documents_from(text_from(content, os.fspath(path)), os.fspath(path), limits)
    return _pack(documents, file)
