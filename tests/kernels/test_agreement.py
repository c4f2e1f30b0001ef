"""The kernels and the two judges say the same of many awkward maps.

The counts are told at the end of the run; ``HYPOTHESIS_PROFILE=thorough`` compares some hundred thousands.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count, product

import numpy as np
import oracle
import pytest
import tube
from hypothesis import given
from kernels import support
from kernels.support import all_lines, smallest
from oracle import squares_of
from strategies import seeded, seeded_slits, situations, slits

from gridlos.kernels import effect, intruded
from gridlos.kernels.single import contact_among

CHUNKS = 10
SCALE = {"reduced": 0.1, "default": 1, "thorough": 26}[support.PROFILE]
MAPS_FOR_LINES = int(250 * SCALE)
LINES_BY_POLYGONS = 16 if support.PROFILE == "thorough" else 1  # of the sixteen lines of each map
PAIRS = 20_400 if support.PROFILE == "thorough" else int(300 * SCALE)
PAIRS_BY_SAMPLES = int(40 * SCALE)


def seeds(n, chunk):
    return range(chunk, n, CHUNKS)


def situation(seed):
    """Mixed maps and slits, small and large spaces that share no square."""
    for again in count():
        kind, number = seed % 4, seed + again * 1_000_003
        if kind == 0:
            it = seeded(number)
        elif kind == 1:
            it = seeded(number, largest_space=6, largest=10, most_free=8)
        else:
            it = seeded_slits(number, 3 if kind == 2 else 6)
        if are_apart(it.a, it.b):
            return it
    raise AssertionError


def two_squares(seed):
    """Full maps, sparse maps, larger maps, and two squares."""
    largest, most_free = ((8, 12), (6, 3), (16, 6))[seed % 3]
    it = seeded(seed, 1, largest, most_free)
    if seed % 2:
        it = replace(it, walls=replace(it.walls, edges=frozenset(sorted(it.walls.edges)[:4])))
    return it


def are_apart(a, b):
    return not set(squares_of(a)) & set(squares_of(b))


def tell_lines(walls, a, b):
    """The smallest map on which kernel and oracle still disagree about these two squares."""
    least = smallest(walls, lambda w: support.disagreement_about_lines(w, a, b))
    return least, a, b, support.disagreement_about_lines(least, a, b)


def tell_effect(walls, a, b):
    least = smallest(walls, lambda w: support.disagreement_about_effect(w, a, b))
    return least, a, b, support.disagreement_about_effect(least, a, b)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_lines(chunk, counts):
    kinds = [0, 0, 0]
    for seed in seeds(MAPS_FOR_LINES, chunk):
        it = two_squares(seed)
        a, b = it.a[:2], it.b[:2]
        found = support.contacts(it.walls, all_lines(a, b))
        expected = [oracle.contact(it.walls, *one) for one in all_lines(a, b)]
        assert found == expected, (seed, tell_lines(it.walls, a, b))
        bits = sum((contact == oracle.BLOCKED) << k for k, contact in enumerate(expected))
        assert support.masks(it.walls, [(a, b)]) == [bits], (seed, it)
        for contact in found:
            kinds[contact] += 1
    counts.add(
        lines_as_the_oracle=sum(kinds), of_them_clear=kinds[0], of_them_touch=kinds[1], of_them_blocked=kinds[2]
    )
    assert SCALE < 1 or min(kinds) > 10


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_lines_as_thin_polygons(chunk, counts):
    said, abstained = 0, 0
    for seed in seeds(MAPS_FOR_LINES, chunk):
        it = two_squares(seed)
        rng = np.random.default_rng(seed)
        lines = all_lines(it.a[:2], it.b[:2])
        some = [lines[k] for k in rng.choice(16, LINES_BY_POLYGONS, replace=False)]
        for one, contact in zip(some, support.contacts(it.walls, some), strict=True):
            other = tube.contact(it.walls, *one)
            abstained += other is None
            said += other is not None
            assert other in (None, contact), (seed, it, one, contact, other)
    counts.add(lines_as_thin_polygons=said, lines_on_which_polygons_abstain=abstained)
    assert abstained <= 1 + said / 50


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_cut_off_corners(chunk, counts):
    cut = [0, 0]
    for seed in seeds(MAPS_FOR_LINES, chunk):
        it = seeded(seed, 3)
        for square, corner in product(squares_of(it.a) + squares_of(it.b), range(4)):
            expected = oracle.cut_off(it.walls, square, corner)
            assert support.is_cut_off(it.walls, square, corner) == expected, (seed, it.walls, square, corner)
            cut[expected] += 1
    counts.add(corners_as_the_oracle=sum(cut), of_them_cut_off=cut[1])
    assert SCALE < 1 or min(cut) > 5


def shifted(walls):
    """Without border in reach: free walls only, with room around."""
    s, room = walls.subdivisions, 2
    segments = tuple(tuple(v + room * s for v in wall) for wall in walls.segments if wall[:2] != wall[2:])
    return oracle.Walls(walls.rows + 2 * room, walls.cols + 2 * room, s, segments=segments)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_few_walls_alone(chunk, counts):
    """One line among the walls given, without a border."""
    n = 0
    for seed in seeds(MAPS_FOR_LINES // 2, chunk):
        it = seeded(3 * seed, 1, most_free=4)
        walls, (xa, ya), (xb, yb) = shifted(it.walls), it.a[:2], it.b[:2]
        free, cols = support.indexed(it.walls).free, it.walls.cols
        for _, ca, _, cb in all_lines(it.a, it.b):
            expected = oracle.contact(walls, (xa + 2, ya + 2), ca, (xb + 2, yb + 2), cb)
            ends = 4 * (ya * cols + xa) + ca, 4 * (yb * cols + xb) + cb
            found = contact_among(free, it.walls.rows, cols, it.walls.subdivisions, *ends)
            assert found == expected, (seed, it.walls.segments, it.a, ca, it.b, cb)
            n += 1
    counts.add(lines_among_a_few_walls=n)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_line_of_effect(chunk, counts):
    """The fast part may say yes where the oracle does, the full part says what the oracle says, big integers decide the rest."""
    n, fast, answers = 0, 0, [0, 0, 0]
    for seed in seeds(PAIRS, chunk):
        it = situation(seed)
        assert not support.disagreement_about_effect(it.walls, it.a, it.b), (seed, tell_effect(it.walls, it.a, it.b))
        n += 1
        fast += support.tilts(it.walls, it.a, it.b)
        answers[support.effects(it.walls, [(it.a, it.b)])[0]] += 1
    counts.add(pairs_as_the_oracle=n, of_them_free_by_the_fast_part=fast, of_them_no=answers[effect.NO])
    counts.add(of_them_yes=answers[effect.YES], of_them_left_to_big_integers=answers[effect.UNDECIDED])
    assert SCALE < 1 or min(answers) > 0


def test_big_integers_say_the_same(counts, monkeypatch):
    """Where numbers fit into machine words, and where they are taken not to."""
    n = 0
    for seed in range(max(10, PAIRS // 4)):
        it = situation(seed)
        if support.effects(it.walls, [(it.a, it.b)])[0] == effect.UNDECIDED:
            found = support.decides(it.walls, it.a, it.b)
            with monkeypatch.context() as patch:
                patch.setattr(intruded, "_LARGEST", 0)
                assert support.decides(it.walls, it.a, it.b) == found, (seed, it)
            n += 1
    counts.add(pairs_by_words_as_by_big_integers=n)
    assert n > 0


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_segment_where_there_is_no_line_of_effect(chunk, counts):
    """Samples find no segment between spaces that the kernels hold to be apart."""
    n = 0
    for seed in seeds(PAIRS_BY_SAMPLES, chunk):
        it = situation(7 * seed)
        if not support.line_of_effect(it.walls, it.a, it.b):
            found = tube.sampled_segment(it.walls, it.a, it.b, seed, 1000)
            assert found is None, (seed, it, found)
            n += 1
    counts.add(pairs_without_line_of_effect_as_samples=n)


@given(situations(largest_space=1))
def test_lines_of_drawn_maps(it):
    assert not support.disagreement_about_lines(it.walls, it.a[:2], it.b[:2])


@given(situations(largest_space=6, largest=8, most_free=8))
def test_line_of_effect_of_drawn_maps(it):
    if are_apart(it.a, it.b):
        assert not support.disagreement_about_effect(it.walls, it.a, it.b)


@given(slits(largest_space=4))
def test_line_of_effect_through_drawn_slits(it):
    if are_apart(it.a, it.b):
        assert not support.disagreement_about_effect(it.walls, it.a, it.b)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_grid_walls_alone(chunk):
    """Maps without free walls take a path of their own."""
    for seed in seeds(MAPS_FOR_LINES, chunk):
        it = two_squares(seed)
        walls = replace(it.walls, segments=())
        assert not support.disagreement_about_lines(walls, it.a[:2], it.b[:2]), (
            seed,
            tell_lines(walls, it.a[:2], it.b[:2]),
        )
