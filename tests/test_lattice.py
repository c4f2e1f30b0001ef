from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridlos.errors import SceneError
from gridlos.lattice import LATTICE_LIMIT, place_on_lattice, smallest_subdivisions


@pytest.mark.parametrize(
    ("literals", "units"),
    [
        ([], 1),
        (["3", "4.0"], 1),
        (["5.25", "1.5"], 4),
        (["0.1"], 10),
        (["0.1", "0.25"], 20),
        (["8.619140625"], 512),  # what Dungeondraft's 512ths are when written out
        (["0.000244140625"], 4096),
        (["0.0002"], 5000),
        (["0.0001220703125"], 5040),  # 1/8192
        (["0.001", "0.0625"], 2000),
        (["1.333333"], 5040),
        (["0.1", "0.000244140625"], 5040),  # 20480 would be needed
    ],
)
def test_smallest_lattice(literals, units):
    assert smallest_subdivisions(np.array([float(literal) for literal in literals])) == units


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(-(10**7), 10**7), st.integers(0, 5)), min_size=1, max_size=4))
def test_smallest_lattice_by_trial(numbers):
    exact = [Fraction(number, 10**digits) for number, digits in numbers]
    trial = next((units for units in range(1, 5041) if all((units * value).denominator == 1 for value in exact)), 5040)
    assert smallest_subdivisions(np.array([float(value) for value in exact])) == trial


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 5040), st.integers(-(2**23) + 1, 2**23 - 1))
def test_a_lattice_point_survives_as_double(units, number):
    placed = place_on_lattice(np.array([[number / units] * 4]), units)
    assert placed.units.tolist() == [[number] * 4]
    assert placed.n_moved == 0


def test_rounding_is_counted():
    placed = place_on_lattice(np.array([[0.0, 0.5, 0.26, 1.0], [0.0, 0.0, 0.3, 1.0]]), 4)
    assert placed.units.tolist() == [[0, 2, 1, 4], [0, 0, 1, 4]]
    assert placed.units.dtype == np.int32
    assert placed.n_moved == 2
    assert placed.largest_shift == pytest.approx(0.05)


@pytest.mark.parametrize("number", [2.0**23 / 4, -(2.0**23) / 4, 1e300, float("inf"), float("nan")])
def test_too_large_coordinates_are_refused_with_their_place(number):
    with pytest.raises(SceneError, match="too large") as caught:
        place_on_lattice(np.array([[0, 0, 1, 1], [0, 0, 1, number]]), 4)
    assert caught.value.place == "$.walls[1].to"
    assert str(LATTICE_LIMIT // 4) in caught.value.hint


def test_the_largest_coordinate():
    assert place_on_lattice(np.array([[0, 0, 1, 2.0**23 / 4 - 0.25]]), 4).units[0, 3] == 2**23 - 1
