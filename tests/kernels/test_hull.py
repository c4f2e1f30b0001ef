"""Convex hulls of two spaces, and what meets them: against shapely."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from gridlos.kernels.hull import hulls_meeting


def matrix(spaces, *arguments):
    """Which two spaces are among the pairs, either way."""
    pairs = hulls_meeting(spaces, *arguments)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert np.array_equal(pairs, np.unique(pairs, axis=0))  # ascending, each once
    found = np.zeros((len(spaces), len(spaces)), np.bool_)
    found[pairs[:, 0], pairs[:, 1]] = found[pairs[:, 1], pairs[:, 0]] = True
    return found


def drawn(rng):
    """Spaces, a shape for the kernel and for shapely, and whether it is a rectangle."""
    n = 8
    sizes = rng.integers(1, 4, (n, 2)) if rng.integers(2) else np.full((n, 2), 1 + rng.integers(2))
    spaces = np.column_stack((rng.integers(0, 9, (n, 2)), sizes)).astype(np.int32)
    x, y, w, h = (int(number) for number in rng.integers(0, 9, 4))
    if rng.integers(2):
        w, h = 1 + w % 3, 1 + h % 3
        return spaces, (2 * x + w, 2 * y + h, w, 0, 0, h), shapely.box(x, y, x + w, y + h), True
    w, h = w % 4 - int(rng.integers(4)), h % 4 - int(rng.integers(4))
    found = shapely.LineString([(x, y), (x + w, y + h)]) if w or h else shapely.Point(x, y)
    return spaces, (2 * x + w, 2 * y + h, w, h, 0, 0), found, False


def hulls_of(spaces, i, j):
    x, y, w, h = spaces.T.astype(float)
    corners = np.stack([np.column_stack((x + a * w, y + b * h)) for a in (0, 1) for b in (0, 1)], axis=1)
    return shapely.convex_hull(shapely.multipoints(np.concatenate((corners[i], corners[j]), axis=1)))


@pytest.mark.parametrize("seed", range(4))
def test_hulls_that_meet_a_shape(seed):
    rng = np.random.default_rng(seed)
    for _ in range(100):
        spaces, shape, figure, is_rectangle = drawn(rng)
        closed, open_ = (matrix(spaces, np.array([shape], np.int64), 1, way) for way in (True, False))
        assert not (open_ & ~closed).any()
        i, j = np.triu_indices(len(spaces), 1)
        hulls, alike = hulls_of(spaces, i, j), (spaces[i, 2:] == spaces[j, 2:]).all(axis=1)
        meets = shapely.intersects(hulls, figure)
        assert not (meets & ~closed[i, j]).any()
        assert np.array_equal(meets[alike], closed[i, j][alike])
        if is_rectangle:
            inside = shapely.relate_pattern(hulls, figure, "T********")
            askew = alike & (spaces[i, :2] != spaces[j, :2]).all(axis=1)
            assert not (inside & ~open_[i, j]).any()
            assert np.array_equal(inside[askew], open_[i, j][askew])


def test_a_shape_beside_a_row():
    """A square that touches the side of a row of squares meets it; one that touches a corner of a slanting hull does not."""
    spaces = np.array([[0, 0, 1, 1], [4, 0, 1, 1], [4, 4, 1, 1]], np.int32)
    beside = np.array([[5, 3, 1, 0, 0, 1]], np.int64)  # the square (2, 1)
    assert matrix(spaces, beside, 1, False)[0].tolist() == [False, True, True]
    corner = np.array([[-1, 1, 1, 0, 0, 1]], np.int64)  # the square (-1, 0)
    assert matrix(spaces, corner, 1, False).any() == np.False_
    assert matrix(spaces, corner, 1, True)[0].tolist() == [False, True, True]


def test_several_shapes_and_a_finer_lattice():
    spaces = np.array([[0, 0, 1, 1], [4, 0, 1, 1], [0, 4, 1, 1]], np.int32)
    segments = np.array([[20, 0, 0, 20, 0, 0], [0, 50, 20, 0, 0, 0]], np.int64)  # x = 2, y = 5 halves of squares
    found = matrix(spaces, segments, 5, True)
    assert found[0].tolist() == [False, True, True]
    assert matrix(spaces, segments[:1], 5, True)[0].tolist() == [False, True, False]
    assert matrix(spaces, segments[:0], 5, True).any() == np.False_
