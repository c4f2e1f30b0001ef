"""Weld: wall ends that nearly meet something are made to meet it, exactly, on the lattice.

Walls of real maps leak: they stop a hundredth of a square short of each other, of another wall's side, of the grid.
Welding joins what lies within a tolerance, and nothing else:

* Ends nearer to each other than the tolerance, or in one crowd of such ends, become one point. Ends that already hang
  together by walls within five tolerances stay as they are, so that finely drawn curves keep all their points, and so
  does a crowd that is wider than four tolerances.
* An end that is nearer than the tolerance to another wall's inside is put onto that wall: onto a lattice point of the
  wall if one is near enough, else the wall is cut in two at the end.
* An end that is nearer than the tolerance to a line of the grid is put onto it, to a corner of the grid onto that. Inner
  points of finely drawn curves (both walls shorter than five tolerances) stay.

This is done until nothing changes any more, so that welding twice is welding once. The result depends neither on the
order of the walls nor on their directions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlos.facts import Ints
    from gridlos.walls import Wall
    from gridlos.weld.rounds import Longs

__all__ = ["TOLERANCE", "Welded", "weld_segments", "weld_walls"]

TOLERANCE = 0.02
"""Squares: of the ends in public maps that stop short of something, most stop within a twentieth of a square, and
nobody draws a slit of an inch."""

_MOST_ROUNDS = 24  # two or three are the rule


@dataclass(frozen=True, slots=True)
class Welded:
    """Walls after welding, and what it did.

    Attributes
    ----------
    segments
        ``(m, 4)`` int32 lattice units, in the order and the direction of the walls that they come from. A wall that was
        cut has several rows, a wall that shrank to a point has none.
    sources
        ``(m,)`` int32: the wall that each row comes from.
    n_joined
        How many points were moved into another one.
    n_closed
        How many ends were put onto another wall's side.
    n_snapped
        How many points were put onto a line of the grid.
    n_vanished
        How many walls shrank to a point.
    largest_shift
        How far any point of any wall was moved at most, in squares.

    Examples
    --------
    >>> weld_segments(np.array([[0, 0, 0, 400], [0, 408, 600, 408]], dtype=np.int32), subdivisions=512)
    Welded(segments=array([[  0,   0,   0, 408],
           [  0, 408, 600, 408]], dtype=int32), sources=array([0, 1], dtype=int32), n_joined=1, n_closed=0, ...)
    """

    segments: Ints
    sources: Ints
    n_joined: int = 0
    n_closed: int = 0
    n_snapped: int = 0
    n_vanished: int = 0
    largest_shift: float = 0.0

    def sentences(self) -> tuple[str, ...]:
        """Return what was done in one sentence; none if nothing was.

        >>> weld_segments(np.array([[0, 0, 0, 512]], dtype=np.int32), subdivisions=512).sentences()
        ()
        """
        counts = (
            (self.n_joined, "end joined to another", "ends joined to others"),
            (self.n_closed, "end put onto a wall's side", "ends put onto a wall's side"),
            (self.n_snapped, "end put onto the grid", "ends put onto the grid"),
            (self.n_vanished, "wall shrunk to a point", "walls shrunk to a point"),
        )
        told = [f"{count} {many if count > 1 else one}" for count, one, many in counts if count]
        if not told:
            return ()
        return (f"weld: {', '.join(told)}; largest shift {self.largest_shift:.3g} squares (weld=0 turns it off)",)


def weld_walls(
    walls: Sequence[Wall], *, subdivisions: int, tolerance: float = TOLERANCE
) -> tuple[tuple[Wall, ...], Welded]:
    """Return the walls after welding, and what was done; ends that are not on the lattice are rounded to it first.

    A wall that is cut in two keeps all its attributes in both parts; the parts of a wall ``gate`` after the first are
    called ``gate/2`` and so on.

    Raises
    ------
    SceneError
        For a tolerance below 0 or above a quarter of a square.

    Examples
    --------
    >>> from gridlos.walls import Wall
    >>> short = [Wall(start=(0, 2), end=(3.449, 2)), Wall(start=(3.46, 2), end=(8, 2), kind="door")]
    >>> walls, done = weld_walls(short, subdivisions=1000)
    >>> walls[0].end == walls[1].start, done.sentences()
    (True, ('weld: 1 end joined to another; largest shift 0.011 squares (weld=0 turns it off)',))
    """
    ends = np.array([(*wall.start, *wall.end) for wall in walls], dtype=np.float64).reshape(-1, 4)
    segments = np.rint(ends * subdivisions).astype(np.int32)
    if not tolerance:
        return tuple(walls), Welded(segments, np.arange(len(walls), dtype=np.int32))
    done = weld_segments(segments, subdivisions=subdivisions, tolerance=tolerance)
    found: list[Wall] = []
    names = {wall.id for wall in walls}
    part = 0
    for index, (x0, y0, x1, y1), source in zip(
        range(len(done.sources)), (done.segments / subdivisions).tolist(), done.sources.tolist(), strict=True
    ):
        part = part + 1 if index and source == done.sources[index - 1] else 1
        wall = walls[source]
        name = wall.id
        if name is not None and part > 1:
            name = f"{name}/{part}"
            while name in names:
                name += "'"
            names.add(name)
        found.append(msgspec.structs.replace(wall, start=(x0, y0), end=(x1, y1), id=name))
    return tuple(found), done


def weld_segments(segments: Ints, *, subdivisions: int, tolerance: float = TOLERANCE) -> Welded:
    """Return walls after welding; see :mod:`gridlos.weld`.

    Parameters
    ----------
    segments
        ``(n, 4)`` lattice units: ``x0, y0, x1, y1`` of each wall.
    subdivisions
        Lattice units in a square.
    tolerance
        Squares; at most a quarter.

    Raises
    ------
    SceneError
        For a tolerance that is not above 0 or is above a quarter.

    Notes
    -----
    1. *Order*: neither the order of the walls nor their directions change the result.
    2. *Once*: welding what was welded changes nothing.
    3. *Closed*: what was within the tolerance of an end meets it, or hangs together with it by walls close by.
    4. *Bounded*: no point of a wall moves farther than ``largest_shift`` says.

    Examples
    --------
    An end a hundredth of a square short of another wall's side is put onto it:

    >>> walls = np.array([[0, 300, 900, 300], [400, 0, 400, 295]], dtype=np.int32)
    >>> weld_segments(walls, subdivisions=512).segments.tolist()
    [[0, 300, 900, 300], [400, 0, 400, 300]]
    """
    from gridlos.weld.rounds import Reach, weld_round  # noqa: PLC0415 - shapely, which most files need not wait for

    reach = Reach.of(tolerance, subdivisions)
    given = np.asarray(segments, dtype=np.int64).reshape(-1, 4)
    sources = np.flatnonzero(np.any(given[:, :2] != given[:, 2:], axis=1))
    current, n_walls = given[sources], len(sources)
    joined = closed = snapped = 0
    for _ in range(_MOST_ROUNDS if n_walls else 0):
        done = weld_round(current, reach)
        if np.array_equal(done.segments, current):
            break
        joined, closed, snapped = joined + done.n_joined, closed + done.n_closed, snapped + done.n_snapped
        current, sources = done.segments, sources[done.sources]
    n_vanished = n_walls - len(np.unique(sources))
    shift = _largest_shift(given, current, sources) / subdivisions
    return Welded(current.astype(np.int32), sources.astype(np.int32), joined, closed, snapped, n_vanished, shift)


def _largest_shift(given: Longs, found: Longs, sources: Longs) -> float:
    """Return how far the ends of walls, or the points where they were cut, are from where they were."""
    if not len(sources):
        return 0.0
    _, first, count = np.unique(sources, return_index=True, return_counts=True)
    last = first + count - 1
    ends = given[sources]
    moved = [found[first, :2] - ends[first, :2], found[last, 2:] - ends[last, 2:]]
    along = ends[:, 2:] - ends[:, :2]
    for cut in (found[:, :2], found[:, 2:]):
        share = np.clip(np.sum((cut - ends[:, :2]) * along, axis=1) / np.sum(along**2, axis=1), 0.0, 1.0)
        moved.append(cut - ends[:, :2] - share[:, None] * along)
    return float(max(np.hypot(*shift.T).max() for shift in moved))
