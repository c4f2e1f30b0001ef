"""How times grow with creatures, squares and walls: a table, a plot, and a check of the slopes."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import cycle
from types import MappingProxyType
from typing import Any

from gridlos.bench import scenes
from gridlos.bench.measure import figures_of
from gridlos.bench.workloads import Case, evaluation, every_square, lines_between

__all__ = ["LIMITS", "SERIES", "Series", "growth", "growth_plot", "growth_table", "slope_of", "too_steep"]

LIMITS: Mapping[str, float] = MappingProxyType({"pairs": 1.2, "squares": 1.2, "free_walls": 1.5})
"""The steepest slope allowed, in the logarithms of size and time: 1 is linear, 2 quadratic. Lines get longer on larger
maps, and what is kept falls out of caches, so a little more than linear is let pass; more walls also cross more squares."""


@dataclass(frozen=True, slots=True)
class Series:
    """The same question at growing sizes; ``by`` is the figure that grows."""

    name: str
    title: str
    by: str
    cases: tuple[Callable[[], Case], ...]


def _series() -> list[Series]:
    def dungeon(rows: int, cols: int, n: int) -> Callable[[], Case]:
        return partial(evaluation, partial(scenes.dungeon, rows, cols, n), known="map")

    def cave(walls: int, case: Callable[..., Case], **more: str) -> Callable[[], Case]:
        return partial(case, partial(scenes.cave, walls), **more)

    squares = tuple(partial(every_square, partial(scenes.open_field, n, n, 20)) for n in (32, 64, 128))
    walls = (300, 1200, 4800)
    return [
        Series(
            "evaluate-creatures",
            "evaluate, dungeon 100×100, more creatures",
            "pairs",
            tuple(dungeon(100, 100, n) for n in (50, 100, 200)),
        ),
        Series(
            "evaluate-squares",
            "evaluate, 40 creatures, larger dungeons",
            "squares",
            tuple(dungeon(n, n, 40) for n in (50, 100, 200)),
        ),
        Series("squares-squares", "every square against every square, larger maps", "pairs", squares),
        Series(
            "lines-walls",
            "corner lines, 40 creatures, more free walls",
            "free_walls",
            tuple(cave(n, lines_between) for n in walls),
        ),
        Series(
            "evaluate-walls",
            "evaluate, 40 creatures, nothing kept, more free walls",
            "free_walls",
            tuple(cave(n, evaluation, known="nothing") for n in walls),
        ),
    ]


SERIES: tuple[Series, ...] = tuple(_series())


def growth(*, seconds: float = 0.5, told: Callable[[str], None]) -> dict[str, Any]:
    """Return for each series its sizes, milliseconds and slope; every result is checked first."""
    found: dict[str, Any] = {}
    for one in SERIES:
        told(one.name)
        figures = [figures_of(case(), seconds=seconds, peers=False) for case in one.cases]
        sizes, times = [f[one.by] for f in figures], [f["min_ms"] for f in figures]
        found[one.name] = {
            "title": one.title,
            "by": one.by,
            "sizes": sizes,
            "min_ms": times,
            "slope": round(slope_of(sizes, times), 3),
        }
    return found


def slope_of(sizes: Sequence[float], times: Sequence[float]) -> float:
    """Return the slope of the straight line nearest to the logarithms.

    Examples
    --------
    >>> round(slope_of([1, 4, 16], [3, 12, 48]), 6), round(slope_of([1, 2, 4], [1, 4, 16]), 6)
    (1.0, 2.0)
    """
    return statistics.linear_regression([*map(math.log, sizes)], [*map(math.log, times)]).slope


def too_steep(found: Mapping[str, Any]) -> list[str]:
    """Return a line for each series that grows faster than :data:`LIMITS` allow.

    Examples
    --------
    >>> too_steep({"a": {"by": "pairs", "slope": 1.3}, "b": {"by": "free_walls", "slope": 1.3}})
    ['a: time grows with the power 1.3 of pairs, more than 1.2']
    """
    return [
        f"{name}: time grows with the power {one['slope']} of {one['by'].replace('_', ' ')}, more than {LIMITS[one['by']]}"
        for name, one in found.items()
        if one["slope"] > LIMITS[one["by"]]
    ]


def growth_table(found: Mapping[str, Any]) -> str:
    """Return the sizes, times and slopes as Markdown."""
    lines = ["| growing | sizes | min ms | slope | allowed |", "|---|---:|---:|---:|---:|"]
    for one in found.values():
        sizes = " / ".join(f"{size:,}" for size in one["sizes"])
        times = " / ".join(f"{time:.3g}" for time in one["min_ms"])
        by = one["by"].replace("_", " ")
        lines.append(f"| {one['title']} | {sizes} {by} | {times} | {one['slope']:.2f} | {LIMITS[one['by']]:.2f} |")
    return "\n".join(lines) + "\n"


_WIDTH, _HEIGHT, _LEFT, _TOP, _SIDE = 900, 420, 70, 40, 330
_COLOURS = ("#1b6ca8", "#c2571a", "#2e7d4f", "#7b4397", "#8a6d00")
_MOST = 1000.0


def growth_plot(found: Mapping[str, Any]) -> str:
    """Return the plot as SVG: how many times as large, how many times as long; both axes logarithmic."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}">',
        "<style>text { font: 13px 'DejaVu Sans', Verdana, sans-serif }</style>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        *_frame(),
    ]
    for k, (colour, one) in enumerate(zip(cycle(_COLOURS), found.values(), strict=False)):
        points = [(size / one["sizes"][0], time / one["min_ms"][0]) for size, time in _pairs(one)]
        places = [_place(*point) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in places]
        x, y = _LEFT + _SIDE + 40, _TOP + 40 + 58 * k
        parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{x + 20}" y="{y}">{escape(one["title"])}</text>')
        words = f"by {one['by'].replace('_', ' ')}: slope {one['slope']:.2f}, {LIMITS[one['by']]:.2f} allowed"
        parts.append(f'<text x="{x + 20}" y="{y + 18}" fill="#555">{escape(words)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _pairs(one: Mapping[str, Any]) -> list[tuple[float, float]]:
    return list(zip(one["sizes"], one["min_ms"], strict=True))


def _place(size: float, time: float) -> tuple[float, float]:
    """Return where a point of the plot stands; times below the start lie on its lower side."""
    x = _LEFT + _SIDE * math.log(size) / math.log(_MOST)
    y = _TOP + _SIDE * (1 - math.log(max(time, 1)) / math.log(_MOST))
    return x, y


def _frame() -> list[str]:
    """Return axes, their words, and the dashed lines of linear and quadratic growth."""
    (x0, y0), (x1, y1) = _place(1, 1), _place(_MOST, _MOST)
    parts = [f'<rect x="{x0}" y="{y1}" width="{x1 - x0}" height="{y0 - y1}" fill="none" stroke="#999"/>']
    for factor in (1, 10, 100, 1000):
        x, y = _place(factor, factor)
        parts.append(f'<line x1="{x:.1f}" y1="{y0}" x2="{x:.1f}" y2="{y1}" stroke="#e4e4e4"/>')
        parts.append(f'<line x1="{x0}" y1="{y:.1f}" x2="{x1}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{x:.1f}" y="{y0 + 18}" text-anchor="middle">×{factor}</text>')
        parts.append(f'<text x="{x0 - 8}" y="{y + 4:.1f}" text-anchor="end">×{factor}</text>')
    for power, word in ((1, "linear"), (2, "quadratic")):
        x, y = _place(_MOST ** (1 / power), _MOST)
        parts.append(f'<line x1="{x0}" y1="{y0}" x2="{x:.1f}" y2="{y:.1f}" stroke="#999" stroke-dasharray="5 4"/>')
        parts.append(f'<text x="{x:.1f}" y="{y - 6:.1f}" text-anchor="middle" fill="#555">{word}</text>')
    parts.append(f'<text x="{(x0 + x1) / 2:.1f}" y="{y0 + 38}" text-anchor="middle">times as large</text>')
    parts.append(
        f'<text x="16" y="{(y0 + y1) / 2:.1f}" transform="rotate(-90 16 {(y0 + y1) / 2:.1f})" text-anchor="middle">times as long</text>'
    )
    return parts
