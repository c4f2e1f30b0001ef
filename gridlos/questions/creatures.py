"""The creatures of a scene as arrays, and the cover that they give those behind them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.creature import REACH_BY_SIZE, Creature
from gridlos.facts import Bools, Ints
from gridlos.kernels import pairs as pairs_kernel
from gridlos.kernels import soft, soft_pairs, touched
from gridlos.questions.keeping import once

__all__ = ["RELATIONS", "Bodies", "blocking_creatures", "bodies_of", "soft_lines"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]
Point = tuple[float, float]

RELATIONS, _GIVERS = "relations", "givers"
"""Where it is kept with bodies what holds wherever they stand."""

_FEET_BY_NATURE = 5  # natural reach is told for squares of so many feet


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """The creatures of a scene as arrays; one row each, in the scene's order.

    Attributes
    ----------
    spaces
        ``(n, 4)`` int32: the squares that each occupies itself; lines run from and to these.
    centres
        ``(n, 2)`` int64, half squares: the centre of each space, from which a line between centres runs.
    standing
        ``(n, 4)`` int32: the space from which reach, distance and flanking count: a rider's is that of its mount.
    levels
        ``(n, 2)`` int32: the lowest level that each fills, and how many; None: all stand on one level.
    sides
        ``(n,)`` int64: equal numbers for the same side; -1 for ``neutral``.
    reach, reach_min
        ``(n,)`` int32, squares: how far each reaches, and the largest distance that it does not reach.
    is_armed, is_able, can_be_flanked
        ``(n,)`` bool: has a weapon in hand; is kept from attacking by no condition; flanking it is of use.
    gives_cover, group
        ``(g, n)`` bool and ``(n,)`` int64: ``gives_cover[group[a], k]``, whether ``k`` can give soft cover against
        attacks of ``a``.
    sharers
        Who never gives cover from or to a creature: see :func:`gridlos.kernels.soft.index_sharers`.
    kept
        What was found out about these bodies, for whoever asks again.
    """

    spaces: Ints
    centres: Indices
    standing: Ints
    levels: Ints | None
    sides: Indices
    reach: Ints
    reach_min: Ints
    is_armed: Bools
    is_able: Bools
    can_be_flanked: Bools
    gives_cover: Bools
    group: Indices
    sharers: Ints
    kept: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def numbers(self) -> Indices:
        """The argument of that name of :mod:`gridlos.kernels.pairs`."""
        return once(self.kept, "numbers", self._numbers)

    def _numbers(self) -> Indices:
        found = np.zeros((len(self.spaces), pairs_kernel.N_NUMBERS), np.int64)
        found[:, :4] = self.standing
        found[:, 5] = 1
        if self.levels is not None:
            found[:, 4:6] = self.levels
        found[:, 6], found[:, 7], found[:, 8] = self.sides, self.reach, self.reach_min
        return found

    def with_place(self, who: int, spaces: Ints) -> Bodies:
        """Return the same bodies, of which one has moved on its level, ``spaces (n, 4)``; nobody rides, and nobody may write those."""
        centres, numbers = self.centres.copy(), self.numbers.copy()
        x, y, width, height = spaces[who].tolist()
        centres[who] = 2 * x + width, 2 * y + height
        numbers[who, :2] = x, y
        sharers = self.sharers
        if sharers[who + 1] - sharers[who] > 1 or touched.n_sharing(spaces, who) > 1:
            sharers = soft.index_sharers(spaces, np.full(len(spaces), -1, np.int32))
        found = replace(self, spaces=spaces, centres=centres, standing=spaces, sharers=sharers)
        found.kept.update({key: self.kept[key] for key in (RELATIONS, _GIVERS) if key in self.kept})
        found.kept["numbers"] = numbers
        return found

    def apart(self, key: Hashable) -> Bodies:
        """Return the same bodies with what is kept with these, of which the array of that key is a copy."""
        found = replace(self)
        found.kept.update(self.kept)
        if key in found.kept:
            found.kept[key] = found.kept[key].copy()
        return found

    @property
    def n_givers(self) -> int:
        """How many can give soft cover against somebody's attacks."""
        return once(self.kept, _GIVERS, lambda: int(np.count_nonzero(self.gives_cover.any(axis=0))))

    def threatening(self, *, unarmed: bool) -> Bools:
        """Return who threatens those within reach, ``(n,)``; without a weapon only if that counts."""
        return self.is_able & (self.is_armed | unarmed)

    def levels_of(self, attackers: Indices, targets: Indices) -> grid.Levels:
        """Return the levels of some against others, as :func:`gridlos.grid.distance` takes them."""
        return None if self.levels is None else (self.levels[attackers], self.levels[targets])


def bodies_of(
    creatures: Sequence[Creature],
    feet_per_square: float = 5.0,
    floors: Sequence[float] | None = None,
    is_able: Bools | None = None,
    *,
    only_enemies: bool = False,
    spaces: Ints | None = None,
) -> Bodies:
    """Return the creatures as arrays.

    Parameters
    ----------
    creatures
        All of a scene; a mount that is not among them counts as none.
    feet_per_square
        Feet; natural reach is a number of squares whatever it is.
    floors
        Feet: the height of the floor under each creature, on which it stands if it says nothing else; None: 0.
    is_able
        ``(n,)``: who is kept from attacking by no condition; None: all.
    only_enemies
        Whether creatures give soft cover only against attacks of their enemies.
    spaces
        ``(n, 4)`` int32: the squares that each occupies, if they are known.

    Examples
    --------
    >>> horse = Creature(id="horse", at=(3, 0), size="large", side="party")
    >>> knight = Creature(id="knight", at=(4, 0), side="party", reach=10, reach_min=5, mount="horse")
    >>> bodies = bodies_of([horse, knight])
    >>> bodies.standing.tolist(), bodies.reach.tolist(), bodies.reach_min.tolist()
    ([[3, 0, 2, 2], [3, 0, 2, 2]], [2, 2], [0, 1])
    """
    known = [one.occupied for one in creatures] if spaces is None else spaces
    spaces = np.array(known, np.int32).reshape(-1, 4)  # a copy: kernels tell arrays that cannot be written from others
    mounts = _mounts(creatures)
    roots = _roots(mounts)
    heights = [one.elevation for one in creatures]
    if floors is not None:
        heights = [low if high is None else high for low, high in zip(floors, heights, strict=True)]
    lowest = [_in_squares(feet or 0, feet_per_square) for feet in heights]
    sides = [one.side for one in creatures]
    words = dict.fromkeys(sides)
    numbers = {word: -1 if word == "neutral" else number for number, word in enumerate(words)}
    gives_cover, group = _giving_cover(creatures, words, only_enemies=only_enemies)
    return Bodies(
        spaces=spaces,
        centres=2 * spaces[:, :2].astype(np.int64) + spaces[:, 2:],
        standing=spaces[roots],
        levels=np.column_stack((lowest, spaces[:, 2])).astype(np.int32)[roots] if len(set(lowest)) > 1 else None,
        sides=np.array([numbers[word] for word in sides], np.int64),
        reach=np.array([_reach(one, feet_per_square) for one in creatures], np.int32),
        reach_min=np.array([_in_squares(one.reach_min, feet_per_square) for one in creatures], np.int32),
        is_armed=np.array([one.armed for one in creatures], np.bool_),
        is_able=np.ones(len(creatures), np.bool_) if is_able is None else is_able,
        can_be_flanked=np.array([one.can_be_flanked for one in creatures], np.bool_),
        gives_cover=gives_cover,
        group=np.array([group[word] for word in sides], np.int64),
        sharers=soft.index_sharers(spaces, mounts),
    )


def _mounts(creatures: Sequence[Creature]) -> Ints:
    """Return whom each creature rides, ``(n,)`` int32; -1: nobody."""
    riders = [one.mount for one in creatures]
    if not any(riders):
        return np.full(len(creatures), -1, np.int32)
    place = {one.id: k for k, one in enumerate(creatures)}
    return np.array([place.get(mount, -1) if mount else -1 for mount in riders], np.int32)


def _giving_cover(
    creatures: Sequence[Creature], sides: Iterable[str], *, only_enemies: bool
) -> tuple[Bools, dict[str, int]]:
    """Return the different rows of who can give soft cover, ``(g, n)``, and that of attackers from each side."""
    named = {side for one in creatures if isinstance(one.gives_cover, tuple) for side in one.gives_cover}
    against_all = [one.gives_cover_against("") for one in creatures]  # nobody's side
    rows: dict[tuple[bool, ...], int] = {}
    group = {}
    for word in sides:
        row = tuple([one.gives_cover_against(word) for one in creatures] if word in named else against_all)
        if only_enemies:
            enemies = [word != one.side and "neutral" not in (one.side, word) for one in creatures]
            row = tuple(gives and is_enemy for gives, is_enemy in zip(row, enemies, strict=True))
        group[word] = rows.setdefault(row, len(rows))
    return np.array(list(rows), np.bool_).reshape(len(rows), len(creatures)), group


@lru_cache(maxsize=4096)
def _in_squares(feet: float, feet_per_square: float) -> int:
    """Return how many whole squares these feet are, downward."""
    return min(floor(Fraction(str(feet)) / Fraction(str(feet_per_square))), 2**30)


def _reach(creature: Creature, feet_per_square: float) -> int:
    if creature.reach is None:
        return REACH_BY_SIZE[creature.size] // _FEET_BY_NATURE
    return _in_squares(creature.reach, feet_per_square)


def _roots(mounts: Ints) -> Indices:
    """Return who carries each creature in the end: itself, its mount, or the mount of that."""
    roots = np.arange(len(mounts), dtype=np.int64)
    for _ in range(len(mounts) if (mounts >= 0).any() else 0):  # who ride in a circle get nowhere
        further = np.where(mounts[roots] < 0, roots, mounts[roots])
        if np.array_equal(further, roots):
            break
        roots = further
    return roots


def soft_lines(
    bodies: Bodies, pairs: Indices, starts: Indices, squares: Indices, shape: tuple[int, int]
) -> tuple[Lines, Lines] | None:
    """Return which of the 16 lines of each choice creatures block, if the first one attacks and if the second one does.

    Bits are those of :func:`gridlos.kernels.line.blocked_lines`: from the first square to the second, in both. None
    where no creature can block anything.

    Parameters
    ----------
    pairs
        ``(P, 2)``: two creatures each.
    starts, squares
        ``(P + 1,)`` and ``(C, 2)``: the choices of pair ``k`` are ``starts[k] : starts[k + 1]``; ``row * cols + column``
        of two squares each.
    shape
        ``(rows, cols)`` of the map.
    """
    if len(bodies.spaces) < 3 or not bodies.n_givers:
        return None
    if soft_pairs.is_faster(*shape, bodies.n_givers):
        of_pairs = (bodies.gives_cover, bodies.group, bodies.sharers, np.ascontiguousarray(pairs), starts, squares)
        by_end = soft_pairs.lines_past(bodies.spaces, *of_pairs, np.array(shape, np.int64))
        return by_end[0], by_end[-1]
    found = []
    for end in (0, 1):
        if end == 0 or len(bodies.gives_cover) > 1:
            asked = np.column_stack((pairs, bodies.group[pairs[:, end]]))
            arguments = (bodies.spaces, bodies.gives_cover, bodies.sharers, asked, starts, squares)
            found.append(soft.soft_lines(*arguments, *shape))
    return found[0], found[-1]


def blocking_creatures(bodies: Bodies, attacker: int, target: int, start: Point, end: Point) -> tuple[int, ...]:
    """Return the creatures that block the line between two corners, or centres: those it passes through, else those it passes between.

    >>> row = [Creature(id=name, at=(k, 0)) for k, name in enumerate("ABCT")]
    >>> blocking_creatures(bodies_of(row), 0, 3, (1, 0), (3, 1)), blocking_creatures(bodies_of(row), 0, 3, (1, 0), (3, 0))
    ((1, 2), ())
    """
    sharers = bodies.sharers
    near = {k for one in (attacker, target) for k in sharers[sharers[one] : sharers[one + 1]].tolist()}
    candidates = np.flatnonzero(bodies.gives_cover[bodies.group[attacker]]).tolist()
    spaces = {k: bodies.spaces[k].tolist() for k in candidates if k not in near}
    through = tuple(k for k, space in spaces.items() if grid.passes_inside(start, end, space))
    if through or start == end or (start[0] != end[0] and start[1] != end[1]):
        return through
    axis = 0 if start[0] == end[0] else 1  # the coordinate that stays
    beside = {k: space for k, space in spaces.items() if start[axis] in (space[axis], space[axis] + space[axis + 2])}
    between = [pair for pair in combinations(beside, 2) if _parts(start, end, axis, *(spaces[k] for k in pair))]
    return tuple(sorted({k for pair in between for k in pair}))


def _parts(start: Point, end: Point, axis: int, one: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether the segment runs along a side that two spaces share, some way."""
    on_both_sides = one[axis] + one[axis + 2] == other[axis] or other[axis] + other[axis + 2] == one[axis]
    along = 1 - axis
    first, last = sorted((start[along], end[along]))
    low = max(first, one[along], other[along])
    return on_both_sides and low < min(last, one[along] + one[along + 2], other[along] + other[along + 2])
