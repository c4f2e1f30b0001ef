"""Keys of pairs: their digits are what the facts and the judge's own tables say, and pairs of equal keys have equal answers."""

from __future__ import annotations

import boards
import numpy as np
import pytest

import gridlos
from gridlos.creature import Creature
from gridlos.facts import Attack
from gridlos.kernels import recall as kernels
from gridlos.questions.asked import Asked, edition_in_use
from gridlos.questions.board_answers import Answers, answers_of
from gridlos.questions.pairs import reaches_adjacent
from gridlos.questions.recall import Memory
from gridlos.rules import asks_defenses, kinds_of, load_edition, read_by
from gridlos.rules.cover import cover_of, line_tables

CHUNKS = 4
BOARDS = 120


class Known:
    """A scene with the keys of all of its pairs, told by a memory that may have seen others."""

    def __init__(self, scene, question, memories):
        self.table, _ = edition_in_use(question["edition"], scene.options, question["options"])
        self.attack = Attack(question["attack"])
        self.found = gridlos.evaluate(scene, **question)
        self.asked = Asked.of(scene, self.table, self.attack, None)
        self.read = read_by(self.table, self.attack)
        answers = Answers.of(self.found.columns)
        name = question["edition"], str(question["options"]), question["attack"]
        self.memory = memories.setdefault(name, Memory(self.asked, answers.kind))
        others = ~np.eye(len(scene.ids), dtype=np.bool_)
        self.listed, pairs = kernels.list_pairs(np.flatnonzero(others), others)
        told = self.memory.keys_of(self.asked, reaches_adjacent(scene), self.listed, pairs)
        self.is_told = told is not None
        if told is None:
            return
        self.keys, self.distances = told
        judgement = answers_of(self.asked, reaches_adjacent(scene), self.listed[:, :2])[1]
        self.asks_defenses = asks_defenses(judgement)[:, 0]
        self.whole = np.where(
            self.asks_defenses, self.memory.keys_with_defenses(self.keys, self.listed[:, 1]), self.keys
        )
        self.words = answers.words[self.listed[:, 0], self.listed[:, 1]].copy()
        self.words.view(answers.kind)["distance"] = 0


def known_board(seed, memories):
    rng = np.random.default_rng(seed)
    return Known(*boards.build_plain_board(lambda bound: int(rng.integers(bound))), memories)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_pairs_of_equal_keys_have_equal_answers(chunk, counts):
    memories, answers, defenses, n = {}, {}, {}, 0
    for seed in range(chunk, BOARDS, CHUNKS):
        one = known_board(seed, memories)
        if not one.is_told:
            continue
        feet = one.asked.scene.battle_map.feet_per_square
        assert np.array_equal(one.distances * feet, one.found.distance[one.listed[:, 0], one.listed[:, 1]])
        for key, asks in zip(one.keys.tolist(), one.asks_defenses.tolist(), strict=True):
            assert defenses.setdefault((id(one.memory), key), asks) == asks
        for key, words in zip(one.whole.tolist(), one.words, strict=True):
            assert answers.setdefault((id(one.memory), key), words.tobytes()) == words.tobytes()
        n += len(one.keys)
    counts["pairs by their keys"] += n
    assert n


@pytest.mark.parametrize("seed", range(0, BOARDS, 4))
def test_digits_are_facts(seed):
    one = known_board(seed, {})
    if not one.is_told:
        return
    everybody = np.arange(len(one.asked.scene.ids))
    facts = one.asked.facts(everybody, everybody)
    large = reaches_adjacent(one.asked.scene)
    attackers, targets = one.listed[:, 0], one.listed[:, 1]
    rest = one.keys.copy()

    def digit(bits):
        nonlocal rest
        found, rest = rest & (1 << bits) - 1, rest >> bits
        return found

    def at(values):
        return np.asarray(values)[attackers, targets]

    flanked = digit(1)
    assert np.array_equal(flanked, np.zeros_like(flanked) if facts.flanked is None else at(facts.flanked))
    kinds = digit(14), digit(14)
    traits = one.asked.traits
    as_attacker, as_target, _ = kinds_of(one.table, one.read, traits)
    for who, numbers, known in zip((targets, attackers), kinds, (as_target, as_attacker), strict=True):
        same = numbers[:, None] == numbers
        for k, row in zip(who.tolist(), same, strict=True):
            assert [known[k] == known[m] for m in who.tolist()] == row.tolist()
    crowded, engaged = digit(1), digit(2)
    assert np.array_equal(crowded, np.zeros_like(crowded) if facts.crowded is None else facts.crowded[attackers])
    steps = np.full(len(attackers), -1) if facts.engaged is None else at(facts.engaged)
    assert np.array_equal(engaged, np.select([steps < 0, steps < 2, steps == 2], [0, 1, 2], 3))
    lower, higher = digit(1), digit(1)
    rise = traits.feet[attackers] - traits.feet[targets]
    least = one.read.least_higher
    assert np.array_equal(higher, np.zeros_like(rise) if least is None else rise >= least)
    assert np.array_equal(lower, np.zeros_like(rise) if least is None else -rise >= least)
    threatens, in_reach, relation, adjacent, free = digit(1), digit(1), digit(2), digit(1), digit(1)
    for found, fact in ((threatens, facts.threatens), (in_reach, facts.in_reach), (relation, facts.relation)):
        assert np.array_equal(found, at(fact))
    assert np.array_equal(adjacent, at(facts.adjacent))
    assert np.array_equal(free, at(facts.any_free) & one.read.asks_free)
    sight, effect, worst, classes = digit(1), digit(1), digit(1), rest
    assert np.array_equal(sight, at(facts.line_of_sight))
    assert np.array_equal(effect, at(facts.line_of_effect))
    cover = cover_of(one.table, facts, one.attack, np.ones(facts.shape, np.bool_), large)
    assert np.array_equal(worst, at(cover.all_corners))
    assert np.array_equal(classes % 5, at(cover.lines))
    assert np.array_equal((classes // 5 % 5 > 0) & (one.table.table.soft_cover is not None), at(cover.by_creatures))
    assert set(classes.tolist()) <= {k for one in line_tables(one.table, one.attack) for k in one.classes.tolist()}


@pytest.mark.parametrize(
    ("edition", "options", "attack"),
    [
        ("pathfinder2", {}, "ranged"),
        ("hybrid35", {}, "ranged"),
        ("pathfinder1", {"partial": "area"}, "ranged"),
        ("pathfinder1", {}, "area"),
        ("starfinder1", {"edge_contact": "blocked_for_walls_only"}, "ranged"),
    ],
)
def test_what_keys_do_not_tell(edition, options, attack):
    assert read_by(load_edition(edition, options=options), Attack(attack)) is None


def test_what_has_occurred_is_not_judged_again(monkeypatch):
    board = gridlos.Board(gridlos.Scene.from_drawing("A...T\n.#...\n....."), edition="pathfinder1")
    there = board.move("A", (0, 2))
    back = board.move("A", (0, 0))
    monkeypatch.setattr("gridlos.questions.recall.answers_of", None)
    for at, before in (((0, 2), there), ((0, 0), back)):
        changed = board.move("A", at)
        assert changed.ids == before.ids
        for name, column in before.columns.items():
            assert np.array_equal(changed.columns[name], column)
    boards.assert_same(board.evaluation, gridlos.evaluate(board.scene, edition="pathfinder1"))


def test_dexterity_is_told_only_where_it_matters():
    more = {name: {"dexterity": k, "side": name, "weapon": name} for k, name in enumerate("ABCD")}
    scene = gridlos.Scene.from_drawing("A.B\n...\nC.D", creatures=more)
    board = gridlos.Board(scene, edition="pathfinder1")
    for name in "ABCD":
        x, y = board.scene.creature(name).at
        board.move(name, (x, y))
    n_keys = len(board._memory._keys)
    assert n_keys < 12
    board.set_condition("A", "stunned")
    assert set(board.evaluation.loses_dexterity[1:, 0].tolist()) == {True}
    board.set_condition("B", "stunned")
    boards.assert_same(board.evaluation, gridlos.evaluate(board.scene, edition="pathfinder1"))
    assert board.evaluation["D", "A"].net_modifier == board.evaluation["D", "B"].net_modifier - 1


def test_a_memory_begins_anew(monkeypatch):
    """Where there are more answers, or more kinds of creatures, than it keeps."""
    monkeypatch.setattr("gridlos.questions.recall._MOST", 3)
    monkeypatch.setattr("gridlos.questions.recall._MOST_KINDS", 7)
    board = gridlos.Board(gridlos.Scene.from_drawing("A...T\n.#...\n..B.."), edition="dnd35")
    for word in ("prone", "stunned", "blinded", "invisible", "prone"):
        for name, at in (("A", (0, 2)), ("B", (2, 0)), ("B", (2, 2)), ("A", (0, 0))):
            board.move(name, at)
            boards.assert_same(board.evaluation, gridlos.evaluate(board.scene, edition="dnd35"))
        board.set_condition("T", word)
    board.add(Creature(id="C", at=(4, 2)))
    boards.assert_same(board.evaluation, gridlos.evaluate(board.scene, edition="dnd35"))
