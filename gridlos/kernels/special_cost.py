"""What it costs a line to cross walls that hide or stop only in part: with a height band, limited, one-way, with a cover word.

There are two kinds of cost. For cover it is a code of :class:`gridlos.facts.Hidden`, and of several crossings the dearest
counts; for blocking it is a toll, 0, 1 or ``STOPPED``, and tolls add up. Walls that are crossed at one point are crossed at
once: their bands are joined.

A wall is met at a fraction of the way between the two bodies, two integers, 0 at the attacker's corner and on his leg, 1
at the target's corner and on its leg. Nothing is rounded; where numbers might be too large, the kernels run interpreted,
on Python's integers.

One array, ``now``, holds what is asked and where the walk is; its entries are named here.
"""

from __future__ import annotations

from gridlos.kernels.jit import Array, inner_kernel

ALL = 7
"""The code of what is hidden wholly."""

STOPPED = 2
"""The toll of what cannot be passed."""

BOTTOM, TOP, BITS, WORD, SQUARE, N_TRAITS = 0, 1, 2, 3, 4, 5
"""Columns of ``traits``, one row a wall."""

HARD, LIMITED, FROM_LEFT, FROM_RIGHT, SLIT, SPECIAL = 1, 2, 4, 8, 16, 32
"""Bits of ``traits[:, BITS]``."""

STOPPING = HARD | LIMITED | FROM_LEFT | FROM_RIGHT
"""Those that say what a wall stops."""

COVER, TOLL = -1, -2
"""Modes: what a cost is about. Modes from 0 on are words: walls with that word count, and walls that have none."""

X, Y, WIDTH, HEIGHT, FEET, HEAD, N_BODY = 0, 1, 2, 3, 4, 5, 6
"""Columns of ``bodies``, one row a creature."""

A, T = 0, N_BODY
"""Where in ``now`` the bodies of attacker and target begin."""

SIZE, ROWS, COLS, LEAST, FAR, DIAGONALS, N_WORDS, N_TERMS = 0, 1, 2, 3, 4, 5, 6, 7
"""Entries of ``terms``, and in ``now`` from ``TERMS`` on: what a map and an edition lay down."""

TERMS = 2 * N_BODY

MODE, PLACE, PLACES, ON_LEFT, ON_RIGHT, IS_LINE, START, N_EVENTS, N_COVERS, BEHIND, AHEAD, OWN, IGNORED, MET, ALONE, HALVES, N_NOW = (
    19, 20, 21, 22, 23, 24, 25, 29, 30, 31, 35, 39, 41, 42, 43, 44, 45,
)  # fmt: skip
"""Entries of ``now``: the mode, the fraction ``PLACE / PLACES`` of the way, the costs on either side, whether the walk is on
the line itself, that line as ``x, y, dx, dy``, what was met, the squares behind and ahead: ``x, y`` on the left and on the right,
whether anything was ignored, whether a special wall was met, whether walls with a word count without those that have none, and
whether the line is told in half squares."""

W, AX, AY, SET, SIGN, MEMBER, N_ARM = 0, 1, 2, 3, 4, 5, 6
"""Columns of ``arms``: an arm's wall, direction, set and whether the wall runs that way (1) or comes from there (-1).
``MEMBER``: walls that are crossed at once."""


_HALF = 1 << 31
"""Numbers below this have a product that fits."""


@inner_kernel
def is_less(a: int, b: int, c: int, d: int) -> bool:
    """Is ``a / b < c / d``? ``b`` and ``d`` are positive; no product leaves the range of the numbers."""
    if b == d:
        return a < c
    if b < _HALF and d < _HALF and -_HALF < a < _HALF and -_HALF < c < _HALF:
        return a * d < c * b
    while True:
        p, q = a // b, c // d
        if p != q:
            return p < q
        a, c = a - p * b, c - q * d
        if c == 0:
            return False
        if a == 0:
            return True
        a, b, c, d = d, c, b, a


@inner_kernel
def code_of(hidden: int, whole: int) -> int:
    """Return the code of :class:`gridlos.facts.Hidden` for a hidden part of a whole."""
    if hidden >= whole:
        return 7
    if 40 * hidden > 33 * whole:
        return 6
    if 4 * hidden >= 3 * whole:
        return 5
    if 8 * hidden > 5 * whole:
        return 4
    if 2 * hidden >= whole:
        return 3
    if 8 * hidden > 3 * whole:
        return 2
    return 1 if 4 * hidden >= whole else 0


@inner_kernel
def set_squares(now: Array, first: int, sign: int) -> None:
    """Write to ``now`` the squares that the line is in just before (``sign`` -1) or after the walk's place, two beside a grid line."""
    dx, dy = now[START + 2], now[START + 3]
    square = now[PLACES] * (1 + now[HALVES])
    for axis in range(2):
        step, other = (dx, dy) if axis == 0 else (dy, -dx)
        above = now[START + axis] * now[PLACES] + step * now[PLACE]
        low = above // square
        is_on_grid = low * square == above
        if step * sign < 0 and is_on_grid:
            low -= 1
        for side in range(2):
            now[first + 2 * side + axis] = low
            if step == 0 and is_on_grid and (other > 0) == (side == 1):
                now[first + 2 * side + axis] = low - 1


@inner_kernel
def set_square(now: Array, first: int, square: int) -> None:
    """Write one square to ``now``, on the left and on the right."""
    now[first] = now[first + 2] = square % now[TERMS + COLS]
    now[first + 1] = now[first + 3] = square // now[TERMS + COLS]


@inner_kernel
def _distance(now: Array, body: int, x: int, y: int) -> int:
    """Return the squares from the space of the body ``A`` or ``T`` to a square."""
    dx = max(now[body + X] - x, x - (now[body + X] + now[body + WIDTH] - 1), 0)
    dy = max(now[body + Y] - y, y - (now[body + Y] + now[body + HEIGHT] - 1), 0)
    return max(dx, dy) + (min(dx, dy) // 2 if now[TERMS + DIAGONALS] == 2 else 0)


@inner_kernel
def _is_low(traits: Array, w: int, body: int, now: Array) -> bool:
    """Is the wall low for the body ``A`` or ``T``, where that matters: is its top at most half as high above the feet as the head is?"""
    return now[TERMS + FAR] >= 0 and 2 * (traits[w, TOP] - now[body + FEET]) <= now[body + HEAD] - now[body + FEET]


@inner_kernel
def is_ignored(traits: Array, w: int, behind: int, ahead: int, now: Array) -> bool:
    """Is the wall nothing to this attacker where the walk is: a low obstacle that is far or his own, or his own arrow slit?

    ``behind`` and ``ahead`` are where in ``now`` the squares on this and on the far side of it stand.
    """
    is_slit = traits[w, BITS] & SLIT != 0
    low_a, low_t = _is_low(traits, w, A, now), _is_low(traits, w, T, now)
    if not (is_slit or low_a or low_t):
        return False
    if traits[w, SQUARE] >= 0:
        behind = ahead = OWN
        now[OWN], now[OWN + 1] = traits[w, SQUARE] % now[TERMS + COLS], traits[w, SQUARE] // now[TERMS + COLS]
    near_a, near_t = _distance(now, A, now[ahead], now[ahead + 1]), _distance(now, T, now[behind], now[behind + 1])
    is_nothing = (low_t and near_t > now[TERMS + FAR]) or ((low_a or low_t or near_a <= 1) and near_a < near_t)
    if is_nothing:
        now[IGNORED] = 1
    return is_nothing


@inner_kernel
def counts(traits: Array, w: int, from_left: bool, now: Array) -> bool:
    """Does the wall count for what is asked, if it is crossed from that side of it and not ignored?

    One below the feet of both bodies, or above both heads, is not there for them: no run of covers goes on along it.
    """
    bits, mode = traits[w, BITS], now[MODE]
    if traits[w, TOP] <= min(now[A + FEET], now[T + FEET]) or traits[w, BOTTOM] >= max(now[A + HEAD], now[T + HEAD]):
        return False
    if bits & (FROM_LEFT | FROM_RIGHT) and not bits & (FROM_LEFT if from_left else FROM_RIGHT):
        return False
    if mode == TOLL:
        return bits & (HARD | LIMITED) != 0
    if mode == COVER:
        return traits[w, WORD] < 0 and bits & HARD != 0
    return traits[w, WORD] == mode or (traits[w, WORD] < 0 and bits & HARD != 0 and not now[ALONE])


@inner_kernel
def _hidden_part(traits: Array, arms: Array, n: int, bits: int, low: int, high: int, scale: int) -> int:
    """Return how much of the span ``low`` … ``high`` the bands of those arms cover together that have one of the bits; 0: of all."""
    part, reached = low * 0, low
    while reached < high:
        best, following = reached, high
        for k in range(n):
            if bits == 0 or traits[arms[k, MEMBER], BITS] & bits:
                bottom, top = scale * traits[arms[k, MEMBER], BOTTOM], scale * traits[arms[k, MEMBER], TOP]
                if bottom <= reached:
                    best = max(best, top)
                else:
                    following = min(following, bottom)
        if best > reached:
            best = min(best, high)
            part += best - reached
            reached = best
        else:
            reached = following
    return part


@inner_kernel
def cost_at(traits: Array, arms: Array, n: int, place: int, places: int, now: Array) -> int:
    """Return what it costs to cross the ``arms[:n]`` at once at the fraction ``place / places`` of the way."""
    if n == 0:
        return 0
    low = now[A + FEET] * places + (now[T + FEET] - now[A + FEET]) * place
    high = now[A + HEAD] * places + (now[T + HEAD] - now[A + HEAD]) * place
    if now[MODE] != TOLL:
        return code_of(_hidden_part(traits, arms, n, 0, low, high, places), high - low)
    if _hidden_part(traits, arms, n, HARD, low, high, places) == high - low:
        return STOPPED
    return 1 if _hidden_part(traits, arms, n, HARD | LIMITED, low, high, places) == high - low else 0


@inner_kernel
def cost_over(traits: Array, arms: Array, n: int, start: int, starts: int, stop: int, stops: int, now: Array) -> int:
    """Return what it costs to cross the arms from ``start / starts`` to ``stop / stops``: the most for cover, the least for tolls."""
    if n == 0:
        return 0
    best = cost_at(traits, arms, n, start, starts, now)
    other = cost_at(traits, arms, n, stop, stops, now)
    best = min(best, other) if now[MODE] == TOLL else max(best, other)
    # In between the hidden fraction turns only where feet or head are level with an end of a band.
    for k in range(n):
        for end in range(4):
            level = traits[arms[k, MEMBER], BOTTOM if end & 1 else TOP]
            part = FEET if end < 2 else HEAD
            above, under = level - now[A + part], now[T + part] - now[A + part]
            if under < 0:
                above, under = -above, -under
            if under > 0 and is_less(start, starts, above, under) and is_less(above, under, stop, stops):
                other = cost_at(traits, arms, n, above, under, now)
                best = min(best, other) if now[MODE] == TOLL else max(best, other)
    return best


@inner_kernel
def cost_here(traits: Array, arms: Array, n: int, now: Array) -> int:
    """Return what it costs to cross the arms where the walk is; on a line without length that is everywhere on the way."""
    if now[PLACES] == 0:
        return cost_over(traits, arms, n, 0, 1, 1, 1, now)
    return cost_at(traits, arms, n, now[PLACE], now[PLACES], now)
