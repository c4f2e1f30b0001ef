"""Spaces against lines, many at once: the numbers of several stand in one register, and plain loops where that cannot be.

Numbers have 32 bits, so that a map may have :data:`LARGEST` rows and columns. Each function says the same with lanes and
without; :data:`PLAIN` holds the latter for :func:`gridlos.kernels.lanes.without_lanes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from gridlos.kernels.jit import Array, inner_kernel, int64
from gridlos.kernels.lanes import LANES

__all__ = ["LARGEST", "N_SPACES", "OFF_MAP", "PLAIN", "hull_hits", "lowest_bit", "space_hits"]

LARGEST = 8_192
"""Rows and columns: products of twice as much and of differences stay below 2^31."""

OFF_MAP = -(1 << 14)
"""Twice the place of a space that meets no line on the map."""

N_SPACES = 8
"""Spaces that :func:`hull_hits` asks at once."""

_N_LINES = 16
_CORNERS = [[(bit >> place) & 1 for bit in range(_N_LINES)] for place in (2, 3, 0, 1)]
"""Of the lines by their bits ``4 i + j``: column and row of corner ``i``, column and row of corner ``j``."""

_INT = ir.IntType(32)
Values = tuple[Any, ...]


class _Code:
    """Writes the compiler's code for ``n`` numbers at once."""

    def __init__(self, builder: Any, n: int) -> None:  # noqa: ANN401
        self._builder, self._n = builder, n
        self._vector = ir.VectorType(_INT, n)

    def constant(self, numbers: list[int]) -> Any:  # noqa: ANN401
        return ir.Constant(self._vector, numbers)

    def all(self, number: Any) -> Any:  # noqa: ANN401
        """Return one number of 64 bits in all places."""
        undefined = ir.Constant(self._vector, ir.Undefined)
        first = self._builder.insert_element(undefined, self._builder.trunc(number, _INT), ir.Constant(_INT, 0))
        return self._builder.shuffle_vector(first, undefined, self.constant([0] * self._n))

    def load(self, data: Any, place: Any) -> Any:  # noqa: ANN401
        """Return what stands from a place of an array on."""
        pointer = self._builder.bitcast(self._builder.gep(data, [place]), self._vector.as_pointer())
        found = self._builder.load(pointer)
        found.align = 4
        return found

    def less(self, one: Any, other: Any) -> Any:  # noqa: ANN401
        return self._builder.icmp_signed("<", one, other)

    def least(self, one: Any, other: Any) -> Any:  # noqa: ANN401
        return self._builder.select(self.less(one, other), one, other)

    def most(self, one: Any, other: Any) -> Any:  # noqa: ANN401
        return self._builder.select(self.less(one, other), other, one)

    def size(self, one: Any) -> Any:  # noqa: ANN401
        """Return the absolute values."""
        return self.most(one, self._builder.neg(one))

    def word(self, *conditions: Any) -> Any:  # noqa: ANN401
        """Return 64 bits: where all conditions hold."""
        all_hold = conditions[0]
        for one in conditions[1:]:
            all_hold = self._builder.and_(all_hold, one)
        return self._builder.zext(self._builder.bitcast(all_hold, ir.IntType(self._n)), ir.IntType(64))


@intrinsic
def _hull_hits_in_lanes(
    _typing_context: Any,  # noqa: ANN401
    table: Any,  # noqa: ANN401
    _place: int,
    _xa: int,
    _ya: int,
    _dx: int,
    _dy: int,
) -> Any:  # noqa: ANN401
    def code(context: Any, builder: Any, sig: Any, args: Values) -> Any:  # noqa: ANN401
        c, b = _Code(builder, N_SPACES), builder
        array = context.make_array(sig.args[0])(context, b, args[0])
        n_columns = b.extract_value(array.shape, 1)
        starts = [b.add(b.mul(n_columns, ir.Constant(n_columns.type, row)), args[1]) for row in range(4)]
        x, y, width, height = (c.load(array.data, start) for start in starts)
        xa, ya, dx, dy = (c.all(number) for number in args[2:])
        one, n, m = c.constant([1] * N_SPACES), c.size(dx), c.size(dy)
        width, height = b.add(width, one), b.add(height, one)
        rx, ry = b.sub(x, b.add(b.add(xa, xa), one)), b.sub(y, b.add(b.add(ya, ya), one))
        side = c.size(b.sub(b.mul(dx, ry), b.mul(dy, rx)))
        return c.word(
            c.less(c.size(b.sub(rx, dx)), b.add(width, n)),
            c.less(c.size(b.sub(ry, dy)), b.add(height, m)),
            c.less(side, b.add(b.mul(n, height), b.mul(m, width))),
        )

    return types.int64(table, types.intp, *[types.int64] * 4), code


@inner_kernel
def _hull_hits(table: Array, place: int, xa: int, ya: int, dx: int, dy: int) -> int:
    n, m = abs(dx), abs(dy)
    found = 0
    for k in range(N_SPACES):
        width, height = int64(table[2, place + k]), int64(table[3, place + k])
        rx, ry = int64(table[0, place + k]) - (2 * xa + 1), int64(table[1, place + k]) - (2 * ya + 1)
        if abs(rx - dx) < width + n + 1 and abs(ry - dy) < height + m + 1:
            found |= (abs(dx * ry - dy * rx) < n * (height + 1) + m * (width + 1)) << k
    return found


@intrinsic
def _space_hits_in_lanes(
    _typing_context: Any,  # noqa: ANN401
    _dx: int,
    _dy: int,
    _left: int,
    _top: int,
    _right: int,
    _bottom: int,
) -> Any:  # noqa: ANN401
    def code(_context: Any, builder: Any, _sig: Any, args: Values) -> Any:  # noqa: ANN401
        c, b = _Code(builder, _N_LINES), builder
        dx, dy, left, top, right, bottom = (c.all(number) for number in args)
        ix, iy, jx, jy = (c.constant(numbers) for numbers in _CORNERS)
        px, py = b.add(dx, jx), b.add(dy, jy)
        low, high = c.most(left, c.least(ix, px)), c.least(right, c.most(ix, px))
        up, down = c.most(top, c.least(iy, py)), c.least(bottom, c.most(iy, py))
        ex, ey = b.sub(px, ix), b.sub(py, iy)
        along = b.mul(ex, b.sub(b.add(up, down), b.add(iy, iy)))
        across = b.mul(ey, b.sub(b.add(low, high), b.add(ix, ix)))
        limit = b.add(b.mul(c.size(ex), b.sub(down, up)), b.mul(c.size(ey), b.sub(high, low)))
        return c.word(c.less(c.size(b.sub(along, across)), limit))

    return types.int64(*[types.int64] * 6), code


@inner_kernel
def _space_hits(dx: int, dy: int, left: int, top: int, right: int, bottom: int) -> int:
    found = 0
    for line in range(_N_LINES):
        ix, iy, px, py = line >> 2 & 1, line >> 3, dx + (line & 1), dy + (line >> 1 & 1)
        low, high = max(left, min(ix, px)), min(right, max(ix, px))
        up, down = max(top, min(iy, py)), min(bottom, max(iy, py))
        ex, ey = px - ix, py - iy
        side = ex * (up + down - 2 * iy) - ey * (low + high - 2 * ix)
        found |= (abs(side) < abs(ex) * (down - up) + abs(ey) * (high - low)) << line
    return found


@intrinsic
def _lowest_bit_at_once(_typing_context: Any, _word: Any) -> Any:  # noqa: ANN401
    def code(_context: Any, builder: Any, _sig: Any, args: Values) -> Any:  # noqa: ANN401
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


@inner_kernel
def _lowest_bit(word: int) -> int:
    place = 0
    while word >> place & 1 == 0:
        place += 1
    return place


PLAIN: Mapping[str, Any] = MappingProxyType({
    "hull_hits": _hull_hits,
    "space_hits": _space_hits,
    "lowest_bit": _lowest_bit,
})  # fmt: skip

hull_hits: Any = _hull_hits_in_lanes if LANES > 1 else _hull_hits
"""``hull_hits(table, place, xa, ya, dx, dy)``: which of the spaces ``table[:, place : place + N_SPACES]`` have a point in the
inside of the hull of the square ``(xa, ya)`` and the one ``(dx, dy)`` away.

``table`` is int32; its first rows are twice the middle of each space, ``x`` and ``y``, then width and height.
"""

space_hits: Any = _space_hits_in_lanes if LANES > 1 else _space_hits
"""``space_hits(dx, dy, left, top, right, bottom)``: which of the 16 lines from the square ``(0, 0)`` to ``(dx, dy)``, those
along the grid left out, pass the inside of a space. Bit ``4 i + j`` is the line from corner ``i`` to corner ``j``.

A line is the diagonal of its box; it passes the inside of what of the space is in that box if this has corners on both
sides of it. Where nothing of it is in the box, the part has a size below 0, and the line, which stays in the box, does not
pass as near to its middle as that. The box of a line along the grid is empty.
"""

lowest_bit: Any = _lowest_bit_at_once if LANES > 1 else _lowest_bit
"""``lowest_bit(word)``: the number of the lowest bit of a word that is not 0."""
