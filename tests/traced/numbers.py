"""The counterpart: every number of an edition's table, changed by one, and the checks that then fail."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from traced.registry import CHECKS, Check, Load

from gridlos.errors import GridlosError
from gridlos.rules import Edition, check, load, load_edition

Path = tuple[str | int, ...]

_ID = re.compile(r"S00\d-\d+")
_IN_TEXT = re.compile(r"(?P<before>\d+d|\d+/|)(?P<last>\d+)")
"""A number that the table of dice writes as a text: 1d3, 1/2, 1."""


def raw_table(edition: str) -> dict[str, Any]:
    """Return the table of a built-in edition laid over all that it extends."""
    return load._merged_built_in(edition).table


def numbers_in(piece: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every number in a raw table, those that an option's value sets included.

    A number is a whole number, or one that the table of dice writes as a text.
    """
    if isinstance(piece, dict):
        for key, value in piece.items():
            yield from numbers_in(value, (*path, key))
    elif isinstance(piece, list):
        for k, value in enumerate(piece):
            yield from numbers_in(value, (*path, k))
    elif (isinstance(piece, int) and not isinstance(piece, bool)) or (
        isinstance(piece, str) and "dice" in path and _IN_TEXT.fullmatch(piece)
    ):
        yield path


def stepped(number: int | str, step: int) -> int | str:
    """Return the number changed by one; of 1d3 and 1/2 the last one."""
    if isinstance(number, int):
        return number + step
    found = _IN_TEXT.fullmatch(number)
    return f"{found['before']}{int(found['last']) + step}"


def at(table: Any, path: Path) -> Any:
    """Return the piece of a raw table at a path."""
    for key in path:
        table = table[key]
    return table


def changed(table: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return the table with the number at ``path`` one larger, or one smaller where one larger is refused."""
    for step in (1, -1):
        copied = copy.deepcopy(table)
        at(copied, path[:-1])[path[-1]] = stepped(at(table, path), step)
        if not refused(copied, path):
            return copied
    raise AssertionError(f"{check.shown(path)}: neither one more nor one less is a number of an edition")


def refused(table: dict[str, Any], path: Path) -> bool:
    """Return whether the table is none, or is none with the option's value in which the path stands."""
    if check.problems_of(table):
        return True
    if path[0] != "options":
        return False
    over = at(table, path[: path.index("set") + 1])
    return bool(check.problems_of(load._laid(table, over)))


@dataclass(frozen=True, slots=True)
class Loader:
    """Editions of which one has the given raw table; the others are as they are built in."""

    edition: str
    table: dict[str, Any]
    made: dict[tuple[tuple[str, str], ...], Edition]

    def __call__(self, id_: str, **options: str) -> Edition:
        if id_ != self.edition:
            return load_edition(id_, options=options)
        key = tuple(sorted(options.items()))
        if key not in self.made:
            self.made[key] = load._with_options(id_, load._Merged(f"{id_}.toml", self.table), options)
        return self.made[key]


def of_table(edition: str, table: dict[str, Any]) -> Loader:
    """Return what loads an edition of that raw table."""
    return Loader(edition, table, {})


def near(table: Mapping[str, Any], path: Path) -> set[str]:
    """Return the statements named beside the number: in its path, in its rule's ``also``, in texts of its table."""
    words = {match for part in path for match in _ID.findall(str(part))}
    if path[0] == "rules":
        words |= {match for one in table["rules"][path[1]].get("also", ()) for match in _ID.findall(one)}
    for n in range(len(path) - 1, 0, -1):
        piece = at(table, path[:n])
        if isinstance(piece, dict):
            words |= {match for value in piece.values() for match in _ID.findall(str(value))}
        if words:
            break
    return words


def in_order(edition: str, table: Mapping[str, Any], path: Path) -> list[Check]:
    """Return the checks of an edition, those first that are for statements near the number or have its words."""
    first, words = near(table, path), _words(" ".join(str(part) for part in path))
    of_edition = [one for one in CHECKS if one.edition == edition]
    return sorted(of_edition, key=lambda one: (not first & set(one.ids), -len(words & _words(one.name))))


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))


def notices(one: Check, loader: Load) -> bool:
    """Return whether a check fails."""
    try:
        one.run(loader)
    except (AssertionError, GridlosError):
        return True
    return False


def survivors(edition: str) -> tuple[int, list[str]]:
    """Return how many numbers an edition has, and the paths of those that no check notices."""
    table, alive, n = raw_table(edition), [], 0
    failed_last: Check | None = None
    for path in numbers_in(table):
        n += 1
        loader = of_table(edition, changed(table, path))
        order = in_order(edition, table, path)
        if failed_last is not None and path[0] not in ("rules", "options"):
            order.insert(0, failed_last)
        failed_last = next((one for one in order if notices(one, loader)), None)
        if failed_last is None:
            alive.append(check.shown(path))
    return n, alive
