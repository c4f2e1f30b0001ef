"""Walls and the kinds of squares as they are written, and what of them stops lines today."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from gridlos.errors import SceneError
from gridlos.facts import Concealment, Stops
from gridlos.words import hint_for, nearest_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "BUILT_IN",
    "KINDS",
    "Kind",
    "KindWord",
    "SquareKind",
    "Threshold",
    "Wall",
    "WallState",
    "concealment_of",
    "is_fog",
    "stops_of",
    "warnings_for",
]

KindWord = Literal[
    "wall", "void", "door", "secret door", "window", "curtain", "low wall", "obstacle", "arrow slit",
    "fence", "portcullis", "terrain", "brush", "fog", "open", "water",
]  # fmt: skip
WallState = Literal["open", "closed", "locked"]

COVERS = ("none", "light", "partial", "standard", "improved", "total")
CONCEALMENTS = ("none", "light", "concealed", "heavy", "total")
_FRACTION = re.compile(r"[0-9]{1,4}/[1-9][0-9]{0,3}")
CoverWord = Annotated[str, Meta(extra_json_schema={"pattern": f"^({'|'.join((*COVERS, _FRACTION.pattern))})$"})]
ConcealmentWord = Annotated[
    str, Meta(extra_json_schema={"pattern": f"^({'|'.join((*CONCEALMENTS, _FRACTION.pattern))})$"})
]
Position = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind of wall or square stops over its full height, and how much a square of it conceals.

    ``is_built`` is False while nothing judges it.
    """

    stops: Stops
    is_door: bool = False
    is_built: bool = True
    concealment: Concealment = Concealment.NONE


_BOTH = Stops.EFFECT | Stops.SIGHT
KINDS: Mapping[str, Kind] = MappingProxyType({
    "wall": Kind(_BOTH),
    "void": Kind(_BOTH),
    "door": Kind(_BOTH, is_door=True),
    "secret door": Kind(_BOTH, is_door=True),
    "window": Kind(Stops.EFFECT),
    "curtain": Kind(Stops.SIGHT),
    "open": Kind(Stops.NOTHING),
    "water": Kind(Stops.NOTHING),
    "brush": Kind(Stops.NOTHING, concealment=Concealment.CONCEALED),
    "fog": Kind(Stops.NOTHING, concealment=Concealment.CONCEALED),
    **{word: Kind(Stops.NOTHING, is_built=False)
       for word in ("low wall", "obstacle", "arrow slit", "fence", "portcullis", "terrain")},
})  # fmt: skip
"""Every kind of wall or square, by its word."""


def _kind_of(word: str) -> Kind:
    if word not in KINDS:
        raise SceneError(f"unknown kind {word!r}; {hint_for(word, KINDS)}")
    return KINDS[word]


def _check_finite(**numbers: float | None) -> None:
    for name, number in numbers.items():
        if number is not None and not math.isfinite(number):
            raise SceneError(f"{name} {number} is not a finite number")


def _check_band(bottom: float | None, top: float | None) -> None:
    _check_finite(bottom=bottom, top=top)
    if bottom is not None and top is not None and not bottom < top:
        raise SceneError(f"the bottom, {bottom:g} ft, is not below the top, {top:g} ft")


def _check_word(name: str, word: str | None, words: tuple[str, ...]) -> None:
    if word is None or word in words:
        return
    if not _FRACTION.fullmatch(word):
        near = nearest_word(word, words)
        right = f"did you mean {near!r}?" if near else f"known are {', '.join(words)}, or a fraction such as 1/4"
        raise SceneError(f"unknown {name} {word!r}; {right}")
    above, below = map(int, word.split("/"))
    if above > below:
        raise SceneError(f"{name} {word} is more than the whole")


class Threshold(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """A wall that stops only who is far from it, or only who is near.

    Attributes
    ----------
    kind
        ``proximity``: it stops who is farther than ``feet``; ``distance``: who is nearer.
    feet
        The distance to the wall.
    """

    kind: Literal["proximity", "distance"]
    feet: Annotated[float, Meta(ge=0)]

    def __post_init__(self) -> None:
        _check_finite(feet=self.feet)


class Wall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """A straight wall between two points of the map.

    Attributes
    ----------
    start, end
        ``(x, y)`` in squares (``from`` and ``to`` in a scene file). Left and right of the wall are those of one who
        walks from ``start`` to ``end``, y pointing down: a wall drawn downward has the east on its left.
    kind
        What it is: wall, door, window … (:data:`KINDS` has all).
    id
        A name, unique among the walls of a map.
    state
        Of doors only: ``open``, ``closed`` (None means that too) or ``locked``.
    effect, sight
        What the wall stops, where that is not its kind's own: True, False or ``"limited"`` (one such wall lets through,
        two do not).
    cover
        ``light, partial, standard, improved, total`` or a fraction such as ``"1/4"``, where it is not the kind's own.
    blocks_from
        ``left`` or ``right``: a one-way wall stops only what comes from that side.
    bottom, top
        Feet above the ground; None: from below everything, up over everything (or the kind's own band).
    threshold
        See :class:`Threshold`.
    extra
        Anything; carried through.

    Examples
    --------
    >>> Wall(start=(4, 1), end=(4, 2), kind="door", id="gate").state is None
    True
    """

    start: Position = msgspec.field(name="from")
    end: Position = msgspec.field(name="to")
    kind: KindWord = "wall"
    id: str | None = None
    state: WallState | None = None
    effect: bool | Literal["limited"] | None = None
    sight: bool | Literal["limited"] | None = None
    cover: CoverWord | None = None
    blocks_from: Literal["left", "right"] | None = None
    bottom: float | None = None
    top: float | None = None
    threshold: Threshold | None = None
    extra: Any = None

    def __post_init__(self) -> None:
        kind = _kind_of(self.kind)
        if not all(map(math.isfinite, (*self.start, *self.end))):
            raise SceneError(f"a wall from {self.start} to {self.end} has an end that is not a finite number")
        if self.state is not None and not kind.is_door:
            raise SceneError(f"only doors have a state, and this is a {self.kind}")
        if self.state is not None and self.state not in get_args(WallState):
            raise SceneError(f"unknown state {self.state!r}; {hint_for(self.state, get_args(WallState))}")
        if self.id == "":
            raise SceneError("an id is not empty")
        _check_band(self.bottom, self.top)
        _check_word("cover", self.cover, COVERS)


class SquareKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """What a letter of a map stands for.

    Attributes
    ----------
    kind
        What it is (:data:`KINDS` has all); a door that fills a square is shut.
    bottom, top
        Feet: the band of what stands in the square, where it is not the kind's own.
    elevation
        Feet: the height of its floor.
    effect, sight
        Whether the square stops it, where that is not the kind's own.
    cover
        ``light, partial, standard, improved, total`` or a fraction such as ``"1/4"``, where it is not the kind's own.
    concealment
        ``none, light, concealed, heavy, total`` or a fraction such as ``"1/4"``, where it is not the kind's own.

    Examples
    --------
    >>> SquareKind(kind="low wall", top=3).top
    3
    """

    kind: KindWord = "open"
    bottom: float | None = None
    top: float | None = None
    elevation: float | None = None
    effect: bool | None = None
    sight: bool | None = None
    cover: CoverWord | None = None
    concealment: ConcealmentWord | None = None

    def __post_init__(self) -> None:
        _kind_of(self.kind)
        _check_band(self.bottom, self.top)
        _check_finite(elevation=self.elevation)
        _check_word("cover", self.cover, COVERS)
        _check_word("concealment", self.concealment, CONCEALMENTS)


BUILT_IN: Mapping[str, SquareKind] = MappingProxyType({
    ".": SquareKind(kind="open"),
    "#": SquareKind(kind="wall"),
    "w": SquareKind(kind="low wall"),
    "c": SquareKind(kind="obstacle"),
    "f": SquareKind(kind="fog"),
    "b": SquareKind(kind="brush"),
    "s": SquareKind(kind="arrow slit"),
    "~": SquareKind(kind="water"),
    " ": SquareKind(kind="void"),
})  # fmt: skip
"""The letters that every map knows."""

_BAND_KEYS = ("bottom", "top", "blocks_from", "threshold")  # with one of them a wall has no behaviour yet
_OTHER_KEYS = ("cover", "elevation")  # they change nothing yet


def _missing(record: Wall | SquareKind) -> list[str]:
    """Return the kind and the keys of a record without which it cannot be judged."""
    kind = KINDS[record.kind]
    is_judged = kind.is_built and not (isinstance(record, Wall) and kind.concealment)  # only squares conceal
    labels: list[str] = [] if is_judged else [record.kind]
    labels += [f'key "{key}"' for key in _BAND_KEYS if getattr(record, key, None) is not None]
    if isinstance(record, Wall) and "limited" in (record.effect, record.sight):
        labels.append('"limited"')
    return labels


def stops_of(record: Wall | SquareKind) -> Stops:
    """Return what a wall or square stops as it stands now: nothing for an open door and for what has no behaviour yet.

    >>> stops_of(Wall(start=(0, 0), end=(0, 1), kind="window"))
    <Stops.EFFECT: 1>
    >>> stops_of(Wall(start=(0, 0), end=(0, 1), kind="door", state="open"))
    <Stops.NOTHING: 0>
    >>> stops_of(SquareKind(kind="wall", sight=False))
    <Stops.EFFECT: 1>
    """
    if (isinstance(record, Wall) and record.state == "open") or _missing(record):
        return Stops.NOTHING
    stops = KINDS[record.kind].stops
    for channel, override in ((Stops.EFFECT, record.effect), (Stops.SIGHT, record.sight)):
        if override is not None:
            stops = stops | channel if override else stops & ~channel
    return stops


_LEVELS = {
    Fraction(0): Concealment.NONE,
    Fraction(1, 4): Concealment.LIGHT,
    Fraction(1, 2): Concealment.CONCEALED,
    Fraction(3, 4): Concealment.HEAVY,
    Fraction(9, 10): Concealment.NEARLY_TOTAL,
    Fraction(1): Concealment.TOTAL,
}


def concealment_of(record: SquareKind) -> Concealment:
    """Return how much a square conceals: its own word or, without one, its kind's.

    A fraction counts as the nearest of 0, 1/4, 1/2, 3/4, 9/10 and 1, the milder of two that are equally near.

    >>> concealment_of(SquareKind(kind="fog"))
    <Concealment.CONCEALED: 2>
    >>> [concealment_of(SquareKind(concealment=word)).name for word in ("heavy", "1/8", "5/6", "1/1")]
    ['HEAVY', 'NONE', 'NEARLY_TOTAL', 'TOTAL']
    """
    word = record.concealment
    if word is None:
        return KINDS[record.kind].concealment
    if word in CONCEALMENTS:
        return Concealment[word.upper()]
    fraction = Fraction(word)
    return _LEVELS[min(_LEVELS, key=lambda level: (abs(level - fraction), level))]


def is_fog(record: SquareKind) -> bool:
    """Return whether more of it hides more: the square's kind is fog, and not a light one.

    >>> is_fog(SquareKind(kind="fog")), is_fog(SquareKind(kind="fog", concealment="light")), is_fog(SquareKind(kind="brush"))
    (True, False, False)
    """
    return record.kind == "fog" and concealment_of(record) >= Concealment.CONCEALED


def warnings_for(records: Iterable[tuple[Wall | SquareKind, int]], noun: str) -> tuple[str, ...]:
    """Return one line for each kind and each key that nothing uses yet, with the number of records that have it.

    Parameters
    ----------
    records
        Each record with how often it stands on the map.
    noun
        What is counted, in the singular.

    Examples
    --------
    >>> warnings_for([(SquareKind(kind="low wall"), 2), (SquareKind(kind="wall"), 5)], "square")
    ('low wall: not used yet (2 squares)',)
    """
    counts: Counter[str] = Counter()
    for record, count in records:
        others = [f'key "{key}"' for key in _OTHER_KEYS if getattr(record, key, None) is not None]
        for label in (*_missing(record), *others):
            counts[label] += count
    plural = {label: f"{count} {noun}{'s'[: count != 1]}" for label, count in counts.items() if count}
    return tuple(f"{label}: not used yet ({counted})" for label, counted in plural.items())
