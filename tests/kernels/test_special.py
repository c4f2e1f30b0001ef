"""Lines among walls that hide or stop in part: the kernel says what the oracle says, compiled and as plain Python.

``HYPOTHESIS_PROFILE=thorough`` compares more than a hundred thousand lines.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import banded, support
from kernels.banded import Case
from kernels.views import sides_of
from oracle import Walls
from oracle_heights import Banded, Body, Heights
from oracle_walls import HARD, flipped_tolls
from strategies import seeded

from gridlos.kernels import special, special_cost
from gridlos.kernels.jit import interpreted
from gridlos.questions.hiding import EveryWall

CHUNKS = 10
CASES = {"reduced": 10, "default": 100, "thorough": 6500}[support.PROFILE]
few = settings(max_examples=max(3, settings().max_examples // 6))
slow_lines = interpreted(special.special_lines)


def seeds(n, chunk):
    return range(chunk, n, CHUNKS)


def tell(case):
    least = banded.smallest(case, banded.disagreement)
    return least, banded.disagreement(least)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_lines_as_the_oracle(chunk, counts):
    codes, tolls, tagged, cut = np.zeros(8, int), np.zeros(3, int), 0, 0
    for seed in seeds(CASES, chunk):
        case = banded.seeded(seed)
        right = banded.expected(case)
        assert not banded.differences(banded.answers(case), right), (seed, tell(case))
        codes += np.bincount(right[0], minlength=8)
        tolls += np.bincount(right[1], minlength=3)
        tagged += sum(bits.bit_count() for bits in right[2])
        cut += sum(4 - nibble.bit_count() for nibble in right[3])
    counts.add(special_lines_as_the_oracle=codes.sum(), of_them_hidden_in_part=codes[1:7].sum())
    counts.add(of_them_hidden_wholly=codes[7], of_them_through_one_limited_wall=tolls[1], of_them_stopped=tolls[2])
    counts.add(of_them_tagged_with_a_word=tagged, of_their_corners_cut_off=cut)


@few
@given(banded.cases(largest=6))
def test_drawn_lines(case):
    assert not banded.disagreement(case)


# ---- plain walls


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_plain_walls_as_special_ones(chunk, counts):
    """Walls without a band block the lines and cut off the corners that the kernel for plain walls says, in either role."""
    n = 0
    for seed in seeds(CASES * 2, chunk):
        it = seeded(seed, 1)
        if it.a[:2] == it.b[:2]:
            continue
        s = it.walls.subdivisions
        sides = {side for square in it.walls.solid for side in sides_of(*square)}
        loose = [tuple(s * v for v in edge) for edge in sorted(it.walls.edges | sides)]
        free = tuple(Banded((wall[:2], wall[2:])) for wall in it.walls.segments)
        every = free + tuple(Banded((wall[:2], wall[2:])) for wall in loose)
        bare = replace(it.walls, segments=(), edges=frozenset(), solid=frozenset())
        mask = support.masks(it.walls, [(it.a[:2], it.b[:2])])[0]
        for heights in (Heights(replace(it.walls, segments=()), free), Heights(bare, every)):
            case = Case(heights, Body(it.a, 0, 6), Body(it.b, 3, 5), it.a[:2], it.b[:2])
            codes, tolls, _, ends = banded.answers(case)
            lines = [mask >> bit & 1 for bit in range(16)]
            assert codes == [special_cost.ALL * line for line in lines], seed
            assert tolls == [special_cost.STOPPED * line for line in lines], seed
            for square, nibble in zip((it.a[:2], it.b[:2]), ends, strict=True):
                seen = [not support.is_cut_off(it.walls, square, corner) for corner in range(4)]
                assert [bool(nibble >> corner & 1) for corner in range(4)] == seen or all(lines), seed
            n += 16
    counts.add(lines_past_plain_walls_by_both_kernels=n)


# ---- numbers


def test_plain_python_says_the_same(counts):
    """On machine integers, and on Python's."""
    n = 0
    for seed in range(CASES // 4):
        for given_arrays in banded.arguments(banded.seeded(seed)):
            compiled = special.special_lines(*given_arrays.values())
            for kind in (np.asarray, lambda array: array.astype(object)):
                for one, other in zip(compiled, slow_lines(*map(kind, given_arrays.values())), strict=True):
                    assert one.dtype == other.dtype
                    assert np.array_equal(one, other), seed
            n += 16
    counts.add(special_lines_in_plain_Python=n)
    assert n > 0


@pytest.mark.parametrize(("finer", "higher"), [(2**30, 1), (1, 2**45), (10**15, 10**9), (2**70 + 1, 3**60)])
def test_numbers_beyond_machine_words(finer, higher):
    """A finer lattice and a smaller unit of height change no answer; the products of these fit into no machine word."""
    for seed in range(0, CASES // 4, 2):
        for given_arrays in banded.arguments(banded.seeded(seed)):
            expected = special.special_lines(*given_arrays.values())
            far = {name: array.astype(object) for name, array in given_arrays.items()}
            far["walls"] *= finer
            far["traits"][:, [special_cost.BOTTOM, special_cost.TOP]] *= higher
            far["bodies"][:, special_cost.FEET :] *= higher
            far["terms"][special_cost.SIZE] *= finer
            for one, other in zip(expected, slow_lines(*far.values()), strict=True):
                assert np.array_equal(one, other), seed


def test_what_does_not_fit_is_asked_in_plain_python(monkeypatch):
    """The questions choose; whatever they choose, the answers are the same."""
    for seed in range(CASES // 8):
        case = banded.seeded(seed)
        before = banded.answers(case)
        with monkeypatch.context() as patched:
            patched.setattr(EveryWall, "fits", property(lambda _: False))
            assert banded.answers(case) == before, seed


# ---- promises


@few
@given(banded.cases(), st.randoms(use_true_random=False))
def test_reversing_duplicating_reordering(case, rng):
    """A wall drawn from its other end has its sides changed; walls twice, in another order, or without length change nothing."""
    again = [
        replace(wall, wall=wall.wall[::-1], tolls=flipped_tolls(wall.tolls)) if rng.randrange(2) else wall
        for wall in case.heights.banded
        for _ in range(2)
    ]
    again += [replace(wall, wall=wall.wall[:1] * 2) for wall in again[:2]]
    rng.shuffle(again)
    other = replace(case, heights=replace(case.heights, banded=tuple(again)), fences=case.fences * 2)
    assert banded.answers(other) == banded.answers(case)


@few
@given(banded.cases(), st.randoms(use_true_random=False))
def test_splitting(case, rng):
    """Pieces that join or overlap are the wall, with what it is; where one runs along a line, its dearest place is asked for."""
    s, pieces = case.heights.base.subdivisions, []
    for wall in case.heights.banded:
        (x0, y0), (x1, y1) = ((12 * x, 12 * y) for x, y in wall.wall)
        first, last = sorted((rng.randrange(13), rng.randrange(13)))
        for low, high in ((0, last), (first, 12)):
            ends = tuple((x0 + k * (x1 - x0) // 12, y0 + k * (y1 - y0) // 12) for k in (low, high))
            pieces.append(replace(wall, wall=ends))
    base = case.heights.base
    plain = tuple(tuple(12 * v for v in wall) for wall in base.segments)
    base = replace(base, subdivisions=12 * s, segments=plain)
    whole = tuple(
        replace(wall, wall=tuple((12 * x, 12 * y) for x, y in wall.wall)) for wall in case.heights.banded
    )
    found = [
        banded.answers(replace(case, heights=Heights(base, walls), fences=())) for walls in (whole, tuple(pieces))
    ]
    assert found[0] == found[1]


@few
@given(banded.cases(), st.sampled_from([1, 2, 5]))
def test_higher_walls_hide_more(case, feet):
    """Raising the tops of hard walls takes no hidden part away, where no obstacle is ignored for being low."""
    case = replace(case, low=None, least=1)
    higher = tuple(
        wall if wall.top is None else replace(wall, top=wall.top + feet) for wall in case.heights.banded
    )
    before, after = (
        banded.answers(replace(case, heights=replace(case.heights, banded=walls)))
        for walls in (case.heights.banded, higher)
    )
    for part in (0, 1):
        assert all(old <= new for old, new in zip(before[part], after[part], strict=True))


def test_bands_on_one_wall_are_joined():
    """0–3 ft and 3–6 ft stop whoever is 6 ft high, as one wall of 6 ft does; 0–3 and 4–6 ft hide 5/6."""
    base = Walls(1, 4, 1)
    wall = ((2, 0), (2, 1))
    bodies = Body((0, 0, 1, 1), 0, 6), Body((3, 0, 1, 1), 0, 6)
    cases = {
        ((0, 3), (3, 6)): (special_cost.ALL, special_cost.STOPPED),
        ((0, 6),): (special_cost.ALL, special_cost.STOPPED),
        ((0, 3), (4, 6)): (6, 0),  # 33/40 < 5/6 < 1
        ((0, 3),): (3, 0),
        ((0, 1), (0, 1)): (0, 0),
    }
    for bands, right in cases.items():
        heights = Heights(base, tuple(Banded(wall, *band, tolls=HARD) for band in bands))
        codes, tolls, *_ = banded.answers(Case(heights, *bodies, (0, 0), (3, 0)))
        assert set(zip(codes, tolls, strict=True)) == {right}


def test_ignored_for_cover_but_in_the_way():
    """A low wall right before a wide attacker is nothing to him; where it hides all of a small target, it stops lines all the same."""
    wall = Banded(((2, 0), (2, 1)), 0, 3)
    heights = Heights(Walls(1, 4, 1), (wall,))
    case = Case(heights, Body((0, 0, 2, 1), 0, 6), Body((3, 0, 1, 1), 0, banded.HALF), (0, 0), (3, 0), (5, "1"))
    codes, tolls, *_ = banded.expected(case)
    assert set(codes) == {0}
    assert set(tolls) == {0, special_cost.STOPPED}
    assert not banded.disagreement(case)
