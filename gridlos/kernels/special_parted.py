"""Two spaces that special walls part together with plain ones: those that stop whatever comes, and limited ones.

As in :mod:`gridlos.kernels.parted`, by walls that hang together. Of the limited walls those on any one straight line may be
taken away.
"""

from __future__ import annotations

from gridlos.kernels.jit import Array, inner_kernel, int64
from gridlos.kernels.parted import PARENT, PARITY, SIDES, STAMP, is_inside_hull, join, parity_of, sides_of

__all__ = [
    "CROSSABLE",
    "HARD",
    "LIMITED",
    "LINE",
    "MAYBE",
    "OFF",
    "find_crossable",
    "is_parted_by_hard",
    "save",
]

OFF, HARD, LIMITED, CROSSABLE, MAYBE = 0, 1, 2, 3, 4
"""What a special wall stops of the segments between two spaces that meet it: none; all; those that meet a second such wall, not on
its straight line (``CROSSABLE``: a line of effect may cross it); perhaps some."""

OTHER, NEEDED = 0, 1
"""What else is known of a line with limited walls: that walls part the spaces without it; nothing yet."""

LINE = 1
"""The column of ``terms`` (:func:`gridlos.kernels.special_effect.lines_past`) with the straight line of a limited wall."""


@inner_kernel
def _begin(joint: Array, state: Array, w: int, frame: Array, size: int) -> bool:
    """Let a wall stand alone, or with the outside if it begins or ends there; return whether with that it parts the spaces."""
    outside = len(state) - 1
    state[w, PARENT], state[w, PARITY] = w, 0
    if not is_inside_hull(frame, int64(joint[w, 0]), int64(joint[w, 1]), size):
        state[w, PARENT] = outside
    ends_inside = is_inside_hull(frame, int64(joint[w, 2]), int64(joint[w, 3]), size)
    return not ends_inside and join(state, w, outside, state[w, SIDES] >> 2)


@inner_kernel
def _join_touched(state: Array, stamp: int, w: int, touching: Array, start: int, stop: int) -> bool:
    """Join a wall with those that it touches and that take part; return whether with that they part the spaces."""
    for m in range(start, stop):
        v = int64(touching[m]) >> 3
        if state[v, STAMP] == stamp and state[v, SIDES] >= 0:
            parity = parity_of(state[w, SIDES], state[v, SIDES], int64(touching[m]) & 7)
            if parity >= 0 and join(state, w, v, parity):
                return True
    return False


@inner_kernel
def _add_special(
    joint: Array, state: Array, stamp: int, w: int, touching: Array, n_plain: int, frame: Array, size: int
) -> bool:
    """Let a special wall whose sides are known take part; return whether with that it parts the spaces."""
    if state[w, SIDES] < 0:
        return False
    state[w, STAMP] = stamp
    start, stop = int64(touching[w - n_plain]), int64(touching[w - n_plain + 1])
    return _begin(joint, state, w, frame, size) or _join_touched(state, stamp, w, touching, start, stop)


@inner_kernel
def is_parted_by_hard(
    joint: Array,
    touching: Array,
    special_touching: Array,
    state: Array,
    stamp: int,
    near: Array,
    kinds: Array,
    counts: tuple[int, int, int],
    frame: Array,
    centres: Array,
    size: int,
) -> bool:
    """Do plain walls and special ones that stop whatever comes part the spaces? ``state`` is left for more to take part."""
    n, m, n_plain = counts
    state[len(joint), PARENT], state[len(joint), PARITY] = len(joint), 0
    for k in range(n):
        w = near[k]
        state[w, STAMP], state[w, SIDES] = stamp, sides_of(joint, w, centres)
        if state[w, SIDES] >= 0 and (
            _begin(joint, state, w, frame, size)
            or _join_touched(state, stamp, w, touching, int64(touching[w]), int64(touching[w + 1]))
        ):
            return True
    for k in range(n, n + m):
        w = near[k]
        state[w, STAMP], state[w, SIDES] = -1, sides_of(joint, w, centres)
    for k in range(n, n + m):
        if kinds[k] == HARD and _add_special(joint, state, stamp, near[k], special_touching, n_plain, frame, size):
            return True
    return False


@inner_kernel
def save(state: Array, near: Array, counts: tuple[int, int, int], saved: Array) -> None:
    """Keep how all are joined that take part."""
    n, m, _ = counts
    for k in range(n + m):
        saved[k, 0], saved[k, 1] = state[near[k], PARENT], state[near[k], PARITY]
    saved[n + m, 0], saved[n + m, 1] = state[len(state) - 1, PARENT], state[len(state) - 1, PARITY]


@inner_kernel
def _restore(state: Array, near: Array, kinds: Array, counts: tuple[int, int, int], saved: Array) -> None:
    """Take the limited walls away again: all are joined as they were when that was ``saved``."""
    n, m, _ = counts
    for k in range(n + m):
        if kinds[k] == HARD:
            state[near[k], PARENT], state[near[k], PARITY] = saved[k, 0], saved[k, 1]
        else:
            state[near[k], STAMP] = -1
    state[len(state) - 1, PARENT], state[len(state) - 1, PARITY] = saved[n + m, 0], saved[n + m, 1]


@inner_kernel
def find_crossable(
    joint: Array,
    terms: Array,
    special_touching: Array,
    state: Array,
    stamp: int,
    near: Array,
    kinds: Array,
    counts: tuple[int, int, int],
    saved: Array,
    marks: Array,
    frame: Array,
    size: int,
    gone: tuple[int, int],
    is_all: bool,
) -> int:
    """Return how many straight lines there are without whose limited walls the others, and those ``saved``, do not part the spaces.

    The limited walls of the two lines ``gone`` take no part. ``marks`` becomes ``CROSSABLE`` for the lines that were found: all, or
    the first one. If walls part the spaces, and still do so without all the lines that were needed for it, then none
    of these lines was. If not, they are taken away one by one.
    """
    n, m, n_plain = counts
    for k in range(n, n + m):
        marks[terms[near[k] - n_plain, LINE]] = OTHER
    for turn in range(2):
        is_parted = False
        for k in range(n, n + m):
            line = terms[near[k] - n_plain, LINE]
            if kinds[k] == LIMITED and line != gone[0] and line != gone[1] and not is_parted:
                if marks[line] != NEEDED or turn == 0:
                    is_parted = _add_special(joint, state, stamp, near[k], special_touching, n_plain, frame, size)
                if turn == 0:
                    marks[line] = NEEDED
        _restore(state, near, kinds, counts, saved)
        if turn == 1 and is_parted:
            return 0
        if turn == 0 and not is_parted:
            for k in range(n, n + m):
                if kinds[k] == LIMITED:
                    marks[terms[near[k] - n_plain, LINE]] = CROSSABLE
            return m + 1
    found = 0
    for k in range(n, n + m):
        line = terms[near[k] - n_plain, LINE]
        if kinds[k] != LIMITED or marks[line] != NEEDED:
            continue
        is_parted = False
        for i in range(n, n + m):
            other = terms[near[i] - n_plain, LINE]
            if kinds[i] == LIMITED and other != line and other != gone[0] and other != gone[1] and not is_parted:
                is_parted = _add_special(joint, state, stamp, near[i], special_touching, n_plain, frame, size)
        _restore(state, near, kinds, counts, saved)
        marks[line] = OTHER if is_parted else CROSSABLE
        if not is_parted:
            found += 1
            if not is_all:
                return found
    return found
