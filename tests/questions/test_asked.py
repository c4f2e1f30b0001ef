"""What an edition asks for: facts that none of its rules looks at are not found, and no answer depends on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gridlos.bench import scenes
from gridlos.facts import Attack
from gridlos.questions.asked import Asked, do_creatures_count
from gridlos.rules import Question, edition_ids, judge, load_edition

SCENE = scenes.dungeon(10, 12, 16)


def asked_for(edition, attack, **changes):
    """The edition's judgement of everybody against everybody, with its facts."""
    asked = Asked.of(SCENE, edition, attack, None)
    everybody = np.arange(len(SCENE.creatures))
    facts = replace(asked, measures=replace(asked.measures, **changes)).facts(everybody, everybody)
    back = facts if asked.needs_back(facts, everybody, everybody) else None
    return facts, judge(edition, facts, Question(attack, None, ()), back=back)


@pytest.mark.parametrize("name", edition_ids())
@pytest.mark.parametrize("attack", list(Attack))
def test_creatures_count_where_they_are_looked_for(name, attack):
    """Where they are not, answers and corners are the same with and without them; where they are, some are not."""
    edition = load_edition(name)
    without, some = asked_for(edition, attack, creatures=False)
    facts, whole = asked_for(edition, attack, creatures=True)
    assert without.soft is None
    assert facts.soft is not None
    assert facts.soft.any()
    names = [column for column in whole.columns if not np.array_equal(whole.columns[column], some.columns[column])]
    are_equal = not names and np.array_equal(whole.choice, some.choice) and np.array_equal(whole.corner, some.corner)
    assert are_equal is not do_creatures_count(edition, attack), names
