"""The census of contacts: how many of the lines of each map in ``maps/`` are clear, touch or are blocked.

A line goes from a corner of one square to a corner of another; neither square is solid, and the first comes before the
second in reading order. Maps with more lines than ``MOST`` are counted at a fixed stride.

``PYTHONPATH=. python tests/kernels/census.py`` writes ``census.toml`` anew; do that only where a map has changed, or
where the line rule has, and the change is meant.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import gridlos
from gridlos.facts import Channel, Stops
from gridlos.kernels.line import contacts
from gridlos.questions.obstacles import obstacles_of

MAPS = Path(__file__).parent.parent.parent / "maps"
PINNED = Path(__file__).parent / "census.toml"
MOST = 5_000_000


def names():
    return sorted(path.name.removesuffix(".scene.json") for path in MAPS.glob("*.scene.json"))


def map_of(name):
    return gridlos.load(MAPS / f"{name}.scene.json").battle_map


def corners_of(battle_map):
    """The corners of all squares that are not solid, as the kernels number them."""
    squares = np.flatnonzero((battle_map.terrain & Stops.EFFECT).ravel() == 0)
    return (4 * squares[:, None] + np.arange(4)).ravel()


def n_lines(battle_map):
    n = len(corners_of(battle_map)) // 4
    return 8 * n * (n - 1)


def lines_of(battle_map, numbers):
    """The lines of these numbers, ``(n, 2)``; all lines are numbered square by square."""
    corners = corners_of(battle_map)
    pairs, kinds = np.divmod(numbers, 16)
    # Pair k of squares i < j, sorted by i: the rows before i hold i n - i (i + 1) / 2 pairs.
    n = len(corners) // 4
    rows = np.arange(n)
    before = rows * n - rows * (rows + 1) // 2
    first = np.searchsorted(before, pairs, side="right") - 1
    second = pairs - before[first] + first + 1
    return np.stack((corners[4 * first + kinds // 4], corners[4 * second + kinds % 4]), axis=1)


def stride_of(battle_map):
    """An odd number, so that all sixteen lines of two squares have their turn."""
    return -(-n_lines(battle_map) // MOST) | 1


def counted(battle_map, numbers):
    """How many of the lines are clear, touch and are blocked."""
    obstacles = obstacles_of(battle_map, Channel.EFFECT)
    found = contacts(*obstacles.lines, lines_of(battle_map, numbers), obstacles.size)
    return np.bincount(found, minlength=3).tolist()


def census(name):
    """The record of a map."""
    battle_map = map_of(name)
    stride = stride_of(battle_map)
    clear, touches, blocked = counted(battle_map, np.arange(0, n_lines(battle_map), stride))
    return {"lines": n_lines(battle_map), "stride": stride, "clear": clear, "touches": touches, "blocked": blocked}


def main():
    records = [
        "\n".join([f"[{name}]", *(f"{key} = {value}" for key, value in census(name).items())]) for name in names()
    ]
    head = f"# {__doc__.split('``PYTHONPATH')[0].strip().replace(chr(10), chr(10) + '# ')}\n".replace("# \n", "#\n")
    PINNED.write_text(head + "\n" + "\n\n".join(records) + "\n")


if __name__ == "__main__":
    main()
