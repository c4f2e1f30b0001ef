"""What it costs to pass a point that walls leave, or a stretch that walls cover.

Whoever passes a point on the left crosses at once all walls that leave it on the left; on the right likewise. Walls that run
along the path keep its two sides apart until somebody crosses them.
"""

from __future__ import annotations

from gridlos.kernels.jit import Array, inner_kernel
from gridlos.kernels.special_cost import (
    AHEAD,
    ALL,
    ALONE,
    AX,
    AY,
    BEHIND,
    BITS,
    IS_LINE,
    MEMBER,
    MODE,
    ON_LEFT,
    ON_RIGHT,
    PLACE,
    PLACES,
    SET,
    SIGN,
    SPECIAL,
    STOPPED,
    TOLL,
    W,
    cost_at,
    cost_here,
    cost_over,
    counts,
    is_ignored,
    is_less,
    set_squares,
)
from gridlos.kernels.walk import is_in_arc

LEFT_SET, RIGHT_SET, BACK_SET, FRONT_SET = 1, 2, 4, 8
"""Which way an arm lies of the path: to the left or right of it, on what comes, on what goes."""


@inner_kernel
def _is_same(ax: int, ay: int, bx: int, by: int) -> bool:
    return ax * by - ay * bx == 0 and ax * bx + ay * by > 0


@inner_kernel
def _round(traits: Array, arms: Array, n: int, sets: int, sweep: int, now: Array) -> int:
    """Return what it costs to cross the arms of those sets, going round the point with positive (``sweep`` 1) or negative turns."""
    side = 0 if sweep > 0 else 2
    count = 0
    for k in range(n):
        if (
            arms[k, SET] & sets
            and counts(traits, arms[k, W], arms[k, SIGN] * sweep > 0, now)
            and not (now[MODE] != TOLL and is_ignored(traits, arms[k, W], BEHIND + side, AHEAD + side, now))
        ):
            arms[count, MEMBER] = arms[k, W]
            count += 1
    return cost_here(traits, arms, count, now)


@inner_kernel
def _plus(now: Array, cost: int, more: int) -> int:
    return min(cost + more, STOPPED) if now[MODE] == TOLL else max(cost, more)


@inner_kernel
def turn(traits: Array, arms: Array, n: int, ux: int, uy: int, dx: int, dy: int, now: Array) -> None:
    """Pass the point that the ``arms[:n]`` leave: come from the direction ``u``, go on in the direction ``d``.

    Their ``SET`` is written here.
    """
    if n == 0:
        if _is_same(ux, uy, dx, dy):
            now[ON_LEFT], now[ON_RIGHT] = now[ON_RIGHT], now[ON_LEFT]
        return
    is_back = _is_same(ux, uy, dx, dy)
    sets = plain = 0
    for k in range(n):
        ax, ay = arms[k, AX], arms[k, AY]
        if _is_same(ax, ay, ux, uy):
            arms[k, SET] = BACK_SET
        elif _is_same(ax, ay, dx, dy):
            arms[k, SET] = FRONT_SET
        elif is_back or is_in_arc(ux, uy, ax, ay, dx, dy):
            arms[k, SET] = LEFT_SET
        else:
            arms[k, SET] = RIGHT_SET
        sets |= arms[k, SET]
        if not traits[arms[k, W], BITS] & SPECIAL:
            plain |= arms[k, SET]
    if now[MODE] >= 0 and now[ALONE]:
        plain = 0
    left, right = now[ON_LEFT], now[ON_RIGHT]
    aside = LEFT_SET if is_back else RIGHT_SET
    worst = STOPPED if now[MODE] == TOLL else ALL
    one = other = 0
    # What plain walls close costs the most; what costs the most already need not be asked.
    if plain & LEFT_SET or left == worst:
        one = worst
    elif sets & LEFT_SET:
        one = _round(traits, arms, n, LEFT_SET, 1, now)
    if plain & aside or right == worst:
        other = worst
    elif sets & aside:
        other = _round(traits, arms, n, aside, -1, now)
    to_left, to_right = _plus(now, left, one), _plus(now, right, other)
    if is_back:
        to_left, to_right = min(to_left, right), min(to_right, left)
    if now[MODE] == TOLL and sets & (BACK_SET | FRONT_SET):
        if is_back:
            to_left = min(to_left, left + _round(traits, arms, n, BACK_SET, -1, now))
            to_right = min(to_right, right + _round(traits, arms, n, BACK_SET, 1, now))
        else:
            to_left = min(
                to_left,
                right + _round(traits, arms, n, BACK_SET | LEFT_SET, 1, now),
                right + _round(traits, arms, n, RIGHT_SET | FRONT_SET, -1, now),
                left + _round(traits, arms, n, BACK_SET | RIGHT_SET | FRONT_SET, -1, now),
            )
            to_right = min(
                to_right,
                left + _round(traits, arms, n, BACK_SET | RIGHT_SET, -1, now),
                left + _round(traits, arms, n, LEFT_SET | FRONT_SET, 1, now),
                right + _round(traits, arms, n, BACK_SET | LEFT_SET | FRONT_SET, 1, now),
            )
    now[ON_LEFT], now[ON_RIGHT] = to_left, to_right


@inner_kernel
def _cost_along(
    traits: Array, covers: Array, n: int, whole: int, low: int, high: int, way: int, now: Array, arms: Array
) -> int:
    """Return the most that is hidden from ``low`` to ``high`` of a covered run, for who crosses from left (``way`` 0) to right or back."""
    place, places = now[PLACE], now[PLACES]
    if now[IS_LINE]:
        now[PLACE], now[PLACES] = low, whole
        set_squares(now, AHEAD, 1)
        now[PLACE] = high
        set_squares(now, BEHIND, -1)
    best = 0
    start = low
    while start < high:
        stop = high
        count = 0
        for k in range(n):
            for end in range(2):
                if start < covers[k, end] < stop:
                    stop = covers[k, end]
        for k in range(n):
            w = covers[k, 2]
            if (
                covers[k, 0] <= start < covers[k, 1]
                and counts(traits, w, (covers[k, 3] > 0) == (way == 0), now)
                and not is_ignored(traits, w, BEHIND + 2 * way, AHEAD + 2 - 2 * way, now)
            ):
                arms[count, MEMBER] = w
                count += 1
        if now[IS_LINE]:
            best = max(best, cost_over(traits, arms, count, start, whole, stop, whole, now))
        else:
            best = max(best, cost_at(traits, arms, count, place, places, now))
        start = stop
    now[PLACE], now[PLACES] = place, places
    return best


@inner_kernel
def _cost_across(
    traits: Array,
    covers: Array,
    n: int,
    whole: int,
    start: int,
    starts: int,
    stop: int,
    stops: int,
    way: int,
    now: Array,
    arms: Array,
) -> int:
    """Return what it costs to cross what covers a stretch, from left (``way`` 0) to right or back.

    Tolls: the least anywhere from ``start / starts`` to ``stop / stops``. Cover: the most anywhere on the covered run that the
    stretch is part of, so that it does not matter what else is met on it, or where walls are cut.
    """
    count = 0
    low, high = whole, 0
    for k in range(n):
        is_here = not is_less(start, starts, covers[k, 0], whole) and not is_less(covers[k, 1], whole, stop, stops)
        if is_here and counts(traits, covers[k, 2], (covers[k, 3] > 0) == (way == 0), now):
            arms[count, MEMBER] = covers[k, 2]
            low, high = min(low, covers[k, 0]), max(high, covers[k, 1])
            count += 1
    if count == 0:
        return 0
    if now[MODE] == TOLL:
        if now[IS_LINE]:
            return cost_over(traits, arms, count, start, starts, stop, stops, now)
        return cost_at(traits, arms, count, now[PLACE], now[PLACES], now)
    k = 0
    while k < n:
        reaches = covers[k, 0] <= high and covers[k, 1] >= low and (covers[k, 0] < low or covers[k, 1] > high)
        if reaches and counts(traits, covers[k, 2], (covers[k, 3] > 0) == (way == 0), now):
            low, high, k = min(low, covers[k, 0]), max(high, covers[k, 1]), 0
        else:
            k += 1
    return _cost_along(traits, covers, n, whole, low, high, way, now, arms)


@inner_kernel
def part(
    traits: Array,
    covers: Array,
    n: int,
    whole: int,
    start: int,
    starts: int,
    stop: int,
    stops: int,
    now: Array,
    arms: Array,
) -> None:
    """Go on from ``start / starts`` to ``stop / stops`` of a part of the path; covers that run along keep left and right apart."""
    left, right = now[ON_LEFT], now[ON_RIGHT]
    to_right = to_left = 0
    if n > 0:
        to_right = _cost_across(traits, covers, n, whole, start, starts, stop, stops, 0, now, arms)
        to_left = _cost_across(traits, covers, n, whole, start, starts, stop, stops, 1, now, arms)
    now[ON_LEFT] = min(left, _plus(now, right, to_left))
    now[ON_RIGHT] = min(right, _plus(now, left, to_right))
