"""Soft cover, concealment, reach and flanking of whole creatures, in published situations; ids are those of the sources."""

from itertools import product
from random import Random

import numpy as np
import pytest

from gridlos import grid
from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.facts import Concealment, Relation
from gridlos.kernels import flank, fog, soft, soft_pairs
from gridlos.questions.concealment import concealing_lines, concealing_squares, target_concealment
from gridlos.questions.creatures import blocking_creatures, bodies_of, soft_lines
from gridlos.questions.flanking import flanked, reached, relations
from gridlos.questions.traits import able_creatures
from gridlos.rules import load_edition
from gridlos.walls import SquareKind

SIZES = {1: "medium", 2: "large", 3: "huge", 4: "gargantuan", 6: "colossal"}


def someone(name, x, y, size=1, **more):
    return Creature(id=name, at=(x, y), size=SIZES.get(size, size), **more)


def squares_of(creature):
    return [tuple(square) for square in grid.squares_of(np.array(creature.occupied)).tolist()]


def asked(creatures, cols, *pairs):
    """Pairs of indices with their choices, as the questions take them."""
    choices = [list(product(squares_of(creatures[a]), squares_of(creatures[b]))) for a, b in pairs]
    starts = np.cumsum([0, *map(len, choices)])
    squares = [[y * cols + x for x, y in choice] for some in choices for choice in some]
    return np.array(pairs, np.int64), starts.astype(np.int64), np.array(squares, np.int64)


def corner(square, number):
    return square[0] + (number & 1), square[1] + (number >> 1)


def fewest(lines):
    """The fewest blocked lines from a corner of the attacker, of all choices."""
    return min((int(bits) >> 4 * i & 15).bit_count() for bits in np.atleast_1d(lines) for i in range(4))


def soft_of(creatures, a=0, t=1, shape=(12, 12)):
    found = soft_lines(bodies_of(creatures), *asked(creatures, shape[1], (a, t)), shape)
    return found[0]


# ---- soft cover


@pytest.mark.parametrize(
    ("others", "target", "lines"),
    [
        pytest.param([(3, 0)], (4, 0), 2, id="16-in-a-row"),
        pytest.param([(2, 0), (3, 0)], (4, 0), 2, id="16-two-in-a-row"),
        pytest.param([(1, 0)], (1, 1), 0, id="5a-beside-a-diagonal"),
        pytest.param([(1, 0), (0, 1)], (1, 1), 0, id="5b-between-two-diagonal-ones"),
        pytest.param([(2, 1)], (3, 3), 0, id="5c-next-to-the-line"),
        pytest.param([(3, 1), (3, 2)], (4, 2), 4, id="64-two-together"),
    ],
)
def test_blocked_lines_of_the_best_corner(others, target, lines):
    creatures = [someone("A", 0, 0), someone("T", *target)]
    creatures += [someone(f"B{k}", *at) for k, at in enumerate(others)]
    assert fewest(soft_of(creatures)) == lines


def test_the_inner_grid_line_of_a_large_creature_is_inside_it():  # CASES 27
    creatures = [someone("A", 0, 0), someone("T", 6, 1), someone("B", 3, 0, 2)]
    from_lower_right_to_upper_left = 4 * 3 + 0  # (1, 1) to (6, 1)
    assert int(soft_of(creatures)[0]) >> from_lower_right_to_upper_left & 1
    apart = [*creatures[:2], *(someone(f"B{x}{y}", x, y) for x, y in ((3, 0), (4, 1)))]
    assert not int(soft_of(apart)[0]) >> from_lower_right_to_upper_left & 1


def test_two_creatures_that_share_a_side_block_the_line_between_them():
    creatures = [someone("A", 0, 0), someone("T", 6, 1), someone("B", 3, 0), someone("C", 3, 1)]
    assert int(soft_of(creatures)[0]) >> 12 & 1
    assert blocking_creatures(bodies_of(creatures), 0, 1, (1, 1), (6, 1)) == (2, 3)


@pytest.mark.parametrize(("gives_cover", "forth", "back"), [(("party",), 0, 2), (False, 0, 0), (True, 2, 2)])
def test_some_give_no_cover_against_some(gives_cover, forth, back):  # CASES 69
    creatures = [
        someone("A", 0, 0, side="party"),
        someone("T", 4, 0, side="raiders"),
        someone("B", 2, 0, side="party", gives_cover=gives_cover),
    ]
    found = soft_lines(bodies_of(creatures), *asked(creatures, 5, (0, 1)), (1, 5)) or (np.uint16(0),) * 2
    assert [fewest(lines) for lines in found] == [forth, back]


def test_the_dead_give_no_cover_by_default():  # CASES 67
    creatures = [someone("A", 0, 0), someone("T", 4, 0), someone("B", 2, 0, conditions=("dead",))]
    assert fewest(soft_of(creatures)) == 0
    giant = someone("B", 2, 0, conditions=("dead",), gives_cover=True)
    assert fewest(soft_of([*creatures[:2], giant])) == 2


def test_who_shares_a_square_or_carries_the_target_gives_no_cover():  # CASES 76, 77
    mount, rider, archer = someone("M", 3, 0, 2), someone("R", 4, 0, mount="M"), someone("A", 0, 0)
    assert fewest(soft_of([archer, rider, mount])) == 0
    beside = someone("R", 5, 0, mount="M")  # drawn next to what carries it
    assert fewest(soft_of([archer, beside, mount])) == 0
    assert fewest(soft_of([archer, someone("R", 5, 0), mount])) > 0
    tiny = someone("F", 4, 0, "tiny")
    assert fewest(soft_of([archer, someone("W", 4, 0), tiny])) == 0


def test_a_creature_is_not_in_its_own_way():  # CASES 26
    creatures = [someone("A", 0, 0, 3), someone("T", 8, 1, 3), someone("B", 5, 8)]
    assert not soft_of(creatures).any()


def test_no_soft_cover_without_a_third_creature():
    creatures = [someone("A", 0, 0), someone("T", 4, 0)]
    assert soft_lines(bodies_of(creatures), *asked(creatures, 5, (0, 1)), (1, 5)) is None


@pytest.mark.parametrize("cols", [9, 10_000])
def test_soft_cover_on_maps_of_all_sizes(cols):
    """The largest are walked."""
    creatures = [someone("A", 0, 0, side="party"), someone("T", cols - 1, 0, side="raiders"), someone("B", 4, 0, 2)]
    creatures.append(someone("C", 3, 0, side="party", gives_cover=("party",)))
    found = soft_lines(bodies_of(creatures), *asked(creatures, cols, (0, 1)), (2, cols))
    assert [[f"{bits:016b}" for bits in lines.tolist()] for lines in found] == [["1111111111001100"]] * 2  # all but those along y = 0
    alone = [*creatures[:2], creatures[3]]
    found = soft_lines(bodies_of(alone), *asked(alone, cols, (0, 1)), (2, cols))
    assert [bool(lines.any()) for lines in found] == [False, True]


@pytest.mark.parametrize("seed", range(4))
def test_the_proof_names_a_creature_exactly_where_a_line_is_blocked(seed):
    random = Random(seed)
    creatures = [someone(str(k), random.randrange(7), random.randrange(7), random.choice([1, 1, 2])) for k in range(12)]
    bodies = bodies_of(creatures)
    lines = soft_lines(bodies, *asked(creatures, 9, (0, 1)), (9, 9))[0]
    choices = product(squares_of(creatures[0]), squares_of(creatures[1]))
    for bits, (one, other) in zip(lines.tolist(), choices, strict=True):
        for i, j in product(range(4), range(4)):
            named = blocking_creatures(bodies, 0, 1, corner(one, i), corner(other, j))
            assert bool(named) == bool(bits >> 4 * i + j & 1)


# ---- concealment


def concealed(rows, a, t, legend=None):
    """What the squares conceal of creature ``t`` before ``a``, from each corner of each choice; and the target's own."""
    battle_map = BattleMap.from_rows(rows, legend=legend or {})
    creatures = [a, t]
    spaces = bodies_of(creatures).spaces
    question = asked(creatures, battle_map.cols, (0, 1))
    found = concealing_lines(battle_map, spaces, *question, counted=np.full(battle_map.squares.size, 15, np.uint8))
    return found, target_concealment(battle_map, spaces[1:])


def test_nothing_conceals_on_an_open_map():
    assert concealed(["....."], someone("A", 0, 0), someone("T", 4, 0))[0] is None


def test_out_of_the_edge_of_the_fog():  # C61
    found, _ = concealed(["ff...", "ff...", "ff..."], someone("A", 1, 1), someone("T", 4, 1))
    assert found.concealed[0, 0].min() == Concealment.NONE
    assert found.concealed_at_border[0, 0].min() == Concealment.CONCEALED
    assert found.fog_depth[0, 0].min() == 1  # the attacker's own square


@pytest.mark.parametrize(("a", "t"), [((1, 1), (5, 1)), ((5, 1), (1, 1)), ((1, 1), (9, 1))])
def test_into_out_of_and_through_fog(a, t):  # CASES 79
    rows = ["....fff...."] * 3
    found, _ = concealed(rows, someone("A", *a), someone("T", *t))
    assert found.fog_depth[0, 0].min() >= 2
    back, _ = concealed(rows, someone("T", *t), someone("A", *a))
    assert np.array_equal(found.concealed[:, 1], back.concealed[:, 0])
    assert np.array_equal(found.fog_depth[:, 1], back.fog_depth[:, 0])


def test_brush_conceals_but_is_no_fog():
    found, _ = concealed(["..bb.."], someone("A", 0, 0), someone("T", 5, 0))
    assert found.concealed[0, 0].tolist() == [Concealment.CONCEALED] * 4
    assert not found.fog_depth.any()


def test_the_best_hidden_square_counts():
    legend = {"g": SquareKind(kind="fog", concealment="1/4"), "t": SquareKind(concealment="total")}
    found, _ = concealed(["..gt.."], someone("A", 0, 0), someone("T", 5, 0), legend)
    assert found.concealed[0, 0].tolist() == [Concealment.TOTAL] * 4
    assert not found.fog_depth.any()  # light fog


def test_all_of_the_space_is_in_fog_or_not():  # CASES 80
    rows = ["...fff", "...fff"]
    assert [value.tolist() for value in concealed(rows, someone("A", 0, 0), someone("T", 2, 0, 2))[1]] == [[0], [False]]
    assert [value.tolist() for value in concealed(rows, someone("A", 0, 0), someone("T", 3, 0, 2))[1]] == [[2], [True]]


def test_the_proof_names_the_squares_of_which_a_corner_tells():
    random = Random(5)
    rows = ["".join(random.choice("..fb") for _ in range(7)) for _ in range(7)]
    battle_map = BattleMap.from_rows(rows)
    a, t = someone("A", 1, 2), someone("T", 5, 4)
    found, _ = concealed(rows, a, t)
    for i in range(4):
        passed = [concealing_squares(battle_map, corner((1, 2), i), corner((5, 4), j)) for j in range(4)]
        assert (found.concealed[0, 0, i] > 0) == any(square != (1, 2) for line in passed for square in line)
        deepest = max(
            len({(1, 2), (5, 4), *line} & set(zip(*np.nonzero(battle_map.fog)[::-1], strict=True))) for line in passed
        )
        assert found.fog_depth[0, 0, i] == deepest


# ---- sides, reach, threat


def all_reached(creatures, diagonals="5-10-5", effect=None, **keys):
    everybody = np.arange(len(creatures))
    effect = effect or (lambda pairs: np.ones(len(pairs), np.bool_))
    return reached(bodies_of(creatures), everybody, effect, diagonals, **keys)


def test_sides():  # CASES 41
    names = ("party", "raiders", "neutral", "party", "neutral")
    found = relations(bodies_of([someone(str(k), k, 0, side=side) for k, side in enumerate(names)]))
    assert found[0].tolist() == [Relation.ALLY, Relation.ENEMY, Relation.NEUTRAL, Relation.ALLY, Relation.NEUTRAL]
    assert found[2].tolist() == [Relation.NEUTRAL] * 5


@pytest.mark.parametrize(
    ("reach", "reach_min", "at", "diagonals", "expected"),
    [
        pytest.param(10, 0, (2, 2), "5-10-5", True, id="45-second-diagonal"),
        pytest.param(10, 5, (1, 1), "5-10-5", False, id="45-polearm-near"),
        pytest.param(10, 5, (2, 2), "5-10-5", True, id="45-polearm-far"),
        pytest.param(15, 0, (3, 3), "5-10-5", False, id="45-third-diagonal"),
        pytest.param(15, 0, (3, 2), "5-10-5", False, id="45-20-ft"),
        pytest.param(15, 0, (3, 1), "5-10-5", True, id="45-15-ft"),
        pytest.param(15, 0, (3, 3), "1", True, id="every-diagonal-one"),
        pytest.param(0, 0, (1, 0), "5-10-5", False, id="reach-0"),
    ],
)
def test_reach(reach, reach_min, at, diagonals, expected):
    creatures = [someone("A", 0, 0, reach=reach, reach_min=reach_min), someone("B", *at)]
    assert all_reached(creatures, diagonals, second_diagonal=True).reaches[0, 1] == expected


def test_the_second_diagonal_is_an_option():  # D40
    creatures = [someone("A", 0, 0, reach=10), someone("B", 2, 2)]
    assert not all_reached(creatures).reaches[0, 1]


def test_the_dead_zone_is_an_option():  # D41
    creatures = [someone("A", 0, 0, reach=10, reach_min=5), someone("B", 1, 0)]
    assert all_reached(creatures, dead_zone=False).reaches[0, 1]


@pytest.mark.parametrize(("size", "squares"), [("tiny", 0), ("small", 1), (1, 1), (2, 2), (3, 3), (4, 4), (6, 6)])  # A4
def test_natural_reach(size, squares):
    assert bodies_of([someone("A", 0, 0, size)], 5.0).reach.tolist() == [squares]
    assert bodies_of([someone("A", 0, 0, size)], 2.5).reach.tolist() == [squares]


def test_feet_are_turned_into_whole_squares_exactly():
    assert bodies_of([someone("A", 0, 0, reach=3.3, reach_min=1.2)], 1.1).reach.tolist() == [3]
    assert bodies_of([someone("A", 0, 0, reach=12, reach_min=4)], 5).reach_min.tolist() == [0]


def test_reach_to_and_from_a_rider_counts_from_the_mount():  # CASES 76
    creatures = [someone("R", 3, 0, mount="M"), someone("M", 3, 0, 2, reach=5), someone("E", 5, 1)]
    found = all_reached(creatures).reaches
    assert found[2, 0]
    assert found[0, 2]


def test_reach_has_height():  # CASES 43
    creatures = [someone("A", 1, 1), someone("T", 2, 1, elevation=10), someone("F", 2, 2, 2, elevation=5)]
    found = all_reached(creatures).reaches
    assert not found[0, 1]
    assert found[1, 2]
    assert found[0, 2]


def test_no_reach_without_line_of_effect():  # CASES 44
    creatures = [someone("A", 0, 0), someone("T", 1, 0), someone("far", 9, 9)]
    questions = []
    found = all_reached(creatures, effect=lambda pairs: questions.extend(pairs.tolist()) or pairs[:, 0] == 1)
    assert found.reaches.tolist() == [[False] * 3, [True, False, False], [False] * 3]
    assert questions == [[0, 1], [1, 0]]


@pytest.mark.parametrize("condition", ["dead", "unconscious", "stunned", "helpless", "paralyzed", "sleeping", "bound"])
@pytest.mark.parametrize("name", ["defense", "dnd30", "hybrid35", "starfinder1"])
def test_who_cannot_attack_threatens_nobody(name, condition):  # CASES 39
    creatures = [someone("A", 0, 0, conditions=(condition,)), someone("T", 1, 0)]
    able = able_creatures(load_edition(name), creatures)
    found = reached(bodies_of(creatures, is_able=able), np.arange(2), lambda pairs: np.ones(len(pairs), bool), "5-10-5")
    assert found.reaches[0, 1]
    assert not found.threatens[0, 1]
    assert found.threatens[1, 0]


def test_the_unarmed_threaten_by_option():  # D39
    creatures = [someone("A", 0, 0, armed=False), someone("T", 1, 0)]
    assert not all_reached(creatures).threatens[0, 1]
    assert all_reached(creatures, unarmed_threatens=True).threatens[0, 1]


# ---- flanking


def flanks(target, *others, reach=5, sides=("a", "a"), target_side="t", more=None, **rules):
    """Whether the first two others flank the target, each of them ``x, y, size``."""
    creatures = [someone("T", *target, side=target_side, reach=5, **(more or {}))]
    creatures += [
        someone(str(k), *place, side=side, reach=reach)
        for k, (place, side) in enumerate(zip(others, sides, strict=True))
    ]
    threat = all_reached(creatures, second_diagonal=True).threatens
    found = flanked(bodies_of(creatures), np.array([1]), np.array([0]), threat[:, :1], **rules)
    return bool(found[0, 0])


ROUND = {1: (0, 0), 2: (1, 0), 3: (2, 0), 4: (0, 1), 6: (2, 1), 7: (0, 2), 8: (1, 2), 9: (2, 2)}


@pytest.mark.parametrize(("one", "other"), list(product(ROUND, ROUND)))
def test_round_a_medium_target(one, other):  # C47
    assert flanks((1, 1), ROUND[one], ROUND[other]) == (one + other == 10)


LINE_RULE = {
    (1, 2): {(3, 2), (4, 1), (4, 2), (4, 3)},
    (0, 2): {(3, 2), (4, 2)},
    (1, 3): {(3, 1), (4, 0)},
    (0, 3): {(3, 2), (4, 1)},
}


@pytest.mark.parametrize("one", LINE_RULE)
def test_partners_round_a_target_within_10_ft(one):  # CASES 30
    places = [(x, y) for x, y in product(range(5), range(5)) if (x, y) != (2, 2)]
    assert {place for place in places if flanks((2, 2), one, place, reach=15)} == LINE_RULE[one]


@pytest.mark.parametrize(
    ("target", "one", "other", "reach", "rules", "expected"),
    [
        pytest.param((2, 1), (1, 1), (4, 0), 10, {}, True, id="C48-a-29"),
        pytest.param((2, 1), (1, 1), (4, 0), 10, {"corners": False}, False, id="D32"),
        pytest.param((2, 1), (1, 1), (4, 1), 10, {}, True, id="C48-b"),
        pytest.param((2, 1), (1, 1), (3, 0), 10, {}, False, id="29-never"),
        pytest.param((1, 1), (0, 0), (2, 2), 5, {"corners": False}, True, id="C47-corner-to-corner"),
        pytest.param((1, 1, 2), (2, 0), (0, 3), 5, {}, False, id="31a"),
        pytest.param((1, 1, 2), (3, 0), (0, 3), 5, {}, True, id="31b-C51"),
        pytest.param((1, 1, 2), (2, 0), (1, 3), 5, {}, True, id="31c"),
        pytest.param((1, 1, 2), (1, 0), (2, 3), 5, {"anchor": "centre"}, True, id="31d-C51"),
        pytest.param((1, 1, 2), (1, 0), (3, 3), 5, {"anchor": "centre"}, False, id="C51-no"),
        pytest.param((2, 2, 2), (3, 1), (2, 4), 5, {}, True, id="32"),
        pytest.param((5, 5), (4, 4), (5, 6), 5, {}, False, id="33-no"),
        pytest.param((5, 5), (4, 4), (6, 6), 5, {}, True, id="33-yes"),
        pytest.param((2, 1), (1, 1), (4, 1), 10, {"requires_adjacent": True}, False, id="35"),
        pytest.param((3, 0), (0, 0, 2), (5, 0, 2), 5, {}, False, id="38-reach-5"),
        pytest.param((3, 0), (0, 0, 2), (5, 0, 2), 10, {}, True, id="38-reach-10"),
        pytest.param((2, 2), (3, 0, 2), (1, 3, 2), 5, {}, True, id="C52-any-square"),
        pytest.param((2, 2), (3, 0, 2), (1, 3, 2), 5, {"anchor": "centre"}, False, id="C52-centre"),
        pytest.param((2, 0), (0, 0, 2), (3, 0, 2), 5, {}, True, id="C53"),
        pytest.param((2, 0), (0, 0, 2), (3, 0, 2), 5, {"anchor": "centre"}, True, id="C53-centre-on-the-border"),
        pytest.param((1, 1), (0, 1), (3, 1, 2), 10, {}, True, id="C55"),
        pytest.param((1, 1), (0, 1), (3, 1, 2), 5, {}, False, id="C55-without-reach"),
        pytest.param((1, 1), (0, 1), (2, 1), 0, {}, False, id="reach-0"),
    ],
)
def test_flanking(target, one, other, reach, rules, expected):
    assert flanks(target, one, other, reach=reach, **rules) == expected
    assert flanks(target, other, one, reach=reach, **rules) == expected


@pytest.mark.parametrize(
    ("sides", "target_side", "by_partner"),
    [
        pytest.param(("a", "a"), "t", (True, True, True), id="allies"),
        pytest.param(("a", "neutral"), "t", (False, False, True), id="a-neutral-partner"),
        pytest.param(("neutral", "a"), "t", (False, True, True), id="a-neutral-attacker"),
        pytest.param(("a", "a"), "neutral", (True, True, True), id="a-neutral-target"),
        pytest.param(("a", "b"), "t", (False, False, True), id="enemies-of-each-other"),
        pytest.param(("a", "t"), "t", (False, False, True), id="the-targets-ally"),
        pytest.param(("t", "a"), "t", (False, False, False), id="the-target-is-an-ally"),
    ],
)
def test_partners(sides, target_side, by_partner):  # CASES 41, D36
    found = tuple(
        flanks((1, 0), (0, 0), (2, 0), sides=sides, target_side=target_side, partner=partner)
        for partner in ("ally", "enemy_of_target", "any_threatener")
    )
    assert found == by_partner


def test_some_cannot_be_flanked():
    assert not flanks((1, 0), (0, 0), (2, 0), more={"can_be_flanked": False})


def test_three_round_a_target_who_do_not_flank():  # C56
    creatures = [someone("T", 1, 1, side="t")]
    creatures += [someone(name, *at, side="a") for name, at in (("a", (1, 0)), ("b", (0, 2)), ("c", (2, 2)))]
    threat = all_reached(creatures).threatens
    everybody = np.arange(4)
    assert not flanked(bodies_of(creatures), everybody, everybody, threat).any()


def test_a_scene_without_creatures():
    bodies = bodies_of([])
    nobody = np.empty(0, np.int64)
    assert relations(bodies).shape == (0, 0)
    found = reached(bodies, nobody, lambda pairs: np.ones(len(pairs), np.bool_), "1").threatens
    assert flanked(bodies, nobody, nobody, found).shape == (0, 0)


def test_each_kernel_is_compiled_once():
    test_who_shares_a_square_or_carries_the_target_gives_no_cover()
    test_out_of_the_edge_of_the_fog()
    test_three_round_a_target_who_do_not_flank()
    test_soft_cover_on_maps_of_all_sizes(10_000)
    kernels = (soft.soft_lines, soft_pairs.lines_past, soft.index_sharers, fog.concealed_lines, flank.flanked)
    assert [len(kernel.signatures) for kernel in kernels if hasattr(kernel, "signatures")] in ([1] * 5, [])
