"""The small keys of corners: classes of lines against plain counting, and ranks against sorting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridlos.rules.corners import N_CLASSES, class_of, class_parts, keys_of, lines_of, ranks_of, worst_keys

NIBBLES = range(16)


def plain_class(counted: int, hard: int, soft: int) -> tuple[int, int, int]:
    to = {c for c in range(4) if counted >> c & 1}
    walls, creatures = ({c for c in to if mask >> c & 1} for mask in (hard, soft))

    def number(blocked: set[int]) -> int:
        return 4 if blocked == to else len(blocked)

    return number(walls), number(creatures) if creatures else 0, number(walls | creatures)


@pytest.mark.parametrize("cut_corners", ["ignore", "count"])
def test_classes_are_counts(cut_corners):
    counted, hard, soft = (array.ravel().astype(np.uint8) for array in np.mgrid[:16, :16, :16])
    parts = np.stack(class_parts())
    found = parts[:, class_of(cut_corners, counted, hard, soft)].T.tolist()
    used = counted if cut_corners == "ignore" else np.full_like(counted, 15)
    expected = [plain_class(*one) for one in zip(used.tolist(), hard.tolist(), soft.tolist(), strict=True)]
    assert [tuple(one) for one in found] == expected
    assert np.array_equal(lines_of(cut_corners, counted, hard), [lines for lines, _, _ in expected])
    none = class_of(cut_corners, counted, hard, None)
    assert np.array_equal(none, class_of(cut_corners, counted, hard, np.zeros_like(soft)))


@settings(deadline=None)
@given(penalties=st.lists(st.integers(-20, 20) | st.just(10_000), min_size=N_CLASSES, max_size=N_CLASSES))
def test_ranks_sort_by_penalty_then_walls_then_creatures(penalties):
    walls, creatures, together = (part.tolist() for part in class_parts())
    ranks = ranks_of(np.array(penalties, np.int64)).tolist()
    order = [(penalties[k], walls[k], creatures[k], together[k]) for k in range(N_CLASSES)]
    for a in range(0, N_CLASSES, 7):
        for b in range(N_CLASSES):
            assert (ranks[a] < ranks[b]) == (order[a] < order[b])


def test_ranks_of_graded_classes_know_the_degree_by_its_penalty_and_last_by_itself():
    random = np.random.default_rng(3)
    by_degree = random.integers(0, 5, 8)  # 8 degrees, some of which cost the same
    walls, creatures, together = (np.tile(part, 8).tolist() for part in class_parts())
    penalties = by_degree.repeat(N_CLASSES)
    ranks = ranks_of(penalties).tolist()
    degrees = np.arange(8).repeat(N_CLASSES).tolist()
    order = list(zip(penalties.tolist(), walls, creatures, together, degrees, strict=True))
    place = {key: k for k, key in enumerate(sorted(set(order)))}
    assert ranks == [place[key] for key in order]


def test_keys_hold_the_rank_of_every_graded_class_of_sixty_degrees():
    penalties = np.arange(60).repeat(N_CLASSES)
    ranks = ranks_of(penalties)
    keys = keys_of(np.tile(ranks[:, None], 4), np.full(len(ranks), 15, np.uint8))
    assert int(ranks.max()) == 60 * N_CLASSES - 1
    assert np.array_equal(keys >> 2, np.tile(ranks[:, None], 4))


def test_the_worst_corner_of_graded_classes_has_the_largest_degree():
    graded = np.uint16([[3 * N_CLASSES, 104, 2 * N_CLASSES + 104, 3 * N_CLASSES + 26]])
    ranks = np.arange(4 * N_CLASSES, dtype=np.uint16)
    found = [worst_keys(graded, np.uint8([usable]), ranks).item() for usable in (15, 0b0111, 0b0110, 0b0010, 0)]
    assert [key & 3 for key in found] == [3, 0, 2, 1, 0]
    assert [key >> 2 for key in found[:-1]] == [3 * N_CLASSES + 26, 3 * N_CLASSES, 2 * N_CLASSES + 104, 104]


def test_a_corner_that_is_not_usable_comes_after_every_other():
    for usable in NIBBLES:
        keys = keys_of(np.full((1, 4), 124, np.uint16), np.uint8([usable]))[0]
        for corner in range(4):
            assert keys[corner] & 3 == corner
            assert bool(keys[corner] & 0x8000) is not bool(usable >> corner & 1)


def test_the_worst_corner_is_a_usable_one_with_the_most_lines():
    ranks = np.arange(N_CLASSES, dtype=np.uint16)
    random = np.random.default_rng(2)
    classes = random.choice([0, 6, 31, 50, 104], (64, 4)).astype(np.uint8)
    usable = random.integers(0, 16, 64).astype(np.uint8)
    for row, nibble, key in zip(
        classes.tolist(), usable.tolist(), worst_keys(classes, usable, ranks)[:, 0], strict=True
    ):
        corners = [c for c in range(4) if nibble >> c & 1]
        if corners:
            most = max(row[c] for c in corners)
            assert (key >> 2, key & 3) == (most, next(c for c in corners if row[c] == most))
        else:
            assert key == 0x8000
