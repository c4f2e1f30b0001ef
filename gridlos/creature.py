"""Creature: who stands where on a map, of what size, on whose side, with what at hand."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from gridlos.errors import SceneError
from gridlos.words import hint_for

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "HEIGHT_BY_SIZE",
    "REACH_BY_SIZE",
    "SQUARES_BY_SIZE",
    "STEPS_BY_SIZE",
    "CarriedLight",
    "Creature",
    "Senses",
    "SizeWord",
]

SizeWord = Literal["fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"]

SQUARES_BY_SIZE: Mapping[str, int] = MappingProxyType({
    "fine": 1, "diminutive": 1, "tiny": 1, "small": 1, "medium": 1,
    "large": 2, "huge": 3, "gargantuan": 4, "colossal": 6,
})  # fmt: skip
"""Squares on each side of a size's own space; a space smaller than a square counts as its whole square."""

STEPS_BY_SIZE: Mapping[str, int] = MappingProxyType({
    size: step - list(SQUARES_BY_SIZE).index("medium") for step, size in enumerate(SQUARES_BY_SIZE)
})  # fmt: skip
"""Steps of size from Medium, smaller sizes below 0."""

REACH_BY_SIZE: Mapping[str, int] = MappingProxyType({
    "fine": 0, "diminutive": 0, "tiny": 0, "small": 5, "medium": 5,
    "large": 10, "huge": 15, "gargantuan": 20, "colossal": 30,
})  # fmt: skip
"""Natural reach in feet of creatures that stand upright, where a square is 5 ft wide."""

HEIGHT_BY_SIZE: Mapping[str, float] = MappingProxyType({
    "fine": 0.5, "diminutive": 1, "tiny": 2, "small": 3, "medium": 6,
    "large": 10, "huge": 15, "gargantuan": 20, "colossal": 30,
})  # fmt: skip
"""Feet from the feet to the head of an upright creature."""

_BELOW_SMALL = ("fine", "diminutive", "tiny")
_HIGHEST = 1_000_000
_LARGEST_POSITION = 2**23  # a map has fewer squares on a side

Feet = Annotated[float, Meta(ge=0)]


def _check_feet(name: str, number: float) -> None:
    if not (math.isfinite(number) and number >= 0):
        raise SceneError(f"{name} {number}; give feet, a finite number from 0 up")


class Senses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """What a creature perceives with beyond plain sight.

    Attributes
    ----------
    darkvision
        Range in feet.
    low_light
        Whether lights reach twice as far for it.
    """

    darkvision: Feet = 0
    low_light: bool = False

    def __post_init__(self) -> None:
        _check_feet("darkvision", self.darkvision)


class CarriedLight(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """A light that moves with its bearer.

    Attributes
    ----------
    bright, dim
        Two radii in feet from the same point, ``dim`` not added to ``bright``.
    on
        Whether it burns.
    """

    bright: Feet = 0
    dim: Feet = 0
    on: bool = True

    def __post_init__(self) -> None:
        _check_feet("bright", self.bright)
        _check_feet("dim", self.dim)


class Creature(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """A creature on a map.

    Attributes
    ----------
    id
        Its name in questions and answers, unique in a scene.
    at
        ``(x, y)`` of its top left square; halves only below Small.
    name
        What people call it.
    size
        ``fine, diminutive, tiny, small, medium, large, huge, gargantuan`` or ``colossal``.
    space
        ``(width, height)`` in squares where it is not the size's own; below 1 it counts as the whole square.
    side
        Same word: allies; different words: enemies; ``neutral`` is nobody's ally.
    reach
        Feet; None: the size's own.
    reach_min
        Feet: the largest distance that is *not* reached.
    elevation
        Feet: where its feet are; None: on the floor under it.
    height
        Feet; None: the size's own.
    dexterity
        The modifier; None: not known.
    shield
        The shield's bonus.
    weapon
        ``bow, crossbow, shuriken, thrown, melee, unarmed`` …
    armed
        Whether it can attack in melee other than unarmed.
    senses
        What it perceives with beyond plain sight.
    conditions
        ``prone``, ``stunned`` … in the words of the editions.
    gives_cover
        True, False, or the sides against whose attacks it does *not*; None: it does unless dead.
    can_be_flanked
        Whether flanking it is of use.
    mount
        Id of the creature it rides.
    light
        The light that it carries.
    hidden
        Left out for observers.
    extra
        Anything; carried through.

    Examples
    --------
    >>> Creature(id="ogre", at=(5, 1), size="large").occupied
    (5, 1, 2, 2)
    >>> Creature(id="rat", at=(2.5, 3), size="tiny").occupied
    (2, 3, 1, 1)
    """

    id: str
    at: tuple[float, float]
    name: str = ""
    size: SizeWord = "medium"
    space: tuple[float, float] | None = None
    side: str = "neutral"
    reach: Feet | None = None
    reach_min: Feet = 0
    elevation: float | None = None
    height: Annotated[float, Meta(gt=0)] | None = None
    dexterity: int | None = None
    shield: int = 0
    weapon: str | None = None
    armed: bool = True
    senses: Senses = Senses()
    conditions: tuple[str, ...] = ()
    gives_cover: bool | tuple[str, ...] | None = None
    can_be_flanked: bool = True
    mount: str | None = None
    light: CarriedLight | None = None
    hidden: bool = False
    extra: Any = None

    def __post_init__(self) -> None:
        if not self.id:
            raise SceneError("a creature has the empty id")
        if self.size not in SQUARES_BY_SIZE:
            hint = hint_for(self.size, SQUARES_BY_SIZE)
            raise SceneError(f"creature {self.id!r} has the unknown size {self.size!r}; {hint}")
        self._check_at()
        self._check_space()
        for name in ("reach", "reach_min", "height", "elevation"):
            number = getattr(self, name)
            if number is not None and not (math.isfinite(number) and (number >= 0 or name == "elevation")):
                raise SceneError(f"creature {self.id!r} has the {name} {number}; give a finite number of feet")
            if name in {"height", "elevation"} and number is not None and abs(number) > _HIGHEST:
                raise SceneError(f"creature {self.id!r} has the {name} {number:g}; give at most {_HIGHEST:,} feet")

    def _check_at(self) -> None:
        if not all(abs(number) < _LARGEST_POSITION for number in self.at):
            raise SceneError(f"creature {self.id!r} stands at {self.at}; positions are finite numbers of squares")
        parts = 2 if self.size in _BELOW_SMALL else 1
        if any(parts * number != int(parts * number) for number in self.at):
            x, y = self.at
            right = "halves are the finest" if parts == 2 else f"a {self.size} creature stands on whole squares"
            raise SceneError(f"creature {self.id!r} stands at ({x:g}, {y:g}); {right}")

    def _check_space(self) -> None:
        for length in self.space or ():
            if not 0 < length < _LARGEST_POSITION or (length > 1 and length != int(length)):
                space = self.space
                raise SceneError(f"creature {self.id!r} has the space {space}; give whole squares, or less than one")

    @property
    def occupied(self) -> tuple[int, int, int, int]:
        """``x, y, width, height`` of the squares that it occupies."""
        x, y = self.at
        if self.space is None:
            width = height = SQUARES_BY_SIZE[self.size]
        else:
            width, height = math.ceil(self.space[0]), math.ceil(self.space[1])
        return math.floor(x), math.floor(y), width, height

    @property
    def standing_height(self) -> float:
        """Feet from its feet to its head.

        >>> Creature(id="ogre", at=(5, 1), size="large").standing_height
        10
        """
        return HEIGHT_BY_SIZE[self.size] if self.height is None else self.height

    def gives_cover_against(self, side: str) -> bool:
        """Return whether it can give soft cover against attacks from that side.

        >>> Creature(id="pony", at=(0, 0), gives_cover=("party",)).gives_cover_against("party")
        False
        >>> Creature(id="ogre", at=(0, 0), conditions=("dead",)).gives_cover_against("party")
        False
        """
        if self.gives_cover is None:
            return "dead" not in self.conditions
        return self.gives_cover if isinstance(self.gives_cover, bool) else side not in self.gives_cover
