"""A second, slow reading of the rules: one pair at a time, in plain Python, from the words and numbers of ``books``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from rules import books
from rules.books import NONE, Row
from rules.slow_circumstances import (
    UNKNOWN_DEXTERITY,
    Meeting,
    Number,
    body_of,
    circumstances_of,
    light_seen,
    meeting_of,
    numbers_of,
    total,
)

from gridlos.facts import Attack, PairFacts, Relation
from gridlos.rules import Statistic, Table, load_edition

TOTAL_LEVEL = 5
FOUR = range(4)
FIFTH = ("dnd5e", "dnd5e-2024")
NO_BAN = ("hybrid35", "dnd4e", *FIFTH)
"""Editions in which no cover by creatures forbids an attack of opportunity."""


@dataclass(frozen=True)
class Lines:
    """The four lines from one corner: how many walls block, how many creatures, how many either.

    ``hidden`` holds how much walls hide on each line that they block, from ALL down; ``words`` those of walls that lines
    cross; ``counted`` is how many lines there are. ``part`` is how much of the target's square plain walls hide, where this
    tells the degree; ``special`` is then ``hidden`` without the lines that they block, which are ``plain`` many.
    """

    walls: int
    creatures: int
    together: int
    hidden: tuple[int, ...]
    words: frozenset[str] = frozenset()
    counted: int = 4
    special: tuple[int, ...] | None = None
    part: Fraction | None = None
    plain: int = 0


CUT_OFF = Lines(4, 0, 4, (7, 7, 7, 7))


@dataclass(frozen=True)
class Answer:
    """All that the rules say of one pair."""

    cover: str
    soft: bool
    lines: int
    choice: int
    corner: int
    concealment: str
    attack: int
    defense: int
    save: int
    stealth: int
    miss: int
    roll: int
    flat_check: int
    evasion: str
    can_attack: bool
    can_hide: bool
    opportunity: bool
    circumstances: frozenset[str]
    flags: frozenset[str]
    loses_dexterity: bool
    notes: tuple[str, ...]


class Reader:
    """Reads the rules of one edition, with its options, on some facts.

    Degrees and their numbers are those of the books; circumstances are those of the edition's table, or of a ``table``
    that a house rule made of it.
    """

    def __init__(
        self,
        name: str,
        options: dict[str, str],
        facts: PairFacts,
        attack: Attack,
        big: list[bool],
        *,
        is_spread: bool = False,
        table: Table | None = None,
    ) -> None:
        self.name, self.facts, self.attack, self.big, self.is_spread = name, facts, attack, big, is_spread
        self.table = table or load_edition(name, options=options).table
        self.options = {option: values[0] for option, values in books.OPTIONS[name].items()} | options
        self.degrees, self.concealments = list(books.COVER[name]), list(books.CONCEALMENT[name])

    # What the options change in the tables

    def cover_row(self, degree: str) -> Row:
        row = books.COVER[self.name][degree]
        if degree == "partial":
            if self.options["partial_cover_hides"] == "no":
                row = replace(row, hides=False)
            melee = {"as_cover": -4, "none": 0}.get(self.options.get("partial_penalty_vs_reach"))
            if melee is not None:
                row = replace(row, attack=(-2, melee))
        if degree == "soft" and self.options.get("soft_penalty") == "-4":
            row = replace(row, attack=(-4, -4))
        if degree == "soft" and self.options.get("soft_cover_blocks_aoo"):
            row = replace(row, aoo=self.options["soft_cover_blocks_aoo"] == "no")
        if degree == "1/4" and self.options.get("hiding") == "any":
            row = replace(row, hides=True)
        if degree == "three-quarters" and "hide_behind" in self.options:
            row = replace(row, hides=self.options["hide_behind"] == "three_quarters")
        if self.name == "dnd4e":
            hides = row.hides or (degree == "cover" and self.options["hide_behind"] == "any")
            row = replace(row, hides=hides, attack=(row.attack[0],) * 3)  # who attacks an area attacks a defense, too
        return row

    def concealment_row(self, degree: str) -> Row:
        row = books.CONCEALMENT[self.name][degree]
        if degree == "total" and "total_conceal_targetable" in self.options:
            row = replace(row, can_attack=self.options["total_conceal_targetable"] == "yes")
        if self.name == "dnd4e" and degree == "concealed":
            row = replace(row, hides=self.options["hide_behind"] == "any")
        if degree == "1/4" and self.options.get("hiding") == "any":
            row = replace(row, hides=True)
        return row

    def flanking_row(self) -> Row:
        by_option = {"off": NONE, "advantage": books.FLANKING["dnd5e"]}
        return by_option.get(self.options.get("flanking"), books.FLANKING[self.name])

    # Cover

    def by_walls(self, walls: int, *, worst: bool) -> str:
        if self.options.get("partial") == "off" or (worst and {"partial", "superior"} & set(self.degrees)):
            return "cover" if walls else "none"
        if self.options.get("dmg_four_lines") == "total" and walls == 4:
            return "total"
        return books.BY_LINES[self.name][walls]

    def hard(self, at: tuple[int, int], lines: Lines, *, worst: bool) -> str:
        """Return the degree by walls, as the attacker's size makes it milder or worse."""
        return self.shifted(at, self.unshifted(lines, worst=worst))

    def shifted(self, at: tuple[int, int], degree: str) -> str:
        shift, attacker = self.table.size_shift, body_of(self.table, self.facts.attackers, at[0])
        if shift is None or degree == "none" or degree not in shift.degrees:
            return degree
        than = body_of(self.table, self.facts.targets, at[1]).size if shift.relative_to == "target" else 0
        place = shift.degrees.index(degree) - (attacker.size - than)
        return shift.degrees[min(max(place, 0), len(shift.degrees) - 1)]

    def unshifted(self, lines: Lines, *, worst: bool) -> str:
        """Return the degree: the most of what the lines hidden at least as much as any one of them, and the words, give."""
        found = [self.by_walls(0, worst=worst), *(books.COVER_WORDS[self.name][word] for word in lines.words)]
        if not lines.counted:
            found.append(self.by_walls(4, worst=worst))
        if lines.part is not None and not worst:
            found.append(self.by_part(lines))
        for k, code in enumerate(lines.hidden if lines.special is None or worst else lines.special):
            by_lines = self.by_walls(4 if k + 1 == lines.counted else k + 1, worst=worst)
            at_most = books.AT_MOST[self.name][code - 1] if code < 7 and self.name in books.AT_MOST else "total"
            found.append(min(by_lines, at_most, key=self.degrees.index))
        return max(found, key=self.degrees.index)

    def by_part(self, lines: Lines) -> str:
        """Return the degree for the hidden part of the target's square."""
        if self.options.get("partial") == "area":
            if not lines.plain and lines.counted:
                return "none"
            return "partial" if lines.part < Fraction(1, 2) else "cover"
        degrees = {"none": Fraction(0), **{word: Fraction(word) for word in ("1/4", "1/2", "3/4", "9/10")}}
        return min(degrees, key=lambda word: (abs(degrees[word] - lines.part), degrees[word]))

    @property
    def parts_tell(self) -> bool:
        return "area" in (self.options.get("partial"), self.options.get("degree_from"))

    def by_creatures(self, lines: Lines) -> str:
        if not lines.creatures:
            return "none"
        if "creature_max_degree" in self.options:
            mild, worse = ("cover", "superior") if self.name == "dnd4e" else ("half", "three-quarters")
            return worse if self.options["creature_max_degree"] == "by_lines" and lines.together >= 3 else mild
        if self.name == "starfinder1":
            return self.options["creature_cover"]
        return "1/2" if self.name == "dnd30" else "soft"

    def creatures_count(self, at: tuple[int, int], *, adjacent_melee: bool) -> bool:
        if adjacent_melee:
            return self.options.get("melee_blockers_adjacent") == "walls_and_creatures"
        if self.attack is Attack.AREA:
            return self.table.soft_cover is not None and self.table.soft_cover.area == "applies"
        in_reach = "not" if self.name == "dnd4e" else self.options.get("soft_cover_vs_reach", "applies")
        return self.attack is Attack.RANGED or in_reach == "applies"

    def is_adjacent_melee(self, at: tuple[int, int]) -> bool:
        if self.attack is not Attack.MELEE or not self.facts.adjacent[at]:
            return False
        return not (self.big[at[0]] and self.options.get("reach_attacker_adjacent_uses_ranged") == "natural_reach")

    def hidden_at(self, choice: int, corner: int, to: int) -> int:
        """Return how much walls hide on one line; 0 where it does not count."""
        if self.facts.hidden is None:
            code = 7 if self.facts.hard[choice, corner] >> to & 1 else 0
        else:
            code = int(self.facts.hidden[choice, corner, to])
        return code if code >= (3 if self.name in FIFTH else 1) else 0

    def hard_at(self, choice: int, corner: int, to: int) -> int:
        """Return the same, with lines along walls."""
        if self.options.get("edge_contact", "clear") == "clear":
            return self.hidden_at(choice, corner, to)
        if self.options["common_sense_exempt"] == "on" and self.in_corridor(choice):
            return self.hidden_at(choice, corner, to)
        return 7 if self.facts.along[choice, corner] >> to & 1 else self.hidden_at(choice, corner, to)

    def in_corridor(self, choice: int) -> bool:
        (x, y), (u, v) = self.facts.attacker_square[choice].tolist(), self.facts.target_square[choice].tolist()
        if any(self.hidden_at(choice, i, j) for i in FOUR for j in FOUR) or (x == u) == (y == v):
            return False
        sides = [(0, 1), (2, 3)] if y == v else [(0, 2), (1, 3)]
        return all(self.facts.along[choice, i] >> j & 1 for side in sides for i in side for j in side)

    def lines_at(self, choice: int, corner: int, *, creatures: bool) -> Lines:
        facts = self.facts
        to = [c for c in FOUR if self.options["cut_corners"] == "count" or facts.counted[choice] >> c & 1]
        codes = {c: self.hard_at(choice, corner, c) for c in to}
        hard = {c for c in to if codes[c]}
        soft = {c for c in to if creatures and facts.soft is not None and facts.soft[choice, corner] >> c & 1}

        def number(blocked: set[int]) -> int:
            return 4 if blocked == set(to) else len(blocked)

        return Lines(
            number(hard),
            number(soft) if soft else 0,
            number(hard | soft),
            tuple(sorted((codes[c] for c in hard), reverse=True)),
            frozenset(word for word, lines in facts.tagged or () for c in to if lines[choice, corner] >> c & 1),
            len(to),
            *(self.part_at(choice, corner, codes) if self.parts_tell else ()),
        )

    def part_at(self, choice: int, corner: int, codes: dict[int, int]) -> tuple[tuple[int, ...], Fraction, int]:
        """Return what special walls hide on the lines, the hidden part of the square, and the number of plain lines."""
        facts = self.facts
        lines = (facts.hard if facts.plain is None else facts.plain)[choice, corner]
        plain = {c for c in codes if lines >> c & 1}
        special = sorted((code for c, code in codes.items() if code and c not in plain), reverse=True)
        return tuple(special), facts.hidden_area[choice, corner], len(plain)

    def corners_of(self, choice: int, choices: range) -> list[int]:
        facts = self.facts
        is_point = self.attack is Attack.AREA  # one corner of its squares, whatever walls cut off
        every = self.options["cut_corners"] == "count" and not is_point
        found = [c for c in FOUR if every or facts.usable[choice] >> c & 1]
        if self.attack is Attack.RANGED and self.options["large_attacker_ranged"] == "outer_corners":
            squares = [tuple(facts.attacker_square[k].tolist()) for k in choices]
            right, bottom = max(x for x, _ in squares) + 1, max(y for _, y in squares) + 1
            left, top = min(x for x, _ in squares), min(y for _, y in squares)
            x, y = facts.attacker_square[choice].tolist()
            if len(choices) > 1:
                found = [c for c in found if x + (c & 1) in (left, right) and y + (c >> 1) in (top, bottom)]
        return found

    def penalty(self, hard: str, soft: str) -> int:
        rows = [self.cover_row(hard), self.cover_row(soft)]
        if not all(row.can_attack for row in rows):
            return 10**6
        cost = max(self.of_kind(row.defense) for row in rows) - min(self.of_kind(row.attack) for row in rows)
        return cost + max(row.save for row in rows) if self.attack is Attack.AREA else cost

    def of_kind(self, numbers: tuple[int, ...]) -> int:
        """Return the number for this kind of attack of those for ranged, melee and, if the books have one, area."""
        kind = list(Attack).index(self.attack)
        return numbers[kind] if kind < len(numbers) else 0

    def chosen_for_cover(self, at: tuple[int, int], choices: range) -> tuple[int, int, Lines, bool]:
        """Return the choice, the corner, its lines and whether all corners count."""
        adjacent_melee = self.is_adjacent_melee(at)
        worst = adjacent_melee and self.options["adjacent_melee_mode"] == "all_corners"
        creatures = self.creatures_count(at, adjacent_melee=adjacent_melee)

        def cost(lines: Lines) -> tuple[int, ...]:
            degrees = self.hard(at, lines, worst=worst), self.by_creatures(lines)
            by_walls = self.degrees.index(self.unshifted(lines, worst=worst))  # of equals the one that walls hide less
            return self.penalty(*degrees), lines.walls, lines.creatures, lines.together, by_walls

        entries = []
        for choice in choices:
            corners = self.corners_of(choice, choices)
            found = {c: self.lines_at(choice, c, creatures=creatures) for c in corners}
            if worst and found:
                badness = {
                    c: (
                        self.degrees.index(self.hard(at, lines, worst=worst)),
                        self.degrees.index(self.unshifted(lines, worst=worst)),
                        lines.walls,
                        lines.creatures,
                        lines.together,
                        self.besides(at, choice, c),
                    )
                    for c, lines in found.items()
                }
                worst_one = max(corners, key=lambda c: (badness[c], -c))
                found = {worst_one: found[worst_one]}
            entries += [(False, (cost(lines), self.besides(at, choice, c)), choice, c, lines) for c, lines in found.items()]
            if not found:
                cut_off = [(True, (self.besides(at, choice, c),), choice, c, CUT_OFF) for c in FOUR]
                entries += [max(cut_off, key=lambda entry: (entry[1], -entry[3]))] if worst else cut_off
        if self.words_tell(choices) and not worst and not self.counts_all_squares:
            seeing = [entry for entry in entries if not entry[0] and not self.is_blind(*entry[2:4])]
            entries = seeing or entries
        _, _, choice, corner, lines = self.best(entries)
        return choice, corner, lines, worst

    def besides(self, at: tuple[int, int], choice: int, corner: int) -> tuple[float, float]:
        """Return what tells corners of the same cover apart: how much conceals, and how much of the square is hidden."""
        is_same = self.options.get("same_corner_for_cover_and_concealment") == "same"
        level = self.level_at(at, choice, corner) if is_same and not self.is_for_defender else 0
        return level, float(self.facts.hidden_area[choice, corner]) if self.parts_tell else 0.0

    @property
    def is_for_defender(self) -> bool:
        return self.options.get("concealment_chooser") == "defender"

    def counted_at(self, choice: int) -> list[int]:
        return [c for c in FOUR if self.options["cut_corners"] == "count" or self.facts.counted[choice] >> c & 1]

    def words_tell(self, choices: range) -> bool:
        """Return whether a counted line between the two crosses a wall with a word that gives cover."""
        words = [one for word, one in self.facts.tagged or () if books.COVER_WORDS[self.name][word] != "none"]
        return any(
            one[choice, corner] >> c & 1 for one in words for choice in choices for corner in FOUR for c in self.counted_at(choice)
        )

    def is_blind(self, choice: int, corner: int) -> bool:
        """Return whether walls hide all on every counted line from a corner."""
        return all(self.facts.hard[choice, corner] >> c & 1 for c in self.counted_at(choice))

    @property
    def counts_all_squares(self) -> bool:
        return self.attack is Attack.RANGED and self.options["large_target_ranged"] == "all_squares"

    def best(self, entries: list) -> tuple:
        """Return the entry ``(unusable, cost, choice, corner, what)`` that the attacker takes."""
        if self.counts_all_squares:
            entries = self.worst_squares(entries)
            places = [tuple(square[::-1]) for square in self.facts.attacker_square.tolist()]
            return min(entries, key=lambda entry: (*entry[:2], places[entry[2]], entry[3]))
        return min(entries, key=lambda entry: entry[:4])

    def worst_squares(self, entries: list) -> list:
        """Return for each corner of each attacker square the target square that costs the most, the first such."""
        worst: dict = {}
        for entry in entries:
            _, cost, choice, corner, _ = entry
            place = (*self.facts.attacker_square[choice].tolist(), corner)
            if place not in worst or cost > worst[place][1]:
                worst[place] = entry
        return list(worst.values())

    # Concealment

    def level_at(self, at: tuple[int, int], choice: int, corner: int) -> int:
        facts = self.facts
        if facts.concealed is None:
            return 0
        by_line = facts.concealed_at_border if self.options["concealment_border"] == "border" else facts.concealed
        adjacent = bool(facts.adjacent[at])
        in_melee = adjacent and self.attack is Attack.MELEE
        level = int(facts.target_concealed[at[1]] if in_melee else by_line[choice, corner])
        depth = int(facts.fog_depth[choice, corner])
        if self.name in FIFTH:
            opaque = self.options["fog_opaque_both_ways"] == "yes"
            hides = depth >= 1 if opaque else bool(facts.target_in_fog[at[1]])
        else:
            hides = depth >= 2 and not adjacent and self.options["fog_depth_total"] == "on"
        return TOTAL_LEVEL if hides else level

    def concealment(self, at: tuple[int, int], choices: range, cover: tuple[int, int]) -> str:
        entries = []
        highest = self.is_for_defender
        for choice in choices:
            corners = self.corners_of(choice, choices)
            for corner in corners or FOUR:
                level = self.level_at(at, choice, corner)
                cost = -level if highest else level
                entries.append((not corners, (cost,), choice, corner, level))
        chosen = min(entries, key=lambda entry: entry[:4]) if highest else self.best(entries)
        level = chosen[4]
        if self.options["same_corner_for_cover_and_concealment"] == "same" and not highest:
            level = self.level_at(at, *cover)
        if self.facts.line_of_effect[at] and not self.facts.line_of_sight[at]:
            level = TOTAL_LEVEL
        met = circumstances_of(self.table, meeting_of(self.table, self.facts, at, self.attack), concealing=True)
        words = [books.LEVELS[self.name][level], *(one.conceals for one in met.values())]
        return max(words, key=self.concealments.index)

    def is_unseen(self, concealment: str) -> bool:
        return concealment == self.concealments[-1]

    # All of it

    def answer(self, pair: int) -> Answer:
        at = divmod(pair, self.facts.shape[1])
        choices = self.choices_of(at)
        choice, corner, lines, worst = self.chosen_for_cover(at, choices)
        touching = self.options["line_of_effect"] == "touching" and bool(self.facts.any_free[at])
        effect = bool(self.facts.line_of_effect[at]) or touching
        hard, soft = self.hard(at, lines, worst=worst) if effect else "total", self.by_creatures(lines)
        if effect and self.attack is Attack.AREA and self.is_spread and self.table.area.spread == "negates":
            hard = soft = "none"
        cover = max(hard, soft, key=self.degrees.index)
        concealment = self.concealment(at, choices, (choice, corner))
        found = self.meeting(at, concealment)
        met = circumstances_of(self.table, found)
        rows, conceals = [self.cover_row(hard), self.cover_row(soft)], self.concealment_row(concealment)
        reached = all(row.can_attack for row in rows)
        numbers = numbers_of(self.table, met, found) + self.numbers_of_rows(rows, conceals, flanks=bool(found.flanked))
        sums = {one: total(self.table, numbers, one) if reached else 0 for one in Statistic}
        aimed = self.attack is not Attack.AREA
        forbids = any(one.forbids_attack for one in met.values())
        can_attack = reached and (conceals.can_attack or not aimed) and not forbids
        window = not effect and bool(self.facts.line_of_sight[at])
        forbidden = not rows[0].aoo or not conceals.aoo or self.creatures_forbid_opportunity(soft)
        answer = Answer(
            cover=cover,
            soft=lines.creatures > 0,
            lines=lines.together,
            choice=choice,
            corner=corner,
            concealment=concealment,
            attack=sums[Statistic.ATTACK],
            defense=sums[Statistic.DEFENSE],
            save=sums[Statistic.SAVE],
            stealth=sums[Statistic.STEALTH],
            miss=sums[Statistic.MISS_CHANCE],
            roll=sums[Statistic.ROLL],
            flat_check=sums[Statistic.FLAT_CHECK],
            evasion=self.cover_row(cover).evasion,
            can_attack=can_attack,
            can_hide=(self.cover_row(cover).hides and not window) or conceals.hides,
            opportunity=self.attack is Attack.MELEE and self.threatens(at) and can_attack and not forbidden,
            circumstances=frozenset(met),
            flags=frozenset(flag.value for one in met.values() for flag in one.flags) - self.flags_forbidden(concealment),
            loses_dexterity=any(one.dexterity in ("lost", "zero") for one in met.values()),
            notes=(),
        )
        return replace(answer, notes=self.notes(answer, found, effect=effect))

    def flags_forbidden(self, concealment: str) -> frozenset[str]:
        """Return what concealment forbids: rogues' rules in these editions ask for a target that is none."""
        forbids = self.name in ("dnd35", "pathfinder1") and concealment != "none"
        return frozenset({"sneak_attack"} if forbids else ())

    def meeting(self, at: tuple[int, int], concealment: str) -> Meeting:
        """Return what circumstances are read from; attackers and targets are the same creatures."""
        target = body_of(self.table, self.facts.targets, at[1])
        has_attacker = self.attack is not Attack.AREA  # nobody looks back at a point
        asks = any(one.attacker_unseen is not None for one in self.table.circumstances.values())
        return replace(
            meeting_of(self.table, self.facts, at, self.attack),
            target_unseen=self.is_unseen(concealment),
            attacker_unseen=self.target_sees_nothing(at) if has_attacker and asks else None,
            attacker_light=light_seen(self.table, self.facts, at[::-1], target) if has_attacker else None,
            flanked=self.flanks(at),
        )

    def numbers_of_rows(self, rows: list[Row], conceals: Row, *, flanks: bool) -> list[Number]:
        """Return the numbers of two degrees of cover, one of concealment, and of flanking."""
        of_flanking = "combat advantage" if self.name == "dnd4e" else "flanking"
        flanking = [(self.flanking_row(), of_flanking)] if flanks else []
        found = []
        for row, kind in [*((row, "cover") for row in rows), (conceals, "concealment"), *flanking]:
            found += [
                (Statistic.ATTACK, self.of_kind(row.attack), kind),
                (Statistic.DEFENSE, self.of_kind(row.defense), kind),
                (Statistic.SAVE, row.save, kind),
                (Statistic.STEALTH, row.stealth, kind),
            ]
            if self.attack is not Attack.AREA:
                found += [
                    (Statistic.MISS_CHANCE, row.miss, kind),
                    (Statistic.ROLL, row.roll, "roll"),
                    (Statistic.FLAT_CHECK, row.flat_check, kind),
                ]
        return [Number(*one, rule="") for one in found]

    def notes(self, answer: Answer, found: Meeting, *, effect: bool) -> tuple[str, ...]:
        said = []
        for note in self.table.notes.values():
            when = note.when
            wanted = [
                (when.attack, self.attack),
                (when.adjacent, found.adjacent),
                (when.line_of_effect, effect),
                (when.can_attack, answer.can_attack),
                (when.soft, answer.soft),
                (when.flanked, found.flanked),
                (when.can_hide, answer.can_hide),
            ]
            within = [(when.degrees, {answer.cover}), (when.concealments, {answer.concealment})]
            within.append((when.circumstances, answer.circumstances))
            if all(key in (None, value) for key, value in wanted) and all(
                words is None or set(words) & has for words, has in within
            ):
                said.append(note.text)
        is_unknown = found.target.dexterity is None and self.facts.targets is not None
        return (*said, UNKNOWN_DEXTERITY) if answer.loses_dexterity and is_unknown else tuple(said)

    def flanks(self, at: tuple[int, int]) -> bool:
        if self.facts.flanked is None or self.attack is not Attack.MELEE:
            return False
        is_ally = self.facts.relation is not None and self.facts.relation[at] == Relation.ALLY
        return bool(self.facts.flanked[at]) and not is_ally

    def threatens(self, at: tuple[int, int]) -> bool:
        return self.facts.threatens is not None and bool(self.facts.threatens[at])

    def creatures_forbid_opportunity(self, soft: str) -> bool:
        if soft == "none" or self.name in NO_BAN:
            return False
        return self.options.get("soft_cover_blocks_aoo", "yes") == "yes"

    def choices_of(self, at: tuple[int, int]) -> range:
        pair = at[0] * self.facts.shape[1] + at[1]
        return range(int(self.facts.choice_start[pair]), int(self.facts.choice_start[pair + 1]))

    def target_sees_nothing(self, at: tuple[int, int]) -> bool:
        """Return whether the target does not see its attacker: the same creatures, the other way round."""
        back = at[::-1]
        choice, corner, _, _ = self.chosen_for_cover(back, self.choices_of(back))
        return self.is_unseen(self.concealment(back, self.choices_of(back), (choice, corner)))
