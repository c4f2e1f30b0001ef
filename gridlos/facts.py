"""What kernels report and rules read: words for contacts and channels, and the facts of every attacker-target pair.

Facts hold no degree, no bonus and no edition's name. Axes: ``A`` attackers, ``T`` targets, ``P = A * T`` pairs in
row-major order (pair ``k`` is attacker ``k // T`` against target ``k % T``), ``C`` choices.

A *choice* is one attacker square against one target square; a pair has (squares of the attacker) × (squares of the
target) of them, attacker squares in reading order, and within one attacker square the target squares in reading
order. Each choice has 16 lines, from the four corners of the one square to the four corners of the other. Corners are
numbered in reading order: 0 is ``(x, y)``, 1 ``(x + 1, y)``, 2 ``(x, y + 1)``, 3 ``(x + 1, y + 1)``. A *nibble* holds
one bit a corner: bit ``c`` stands for corner ``c``.

Facts may also be those of a *list of pairs*, any of them, in any order. Then ``A = P`` and ``T = 1``: arrays of pairs are
``(P, 1)``, and what is told of attackers or of targets is told for each pair, ``(P,)``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import IntEnum, IntFlag, StrEnum
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Attack",
    "Bools",
    "Channel",
    "Concealment",
    "Contact",
    "Hidden",
    "Ints",
    "Kinds",
    "Light",
    "Masks",
    "PairFacts",
    "Relation",
    "Stops",
    "Traits",
    "Value",
]

Bools = NDArray[np.bool_]
Masks = NDArray[np.uint8]
Ints = NDArray[np.int32]
Value = TypeVar("Value", bound=np.generic)
Kind = TypeVar("Kind", bound=Hashable)


class Contact(IntEnum):
    """How a line meets the walls, ordered: ``CLEAR < TOUCHES < BLOCKED``."""

    CLEAR = 0
    TOUCHES = 1
    BLOCKED = 2


class Channel(IntEnum):
    """What a wall or square can stop."""

    EFFECT = 0
    SIGHT = 1

    @property
    def bit(self) -> Stops:
        """The bit of what is stopped in the channel.

        >>> [channel.bit.name for channel in Channel]
        ['EFFECT', 'SIGHT']
        """
        return Stops(1 << self)


class Stops(IntFlag):
    """Bits of an occupancy or edge array: what the square or the edge stops."""

    NOTHING = 0
    EFFECT = 1
    SIGHT = 2


class Concealment(IntEnum):
    """How much a square conceals, ordered; the fractions are the words of editions that count so."""

    NONE = 0
    LIGHT = 1  # 1/4
    CONCEALED = 2  # 1/2
    HEAVY = 3  # 3/4
    NEARLY_TOTAL = 4  # 9/10
    TOTAL = 5


class Hidden(IntEnum):
    """How much of a body walls hide from a line, ordered: the ranges between which editions tell fractions h apart.

    The bounds are those of degrees of cover (1/4, 1/2, 3/4, all), and the middles between the degrees 1/4, 1/2, 3/4 and
    9/10, each of which belongs to the milder one.
    """

    NONE = 0  # h < 1/4
    QUARTER = 1  # 1/4 <= h <= 3/8
    OVER_THREE_EIGHTHS = 2  # 3/8 < h < 1/2
    HALF = 3  # 1/2 <= h <= 5/8
    OVER_FIVE_EIGHTHS = 4  # 5/8 < h < 3/4
    THREE_QUARTERS = 5  # 3/4 <= h <= 33/40
    NEARLY_ALL = 6  # 33/40 < h < 1
    ALL = 7  # h = 1


class Light(IntEnum):
    """How much light there is, ordered."""

    DARK = 0
    DIM = 1
    BRIGHT = 2


class Relation(IntEnum):
    """What two creatures are to each other by their sides."""

    NEUTRAL = 0
    ALLY = 1
    ENEMY = 2


class Attack(StrEnum):
    """The kind of attack that is asked about."""

    RANGED = "ranged"
    MELEE = "melee"
    AREA = "area"  # an effect that spreads from a point, against which one saves


@dataclass(frozen=True, slots=True, eq=False)
class Kinds(Generic[Kind]):
    """What each of ``n`` creatures is or has, where it is no number.

    Attributes
    ----------
    known
        What they are or have, each once; there may be more.
    whose
        ``(n,)`` intp: which of these is that of each.

    Examples
    --------
    >>> weapons = Kinds.of_each(["bow", None, "bow"])
    >>> weapons.known, weapons.whose.tolist(), list(weapons), weapons.of(np.array([1, 0]))[0]
    (('bow', None), [0, 1, 0], ['bow', None, 'bow'], None)
    """

    known: tuple[Kind, ...]
    whose: NDArray[np.intp]

    @classmethod
    def of_each(cls, values: Iterable[Kind]) -> Kinds[Kind]:
        """Return what has that value for each."""
        place: dict[Kind, int] = {}
        whose = [place.setdefault(value, len(place)) for value in values]
        return cls(tuple(place), np.array(whose, np.intp))

    def __len__(self) -> int:
        """Return ``n``."""
        return len(self.whose)

    def __getitem__(self, k: int) -> Kind:
        """Return that of one; IndexError beyond the last."""
        found: Kind = self.known[int(self.whose[k])]
        return found

    def of(self, who: NDArray[np.int64]) -> Kinds[Kind]:
        """Return those of some of the creatures, in this order."""
        return Kinds(self.known, self.whose.take(who))


@dataclass(frozen=True, slots=True, eq=False)
class Traits:
    """What rules read of ``n`` creatures themselves, wherever they stand.

    Attributes
    ----------
    conditions
        The conditions of each, in the words of the scene.
    weapons
        The weapon of each; None: not known.
    dexterity
        ``(n,)`` int16: the modifier; 0 where it is not known.
    knows_dexterity
        ``(n,)`` bool.
    shield
        ``(n,)`` int16: the shield's bonus.
    size
        ``(n,)`` int16: steps of size from Medium, smaller ones below 0.
    feet
        ``(n,)`` int64: where the feet are, in thousandths of a foot.
    low_light
        ``(n,)`` bool: has low-light vision.
    """

    conditions: Kinds[frozenset[str]]
    weapons: Kinds[str | None]
    dexterity: NDArray[np.int16]
    knows_dexterity: Bools
    shield: NDArray[np.int16]
    size: NDArray[np.int16]
    feet: NDArray[np.int64]
    low_light: Bools

    def of(self, who: NDArray[np.int64]) -> Traits:
        """Return those of some of the creatures, in this order."""
        return Traits(
            conditions=self.conditions.of(who),
            weapons=self.weapons.of(who),
            dexterity=self.dexterity.take(who),
            knows_dexterity=self.knows_dexterity.take(who),
            shield=self.shield.take(who),
            size=self.size.take(who),
            feet=self.feet.take(who),
            low_light=self.low_light.take(who),
        )


@dataclass(frozen=True, slots=True)
class PairFacts:
    """All that the kernels found about ``A`` attackers and ``T`` targets, or about listed pairs.

    Attributes
    ----------
    distinct
        ``(A, T)`` bool: False where attacker and target are the same creature; such a pair has one choice without
        meaning.
    distance
        ``(A, T)`` int32, squares: between the nearest squares under the edition's diagonal rule. 0 for spaces that
        overlap.
    adjacent
        ``(A, T)`` bool: some squares of the two spaces share a side or a corner, or are the same.
    line_of_effect, line_of_sight
        ``(A, T)`` bool: the strict test, a segment between inner points of the spaces that meets no wall.
    any_free
        ``(A, T)`` bool: some line between usable corners is not blocked by what stops effect (for ``line_of_effect =
        touching``).
    choice_start
        ``(P + 1,)`` int64: the choices of pair ``k`` are ``choice_start[k] : choice_start[k + 1]``; at least one.
    attacker_square, target_square
        ``(C, 2)`` int32: ``x, y`` of the two squares of each choice.
    hard
        ``(C, 4)`` uint8: for each attacker corner the nibble of target corners whose line is blocked by walls and
        solid squares. A line at a cut-off corner is blocked.
    usable
        ``(C,)`` uint8: nibble of attacker corners that no wall cuts off from the centre of their square.
    counted
        ``(C,)`` uint8: nibble of target corners that no wall cuts off from the centre of their square.
    along
        ``(C, 4)`` uint8 like ``hard``: lines that walls block, and lines that run along a wall or the side of a solid
        square over some length; None where nobody has asked for it.
    soft
        ``(C, 4)`` uint8 like ``hard``: lines that creatures block; None where no creature can, or where they do not count.
    hidden
        ``(C, 4, 4)`` uint8 of Hidden: for each attacker corner and target corner how much walls hide on their line at
        its most hidden crossing; ALL for a line that a wall without a band blocks, and for one at a cut-off corner.
        What is less than the edition counts from is NONE already. ``hard`` holds the lines with ALL. None where no
        special wall is near any of these lines, and none on the map is one-way.
    tagged
        For every ``cover`` word on the map (``improved``, ``standard``, ``1/4`` …) the lines that cross walls or squares
        of that word, ``(C, 4)`` uint8 like ``hard``. Such walls are in neither ``hard`` nor ``hidden``. None where
        nothing has a word, and where ``hidden`` is None.
    concealed, concealed_at_border
        ``(C, 4)`` uint8 of Concealment: the most concealing square whose inside, or whose inside or border, any of the
        four lines passes or touches; the attacker's own square does not count, the target's does. A line along the
        shared side of two concealing squares passes both. None where nothing conceals.
    fog_depth
        ``(C, 4)`` uint8: the most fog squares that one of the four lines passes, both own squares counted; None likewise.
    target_concealed
        ``(T,)`` uint8 of Concealment: the least of the target's own squares, so that all of its space conceals at least
        so much; None likewise.
    target_in_fog
        ``(T,)`` bool: all of the target's own squares are fog; None likewise.
    relation
        ``(A, T)`` uint8 of Relation; None where nobody has asked for what depends on it, as for the next three.
    in_reach
        ``(A, T)`` bool: the target is within the attacker's reach and not nearer than it reaches, with line of effect.
    threatens
        ``(A, T)`` bool: in reach, and the attacker is able to attack.
    flanked
        ``(A, T)`` bool: the attacker and a partner flank the target, by the edition's geometry.
    attackers, targets
        What each of the creatures is; None: nothing is known of them.
    light
        ``(A, T)`` uint8 of Light: the brightest of those of the target's squares that the attacker sees, or of all of them
        if he sees none; by his own eyes where lights reach farther for low-light vision. None where all is bright.
    darkvision
        ``(A, T)`` bool: the target is within the range of the attacker's darkvision; None likewise.
    engaged
        ``(A, T)`` int8: -1 where no friend of the attacker fights the target in melee; else by how many steps of size the
        target is larger than the largest of these friends, 0 if it is not; None where nobody has asked.
    crowded
        ``(A,)`` bool: an enemy who is able to attack stands adjacent to the attacker; None likewise.
    plain
        ``(C, 4)`` uint8 like ``hard``: the lines of these that plain walls block; None where ``hidden`` is None, or nobody
        has asked for ``hidden_area``.
    hidden_area
        ``(C, 4)`` object, :class:`fractions.Fraction` from 0 to 1: for each attacker corner the share of the target square's
        area that plain walls and solid squares hide from it; 1 at a corner that one of them cuts off. None where nobody has
        asked for it.
    centre_hidden
        ``(A, T)`` uint8 of Hidden: how much walls hide on the one line between the centres of the two spaces, as
        ``hidden`` has it; None where nobody has asked for that line, as for the next one.
    centre_soft
        ``(A, T)`` uint8: 0 where no creature stands on that line, 1 where one does, 2 where one does that is two or more
        sizes larger than both attacker and target.
    centre_tagged
        For every ``cover`` word on the map where that line crosses walls or squares of that word, ``(A, T)`` bool; None
        where nothing has a word.
    listed
        Whether these are facts of a list of pairs: row ``k`` of the arrays of pairs, of attackers and of targets is pair
        ``k``. Where ``(T,)`` stands above it is ``(P,)`` then.
    """

    distinct: Bools
    distance: Ints
    adjacent: Bools
    line_of_effect: Bools
    line_of_sight: Bools
    any_free: Bools
    choice_start: NDArray[np.int64]
    attacker_square: Ints
    target_square: Ints
    hard: Masks
    usable: Masks
    counted: Masks
    along: Masks | None = None
    soft: Masks | None = None
    hidden: Masks | None = None
    tagged: tuple[tuple[str, Masks], ...] | None = None
    concealed: Masks | None = None
    concealed_at_border: Masks | None = None
    fog_depth: Masks | None = None
    target_concealed: Masks | None = None
    target_in_fog: Bools | None = None
    relation: Masks | None = None
    in_reach: Bools | None = None
    threatens: Bools | None = None
    flanked: Bools | None = None
    attackers: Traits | None = None
    targets: Traits | None = None
    light: Masks | None = None
    darkvision: Bools | None = None
    engaged: NDArray[np.int8] | None = None
    crowded: Bools | None = None
    plain: Masks | None = None
    hidden_area: NDArray[np.object_] | None = None
    centre_hidden: Masks | None = None
    centre_soft: Masks | None = None
    centre_tagged: tuple[tuple[str, Bools], ...] | None = None
    listed: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """``(A, T)``; of listed pairs ``(P, 1)``."""
        rows, columns = self.distance.shape
        return rows, columns

    @property
    def n_targets(self) -> int:
        """The length of what is told of targets: ``T``, or the number of listed pairs."""
        return self.shape[0] if self.listed else self.shape[1]

    def by_target(self, values: NDArray[Value]) -> NDArray[Value]:
        """Return what is told of targets in the shape that broadcasts to pairs: ``(1, T)``; of listed pairs ``(P, 1)``."""
        return values[:, None] if self.listed else values[None, :]

    def target_of(self, pair: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the target of each of some pairs, an index into what is told of targets."""
        return pair if self.listed else pair % self.shape[1]
