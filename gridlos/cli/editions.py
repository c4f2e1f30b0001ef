"""What the editions say, for people."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from gridlos.cli.circumstances import circumstances, numbers_of, senses, wrapped
from gridlos.cli.output import write_text
from gridlos.rules import Edition, edition_ids, load_edition

__all__ = ["editions"]

HIDDEN = ("1/4", "more than 3/8", "1/2", "more than 5/8", "3/4", "more than 33/40")
"""Where each range of :class:`gridlos.facts.Hidden` begins, from ``QUARTER`` on."""

LOW = (
    "one up to half as high as the target is no cover if the target is more than 30 ft from it; one up to half as high "
    "as the target or the attacker is none if the attacker is closer to it than the target"
)
COUNTING = {"inside": "passes the inside of one", "border": "touches one"}
CORNER = {
    "lowest": "the one that conceals least",
    "highest": "the one that conceals most",
    "cover": "that of cover",
}
FOG = {
    "deep": "two or more squares of it on a line conceal totally what is more than 5 ft away",
    "any": "any square of it on a line conceals totally",
    "target": "it conceals totally who stands in it with all of his space, nobody else",
    "never": "conceals as other squares do",
}
PARTNER = {
    "ally": "an ally of the attacker",
    "enemy_of_target": "any enemy of the target who is none of the attacker",
    "any_threatener": "whoever threatens the target",
}
"""What the words of tables mean, for people."""


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
    yield from wrapped(table.source, "  ")
    yield from ("", "degrees of cover, mildest first")
    width = max(map(len, edition.degrees))
    for word in edition.degrees:
        yield f"  {word:<{width}}  {_effects(edition, word)}".rstrip()
    if table.centre is None:
        yield from ("", "degree by blocked lines, of four")
        yield f"  {_degrees_by_lines(table.blocked_lines)}"
    else:
        yield from ("", "degree by the one line between the centres of the two spaces")
        yield f"  free: {table.blocked_lines[0]}, blocked: {table.blocked_lines[1]}"
    if table.adjacent_melee.blocked_lines is not None:
        yield f"  melee, adjacent: {_degrees_by_lines(table.adjacent_melee.blocked_lines)}"
    yield f"  without line of effect: {table.without_line_of_effect}"
    for part in (_creatures_in_the_way, _heights, _cover_words, _concealment, senses, _flanking, circumstances):
        yield from part(edition)
    yield from ("", "options (--option name=value)")
    for name, option in table.options.items():
        yield f"  {name}, by default {option.default}"
        values = max(map(len, option.values))
        for value, entry in option.values.items():
            yield from wrapped(entry.means, f"    {value:<{values}}  ")
        yield from wrapped(f"Why {option.default}: {option.why}", "    ")
    yield from ("", "sources")
    sources = {name: one.source for part in (table.rules, table.notes) for name, one in part.items()}
    for name, source in sources.items():
        yield from wrapped(f"{name}: {source}", "  ")


def _degrees_by_lines(degrees: Sequence[str]) -> str:
    return ", ".join(f"{n} {degree}" for n, degree in enumerate(degrees))


def _creatures_in_the_way(edition: Edition) -> Iterator[str]:
    """Yield what creatures in the way do."""
    yield from ("", "creatures in the way (soft cover)")
    soft, adjacent, centre = edition.table.soft_cover, edition.table.adjacent_melee, edition.table.centre
    if centre is not None:
        yield f"  a creature on the line: {centre.creature}"
        yield f"  one that is two or more sizes larger than both attacker and target: {centre.larger_creature}"
        return
    if soft is None:
        yield "  give no cover"
        return
    by_lines = _degrees_by_lines(soft.blocked_lines)
    yield from wrapped(f"degree by lines that walls and creatures block, of four: {by_lines}", "  ")
    yield f"  melee, not adjacent: {'the same' if soft.reach == 'applies' else 'no cover'}"
    yield f"  melee, adjacent: {'the same' if adjacent.creatures == 'count' else 'no cover'}"
    forbids = any(edition.table.degree[word].forbids_opportunity for word in soft.blocked_lines)
    yield f"  attacks of opportunity: {'forbidden' if soft.blocks_opportunity or forbids else 'allowed'}"


def _heights(edition: Edition) -> Iterator[str]:
    """Yield what walls do that hide a part of a body."""
    heights = edition.table.heights
    yield from ("", "walls, obstacles and floors that hide a part of the body")
    yield f"  a line past one counts as blocked if at least {heights.counts_from} is hidden"
    if heights.at_most is not None:
        steps = zip(HIDDEN, heights.at_most, strict=True)
        parts = [f"{part}: {degree}" for part, degree in steps if edition.degrees.index(degree)]
        yield from wrapped(f"the degree that they give at most, by the part hidden: {'; '.join(parts)}", "  ")
    if heights.low_obstacles:
        yield from wrapped(f"low obstacles: {LOW}", "  ")
    else:
        yield "  low obstacles: no rule of their own"


def _cover_words(edition: Edition) -> Iterator[str]:
    """Yield what the words for cover on maps mean."""
    words = edition.table.cover_words
    yield from ("", "words for cover on maps (arrow slit: improved; fence, portcullis: standard)")
    pairs = [(name, getattr(words, name)) for name in ("light", "partial", "standard", "improved", "total")]
    yield from wrapped(", ".join(f"{name}: {degree}" for name, degree in pairs), "  ")


def _concealment(edition: Edition) -> Iterator[str]:
    """Yield what each degree of concealment does and how it is found."""
    table = edition.table
    yield from ("", "degrees of concealment, mildest first")
    width = max(map(len, edition.concealments))
    for word in edition.concealments:
        degree = table.concealment[word]
        said = [text for name in degree.rules if (text := numbers_of(table.rules[name], edition))]
        said += ["no attack on the target itself"] if degree.forbids_attack else []
        said += ["no attack of opportunity"] if degree.forbids_opportunity else []
        said += ["no sneak attack"] if degree.forbids_sneak_attack else []
        said += ["one can hide in it"] if degree.hides else []
        yield from wrapped(", ".join(said), f"  {word:<{width}}  ") if said else (f"  {word}",)
    found = f"a line counts that {COUNTING[table.concealing.counts]}; the corner: {CORNER[table.concealing.corner]}"
    yield from wrapped(f"squares: {found}", "  ")
    yield from wrapped(f"fog: {FOG[table.concealing.fog]}", "  ")


def _flanking(edition: Edition) -> Iterator[str]:
    """Yield when two creatures flank a target and what that does."""
    flanking = edition.table.flanking
    yield from ("", "flanking (melee)")
    if flanking.rule is None:
        yield "  none"
        return
    yield f"  {numbers_of(edition.table.rules[flanking.rule], edition) or 'no number'}"
    near = "stand next to" if flanking.requires_adjacent else "threaten"
    yield from wrapped(f"the partner: {PARTNER[flanking.partner]}; both must {near} the target", "  ")
    ends = "the centres of any square of each" if flanking.anchor == "any_square" else "the centres of their spaces"
    corners = "corners included" if flanking.corners else "corners excluded"
    yield from wrapped(f"the line between {ends} must pass two opposite sides of the target, {corners}", "  ")


def _effects(edition: Edition, word: str) -> str:
    """Return what a degree does."""
    degree = edition.table.degree[word]
    rules = [edition.table.rules[name] for name in degree.rules]
    said = [numbers_of(rule, edition) for rule in rules if rule.modifiers]
    said += ["no attack"] if degree.forbids_attack else []
    said += [f"{degree.evasion} evasion"] if degree.evasion != "none" else []
    return ", ".join(said)
