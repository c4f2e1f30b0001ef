"""Lines among walls that hide or stop only in part, and what they pay on their way.

The path *centre → P → Q → centre* is followed as for plain walls, except that what was a bit of state is a cost here
(:mod:`gridlos.kernels.special_cost`): what a tube pays that passes on the left, and on the right. Whoever passes a point
crosses at once all walls that leave it on that side.
"""

from __future__ import annotations

from gridlos.kernels.jit import Array, inner_kernel, int64
from gridlos.kernels.special_cost import (
    AHEAD,
    ALL,
    AX,
    AY,
    BEHIND,
    BITS,
    COLS,
    FROM_LEFT,
    FROM_RIGHT,
    IS_LINE,
    MODE,
    N_COVERS,
    N_EVENTS,
    ON_LEFT,
    ON_RIGHT,
    PLACE,
    PLACES,
    SHOWS,
    SIGN,
    SIZE,
    SPECIAL,
    START,
    STOPPING,
    TERMS,
    TOLL,
    W,
    is_less,
    set_square,
    set_squares,
)
from gridlos.kernels.special_turn import part, turn


@inner_kernel
def copy_rows(source: Array, target: Array, n: int) -> None:
    """Copy the first ``n`` rows."""
    for k in range(n):
        for c in range(source.shape[1]):
            target[k, c] = source[k, c]


@inner_kernel
def _sort(events: Array, n: int) -> None:
    for k in range(1, n):
        m = k
        while m > 0 and is_less(events[m, 0], events[m, 1], events[m - 1, 0], events[m - 1, 1]):
            for c in range(4):
                events[m, c], events[m - 1, c] = events[m - 1, c], events[m, c]
            m -= 1


@inner_kernel
def meet(
    walls: Array, w: int, x: int, y: int, dx: int, dy: int, times: int, events: Array, covers: Array, now: Array
) -> None:
    """Add what the wall does to the inside of the way from ``(x, y)`` to ``(x, y) + times d``, in doubled lattice units.

    Events are ``(number, of how many, wall, arms)``: the fraction of the way, and which arms leave the point (1: towards
    the wall's end, 2: towards its start). Covers are ``(from, to, wall, 1 if it runs along, -1 if against)`` in parts of ``times d²``.
    """
    x0, y0, x1, y1 = 2 * walls[w, 0] - x, 2 * walls[w, 1] - y, 2 * walls[w, 2] - x, 2 * walls[w, 3] - y
    o0, o1 = dx * y0 - dy * x0, dx * y1 - dy * x1
    if (o0 > 0 and o1 > 0) or (o0 < 0 and o1 < 0):
        return
    whole = times * (dx * dx + dy * dy)
    t0, t1 = dx * x0 + dy * y0, dx * x1 + dy * y1
    if o0 == 0 and o1 == 0:
        low, high = max(min(t0, t1), 0), min(max(t0, t1), whole)
        if low < high:
            k = now[N_COVERS]
            covers[k, 0], covers[k, 1], covers[k, 2], covers[k, 3] = low, high, w, (1 if t1 > t0 else -1)
            now[N_COVERS] += 1
        return
    k = now[N_EVENTS]
    if o0 == 0 or o1 == 0:
        place, of, arms = (t0, whole, 1) if o0 == 0 else (t1, whole, 2)
    else:
        wx, wy = x1 - x0, y1 - y0
        place, of, arms = wy * x0 - wx * y0, times * (wy * dx - wx * dy), 3
        if of < 0:
            place, of = -place, -of
    if 0 < place < of:
        events[k, 0], events[k, 1], events[k, 2], events[k, 3] = place, of, w, arms
        now[N_EVENTS] += 1


@inner_kernel
def _arms_on_the_way(
    walls: Array,
    events: Array,
    first: int,
    last: int,
    covers: Array,
    n_covers: int,
    whole: int,
    dx: int,
    dy: int,
    arms: Array,
) -> int:
    """Put the arms that leave the place of the events ``first`` … ``last`` into ``arms``; return how many."""
    n = 0
    for k in range(first, last):
        for way in range(2):
            if events[k, 3] & (1 << way):
                w, sign = events[k, 2], 1 - 2 * way
                arms[n, W], arms[n, SIGN] = w, sign
                arms[n, AX], arms[n, AY] = sign * (walls[w, 2] - walls[w, 0]), sign * (walls[w, 3] - walls[w, 1])
                n += 1
    place, places = events[first, 0], events[first, 1]
    for k in range(n_covers):
        is_before, is_after = is_less(covers[k, 1], whole, place, places), is_less(place, places, covers[k, 0], whole)
        begins, ends = is_less(covers[k, 0], whole, place, places), is_less(place, places, covers[k, 1], whole)
        for sign in (-1, 1):
            if (begins and not is_before) if sign < 0 else (ends and not is_after):
                arms[n, W], arms[n, AX], arms[n, AY] = covers[k, 2], sign * dx, sign * dy
                arms[n, SIGN] = sign * covers[k, 3]
                n += 1
    return n


@inner_kernel
def follow_met(
    walls: Array, traits: Array, events: Array, covers: Array, dx: int, dy: int, times: int, now: Array, arms: Array
) -> None:
    """Follow ``times`` times ``(dx, dy)``, where :func:`meet` has met all that there is; ``events`` and ``covers`` are used up."""
    whole = times * (dx * dx + dy * dy)
    n = now[N_EVENTS]
    for k in range(now[N_COVERS]):  # the ends of a cover are events without arms of their own
        for end in range(2):
            if 0 < covers[k, end] < whole:
                events[n, 0], events[n, 1], events[n, 2], events[n, 3] = covers[k, end], whole, covers[k, 2], 0
                n += 1
    _sort(events, n)
    place, places = now[PLACE], now[PLACES]
    start, starts = 0, 1
    first = 0
    while first < n:
        stop, stops = events[first, 0], events[first, 1]
        if now[MODE] != TOLL and now[ON_LEFT] == ALL and now[ON_RIGHT] == ALL:
            return
        last = first
        bits = 0
        while last < n and not is_less(stop, stops, events[last, 0], events[last, 1]):
            bits |= traits[events[last, 2], BITS]
            last += 1
        if now[ON_LEFT] != now[ON_RIGHT]:
            part(traits, covers, now[N_COVERS], whole, start, starts, stop, stops, now, arms)
        count = _arms_on_the_way(walls, events, first, last, covers, now[N_COVERS], whole, dx, dy, arms)
        if now[IS_LINE]:
            now[PLACE], now[PLACES] = stop, stops
            if bits & SPECIAL:
                set_squares(now, BEHIND, -1)
                set_squares(now, AHEAD, 1)
        turn(traits, arms, count, -dx, -dy, dx, dy, now)
        now[PLACE], now[PLACES] = place, places
        start, starts, first = stop, stops, last
    if now[ON_LEFT] != now[ON_RIGHT]:
        part(traits, covers, now[N_COVERS], whole, start, starts, 1, 1, now, arms)


@inner_kernel
def _chained(traits: Array, covers: Array, n: int, w: int, way: int) -> int:
    """Return how far walls reach along a leg that continue each other and stop the same as wall ``w``, which runs ``way``."""
    reached, k = 0, 0
    while k < n:
        other = covers[k, 2]
        turned = FROM_LEFT | FROM_RIGHT if covers[k, 3] != way and traits[w, BITS] & (FROM_LEFT | FROM_RIGHT) else 0
        is_equal = traits[other, BITS] & STOPPING ^ turned == traits[w, BITS] & STOPPING
        if is_equal and covers[k, 0] <= reached < covers[k, 1]:
            reached, k = covers[k, 1], 0
        else:
            k += 1
    return reached


@inner_kernel
def follow_leg(
    walls: Array,
    traits: Array,
    bins: Array,
    square: int,
    corner: int,
    is_outward: bool,
    events: Array,
    covers: Array,
    now: Array,
    arms: Array,
) -> None:
    """Follow the leg between a square's centre and a corner of it; walls through the centre are left out, with what continues them."""
    size, cols = now[TERMS + SIZE], now[TERMS + COLS]
    ux, uy = 2 * (corner & 1) - 1, 2 * (corner >> 1) - 1
    cx, cy = (2 * (square % cols) + 1) * size, (2 * (square // cols) + 1) * size
    now[N_EVENTS] = now[N_COVERS] = 0
    for k in range(bins[square], bins[square + 1]):
        if traits[bins[k], SHOWS]:
            meet(walls, bins[k], cx, cy, ux, uy, size, events, covers, now)
    whole = 2 * size
    n = 0
    for k in range(now[N_COVERS]):
        if covers[k, 1] > _chained(traits, covers, now[N_COVERS], covers[k, 2], covers[k, 3]):
            covers[k, 4] = 1
        else:
            covers[k, 4] = 0
    for k in range(now[N_COVERS]):
        if covers[k, 4]:
            for c in range(4):
                covers[n, c] = covers[k, c]
            n += 1
    now[N_COVERS] = n
    sign = 1
    if not is_outward:
        sign = -1
        for k in range(now[N_EVENTS]):
            events[k, 0] = events[k, 1] - events[k, 0]
        for k in range(n):
            covers[k, 0], covers[k, 1], covers[k, 3] = whole - covers[k, 1], whole - covers[k, 0], -covers[k, 3]
    now[PLACE], now[PLACES] = (0 if is_outward else 1), 1
    set_square(now, BEHIND, square)
    set_square(now, AHEAD, square)
    now[IS_LINE] = 0
    follow_met(walls, traits, events, covers, sign * ux, sign * uy, size, now, arms)


@inner_kernel
def _arms_at(walls: Array, traits: Array, bins: Array, square: int, corner: int, now: Array, arms: Array) -> int:
    """Put the arms that leave a corner of a square into ``arms``, of walls that hide something; return how many."""
    n = 0
    x, y = (
        (square % now[TERMS + COLS] + (corner & 1)) * now[TERMS + SIZE],
        (square // now[TERMS + COLS] + (corner >> 1)) * now[TERMS + SIZE],
    )
    for k in range(bins[square], bins[square + 1]):
        w = bins[k]
        if not traits[w, SHOWS]:
            continue
        x0, y0, x1, y1 = walls[w, 0] - x, walls[w, 1] - y, walls[w, 2] - x, walls[w, 3] - y
        if x0 * y1 - y0 * x1 != 0 or x0 * x1 + y0 * y1 > 0:
            continue
        if x1 != 0 or y1 != 0:
            arms[n, W], arms[n, AX], arms[n, AY], arms[n, SIGN] = w, x1, y1, 1
            n += 1
        if x0 != 0 or y0 != 0:
            arms[n, W], arms[n, AX], arms[n, AY], arms[n, SIGN] = w, x0, y0, -1
            n += 1
    return n


@inner_kernel
def pass_corners(
    walls: Array,
    traits: Array,
    bins: Array,
    first: int,
    ca: int,
    second: int,
    cb: int,
    events: Array,
    covers: Array,
    now: Array,
    arms: Array,
) -> None:
    """Follow the path from the corner P, reached along its leg, over the line, round Q."""
    size, cols = now[TERMS + SIZE], now[TERMS + COLS]
    x, y = first % cols + (ca & 1), first // cols + (ca >> 1)
    dx, dy = second % cols + (cb & 1) - x, second // cols + (cb >> 1) - y
    ux, uy, vx, vy = 1 - 2 * (ca & 1), 1 - 2 * (ca >> 1), 1 - 2 * (cb & 1), 1 - 2 * (cb >> 1)
    set_square(now, BEHIND, first)
    set_square(now, AHEAD, second)
    n = _arms_at(walls, traits, bins, first, ca, now, arms)
    if dx == 0 and dy == 0:
        now[PLACE], now[PLACES] = 0, 0
        turn(traits, arms, n, ux, uy, vx, vy, now)
        return
    now[PLACE], now[PLACES] = 0, 1
    now[IS_LINE], now[START], now[START + 1], now[START + 2], now[START + 3] = 1, x, y, dx, dy
    set_squares(now, AHEAD, 1)
    turn(traits, arms, n, ux, uy, dx, dy, now)
    follow_met(walls, traits, events, covers, dx, dy, 2 * size, now, arms)
    now[PLACE], now[PLACES] = 1, 1
    set_squares(now, BEHIND, -1)
    set_square(now, AHEAD, second)
    n = _arms_at(walls, traits, bins, second, cb, now, arms)
    turn(traits, arms, n, -dx, -dy, vx, vy, now)


@inner_kernel
def squares_on(first: int, ca: int, second: int, cb: int, rows: int, cols: int, squares: Array) -> int:
    """Put the squares that a line passes, or on one side of it if it is on a grid line, into ``squares``; return how many."""
    x, y = first % cols + (ca & 1), first // cols + (ca >> 1)
    dx, dy = second % cols + (cb & 1) - x, second // cols + (cb >> 1) - y
    sx, sy = int64(dx > 0) - int64(dx < 0), int64(dy > 0) - int64(dy < 0)
    column = x - 1 if sx < 0 else min(x, cols - 1)
    row = y - 1 if sy < 0 else min(y, rows - 1)
    n = 0
    if dx == 0 or dy == 0:
        for k in range(abs(dx + dy)):
            squares[n] = (row + k * sy) * cols + column + k * sx
            n += 1
        return n
    a, b = abs(dx), abs(dy)
    u, v = 0, 0
    while u < a and v < b:
        squares[n] = (row + sy * v) * cols + column + sx * u
        n += 1
        error = (u + 1) * b - (v + 1) * a
        u, v = u + (error <= 0), v + (error >= 0)
    return n
