"""Facts and an edition's table in, verdicts out: degrees of cover, modifiers that stack, notes. Knows no grid."""

from __future__ import annotations

from gridlos.rules.judge import Judgement, Override, Question, judge, modifiers_of, notes_of
from gridlos.rules.load import edition_ids, load_edition
from gridlos.rules.model import Edition, Option, OptionValue, Rule, Stacking, Statistic, Table
from gridlos.rules.stacking import Application, modifier_sum, stacked, stacked_column

__all__ = [
    "Application",
    "Edition",
    "Judgement",
    "Option",
    "OptionValue",
    "Override",
    "Question",
    "Rule",
    "Stacking",
    "Statistic",
    "Table",
    "edition_ids",
    "judge",
    "load_edition",
    "modifier_sum",
    "modifiers_of",
    "notes_of",
    "stacked",
    "stacked_column",
]
