"""Why one pair has its answer: the modifiers with their rules, and the notes."""

from __future__ import annotations

from gridlos.rules.judgement import Judgement
from gridlos.rules.kinds import When
from gridlos.rules.stacking import stacked
from gridlos.verdict import Modifier

__all__ = ["modifiers_of", "notes_of"]


UNKNOWN_DEXTERITY = "the target's Dexterity is not known and counts as +0"


def modifiers_of(judgement: Judgement, attacker: int, target: int) -> tuple[Modifier, ...]:
    """Return the modifiers of one pair, those that stacking dropped with ``kept`` False."""
    found = (application.at(attacker, target) for application in judgement.applications)
    return stacked((one for one in found if one is not None), judgement.edition.table.stacking)


def notes_of(judgement: Judgement, attacker: int, target: int) -> tuple[str, ...]:
    """Return the notes of one pair: what the edition leaves to the game master, then the game master's words.

    Of listed pairs ``attacker`` is the place in the list, ``target`` 0.
    """
    declared, listed = judgement.edition.table.notes.values(), judgement.facts.listed
    notes = [note.text for note in declared if _meets(judgement, note.when, attacker, target)]
    if judgement.loses_dexterity is not None and judgement.facts.targets is not None:
        unknown = not judgement.facts.targets.knows_dexterity[attacker if listed else target]
        notes += [UNKNOWN_DEXTERITY] if unknown and judgement.loses_dexterity[attacker, target] else []
    overrides = judgement.question.overrides
    words = [override.text() for override in overrides if override.covers(attacker, target, listed=listed)]
    return (*notes, *words)


def _meets(judgement: Judgement, when: When, attacker: int, target: int) -> bool:
    """Return whether the pair meets every key that is given."""
    pair, edition = (attacker, target), judgement.edition
    found = {
        "attack": judgement.question.attack,
        "adjacent": bool(judgement.facts.adjacent[pair]),
        "line_of_effect": bool(judgement.line_of_effect[pair]),
        "can_attack": bool(judgement.can_attack[pair]),
        "soft": bool(judgement.soft[pair]),
        "flanked": judgement.flanked is not None and bool(judgement.flanked[pair]),
        "can_hide": bool(judgement.can_hide[pair]),
    }
    circumstances = [judgement.circumstances.get(name) for name in when.circumstances or ()]
    in_circumstance = when.circumstances is None or any(one is not None and one[pair] for one in circumstances)
    in_degree = when.degrees is None or edition.degrees[judgement.cover[pair]] in when.degrees
    concealment = edition.concealments[judgement.concealment[pair]]
    in_concealment = when.concealments is None or concealment in when.concealments
    found_all = all(getattr(when, key) in (None, value) for key, value in found.items())
    return in_circumstance and in_degree and in_concealment and found_all
