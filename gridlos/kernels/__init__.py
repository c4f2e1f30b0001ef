"""Jitted kernels: arrays in, facts out. They know numba and the facts, no rules and no grid objects.

How walls reach a kernel
------------------------
``arms (rows + 1, cols + 1) uint8``
    One byte a grid corner: ``NORTH, EAST, SOUTH, WEST`` say that the unit edge leaving the corner in that direction
    is a wall, a side of a solid square or the border of the map; ``FREE`` says that a free wall passes through or
    ends at the corner.
``walls (n, 4) int32``
    Free walls in lattice units, ``S`` of them a square.
``bins (rows * cols + 1 + …) int32``
    Which free walls touch which closed square: those of square ``k = row * cols + column`` are ``bins[bins[k] :
    bins[k + 1]]``.
``legs (rows, cols) uint16``
    What a square's centre sees of its corners, see :mod:`gridlos.kernels.index`.

*Left* of a direction ``d`` is the side of the vectors ``v`` with ``cross(d, v) < 0``: north, if one walks east (y
runs down).
"""
