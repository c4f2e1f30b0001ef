"""Cover on the line between centres: the facts of whole scenes against the oracle, the verdicts and their proofs.

``HYPOTHESIS_PROFILE=thorough`` compares some ten thousands of lines.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import jsonschema
import msgspec
import numpy as np
import oracle_centre as oracle
import oracle_heights
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels.support import PROFILE
from kernels.views import split
from questions.test_specials import TERMS, again, facts_of, turned, view, with_bands_told
from special_scenes import parts_of, seeded, special_scenes

import gridlos
from gridlos.errors import EditionError, QuestionError
from gridlos.facts import Contact, Hidden
from gridlos.questions import centre as questions
from gridlos.report import to_pairs_json
from gridlos.rules import Question, judge, load_edition
from gridlos.scene import Scene
from gridlos.verdict import ProofLine

CHUNKS = 4
SCENES = {"reduced": 8, "default": 120, "thorough": 3000}[PROFILE]
few = settings(max_examples=max(3, settings().max_examples // 3))


def centre_facts(scene, measures):
    return facts_of(scene, replace(measures, centre=True))


def by_the_oracle(found, a, t, low, least):
    """What walls hide on the line, and which words count."""
    ends = found.bodies[a], found.bodies[t]
    code = oracle_heights.code(oracle.hidden(found.effect, *ends, low))
    return code if code >= least else 0, {word for word in found.words if oracle.tagged(found.tags, *ends, word, least, low)}


def in_the_facts(facts, a, t):
    return int(facts.centre_hidden[a, t]), {word for word, met in facts.centre_tagged or () if met[a, t]}


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_lines_as_the_oracle(chunk, counts):
    n = in_part = tags = 0
    for seed in range(chunk, SCENES, CHUNKS):
        found = seeded(seed)
        measures, low, least = TERMS[seed // CHUNKS % len(TERMS)]
        facts = centre_facts(found.scene, measures)
        for a, t in product(range(len(found.bodies)), repeat=2):
            if a != t:
                expected = by_the_oracle(found, a, t, low, least)
                assert in_the_facts(facts, a, t) == expected, (seed, a, t, measures, parts_of(found))
                n, in_part, tags = n + 1, in_part + (0 < expected[0] < 7), tags + bool(expected[1])
    counts.add(lines_between_centres_past_special_walls=n, of_those_hidden_in_part=in_part, of_those_with_a_word=tags)
    assert PROFILE == "reduced" or (in_part > 0 and tags > 0)


@given(special_scenes(), st.sampled_from(TERMS))
def test_drawn_scenes(found, terms):
    measures, low, least = terms
    facts = centre_facts(found.scene, measures)
    for a, t in product(range(len(found.bodies)), repeat=2):
        if a != t:
            assert in_the_facts(facts, a, t) == by_the_oracle(found, a, t, low, least)


@few
@given(special_scenes(one_way=False))
def test_mutual(found):
    """But for an arrow slit, which is nothing to who stands next to it."""
    if any(letter == "s" for row in parts_of(found)[0] for letter in row) or "improved" in found.words:
        return
    facts = centre_facts(found.scene, TERMS[0][0])
    assert np.array_equal(facts.centre_hidden, facts.centre_hidden.T)
    assert all(np.array_equal(met, met.T) for _, met in facts.centre_tagged or ())


def same(one, other):
    assert np.array_equal(one.centre_hidden, other.centre_hidden)
    assert np.array_equal(one.centre_soft, other.centre_soft)
    words, others = (dict(facts.centre_tagged or ()) for facts in (one, other))
    for word in words.keys() | others.keys():
        none = np.zeros_like(one.distinct)
        assert np.array_equal(words.get(word, none), others.get(word, none)), word


@few
@given(special_scenes(), st.integers(1, 7), st.sampled_from([TERMS[0][0], TERMS[2][0]]))
def test_8_symmetries(found, number, measures):
    same(centre_facts(found.scene, measures), centre_facts(view(found, number).scene, measures))


@few
@given(special_scenes(), st.randoms(use_true_random=False))
def test_splitting_reversing_duplicating(found, rng):
    """Walls in pieces that join or overlap, from their other ends, twice, in another order, and without length."""
    walls = [(tuple(12 * v for v in ends), keys) for ends, keys in with_bands_told(found)]
    pieces = []
    for ends, keys in walls:
        parts = split(ends, (rng.randrange(13), rng.randrange(13)), 0)
        pieces += [(part, keys) for part in [*parts, ends][: rng.choice((2, 3, 4))]]
    pieces = [turned(piece) if rng.random() < 0.5 else piece for piece in pieces]
    rng.shuffle(pieces)
    measures = TERMS[rng.randrange(len(TERMS))][0]
    one, other = (centre_facts(again(found, each, finer=12).scene, measures) for each in (walls, pieces))
    same(one, other)


@few
@given(special_scenes(), special_scenes())
def test_one_more_wall_never_helps(found, other):
    """Whatever its band or its side, as long as it has no word: cover words of others may count less beside it."""
    _, walls, s, _ = parts_of(found)
    _, more, k, _ = parts_of(other)
    hard = ("wall", "low wall", "obstacle", "door", "window")
    more = [(tuple(s * v for v in ends), keys) for ends, keys in more if "cover" not in keys and keys["kind"] in hard]
    finer = [(tuple(k * v for v in ends), keys) for ends, keys in walls]
    before, after = (centre_facts(again(found, each, finer=k).scene, TERMS[0][0]).centre_hidden for each in (finer, finer + more))
    assert (after >= before).all()


def test_numbers_that_do_not_fit_are_asked_in_plain_python(monkeypatch):
    scenes = [seeded(seed).scene for seed in range(12)]
    fast = [centre_facts(scene, TERMS[0][0]) for scene in scenes]
    monkeypatch.setattr(questions.EveryWall, "fits", property(lambda self: False))
    for scene, facts in zip(scenes, fast, strict=True):
        same(centre_facts(scene, TERMS[0][0]), facts)


def test_nobody_asks_in_other_editions():
    facts = facts_of(seeded(1).scene)
    assert facts.centre_hidden is None
    assert facts.centre_soft is None
    with pytest.raises(QuestionError, match="centre"):
        judge(load_edition("pathfinder2"), facts, Question())
    corners = load_edition("pathfinder1")
    whole = centre_facts(seeded(1).scene, TERMS[2][0])
    assert np.array_equal(judge(corners, whole, Question()).cover, judge(corners, facts_of(seeded(1).scene, TERMS[2][0]), Question()).cover)


# ---- verdicts


def asked(drawing, *, attack="ranged", **how):
    return gridlos.evaluate(Scene.from_drawing(drawing, **how), edition="pathfinder2", attack=attack)


@pytest.mark.parametrize(
    ("drawing", "cover", "lines", "numbers"),
    [
        ("A....T", "none", 0, (0, 0, 0)),
        ("A.B..T", "lesser", 1, (1, 0, 0)),
        ("......\nA.BB.T\n..BB..\n......", "lesser", 1, (1, 0, 0)),
        ("..BBB.\nA.BBBT\n..BBB.\n......", "standard", 1, (2, 2, 2)),
        ("A.w..T", "standard", 1, (2, 2, 2)),
        ("A.wB.T", "standard", 1, (2, 2, 2)),
        ("A..s..T", "greater", 0, (4, 4, 4)),
        ("A.Bs..T", "greater", 1, (4, 4, 4)),
        ("A....\n.#...\n...T.", "standard", 1, (2, 2, 2)),  # line of effect passes beside the square
        ("A#.T", "total", 1, (0, 0, 0)),
    ],
)
@pytest.mark.parametrize("attack", ["ranged", "melee"])
def test_degrees(drawing, cover, lines, numbers, attack):
    verdict = asked(drawing, attack=attack)["A", "T"]
    assert (verdict.cover, verdict.blocked_lines) == (cover, lines)
    assert (verdict.defense_modifier, verdict.save_modifier, verdict.stealth_modifier) == numbers
    assert verdict.can_attack is (cover != "total")
    assert verdict.can_hide is (cover not in ("none", "lesser"))
    assert verdict.soft is ("B" in drawing)


def test_a_slit_is_greater_cover_for_who_stands_behind_it_only():
    """C44."""
    result = asked("As....T")
    assert (result["A", "T"].cover, result["T", "A"].cover) == ("none", "greater")


# ---- proofs


def proof(drawing, **how):
    return asked(drawing, **how)["A", "T"].proof


def test_proof_of_a_free_line():
    found = proof("A..T")
    assert (found.corner, found.is_centre, found.attacker_square, found.target_square) == ((0.5, 0.5), True, (0, 0), (3, 0))
    assert found.lines == (ProofLine((3.5, 0.5), Contact.CLEAR),)


def test_centres_on_the_grid_are_whole():
    found = proof("AA.TT\nAA.TT")
    assert found.corner == (1, 1)
    assert found.lines[0].to == (4, 1)
    assert all(isinstance(value, int) for value in (*found.corner, *found.lines[0].to))


@pytest.mark.parametrize(
    ("drawing", "walls", "contact", "by", "through"),
    [
        ("A....\n.#...\n...T.", [], Contact.BLOCKED, ("square (1, 1)",), ()),
        ("A.B.T", [], Contact.BLOCKED, ("creature B",), ()),
        ("A.w.BT", [], Contact.BLOCKED, ("low wall in square (2, 0)", "creature B"), ()),
        ("A..s..T", [], Contact.CLEAR, (), ("arrow slit in square (3, 0)",)),
        ("A...T", [("gate", (2, 0), (2, 1))], Contact.BLOCKED, ("wall gate",), ()),
        ("A...T", [("stub", (2, 0.5), (2, 1))], Contact.TOUCHES, ("wall stub",), ()),
        ("A...T", [("own", (0, 0), (1, 1))], Contact.TOUCHES, ("wall own",), ()),
        ("A...T", [("up", (2, 0.5), (2, 0)), ("down", (2, 0.5), (3, 1))], Contact.BLOCKED, ("wall up", "wall down"), ()),
        ("A...T", [("up", (2, 0.5), (2, 0)), ("gate", (3, 0), (3, 1))], Contact.BLOCKED, ("wall gate",), ()),
        (
            "A...T", [("own", (0, 0), (1, 1)), ("up", (2, 0.5), (2, 0)), ("down", (2, 0.5), (3, 1))],
            Contact.BLOCKED, ("wall up", "wall down"), (),
        ),
    ],
)  # fmt: skip
def test_proof_names_what_is_in_the_way(drawing, walls, contact, by, through):
    made = [gridlos.walls.Wall(start=start, end=end, kind="wall", id=name) for name, start, end in walls]
    (line,) = proof(drawing, walls=made).lines
    assert (line.contact, line.by, line.through) == (contact, by, through)


def test_modifiers_name_what_gives_the_cover():
    texts = {one.rule: one.text for one in asked("A.w.BT")["A", "T"].modifiers}
    assert texts == {
        "PF2-LESSER-COVER": "lesser cover: creature B",
        "PF2-STANDARD-COVER": "standard cover: low wall in square (2, 0)",
    }


def test_explanation():
    text = asked("A.B.T")["A", "T"].explain()
    assert "from the centre (0.5, 0.5) of the attacker's space" in text
    assert "to (4.5, 0.5)  blocked by creature B" in text
    assert "corner" not in text


def test_proof_as_json():
    """Halves of squares stand in the document, which keeps to its schema; corners stay whole, and say nothing of centres."""
    schema = json.loads(gridlos.report.schema.shipped_result_schema())
    for edition in ("pathfinder2", "pathfinder1"):
        scene = Scene.from_drawing("A.B.U\n.TT..\n.TT..")
        text = to_pairs_json(gridlos.evaluate(scene, edition=edition))
        pairs = msgspec.json.decode(text)
        jsonschema.validate(pairs, schema)
        found = next(pair["proof"] for pair in pairs if (pair["attacker"], pair["target"]) == ("A", "T"))
        if edition == "pathfinder2":
            assert found["corner"] == [0.5, 0.5]
            assert found["lines"] == [{"to": [2, 2], "contact": "clear"}]
            assert found["is_centre"] is True
        else:
            assert all(isinstance(value, int) for line in found["lines"] for value in line["to"])
            assert "is_centre" not in found


# ---- the table


def test_a_table_is_checked(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text('extends = "pathfinder2"\n[centre]\ncreature = "leser"\nlarger_creature = "standard"\n')
    with pytest.raises(EditionError, match=r"centre\.creature.*did you mean 'lesser'"):
        load_edition(house)
    house.write_text('extends = "pathfinder2"\n[centre]\ncreature = "standard"\nlarger_creature = "lesser"\n')
    with pytest.raises(EditionError, match="a larger creature never gives a milder degree"):
        load_edition(house)


def test_parts_of_a_body_may_have_a_limit(tmp_path):
    house = tmp_path / "house.toml"
    limits = '["none", "none", "lesser", "lesser", "standard", "standard"]'
    house.write_text(f'extends = "pathfinder2"\n[heights]\ncounts_from = "1/2"\nat_most = {limits}\n')
    edition = load_edition(house)
    facts = centre_facts(Scene.from_drawing("A....T\n......\n......"), replace(TERMS[0][0], least_hidden=int(Hidden.HALF)))
    found = {}
    for code in Hidden:
        told = replace(facts, centre_hidden=np.full_like(facts.centre_hidden, code))
        found[code] = edition.degrees[judge(edition, told, Question()).cover[0, 1]]
    assert list(found.values()) == ["none", "none", "none", "lesser", "lesser", "standard", "standard", "standard"]
