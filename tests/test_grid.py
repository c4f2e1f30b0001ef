import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridlos.grid import Diagonals, adjacent, centres, corners, distance, squares_of

spaces = st.lists(
    st.tuples(st.integers(-8, 8), st.integers(-8, 8), st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=4
)


def walked(dx, dy, rule):
    """The cost of a shortest walk, step by step: diagonal while both are left."""
    dx, dy, cost, diagonals = abs(dx), abs(dy), 0, 0
    while dx or dy:
        if dx and dy:
            diagonals += 1
            cost += 2 if rule == "5-10-5" and diagonals % 2 == 0 else 1
        else:
            cost += 1
        dx, dy = max(dx - 1, 0), max(dy - 1, 0)
    return cost


def squares(space):
    x, y, width, height = space
    return [(column, row) for row in range(y, y + height) for column in range(x, x + width)]


@pytest.mark.parametrize(
    ("steps", "cost"),
    # Dungeon Master's Guide 3.5, Movement: first diagonal 1 square, second 2, third 1 …
    [
        ((1, 1), 1),
        ((2, 2), 3),
        ((3, 3), 4),
        ((4, 4), 6),
        ((5, 2), 6),
        ((2, 5), 6),
        ((7, 0), 7),
        ((0, 0), 0),
        ((-3, 2), 4),
    ],
)
def test_every_second_diagonal_counts_double(steps, cost):
    assert distance(np.array([[0, 0, 1, 1]]), np.array([[*steps, 1, 1]]))[0, 0] == cost


@settings(max_examples=60, deadline=None)
@given(spaces, spaces, st.sampled_from(["5-10-5", "1"]))
def test_distance_is_that_of_the_nearest_squares(first, second, rule):
    found = distance(np.array(first, np.int32), np.array(second, np.int32), rule)
    assert found.dtype == np.int32
    for i, j in itertools.product(range(len(first)), range(len(second))):
        pairs = itertools.product(squares(first[i]), squares(second[j]))
        assert found[i, j] == min(walked(b[0] - a[0], b[1] - a[1], rule) for a, b in pairs)


@settings(max_examples=60, deadline=None)
@given(spaces, spaces)
def test_adjacent_spaces_have_squares_that_touch(first, second):
    found = adjacent(np.array(first, np.int32), np.array(second, np.int32))
    assert found.dtype == np.bool_
    for i, j in itertools.product(range(len(first)), range(len(second))):
        pairs = itertools.product(squares(first[i]), squares(second[j]))
        assert found[i, j] == any(abs(b[0] - a[0]) <= 1 and abs(b[1] - a[1]) <= 1 for a, b in pairs)


@settings(max_examples=30, deadline=None)
@given(spaces, spaces, st.sampled_from(Diagonals))
def test_distance_is_mutual(first, second, rule):
    first, second = np.array(first, np.int32), np.array(second, np.int32)
    assert np.array_equal(distance(first, second, rule), distance(second, first, rule).T)


def test_unknown_rule():
    with pytest.raises(ValueError, match="5-5-5"):
        distance(np.array([[0, 0, 1, 1]]), np.array([[0, 0, 1, 1]]), "5-5-5")


def test_no_creatures():
    nobody = np.empty((0, 4), np.int32)
    assert distance(nobody, np.array([[0, 0, 1, 1]])).shape == (0, 1)
    assert adjacent(np.array([[0, 0, 1, 1]]), nobody).shape == (1, 0)


@settings(max_examples=20, deadline=None)
@given(spaces)
def test_squares_of_a_space_in_reading_order(found):
    for space in found:
        assert [tuple(square) for square in squares_of(np.array(space)).tolist()] == squares(space)
        assert squares_of(np.array(space)).dtype == np.int32


def test_corners_in_reading_order():
    assert corners(np.array([[2, 7], [-1, 0]])).tolist() == [
        [[2, 7], [3, 7], [2, 8], [3, 8]],
        [[-1, 0], [0, 0], [-1, 1], [0, 1]],
    ]


def test_centres_in_half_squares():
    assert centres(np.array([[0, 0, 3, 3], [2, 1, 1, 2]])).tolist() == [[3, 3], [5, 4]]
