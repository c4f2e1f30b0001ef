"""All that is wrong with an edition table, told at once.

First wrong keys and types by the model, then what only the whole table can tell: names that nobody declares, scales
that turn back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from msgspec import inspect

from gridlos.rules.dice import DICE_FORM, SHARE_FORM
from gridlos.rules.model import Table, nearest, parse_fraction

__all__ = ["Path", "Problem", "problems_of", "shown"]

Path = tuple[str | int, ...]
Problem = tuple[Path, str]
Raw = dict[str, Any]

_BROKEN = object()  # stands for a piece that has a problem; the checks of the whole table do without it


def shown(path: Path) -> str:
    """Return a path as text.

    Examples
    --------
    >>> shown(("degree", "half", "rules", 0))
    'degree.half.rules[0]'
    """
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def problems_of(table: Raw) -> list[Problem]:
    """Return every problem of a merged table, each with its path; none: ``msgspec.convert(table, Table)`` succeeds.

    Examples
    --------
    >>> problems_of({"save": "reflexes", "diagonal": "1"})[:2]
    [(('diagonal',), "unknown key; did you mean 'diagonals'?"), (('name',), 'missing')]
    """
    problems: list[Problem] = []
    sound = _sound(table, _table_type(), (), problems)
    problems.extend(problem for check in _CHECKS for problem in check(sound))
    return problems


@cache
def _table_type() -> inspect.Type:
    return inspect.type_info(Table)


def _sound(value: Any, kind: inspect.Type, path: Path, problems: list[Problem]) -> Any:  # noqa: ANN401 - raw TOML
    """Return what of ``value`` is as the model says, and note the rest as problems."""
    if isinstance(kind, inspect.UnionType):
        kind = _branch(value, kind)
    if isinstance(kind, inspect.StructType) and isinstance(value, dict):
        return _sound_struct(value, kind, path, problems)
    if isinstance(kind, inspect.DictType) and isinstance(value, dict):
        return _sound_dict(value, kind, path, problems)
    if isinstance(kind, inspect.TupleType | inspect.VarTupleType) and isinstance(value, list):
        return _sound_list(value, kind, path, problems)
    if _fits(value, kind):
        return value
    words = _words(kind)
    if words and isinstance(value, str):
        problems.append((path, f"unknown word {value!r}{nearest(value, words)}"))
    else:
        problems.append((path, f"expected {_wanted(kind)}, found {_found(value)}"))
    return _BROKEN


def _words(kind: inspect.Type) -> list[str]:
    """Return the words of a closed set; none for every other type."""
    if isinstance(kind, inspect.LiteralType):
        return [str(word) for word in kind.values]
    return [str(member.value) for member in kind.cls] if isinstance(kind, inspect.EnumType) else []


def _branch(value: Any, union: inspect.UnionType) -> inspect.Type:  # noqa: ANN401 - raw TOML
    """Return the alternative of a union that ``value`` is meant for."""
    nested = [one for one in union.types if isinstance(one, inspect.StructType)]
    plain = [one for one in union.types if not isinstance(one, inspect.StructType | inspect.NoneType)]
    return nested[0] if nested and (isinstance(value, dict) or not plain) else plain[0]


def _sound_struct(value: Raw, kind: inspect.StructType, path: Path, problems: list[Problem]) -> Any:  # noqa: ANN401
    fields = {one.encode_name: one for one in kind.fields}
    sound, missing = {}, False
    problems.extend(((*path, key), f"unknown key{nearest(key, fields)}") for key in value if key not in fields)
    for key, one in fields.items():
        if key in value:
            piece = _sound(value[key], one.type, (*path, key), problems)
            missing |= piece is _BROKEN and one.required
            if piece is not _BROKEN:
                sound[key] = piece
        elif one.required:
            problems.append(((*path, key), "missing"))
            missing = True
    return _BROKEN if missing and path else sound


def _sound_dict(value: Raw, kind: inspect.DictType, path: Path, problems: list[Problem]) -> Raw:
    sound = {}
    for key, piece in value.items():
        if _sound(key, kind.key_type, (*path, key), problems) is not _BROKEN:
            sound[key] = _sound(piece, kind.value_type, (*path, key), problems)
    return sound


def _sound_list(
    value: list[Any], kind: inspect.TupleType | inspect.VarTupleType, path: Path, problems: list[Problem]
) -> Any:  # noqa: ANN401
    kinds = kind.item_types if isinstance(kind, inspect.TupleType) else (kind.item_type,) * len(value)
    if len(kinds) != len(value):
        problems.append((path, f"expected {len(kinds)} entries, found {len(value)}"))
        return _BROKEN
    sound = [_sound(piece, one, (*path, k), problems) for k, (piece, one) in enumerate(zip(value, kinds, strict=True))]
    return _BROKEN if any(piece is _BROKEN for piece in sound) else sound


def _fits(value: Any, kind: inspect.Type) -> bool:  # noqa: ANN401 - raw TOML
    if isinstance(kind, inspect.AnyType | inspect.BoolType):
        return isinstance(kind, inspect.AnyType) or isinstance(value, bool)
    if isinstance(kind, inspect.IntType):
        low, high = kind.ge, kind.le
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and (low is None or value >= low) and (high is None or value <= high)
    if isinstance(kind, inspect.StrType):
        length = len(value) if isinstance(value, str) else -1
        fits = (kind.min_length or 0) <= length <= (kind.max_length or length)
        return fits and (kind.pattern is None or re.search(kind.pattern, value) is not None)
    return value in _words(kind)


def _wanted(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.IntType):
        return "a whole number" if kind.ge is None else f"a whole number from {kind.ge} to {kind.le}"
    if isinstance(kind, inspect.StrType) and kind.pattern is not None:
        return _FORMS.get(kind.pattern, f"a text of the form {kind.pattern}")
    if isinstance(kind, inspect.StrType):
        return "a text" if kind.max_length is None else f"a word of 1 to {kind.max_length} letters"
    if words := _words(kind):
        return f"one of {', '.join(words)}"
    names = {inspect.BoolType: "true or false", inspect.TupleType: "a list", inspect.VarTupleType: "a list"}
    return names.get(type(kind), "a table")


def _found(value: Any) -> str:  # noqa: ANN401 - raw TOML
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)


_FORMS = {SHARE_FORM: "a fraction such as '1/2'", DICE_FORM: "dice such as '1d3', or a number"}


def _unknown(path: Path, word: str, what: str, known: Iterable[str]) -> Iterator[Problem]:
    known = list(known)
    if word not in known:
        whole = "option" if what == "value" else "edition"
        yield path, f"{word!r} is no {what} of this {whole}{nearest(word, known)}"


def _piece(table: Raw, *path: Any) -> Any:  # noqa: ANN401 - raw TOML
    """Return the sound piece at ``path``; an empty table where there is none."""
    for key in path:
        piece = table.get(key)
        if piece is None or piece is _BROKEN:
            return {}
        table = piece
    return table


def _tables(table: Raw, key: str) -> Iterator[tuple[str, Raw]]:
    """Yield the sound entries of a table of tables."""
    return ((name, entry) for name, entry in _piece(table, key).items() if entry is not _BROKEN)


_SCALES = (("degrees", "degree"), ("concealments", "concealment"))
"""For each scale of words: the key of the words, mildest first, and the key of what each of them does."""

_MAX_DEGREES = 60
"""Codes of degrees are bytes, and the keys of corners hold a class of lines for each degree."""

_BY_LINES: tuple[Path, ...] = (("blocked_lines",), ("adjacent_melee", "blocked_lines"), ("soft_cover", "blocked_lines"))
_COUNTED_FROM = {"1/4": 0, "1/2": 2, "3/4": 4, "1": 6}
"""For each hidden fraction from which lines count: where in ``heights.at_most`` the ranges from there on begin."""

_FRACTIONS: tuple[Path, ...] = (("cover_words", "fractions"), ("by_area", "fractions"))
_ON_DEXTERITY = ("lost", "less", "zero")
_SEEN_LATER = {"attacker_light", "attacker_unseen", "target_unseen", "flanked"}
"""Keys of circumstances that depend on concealment, or are found after it."""

_CREATURES = ("creature", "larger_creature")
_COVER_WORDS = ("light", "partial", "standard", "improved", "total")
_CONCEALMENT_WORDS = ("light", "concealed", "heavy", "nearly_total", "total")


def _check_degrees(table: Raw) -> Iterator[Problem]:
    for key, each in _SCALES:
        words = _piece(table, key)
        for word in sorted({word for word in words if list(words).count(word) > 1}):
            yield (key,), f"{word!r} stands twice"
        if len(words) > _MAX_DEGREES:
            yield (key,), f"at most {_MAX_DEGREES} words"
        if words and words[0] != "none":
            yield (key, 0), f"the first {each} is 'none', found {words[0]!r}"
        if words and each in table:
            for k, word in enumerate(words):
                if word not in table[each]:
                    yield (key, k), f"[{each}.{word}] is missing"
            for word in table[each]:
                yield from _unknown((each, word), word, each, words)


def _check_degree_names(table: Raw) -> Iterator[Problem]:
    for key, each in _SCALES:
        words = list(_piece(table, key))
        named = _named_degrees(table) if each == "degree" else _named_concealments(table)
        for path, word in named if words else ():
            yield from () if word is _BROKEN else _unknown(path, word, each, words)


def _named_degrees(table: Raw) -> Iterator[tuple[Path, Any]]:
    """Yield every word that should be a degree of cover, with its path."""
    for path in (*_BY_LINES, ("heights", "at_most")):
        yield from (((*path, k), word) for k, word in enumerate(_piece(table, *path)))
    yield from ((("centre", key), word) for key in _CREATURES if (word := _piece(table, "centre").get(key)) is not None)
    for key in _COVER_WORDS:
        yield from ((("cover_words", key), word) for word in [_piece(table, "cover_words", key)] if word)
    for path in _FRACTIONS:
        yield from (((*path, key), word) for key, word in _piece(table, *path).items())
    yield from _named_in_notes(table, "degrees")
    shifted = _piece(table, "size_shift", "degrees")
    yield from ((("size_shift", "degrees", k), word) for k, word in enumerate(shifted))
    if "without_line_of_effect" in table:
        yield ("without_line_of_effect",), table["without_line_of_effect"]


def _named_concealments(table: Raw) -> Iterator[tuple[Path, Any]]:
    """Yield every word that should be a degree of concealment, with its path."""
    for key in _CONCEALMENT_WORDS:
        yield from ((("concealment_words", key), word) for word in [_piece(table, "concealment_words", key)] if word)
    yield from _named_in_notes(table, "concealments")
    for name, one in _tables(table, "circumstances"):
        if "conceals" in one:
            yield ("circumstances", name, "conceals"), one["conceals"]


def _named_in_notes(table: Raw, key: str) -> Iterator[tuple[Path, Any]]:
    for name, note in _tables(table, "notes"):
        words = _piece(note, "when", key)
        yield from ((("notes", name, "when", key, k), word) for k, word in enumerate(words))


def _check_scales(table: Raw) -> Iterator[Problem]:
    degrees = list(_piece(table, "degrees"))
    shifted: Path = ("size_shift", "degrees")
    for path in (*_BY_LINES, shifted):
        words = [word for word in _piece(table, *path) if word in degrees]
        if _turns_back(words, degrees):
            wrong = "the mildest degree stands first"
            yield path, wrong if path == shifted else "more blocked lines never give a milder degree"
    for path in _FRACTIONS:
        fractions = _piece(table, *path)
        for key in fractions:
            fraction = parse_fraction(key)
            if fraction is None or (fraction == 0 and path[0] == "cover_words"):
                yield (*path, key), "expected a fraction above 0 and up to 1, such as 1/2"
        sound = {key: word for key, word in fractions.items() if word in degrees and parse_fraction(key) is not None}
        if _turns_back([sound[key] for key in sorted(sound, key=Fraction)], degrees):
            yield path, "a larger fraction never gives a milder degree"
    by_creatures = [word for key in _CREATURES if (word := _piece(table, "centre").get(key)) in degrees]
    if _turns_back(by_creatures, degrees):
        yield ("centre",), "a larger creature never gives a milder degree"
    concealments = list(_piece(table, "concealments"))
    words = [_piece(table, "concealment_words", key) for key in _CONCEALMENT_WORDS]
    if _turns_back([word for word in words if word in concealments], concealments):
        yield ("concealment_words",), "what conceals more never gives a milder degree"


def _check_circumstances(table: Raw) -> Iterator[Problem]:
    conditions = _piece(table, "conditions")
    for path, word in _named_conditions(table):
        yield from _unknown(path, word, "condition", conditions)
    for name, one in _tables(table, "circumstances"):
        effect = one.get("dexterity")
        if effect is not None and effect not in _piece(table, "dexterity"):
            yield ("circumstances", name, "dexterity"), f"[dexterity] names no rule for {effect!r}"
        for key in sorted(_SEEN_LATER & one.keys()) if "conceals" in one else ():
            yield ("circumstances", name, key), "what conceals cannot depend on this key"
    for name, note in _tables(table, "notes"):
        for k, word in enumerate(_piece(note, "when", "circumstances")):
            place = ("notes", name, "when", "circumstances", k)
            yield from _unknown(place, word, "circumstance", _piece(table, "circumstances"))


def _named_conditions(table: Raw) -> Iterator[tuple[Path, str]]:
    """Yield every word that should be a condition, with its path."""
    for condition, implied in _piece(table, "conditions").items():
        if implied is not _BROKEN:
            yield from ((("conditions", condition, k), word) for k, word in enumerate(implied))
    yield from ((("unable", k), word) for k, word in enumerate(_piece(table, "unable")))
    for name, one in _tables(table, "circumstances"):
        for key in ("attacker", "attacker_without", "target", "target_without"):
            yield from ((("circumstances", name, key, k), word) for k, word in enumerate(_piece(one, key)))


def _check_dice(table: Raw) -> Iterator[Problem]:
    dice = _piece(table, "dice")
    for key in ("natural_20", "natural_1"):
        if dice.get(key) == "degree" and dice.get("critical") != "degrees":
            yield ("dice", key), "'degree' needs critical = 'degrees'"
    evasions = _piece(table, "evasions")
    for word in _piece(table, "dice", "evasion"):
        yield from _unknown(("dice", "evasion", word), word, "evasion", evasions)


def _turns_back(words: list[str], scale: list[str]) -> bool:
    """Return whether some word stands before a milder one."""
    return any(scale.index(a) > scale.index(b) for a, b in pairwise(words))


def _check_heights(table: Raw) -> Iterator[Problem]:
    path, degrees = ("heights", "at_most"), list(_piece(table, "degrees"))
    at_most = list(_piece(table, *path))
    counts_from = _piece(table, "heights", "counts_from") or "1/4"
    counted = at_most[_COUNTED_FROM.get(counts_from, 0) :]
    if _turns_back([word for word in counted if word in degrees], degrees):
        yield path, "what hides more never gives a milder degree"


def _check_rules(table: Raw) -> Iterator[Problem]:
    types = list(_piece(table, "stacking", "types"))
    for path, word in _named_rules(table):
        yield from _unknown(path, word, "rule", _piece(table, "rules"))
    for name, degree in _tables(table, "degree"):
        if evasions := _piece(table, "evasions"):
            yield from _unknown(("degree", name, "evasion"), degree.get("evasion", "none"), "evasion", evasions)
    if types:
        for name, rule in _tables(table, "rules"):
            yield from _unknown(("rules", name, "type"), rule.get("type", "untyped"), "bonus type", types)
        for key in ("bonuses_add", "penalties_add"):
            for k, word in enumerate(_piece(table, "stacking", key)):
                yield from _unknown(("stacking", key, k), word, "bonus type", types)
    evasions = _piece(table, "evasions")
    if evasions and evasions[0] != "none":
        yield ("evasions", 0), f"the first is 'none', found {evasions[0]!r}"


def _named_rules(table: Raw) -> Iterator[tuple[Path, str]]:
    """Yield every word that should be a rule, with its path."""
    for _, each in _SCALES:
        for name, degree in _tables(table, each):
            yield from (((each, name, "rules", k), rule) for k, rule in enumerate(degree.get("rules", ())))
    paths: tuple[Path, ...] = (("flanking", "rule"), *(("dexterity", effect) for effect in _ON_DEXTERITY))
    yield from ((path, rule) for path in paths for rule in [_piece(table, *path)] if rule)
    for name, one in _tables(table, "circumstances"):
        yield from ((("circumstances", name, "rules", k), rule) for k, rule in enumerate(one.get("rules", ())))
        if "shield" in one:
            yield ("circumstances", name, "shield"), one["shield"]


def _check_options(table: Raw) -> Iterator[Problem]:
    for name, option in _tables(table, "options"):
        path = ("options", name)
        yield from _unknown((*path, "default"), option["default"], "value", option["values"])
        if len(option["values"]) < 2:
            yield (*path, "values"), "an option has at least two values"
        values = [(value, entry.get("set", {})) for value, entry in _tables(option, "values")]
        for k, (value, entry) in enumerate(values):
            twins = [other for other, earlier in values[:k] if earlier == entry]
            if twins:
                yield (*path, "values", value), f"does the same as {twins[0]!r}"
            for key in entry.keys() & {"options", "name", "source"}:
                yield (*path, "values", value, "set", key), "an option cannot set this key"


_CHECKS: tuple[Callable[[Raw], Iterable[Problem]], ...] = (
    _check_degrees,
    _check_degree_names,
    _check_scales,
    _check_heights,
    _check_rules,
    _check_circumstances,
    _check_dice,
    _check_options,
)
