"""TOML to edition: tables laid over each other, then options; every problem is told with its file and path."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from gridlos.errors import EditionError, QuestionError
from gridlos.rules import check
from gridlos.rules.model import Edition, Table, nearest

__all__ = ["edition_ids", "load_edition", "own_options"]

Raw = dict[str, Any]

_ENDING = ".toml"


def edition_ids() -> tuple[str, ...]:
    """Return the ids of the built-in editions, in alphabetical order.

    Examples
    --------
    >>> "pathfinder1" in edition_ids()
    True
    """
    return _ids()


@lru_cache(maxsize=1)
def _ids() -> tuple[str, ...]:
    return tuple(sorted(word for word in _built_in() if not word.startswith("_")))


def load_edition(name: str | Path, *, options: Mapping[str, str] | None = None) -> Edition:
    """Return a built-in edition, or a house rule laid over one.

    Parameters
    ----------
    name
        A built-in id, ``"pathfinder1"``, or the path of a TOML file, ``"house.toml"``. Such a file names what it is
        laid over (``extends = "pathfinder1"``, or another file beside it) and holds only what differs: its tables are
        merged, key by key; its lists and values replace.
    options
        Option to value, for options of this edition; the others have their defaults.

    Raises
    ------
    EditionError
        If a table cannot be used: holds all its problems, each with file and path.
    QuestionError
        If there is no such edition, option or value; names the nearest there is.

    Examples
    --------
    >>> edition = load_edition("pathfinder1", options={"partial": "off"})
    >>> edition.degrees
    ('none', 'soft', 'partial', 'cover', 'improved', 'total')
    >>> edition.table.blocked_lines
    ('none', 'cover', 'cover', 'cover', 'cover')
    >>> edition.options["partial"], edition.options["cut_corners"]
    ('off', 'ignore')
    """
    said = dict(options or {})
    if isinstance(name, Path) or name.endswith(_ENDING):
        path = Path(name)
        return _with_options(path.stem, _checked(path), said)
    if name not in edition_ids():
        raise QuestionError(f"unknown edition {name!r}{nearest(name, edition_ids())} (or the path of a TOML file)")
    merged = _merged_built_in(name)
    _check_said(name, merged, said)
    return _built_in_edition(name, tuple(sorted(said.items())))


def own_options(edition: str | Path, options: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return a scene's options without those that only other editions have, and a warning for each of these.

    Examples
    --------
    >>> own_options("dnd5e", {"flanking": "off", "partial": "off"})
    ({'flanking': 'off'}, ("option 'partial' of the scene is none of dnd5e",))
    """
    loaded = load_edition(edition)
    unknown = options.keys() - loaded.table.options.keys()
    foreign = unknown & _options_of_all() if unknown else set()
    kept = {name: value for name, value in options.items() if name not in foreign}
    return kept, tuple(f"option {name!r} of the scene is none of {loaded.id}" for name in sorted(foreign))


@lru_cache(maxsize=1)
def _options_of_all() -> frozenset[str]:
    """Return the options that some built-in edition has."""
    return frozenset(name for one in edition_ids() for name in load_edition(one).table.options)


@dataclass(slots=True)
class _Merged:
    """Tables laid over each other, and for each path the file that had the last word on it."""

    file: str
    table: Raw = field(default_factory=dict)
    origin: dict[check.Path, str] = field(default_factory=dict)

    def lay(self, over: Raw, file: str) -> None:
        """Lay a file's table over what is there."""
        self.file = file
        for path in _lay(self.table, over, ()):
            self.origin[path] = file

    def told(self, problem: check.Problem, inside: check.Path = ()) -> str:
        """Return a problem as one line: file, path, what is wrong."""
        path, text = problem
        known = (path[:n] for n in range(len(path), 0, -1))
        file = next((self.origin[part] for part in known if part in self.origin), self.file)
        if inside:
            return f"{self.origin.get(inside, self.file)}: {check.shown(inside)}: {check.shown(path)}: {text}"
        return f"{file}: {check.shown(path)}: {text}"


def _lay(base: Raw, over: Raw, path: check.Path) -> Iterator[check.Path]:
    """Merge ``over`` into ``base``, tables key by key, and yield the paths that it touched."""
    for key, value in over.items():
        yield (*path, key)
        if isinstance(value, dict):
            if not isinstance(base.get(key), dict):
                base[key] = {}
            yield from _lay(base[key], value, (*path, key))
        else:
            base[key] = value


@lru_cache(maxsize=1)
def _built_in() -> Mapping[str, Traversable]:
    """Return the files of the package, shared tables (``_d20``) included."""
    folder = files("gridlos.rules") / "editions"
    return {file.name.removesuffix(_ENDING): file for file in folder.iterdir() if file.name.endswith(_ENDING)}


def _laid_out(top: Traversable) -> _Merged:
    """Return the table of a file laid over all that it extends."""
    merged = _Merged(top.name)
    for file, table in reversed(_chain(top)):
        if "name" in merged.table:
            table.setdefault("name", f"{merged.table['name']}, with the house rules of {file}")
        merged.lay(table, file)
    return merged


def _checked(top: Traversable) -> _Merged:
    """Return the table of a file laid over all that it extends; raises EditionError with all its problems."""
    merged = _laid_out(top)
    problems = [merged.told(problem) for problem in check.problems_of(merged.table)]
    if not problems:
        problems = list(_option_problems(merged))
    if problems:
        raise EditionError(problems)
    return merged


@lru_cache(maxsize=64)
def _merged_built_in(id_: str) -> _Merged:
    """Return the table of a built-in edition; nobody may change it. Tests find its problems, nobody waits for that here."""
    return _laid_out(_built_in()[id_])


@lru_cache(maxsize=256)
def _built_in_edition(id_: str, options: tuple[tuple[str, str], ...]) -> Edition:
    """Return a built-in edition with its options; nobody may change it."""
    return _with_options(id_, _merged_built_in(id_), dict(options))


def _chain(top: Traversable) -> list[tuple[str, Raw]]:
    """Return the file and all that it extends, the file first."""
    built_in, chain, seen, file = _built_in(), [], [], top
    while True:
        table = _parsed(file)
        extends = table.pop("extends", None)
        seen.append(str(file))
        chain.append((file.name, table))
        if extends is None:
            break
        file = _extended(file, extends, built_in)
        if str(file) in seen:
            names = " extends ".join(Path(one).name for one in (*seen[seen.index(str(file)) :], str(file)))
            raise EditionError([f"{chain[-1][0]}: extends: goes round in a circle: {names}"])
    return chain


def _extended(file: Traversable, extends: Any, built_in: Mapping[str, Traversable]) -> Traversable:  # noqa: ANN401 - raw
    """Return the file that ``extends`` names."""
    if isinstance(extends, str) and extends in built_in:
        return built_in[extends]
    if isinstance(extends, str) and extends.endswith(_ENDING) and isinstance(file, Path):
        beside = (file.parent / extends).resolve()
        if beside.is_file():
            return beside
        raise EditionError([f"{file.name}: extends: there is no file {extends!r} beside it"])
    hint = nearest(str(extends), sorted(word for word in built_in if not word.startswith("_")))
    raise EditionError([f"{file.name}: extends: {extends!r} is no edition{hint}"])


def _parsed(file: Traversable) -> Raw:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise EditionError([f"{file.name}: no TOML: {error}"]) from None
    except UnicodeDecodeError:
        raise EditionError([f"{file.name}: no text in UTF-8"]) from None
    except OSError as error:
        raise EditionError([f"{file}: cannot be read: {error.strerror}"]) from None


def _option_problems(merged: _Merged) -> Iterator[str]:
    """Yield what is wrong with the table once an option's value is laid over it."""
    for name, option in merged.table.get("options", {}).items():
        for value, entry in option["values"].items():
            path: check.Path = ("options", name, "values", value, "set")
            for problem in check.problems_of(_laid(merged.table, entry.get("set", {}))) if entry.get("set") else ():
                yield merged.told(problem, path)


def _laid(table: Raw, over: Raw) -> Raw:
    """Return a copy of a table with another laid over it."""
    copy: Raw = {}
    for part in (table, over):
        for _ in _lay(copy, part, ()):
            pass
    return copy


def _check_said(id_: str, merged: _Merged, options: Mapping[str, str]) -> None:
    declared = merged.table.get("options", {})
    for name, value in options.items():
        if name not in declared:
            raise QuestionError(f"{id_} has no option {name!r}{nearest(name, declared)}")
        values = declared[name]["values"]
        if not isinstance(value, str) or value not in values:
            raise QuestionError(f"option {name}: unknown value {value!r}{nearest(str(value), values)}")


def _with_options(id_: str, merged: _Merged, options: Mapping[str, str]) -> Edition:
    """Return the edition with the values of its options laid over its table."""
    _check_said(id_, merged, options)
    declared = merged.table.get("options", {})
    used = {name: options.get(name, option["default"]) for name, option in declared.items()}
    table = merged.table
    for name, value in used.items():
        if over := declared[name]["values"][value].get("set"):
            table = _laid(table, over)
    problems = check.problems_of(table) if table is not merged.table else []
    if problems:
        chosen = ", ".join(f"{name} = {value}" for name, value in used.items())
        raise EditionError([f"{merged.file}: with {chosen}: {check.shown(path)}: {text}" for path, text in problems])
    return Edition(id_, msgspec.convert(table, Table), MappingProxyType(used))
