"""Walls and the kinds of squares as they are written, and what of them stops lines today."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta

from gridlos.errors import SceneError
from gridlos.facts import Concealment, Stops
from gridlos.words import hint_for, nearest_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "BUILT_IN",
    "KINDS",
    "Behaviour",
    "Kind",
    "KindWord",
    "SquareKind",
    "Threshold",
    "Wall",
    "WallState",
    "behaviour_of",
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
    """What a kind of wall or square stops, and how much a square of it conceals.

    ``limited`` is what only the second such wall on a line stops, ``band`` its bottom and top in feet above the floor (None: as
    tall as the world), ``cover`` the word for the cover that it gives, where that does not follow from what it hides.
    """

    stops: Stops
    is_door: bool = False
    concealment: Concealment = Concealment.NONE
    limited: Stops = Stops.NOTHING
    band: tuple[float, float] | None = None
    cover: str | None = None


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
    "low wall": Kind(_BOTH, band=(0, 3)),
    "obstacle": Kind(_BOTH, band=(0, 4)),
    "arrow slit": Kind(Stops.NOTHING, cover="improved"),
    "fence": Kind(Stops.NOTHING, cover="standard"),
    "portcullis": Kind(Stops.NOTHING, cover="standard"),
    "terrain": Kind(Stops.NOTHING, limited=Stops.SIGHT),
})  # fmt: skip
"""Every kind of wall or square, by its word."""


def _kind_of(word: str) -> Kind:
    if word not in KINDS:
        raise SceneError(f"unknown kind {word!r}; {hint_for(word, KINDS)}")
    return KINDS[word]


_HIGHEST = 1_000_000


def _check_finite(**numbers: float | None) -> None:
    for name, number in numbers.items():
        if number is not None and not math.isfinite(number):
            raise SceneError(f"{name} {number} is not a finite number")
        if number is not None and abs(number) > _HIGHEST:
            raise SceneError(f"{name} {number:g} is too far from the ground; give at most {_HIGHEST:,} feet")


def _check_band(bottom: float | None, top: float | None) -> None:
    if bottom is None and top is None:
        return
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
        if not (math.isfinite(sum(self.start) + sum(self.end)) or all(map(math.isfinite, (*self.start, *self.end)))):
            raise SceneError(f"a wall from {self.start} to {self.end} has an end that is not a finite number")
        if self.state is not None:
            if not kind.is_door:
                raise SceneError(f"only doors have a state, and this is a {self.kind}")
            if self.state not in get_args(WallState):
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
        band = _kind_of(self.kind).band or (None, None)
        _check_band(band[0] if self.bottom is None else self.bottom, band[1] if self.top is None else self.top)
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


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a wall or square does as it stands now.

    Attributes
    ----------
    stops
        What it stops alone.
    limited
        What it stops only as the second of its sort.
    blocks_from
        ``left`` or ``right``; None: it stops from both sides.
    bottom, top
        Feet; None: below, above everything. Of squares, and where ``above_floor`` says so, above the floor.
    above_floor
        Whether ``bottom`` and ``top`` are told from the floor.
    cover
        The word for the cover that it gives; None: cover follows from what it hides.
    is_slit
        Whether one shoots out of it freely from beside it.
    """

    stops: Stops = Stops.NOTHING
    limited: Stops = Stops.NOTHING
    blocks_from: Literal["left", "right"] | None = None
    bottom: float | None = None
    top: float | None = None
    above_floor: tuple[bool, bool] = (False, False)
    cover: str | None = None
    is_slit: bool = False

    def band_above(self, floor: float) -> tuple[float | None, float | None]:
        """Return bottom and top in world feet, where the floor is ``floor`` feet high; None: without end.

        >>> behaviour_of(SquareKind(kind="obstacle")).band_above(20)
        (20, 24)
        """
        bottom, top = (
            end if end is None or not above else floor + end
            for end, above in zip((self.bottom, self.top), self.above_floor, strict=True)
        )
        return bottom, top

    @property
    def is_special(self) -> bool:
        """Whether it does something that a wall from below to above everything, the same from both sides, does not."""
        parts = self.bottom is not None or self.top is not None or self.blocks_from is not None
        return bool(self.limited or self.cover is not None or (self.stops and parts))


_NOTHING = Behaviour()
_Override: TypeAlias = bool | Literal["limited"] | None


def behaviour_of(record: Wall | SquareKind) -> Behaviour:
    """Return what a wall or square does as it stands now: nothing if it is an open door, or has a threshold, which is not judged yet.

    >>> low = behaviour_of(Wall(start=(0, 0), end=(0, 1), kind="low wall", top=2.5))
    >>> low.bottom, low.top, low.above_floor
    (0, 2.5, (True, False))
    >>> behaviour_of(SquareKind(kind="terrain")).limited
    <Stops.SIGHT: 2>
    """
    if isinstance(record, SquareKind):
        return _behaviour(record.kind, record.effect, record.sight, record.bottom, record.top, record.cover, None)
    if record.state == "open" or record.threshold is not None:
        return _NOTHING
    return _behaviour(
        record.kind, record.effect, record.sight, record.bottom, record.top, record.cover, record.blocks_from, Wall
    )  # fmt: skip


@lru_cache(maxsize=4096, typed=True)
def _behaviour(
    word: KindWord,
    effect: _Override,
    sight: _Override,
    bottom: float | None,
    top: float | None,
    cover: str | None,
    blocks_from: Literal["left", "right"] | None,
    of: type[Wall | SquareKind] = SquareKind,
) -> Behaviour:
    """Return what all walls, or all squares, with these attributes do: one record for all of them."""
    kind, is_square = KINDS[word], of is SquareKind
    stops, limited = kind.stops, kind.limited
    for channel, override in ((Stops.EFFECT, effect), (Stops.SIGHT, sight)):
        if override is not None:
            stops = stops | channel if override is True else stops & ~channel
            limited = limited | channel if override == "limited" else limited & ~channel
    lowest, highest = kind.band or (None, None)
    return Behaviour(
        stops=stops,
        limited=limited,
        blocks_from=blocks_from,
        bottom=lowest if bottom is None else bottom,
        top=highest if top is None else top,
        above_floor=(is_square or bottom is None, is_square or top is None),
        cover=kind.cover if cover is None else cover,
        is_slit=word == "arrow slit",
    )


_CONCEALING = frozenset(word for word, kind in KINDS.items() if kind.concealment)


def _missing(record: Wall | SquareKind) -> Sequence[str]:
    """Return the kind and the keys of a record that change nothing yet."""
    if isinstance(record, SquareKind) or (record.threshold is None and record.kind not in _CONCEALING):
        return ()
    labels: list[str] = [record.kind] if record.kind in _CONCEALING else []  # only squares conceal
    return labels if record.threshold is None else [*labels, 'key "threshold"']


def stops_of(record: Wall | SquareKind) -> Stops:
    """Return what a wall or square alone stops as it stands now, at whatever height.

    >>> stops_of(Wall(start=(0, 0), end=(0, 1), kind="window"))
    <Stops.EFFECT: 1>
    >>> stops_of(Wall(start=(0, 0), end=(0, 1), kind="door", state="open"))
    <Stops.NOTHING: 0>
    >>> stops_of(SquareKind(kind="wall", sight=False))
    <Stops.EFFECT: 1>
    """
    return behaviour_of(record).stops


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
    >>> fog = Wall(start=(0, 0), end=(0, 1), kind="fog")
    >>> warnings_for([(fog, 2), (Wall(start=(0, 0), end=(0, 1)), 5)], "wall")
    ('fog: not used yet (2 walls)',)
    """
    counts: Counter[str] = Counter()
    for record, count in records:
        for label in _missing(record):
            counts[label] += count
    plural = {label: f"{count} {noun}{'s'[: count != 1]}" for label, count in counts.items() if count}
    return tuple(f"{label}: not used yet ({counted})" for label, counted in plural.items())
