"""Random facts as the kernels would report them, without a map behind them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from gridlos.facts import Hidden, Kinds, PairFacts, Traits
from gridlos.rules import Judgement, edition_ids, load_edition

SIZES = [(1, 1), (1, 1), (2, 2), (3, 1)]
BY_PAIR = {
    "distinct", "distance", "adjacent", "line_of_effect", "line_of_sight", "any_free",
    "relation", "in_reach", "threatens", "flanked", "light", "darkvision", "engaged",
}  # fmt: skip
BITS = np.array([1, 2, 4, 8])
WORDS = ["none", "light", "partial", "standard", "improved", "total", "1/4", "1/2", "3/4", "9/10", "1"]


CONDITIONS = sorted({word for name in edition_ids() for word in load_edition(name).table.conditions} | {"enraged"})
"""The conditions of all editions, so that each meets foreign ones, and one that none knows."""

WEAPONS = [None, "crossbow", "shuriken", "longbow", "javelin", "rapier"]
PARTS = [Fraction(part) for part in ("0", "1/8", "1/4", "3/8", "2/5", "1/2", "5/8", "3/4", "33/40", "17/20", "1")]
FEET = [0, 0, 1, 999, 1000, 4999, 5000, 5001, 10_000, -1000]


def nibbles(random: np.random.Generator, shape: tuple[int, ...], chance: float) -> np.ndarray:
    return np.where(random.random((*shape, 4)) < chance, BITS, 0).sum(-1).astype(np.uint8)


def random_facts(
    seed: int,
    n_attackers: int,
    n_targets: int,
    *,
    big: bool = False,
    density: float = 0.3,
    full: bool = True,
    heights: bool = False,
) -> PairFacts:
    """Return random facts; ``big``: some creatures of several squares; ``heights``: with walls that hide a part or have words.

    ``full``: with creatures, concealment, reach and flanking. As many attackers as targets are the same creatures.
    """
    random = np.random.default_rng(seed)
    shape, one_another = (n_attackers, n_targets), n_attackers == n_targets
    sizes = [SIZES[k] if big else (1, 1) for k in random.integers(0, len(SIZES), n_attackers + n_targets)]
    first, second = sizes[:n_attackers], sizes[:n_attackers] if one_another else sizes[n_attackers:]
    start, squares, usable, counted = [0], [], [], []
    cut = 0.5 + random.random() / 2
    for wide, high in first:
        for width, height in second:
            at, to = random.integers(0, 6, 2), random.integers(0, 6, 2)
            own = [(at[0] + k % wide, at[1] + k // wide) for k in range(wide * high)]
            other = [(to[0] + k % width, to[1] + k // width) for k in range(width * height)]
            uncut = nibbles(random, (len(own),), cut).tolist(), nibbles(random, (len(other),), cut).tolist()
            squares += [(a, b) for a in own for b in other]
            usable += [nibble for nibble in uncut[0] for _ in other]
            counted += [nibble for _ in own for nibble in uncut[1]]
            start.append(len(squares))
    pairs = np.array(squares, np.int32).reshape(-1, 2, 2)
    can_use, counts, n = np.array(usable, np.uint8), np.array(counted, np.uint8), len(squares)
    hard = nibbles(random, (n, 4), density) | (~counts[:, None] & 15)
    hard[(can_use[:, None] >> np.arange(4) & 1) == 0] = 15
    distinct = ~np.eye(n_attackers, dtype=np.bool_) if one_another else np.ones(shape, np.bool_)
    flags = [random.random(shape) < chance for chance in (0.4, 0.8, 0.8, 0.8)]
    facts = PairFacts(
        distinct=distinct,
        distance=random.integers(0, 20, shape).astype(np.int32),
        adjacent=flags[0],
        line_of_effect=flags[1],
        line_of_sight=flags[2],
        any_free=flags[3],
        choice_start=np.array(start, np.int64),
        attacker_square=pairs[:, 0],
        target_square=pairs[:, 1],
        hard=hard,
        usable=can_use,
        counted=counts,
    )
    facts = with_all(facts, random) if full else facts
    facts = with_traits(facts, np.random.default_rng([seed, 1])) if full else facts
    return with_heights(facts, random, density) if heights else facts


def random_traits(random: np.random.Generator, n: int) -> Traits:
    """Return random creatures."""
    conditions = [random.choice(CONDITIONS, random.integers(0, 6), replace=False).tolist() for _ in range(n)]
    knows = random.random(n) < 0.8
    return Traits(
        conditions=Kinds.of_each(frozenset(words) for words in conditions),
        weapons=Kinds.of_each(WEAPONS[k] for k in random.integers(0, len(WEAPONS), n)),
        dexterity=np.where(knows, random.integers(-6, 7, n), 0).astype(np.int16),
        knows_dexterity=knows,
        shield=random.integers(0, 4, n).astype(np.int16),
        size=np.clip(random.normal(0, 1.5, n).round(), -4, 4).astype(np.int16),
        feet=np.array(FEET, np.int64)[random.integers(0, len(FEET), n)],
        low_light=random.random(n) < 0.3,
    )


def with_traits(facts: PairFacts, random: np.random.Generator) -> PairFacts:
    """Return the facts with what the creatures are, their light, and who fights whom; sometimes nobody knows them."""
    n_attackers, n_targets = facts.shape
    attackers = random_traits(random, n_attackers)
    one_another = n_attackers == n_targets
    targets = attackers if one_another else random_traits(random, n_targets)
    dark = random.random() / 2
    facts = replace(
        facts,
        plain=facts.hard & nibbles(random, facts.hard.shape, 0.7) if random.random() < 0.5 else None,
        hidden_area=np.array(PARTS, object)[random.integers(0, len(PARTS), facts.hard.shape)],
        light=random.choice(3, facts.shape, p=[dark, dark, 1 - 2 * dark]).astype(np.uint8),
        darkvision=random.random(facts.shape) < 0.3,
        engaged=random.choice(6, facts.shape, p=[0.5, *[0.1] * 5]).astype(np.int8) - np.int8(1),
        crowded=random.random(n_attackers) < 0.4,
    )
    return facts if random.random() < 0.1 else replace(facts, attackers=attackers, targets=targets)


def with_heights(facts: PairFacts, random: np.random.Generator, density: float) -> PairFacts:
    """Return the facts with lines that are hidden in part, and with lines through walls with some words."""
    hard = (facts.hard[:, :, None] >> np.arange(4) & 1) == 1
    calm = 1 - density
    hidden = random.choice(7, hard.shape, p=[calm, *[(1 - calm) / 6] * 6]).astype(np.uint8)
    words = random.choice(WORDS, random.integers(0, 4), replace=False).tolist()
    return replace(
        facts,
        hidden=np.where(hard, np.uint8(Hidden.ALL), hidden),
        tagged=tuple((word, nibbles(random, facts.hard.shape, density / 4)) for word in words),
    )


def with_all(facts: PairFacts, random: np.random.Generator) -> PairFacts:
    """Return the facts with every optional one."""
    n, n_targets = len(facts.usable), facts.shape[1]
    calm = random.random() / 2
    inside = random.choice(6, (n, 4), p=[1 - calm, *[calm / 5] * 5]).astype(np.uint8)
    some = [random.random(facts.shape) < chance for chance in (0.5, 0.6, 0.5)]
    return replace(
        facts,
        along=facts.hard | nibbles(random, (n, 4), 0.4),
        soft=nibbles(random, (n, 4), random.random() / 2),
        concealed=inside,
        concealed_at_border=np.maximum(inside, random.integers(0, 3, (n, 4)).astype(np.uint8)),
        fog_depth=random.choice(4, (n, 4), p=[0.6, 0.2, 0.1, 0.1]).astype(np.uint8),
        target_concealed=random.integers(0, 6, n_targets).astype(np.uint8),
        target_in_fog=random.random(n_targets) < 0.4,
        relation=random.integers(0, 3, facts.shape).astype(np.uint8),
        in_reach=some[0],
        threatens=some[1],
        flanked=some[2],
    )


def part(facts: PairFacts, rows: list[int], columns: list[int]) -> PairFacts:
    """Return the facts of some attackers against some targets."""
    n_targets = facts.shape[1]
    pairs = [i * n_targets + j for i in rows for j in columns]
    choices = [np.arange(facts.choice_start[k], facts.choice_start[k + 1]) for k in pairs]
    chosen = np.concatenate(choices) if choices else np.arange(0)
    found: dict = {"choice_start": np.cumsum([0, *map(len, choices)]).astype(np.int64)}
    for name in PairFacts.__dataclass_fields__:
        array = getattr(facts, name)
        if name in found or name == "listed" or array is None:
            continue
        if name in BY_PAIR:
            found[name] = array[np.ix_(rows, columns)]
        elif name in ("target_concealed", "target_in_fog"):
            found[name] = array[columns]
        elif name == "crowded":
            found[name] = array[rows]
        elif name in ("attackers", "targets"):
            found[name] = array.of(np.array(rows if name == "attackers" else columns, np.int64))
        elif name == "tagged":
            found[name] = tuple((word, lines[chosen]) for word, lines in array)
        else:
            found[name] = array[chosen]
    return PairFacts(**found)


def with_centre(facts: PairFacts, random: np.random.Generator) -> PairFacts:
    """Return the facts with those of the one line between centres."""
    words = random.choice(WORDS, random.integers(0, 3), replace=False).tolist()
    return replace(
        facts,
        centre_hidden=random.choice(8, facts.shape).astype(np.uint8),
        centre_soft=random.choice(3, facts.shape, p=[0.6, 0.3, 0.1]).astype(np.uint8),
        centre_tagged=tuple((word, random.random(facts.shape) < 0.3) for word in words),
    )


def listed(facts: PairFacts, pairs: list[tuple[int, int]]) -> tuple[np.ndarray, PairFacts]:
    """Return the facts of some pairs as those of a list, and which of the choices they have."""
    rows, columns = (np.array([pair[k] for pair in pairs], np.int64) for k in (0, 1))
    places = (rows * facts.shape[1] + columns).tolist()
    choices = [np.arange(facts.choice_start[k], facts.choice_start[k + 1]) for k in places]
    chosen = np.concatenate(choices) if choices else np.arange(0)
    found: dict = {"choice_start": np.cumsum([0, *map(len, choices)]).astype(np.int64), "listed": True}
    for name in PairFacts.__dataclass_fields__:
        array = getattr(facts, name)
        if name in found or array is None:
            continue
        if name in (*BY_PAIR, "centre_hidden", "centre_soft"):
            found[name] = array[rows, columns][:, None]
        elif name in ("target_concealed", "target_in_fog"):
            found[name] = array[columns]
        elif name == "crowded":
            found[name] = array[rows]
        elif name in ("attackers", "targets"):
            found[name] = array.of(rows if name == "attackers" else columns)
        elif name == "centre_tagged":
            found[name] = tuple((word, met[rows, columns][:, None]) for word, met in array)
        elif name == "tagged":
            found[name] = tuple((word, lines[chosen]) for word, lines in array)
        else:
            found[name] = array[chosen]
    return chosen, PairFacts(**found)


def open_facts(n_attackers: int, n_targets: int) -> PairFacts:
    """Return facts of a map on which nothing is in the way."""
    facts = random_facts(0, n_attackers, n_targets, density=0.0, full=False)
    always, full = np.ones(facts.shape, np.bool_), np.full(len(facts.usable), 15, np.uint8)
    return replace(
        facts,
        adjacent=~always,
        line_of_effect=always.copy(),
        line_of_sight=always.copy(),
        any_free=always.copy(),
        hard=np.zeros_like(facts.hard),
        usable=full,
        counted=full.copy(),
    )


def hiding(codes: list[int] | list[list[int]]) -> PairFacts:
    """Return facts of one pair on an open map, but that walls hide so much on the lines to the four corners.

    ``codes`` are those from each of the four corners, or the same from all of them.
    """
    facts = open_facts(1, 1)
    hidden = np.broadcast_to(np.uint8(codes), (1, 4, 4)).copy()
    return replace(facts, hidden=hidden, hard=((hidden == Hidden.ALL) * BITS).sum(2).astype(np.uint8))


def concealing(facts: PairFacts, level: int, depth: int = 0) -> PairFacts:
    """Return the facts with squares of one level on all lines, and fog that deep."""
    n = len(facts.usable)
    return replace(
        facts,
        concealed=np.full((n, 4), level, np.uint8),
        concealed_at_border=np.full((n, 4), level, np.uint8),
        fog_depth=np.full((n, 4), depth, np.uint8),
        target_concealed=np.full(facts.shape[1], level, np.uint8),
        target_in_fog=np.full(facts.shape[1], depth > 0),
    )


def degrees_of(judgement: Judgement) -> list[list[str]]:
    return [[judgement.edition.degrees[code] for code in row] for row in judgement.cover]
