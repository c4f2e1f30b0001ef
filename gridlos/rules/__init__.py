"""Facts and an edition's table in, verdicts out: degrees, concealment, modifiers that stack, notes. Knows no grid."""

from __future__ import annotations

from gridlos.rules.concealment import is_sight_mutual
from gridlos.rules.explain import modifiers_of, notes_of
from gridlos.rules.judge import judge
from gridlos.rules.judgement import Judgement, Question
from gridlos.rules.kinds import Circumstance, Option, OptionValue, Rule, Stacking, Statistic
from gridlos.rules.load import edition_ids, load_edition, own_options
from gridlos.rules.model import ROLLS, Edition, Table
from gridlos.rules.override import Override
from gridlos.rules.procedures import Flanking, Reach
from gridlos.rules.recall import Read, asks_defenses, kinds_of, read_by
from gridlos.rules.stacking import Application, modifier_sum, stacked, stacked_column

__all__ = [
    "ROLLS",
    "Application",
    "Circumstance",
    "Edition",
    "Flanking",
    "Judgement",
    "Option",
    "OptionValue",
    "Override",
    "Question",
    "Reach",
    "Read",
    "Rule",
    "Stacking",
    "Statistic",
    "Table",
    "asks_defenses",
    "edition_ids",
    "is_sight_mutual",
    "judge",
    "kinds_of",
    "load_edition",
    "modifier_sum",
    "modifiers_of",
    "notes_of",
    "own_options",
    "read_by",
    "stacked",
    "stacked_column",
]
