"""What the editions say, for people."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from gridlos.cli.output import terminal_width, write_text
from gridlos.facts import Attack
from gridlos.rules import Edition, Rule, Statistic, edition_ids, load_edition
from gridlos.verdict import statistic_word

__all__ = ["editions"]


def editions(given: argparse.Namespace) -> None:
    """Write the list of editions, or what one of them says, or that a table of house rules is sound."""
    if given.check is not None:
        write_text(f"{given.check}: sound: {load_edition(Path(given.check)).name}\n")
    elif given.id is not None:
        write_text("\n".join(_described(load_edition(given.id))) + "\n")
    else:
        ids = edition_ids()
        width = max(map(len, ids))
        write_text("".join(f"{one:<{width}}  {load_edition(one).name}\n" for one in ids))


def _described(edition: Edition) -> Iterator[str]:
    table = edition.table
    yield f"{edition.id}: {edition.name}"
    yield from _wrapped(table.source, "  ")
    yield from ("", "degrees of cover, mildest first")
    width = max(map(len, edition.degrees))
    for word in edition.degrees:
        yield f"  {word:<{width}}  {_effects(edition, word)}".rstrip()
    yield from ("", "degree by blocked lines, of four")
    yield f"  {_degrees_by_lines(table.blocked_lines)}"
    if table.adjacent_melee.blocked_lines is not None:
        yield f"  melee, adjacent: {_degrees_by_lines(table.adjacent_melee.blocked_lines)}"
    yield f"  without line of effect: {table.without_line_of_effect}"
    yield from ("", "options (--option name=value)")
    for name, option in table.options.items():
        yield f"  {name}, by default {option.default}"
        values = max(map(len, option.values))
        for value, entry in option.values.items():
            yield from _wrapped(entry.means, f"    {value:<{values}}  ")
        yield from _wrapped(f"Why {option.default}: {option.why}", "    ")
    yield from ("", "sources")
    sources = {name: one.source for part in (table.rules, table.notes) for name, one in part.items()}
    for name, source in sources.items():
        yield from _wrapped(f"{name}: {source}", "  ")


def _degrees_by_lines(degrees: Sequence[str]) -> str:
    return ", ".join(f"{n} {degree}" for n, degree in enumerate(degrees))


def _effects(edition: Edition, word: str) -> str:
    """Return what a degree does."""
    degree = edition.table.degree[word]
    rules = [edition.table.rules[name] for name in degree.rules]
    said = [_numbers(rule, edition) for rule in rules if rule.modifiers]
    said += ["no attack"] if degree.forbids_attack else []
    said += [f"{degree.evasion} evasion"] if degree.evasion != "none" else []
    return ", ".join(said)


def _numbers(rule: Rule, edition: Edition) -> str:
    """Return the numbers of a rule, both where they differ between ranged and melee attacks."""
    parts = []
    for statistic in Statistic:
        ranged, melee = (rule.value(statistic, attack) for attack in (Attack.RANGED, Attack.MELEE))
        word = statistic_word(statistic, edition.table.save)
        if ranged == melee:
            parts += [f"{ranged:+d} {word}"] if ranged else []
        else:
            parts.append(f"{ranged:+d} {word} ({melee:+d} in melee)")
    return ", ".join(parts)


def _wrapped(text: str, head: str) -> list[str]:
    """Return a text that begins with a head, in lines of the terminal's width."""
    return textwrap.wrap(text, terminal_width(), initial_indent=head, subsequent_indent=" " * len(head))
