"""The special walls that can stop something in a channel, and when they do."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools, Channel
from gridlos.kernels import special_cost
from gridlos.kernels.conditional import Conditional
from gridlos.kernels.special_parted import LINE
from gridlos.kernels.special_stops import BOTTOM, N_TERMS, SIDE, TOP
from gridlos.questions.specials import Specials

__all__ = ["Heights", "Stopping"]

Indices = NDArray[np.int64]

Heights = tuple[int, int]
"""Feet and head of a body."""


@dataclass(frozen=True, slots=True, eq=False)
class Stopping:
    """The walls that can stop something in a channel, bands of those that lie on each other joined.

    ``walls (m, 4)``, the lesser end first, ``bands (m, 2)``, ``side (m,)``, ``limited (m,)`` bool.
    """

    walls: Indices
    bands: Indices
    side: Indices
    limited: Bools

    @classmethod
    def of(cls, specials: Specials, channel: Channel) -> Stopping:
        """Return those of a scene."""
        kept = np.flatnonzero((specials.stops | specials.limited) & channel.bit)
        limited = (specials.stops[kept] & channel.bit) == 0
        return cls(*_joined(specials.walls[kept], specials.bands[kept], specials.side[kept], limited))

    def terms(self) -> Indices:
        """Return the argument of that name of :func:`gridlos.kernels.special_effect.lines_past`."""
        found = np.full((len(self.walls), N_TERMS), -1, np.int64)
        found[:, SIDE], found[:, [BOTTOM, TOP]] = self.side // special_cost.FROM_LEFT, self.bands
        limited = np.flatnonzero(self.limited)
        if len(limited):
            found[limited, LINE] = _numbered(_lines_of(self.walls[limited]))[1]
        return found

    def conditional(self, k: int, one: Heights, other: Heights) -> Conditional | None:
        """Return wall ``k`` between two bodies as the exact search takes it; None if it hides nowhere all that they leave open."""
        ends = _hiding_between(int(self.bands[k, 0]), int(self.bands[k, 1]), one, other)
        side = int(self.side[k]) // special_cost.FROM_LEFT
        x0, y0, x1, y1 = self.walls[k].tolist()
        return None if ends is None else Conditional(x0, y0, x1, y1, bool(self.limited[k]), side, *ends)


def _hiding_between(bottom: int, top: int, one: Heights, other: Heights) -> tuple[Fraction, Fraction] | None:
    """Return between which fractions of the way a band hides all that two bodies (feet, head) leave open; None: nowhere."""
    low, high = Fraction(0), Fraction(1)
    # The feet are at or above the bottom, the head is at or below the top: both are linear.
    for start, stop in ((one[0] - bottom, other[0] - bottom), (top - one[1], top - other[1])):
        if start < 0 and stop < 0:
            return None
        if start < 0 or stop < 0:
            place = Fraction(start, start - stop)
            low, high = (max(low, place), high) if start < 0 else (low, min(high, place))
    return (low, high) if low <= high else None


def _joined(walls: Indices, bands: Indices, side: Indices, limited: Bools) -> tuple[Indices, Indices, Indices, Bools]:
    """Return the walls with the bands joined of those that lie on each other, cut where they begin and end; equal ones once."""
    turned = (walls[:, 0] > walls[:, 2]) | ((walls[:, 0] == walls[:, 2]) & (walls[:, 1] > walls[:, 3]))
    walls = np.where(turned[:, None], walls[:, [2, 3, 0, 1]], walls)
    side = np.where(turned & (side != 0), special_cost.FROM_LEFT + special_cost.FROM_RIGHT - side, side)
    rows, _ = _numbered(np.column_stack((walls, side, limited, bands)))
    if len(rows) and (rows[:, 6:] != rows[0, 6:]).any():
        rows = _joined_on_lines(rows)
    return rows[:, :4], rows[:, 6:], rows[:, 4], rows[:, 5].astype(np.bool_)


def _numbered(rows: Indices) -> tuple[Indices, Indices]:
    """Return the different rows, ascending, and for each row which of them it is: what ``np.unique`` takes long for."""
    order = np.lexsort(rows.T[::-1])
    ranked, number = rows[order], np.empty(len(rows), np.int64)
    is_new = np.concatenate((np.ones(min(len(rows), 1), np.bool_), (ranked[1:] != ranked[:-1]).any(axis=1)))
    number[order] = is_new.cumsum() - 1
    return ranked[is_new], number


def _lines_of(walls: Indices) -> Indices:
    """Return ``(m, 3)``: direction and place of the straight line of each wall, all of which are drawn the same way."""
    way = walls[:, 2:4] - walls[:, :2]
    way //= np.maximum(np.gcd(way[:, 0], way[:, 1]), 1)[:, None]
    return np.column_stack((way, way[:, 0] * walls[:, 1] - way[:, 1] * walls[:, 0]))


def _joined_on_lines(rows: Indices) -> Indices:
    """Return walls of which some lie on each other with different bands, as :func:`_joined`; ``rows (k, 8)`` are all it knows of each."""
    _, line = _numbered(np.column_stack((_lines_of(rows), rows[:, 4:6])))
    order = np.argsort(line, kind="stable")
    rows, starts = rows[order], np.flatnonzero(np.diff(line[order], prepend=-1))
    least, most = (reduce.reduceat(rows[:, 6:], starts, axis=0) for reduce in (np.minimum, np.maximum))
    is_mixed = (least != most).any(axis=1)
    found = [rows[~np.repeat(is_mixed, np.diff(starts, append=len(rows)))]]
    for parts in (part for part, mixed in zip(np.split(rows, starts[1:]), is_mixed, strict=True) if mixed):
        own = [((x0, y0), (x1, y1), (low, high)) for x0, y0, x1, y1, _, _, low, high in parts.tolist()]
        cuts = sorted({end for part in own for end in part[:2]})
        for start, stop in pairwise(cuts):
            here = [band for a, b, band in own if a <= start and stop <= b]
            found += [np.array([[*start, *stop, *parts[0, 4:6], *band]]) for band in _unions(here)]
    return np.concatenate(found)


def _unions(bands: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return bands that overlap or touch as one."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(bands):
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], high)
        else:
            joined.append((low, high))
    return joined
