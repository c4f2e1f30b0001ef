"""Maps whose walls are a little too large: scaled about the middle of the map, and brought back onto the grid.

Dungeon Alchemist writes walls as its camera sees them: a square of the map is 1.0057 squares in the file, and what lies
on the grid is up to 0.06 squares off at the edge of a map of 29 squares, and rounded to hundredths of a square. Welding
reaches 0.02 squares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from gridlos.facts import Bools

__all__ = ["Scale", "scale_of"]

Floats = NDArray[np.float64]

_LARGEST = 0.02  # how far a square of the file is from one square at most
_SMALLEST = 0.002
_MOST_SHIFT = 0.45  # squares at the edge of what is drawn: more would leave open which line of the grid is meant
_OFF_MIDDLE = 0.05  # squares: how far from the middle of the map the scaling may be
_STEP, _ROUGH, _FINE = 0.01, 0.015, 0.01  # squares: between grids tried, and what counts as on one, at first and at last
_SHARE = 0.75  # of the coordinates of walls; less would be no plan drawn on a grid
_MANY = 1000  # coordinates an axis: of more, some are enough to find the grid
_FEWEST_LINES = 4  # an axis: through fewer, many grids can be laid


@dataclass(frozen=True, slots=True)
class Scale:
    """A grid in the file: its line ``g`` is at ``x + pitch * g`` across and ``y + pitch * g`` down.

    ``largest_shift`` is how far, in squares, any end of a wall on it is from where it belongs.
    """

    pitch: float
    x: float
    y: float
    largest_shift: float = 0.0

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the file belongs."""
        return (x - self.x) / self.pitch, (y - self.y) / self.pitch

    def ends(self, ends: Floats) -> Floats:
        """Return where the ends ``(n, 4)`` of walls belong; what is on the grid to 0.015 squares is put onto it."""
        found: Floats = (ends - [self.x, self.y, self.x, self.y]) / self.pitch
        on_grid = np.rint(found)
        return np.where(np.abs(found - on_grid) <= _ROUGH, on_grid, found)

    def sentences(self) -> tuple[str, ...]:
        """Return what was done, in a sentence.

        >>> Scale(1.005714, -0.08, -0.07, 0.0604).sentences()
        ('walls drawn on squares of 1.00571 squares, as Dungeon Alchemist writes them, fitted to the grid; ...',)
        """
        drawn = f"walls drawn on squares of {self.pitch:.6g} squares, as Dungeon Alchemist writes them, fitted to the grid"
        return (f"{drawn}; largest shift {self.largest_shift:.3g} squares (weld=0 turns it off)",)


def scale_of(ends: Floats, cols: int, rows: int) -> Scale | None:
    """Return the grid on which a map is drawn that is scaled about its middle; None if it is drawn on another or on none.

    Three quarters of the coordinates, on four lines an axis or more, must lie on it to 0.01 squares, and less than half
    of them on the map's own grid; a square of it differs from one square by 0.002 to 0.02 squares, the same across and
    down; and the middle of the map is where it would be on the map's own grid, to 0.05 squares.

    Parameters
    ----------
    ends
        ``(n, 4)`` squares: the ends of walls.
    cols, rows
        The size of the map.

    Examples
    --------
    >>> lines = 5 + 1.01 * (np.arange(1, 10) - 5)
    >>> found = scale_of(np.array([(x, y, y, x) for x in lines for y in lines]), 10, 10)
    >>> round(found.pitch, 9), [round(number, 9) for number in found.point(1 * 1.01 - 0.05, 5)]
    (1.01, [1.0, 5.0])
    """
    if not len(ends):
        return None
    counted = [np.unique(ends[:, axis::2].round(6), return_counts=True) for axis in (0, 1)]
    values, weights = [one for one, _ in counted], [many for _, many in counted]
    if min(map(len, values)) < _FEWEST_LINES or _share([np.abs(one - np.rint(one)) <= _FINE for one in values], weights) > 0.5:
        return None
    middles = cols / 2, rows / 2
    found = _refined(values, middles, _rough(values, weights, middles))
    if found is None:
        return None
    lines = [(one - start) / found.pitch for one, start in zip(values, (found.x, found.y), strict=True)]
    is_on = [np.abs(one - np.rint(one)) <= _FINE for one in lines]
    shift = max(float(np.abs(one - np.rint(line))[on].max(initial=0)) for one, line, on in zip(values, lines, is_on, strict=True))
    off = [abs(start + found.pitch * middle - middle) for start, middle in zip((found.x, found.y), middles, strict=True)]
    n_lines = [len(np.unique(np.rint(line[on]))) for line, on in zip(lines, is_on, strict=True)]
    is_one = (
        _SMALLEST <= abs(found.pitch - 1) <= _LARGEST
        and max(off) <= _OFF_MIDDLE
        and min(n_lines) >= _FEWEST_LINES
        and _share(is_on, weights) >= _SHARE
    )
    return Scale(found.pitch, found.x, found.y, shift) if is_one else None


def _share(chosen: list[Bools], weights: list[NDArray[np.int64]]) -> float:
    """Return which part of all coordinates the chosen ones are."""
    n_chosen = sum(int(weight[one].sum()) for one, weight in zip(chosen, weights, strict=True))
    return n_chosen / sum(int(weight.sum()) for weight in weights)


def _rough(values: list[Floats], weights: list[NDArray[np.int64]], middles: tuple[float, float]) -> float:
    """Return, of pitches close enough together, the one on whose grid most coordinates lie."""
    reach = max(float(np.abs(one - middle).max()) for one, middle in zip(values, middles, strict=True))
    steps = [len(one) // _MANY + 1 for one in values]
    values = [one[::step] for one, step in zip(values, steps, strict=True)]
    weights = [one[::step] for one, step in zip(weights, steps, strict=True)]
    most = min(_LARGEST, _MOST_SHIFT / max(reach, 1.0))
    n_steps = int(np.ceil(most * max(reach, 1.0) / _STEP))
    best, best_share = 1.0, 0.0
    for pitch in (1 + most * np.arange(-n_steps, n_steps + 1) / n_steps).tolist():
        chosen = []
        for one, middle in zip(values, middles, strict=True):
            line = (one - middle) / pitch + middle
            off = line - np.rint(line)
            chosen.append(np.abs(off - np.median(off)) <= _ROUGH)
        share = _share(chosen, weights)
        if share > best_share:
            best, best_share = pitch, share
    return best


def _refined(values: list[Floats], middles: tuple[float, float], pitch: float) -> Scale | None:
    """Return the grid of nearly that pitch that is nearest to the coordinates near it."""
    starts = []
    for one, middle in zip(values, middles, strict=True):
        line = (one - middle) / pitch + middle
        starts.append(middle - pitch * (middle - float(np.median(line - np.rint(line)))))
    for near in (2 * _ROUGH, _ROUGH, _FINE):
        rows, right = [], []
        for axis, one in enumerate(values):
            line = (one - starts[axis]) / pitch
            kept = np.abs(line - np.rint(line)) <= near
            unit = np.zeros((int(kept.sum()), 3))
            unit[:, 0], unit[:, 1 + axis] = np.rint(line)[kept], 1
            rows.append(unit)
            right.append(one[kept])
        if min(map(len, right)) < _FEWEST_LINES:
            return None
        pitch, *starts = np.linalg.lstsq(np.concatenate(rows), np.concatenate(right), rcond=None)[0].tolist()
    return Scale(pitch, *starts)
