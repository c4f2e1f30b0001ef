"""The tables of lines choose what the definition of keys chooses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridlos.rules.corners import ALL_BLOCKED, N_CLASSES, Choosing, class_of, class_parts, ranks_of
from gridlos.rules.plain import LineTables, chosen_plainly, packed_lines


def slow_choice(case: dict, ranks: tuple[np.ndarray, np.ndarray], pair: int) -> tuple[int, int]:
    """Return the choice and corner of a pair, read from the definition one corner after another."""
    entries = []
    for choice in range(case["start"][pair], case["start"][pair + 1]):
        classes = [case["class"](choice, corner) for corner in range(4)]
        usable = [corner for corner in range(4) if case["usable"][choice] >> corner & 1]
        if case["is_worst"][pair]:
            worst = max(usable, key=lambda corner, of=classes: (of[corner], -corner)) if usable else 0
            entries.append(((0, ranks[1][classes[worst]]) if usable else (1, 0), choice, worst))
        else:
            costs = [((0, ranks[0][classes[c]]) if c in usable else (1, 0), choice, c) for c in range(4)]
            entries.append(min(costs))
    return min(entries)[1:]


def random_case(seed: int, cut_corners: str, *, whole: bool, soft: bool) -> dict:
    random = np.random.default_rng(seed)
    start = np.concatenate(([0], np.cumsum(random.choice([1, 1, 1, 2, 4, 6], 30))))
    n = int(start[-1])
    some = random.integers(0, 16, (6, 4)).astype(np.uint8)  # few, so that many corners cost the same
    case = {
        "start": start,
        "hard": some[random.integers(0, 6, n)] & random.choice([0, 15, 15], (n, 1)).astype(np.uint8),
        "soft": some[random.integers(0, 6, n)] if soft else None,
        "usable": np.full(n, 15, np.uint8) if whole else random.choice([0, 5, 7, 15], n).astype(np.uint8),
        "counted": np.full(n, 15, np.uint8) if whole else random.choice([0, 3, 9, 15], n).astype(np.uint8),
        "is_worst": random.random(30) < 0.3,
    }

    def the_class(choice: int, corner: int) -> int:
        given = case["counted"][choice : choice + 1], case["hard"][choice : choice + 1, corner]
        return int(class_of(cut_corners, *given, None if not soft else case["soft"][choice : choice + 1, corner])[0])

    case["class"] = the_class
    return case


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    cut_corners=st.sampled_from(["ignore", "count"]),
    whole=st.booleans(),
    soft=st.booleans(),
    any_worst=st.booleans(),
)
def test_tables_choose_what_the_definition_does(seed, cut_corners, whole, soft, any_worst):
    random = np.random.default_rng([seed, 1])
    case = random_case(seed, cut_corners, whole=whole, soft=soft)
    case["is_worst"] &= any_worst
    ranks = tuple(ranks_of(random.integers(0, 4, N_CLASSES)) for _ in range(2))
    counts = np.diff(case["start"])
    rows = np.flatnonzero(np.repeat(case["is_worst"], counts)) if any_worst else None
    chosen, classes = chosen_plainly(
        Choosing(case["start"], case["usable"]),
        packed_lines(case["hard"], case["soft"]),
        case["counted"] if cut_corners == "ignore" else np.full_like(case["counted"], 15),
        tuple(LineTables.of(one, cut_corners) for one in ranks),
        rows,
    )
    for pair in range(len(counts)):
        at = int(chosen.index[pair]), int(chosen.corner[pair])
        assert at == slow_choice(case, ranks, pair), pair
        assert classes[pair] == (case["class"](*at) if case["usable"][at[0]] else ALL_BLOCKED)


@pytest.mark.parametrize("cut_corners", ["ignore", "count"])
def test_keys_of_tables_keep_the_order_of_ranks(cut_corners):
    walls, creatures, together = class_parts()
    ranks = ranks_of((7 * walls + 3 * creatures + 5 * together).astype(np.int64) % 11)
    tables = LineTables.of(ranks, cut_corners)
    index = np.arange(4096)
    order = ranks.take(tables.classes).astype(np.int64)
    assert (tables.keys & 3 == 0).all()
    assert (np.diff(tables.keys[np.argsort(order, kind="stable")].astype(np.int64)) >= 0).all()
    assert len(np.unique(tables.keys)) == len(np.unique(order))
    assert tables.keys.max() < 0xFC
    assert np.array_equal(tables.classes, class_of(cut_corners, *(np.uint8(index >> k & 15) for k in (8, 4, 0))))
