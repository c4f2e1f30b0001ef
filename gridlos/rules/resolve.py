"""One attack from given rolls, step by step: whom it strikes, whether it is critical, what damage it does.

The order: flat check; attack roll; the target's d% where the attack would hit; cover struck where it misses because of
cover; threat and confirmation; damage. Nothing is rolled here: the rolls are an argument, and the same rolls give the
same outcome.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from gridlos.errors import QuestionError
from gridlos.rules.dice import CoupDeGrace, Dice, StepWord, strength_damage
from gridlos.rules.strike import DiceSum, Outcome, Rolls, Step, Strike, Swing

__all__ = ["attack_square", "coup_de_grace", "resolve"]


def resolve(dice: Dice, strike: Strike, rolls: Rolls) -> Outcome:
    """Return what comes of one attack with these rolls.

    An attack hits if its total reaches the AC. Where the edition knows cover that is struck, an attack that misses and
    would hit without the cover strikes it: the creature that gives the cover, if the total beats its AC; the target
    after all, if only that creature's Dexterity or dodging saves it (it gave no cover, so the AC without it counts for
    a threat and its confirmation too); else the cover. Such a hit on the creature is never critical, and no miss chance
    of the target is rolled for it.

    Raises
    ------
    QuestionError
        If a roll that the attack comes to is missing or impossible.

    Examples
    --------
    >>> from gridlos.rules.dice import Dice
    >>> from gridlos.rules.strike import Weapon, parse_dice
    >>> longsword = Swing(Weapon(parse_dice("1d8"), threat=19), strength=3)
    >>> outcome = resolve(Dice(), Strike(longsword, bonus=5, defense=18), Rolls(attack=(14,), damage=(6,)))
    >>> outcome.struck, outcome.damage
    ('target', 9)
    >>> print(outcome.explain())
    14 + 5 = 19 against AC 18: hit
    damage 6 + 3 = 9
    """
    log = _Log(dice)
    if strike.flat_check and not _flat_check(strike, rolls, log):
        return log.outcome()
    natural = _d20(rolls.attack, strike, "attack roll")
    degree = _degree(dice, natural, _total(dice, strike, natural), strike.defense)
    _tell_roll(dice, strike, natural, degree, log)
    if degree < 1:
        return _missed(dice, strike, rolls, natural, log)
    return _hit(dice, strike, rolls, natural, degree, log)


def attack_square(dice: Dice, strike: Strike, rolls: Rolls, *, occupied: bool) -> Outcome:
    """Return what comes of an attack on a square in which the attacker thinks an unseen target to be.

    If the target is there it is an attack on him with at least the edition's miss chance or flat check for a guessed
    square, in place of a smaller one; else it strikes nothing, whatever the rolls.

    Raises
    ------
    QuestionError
        If the edition has no such attack, or as :func:`resolve`.
    """
    rule = dice.guessed_square
    if rule is None:
        raise QuestionError("this edition has no attack on a square in which one thinks the target to be")
    log = _Log(dice)
    if not occupied:
        log.add("square_empty", "the target is not in that square: the attack strikes nothing")
        return log.outcome()
    miss_chance, flat_check = max(rule.miss_chance, strike.miss_chance), max(rule.flat_check, strike.flat_check)
    log.add("square_occupied", f"the target is in that square: miss chance {miss_chance}%, flat check {flat_check}")
    outcome = resolve(dice, replace(strike, miss_chance=miss_chance, flat_check=flat_check), rolls)
    return replace(outcome, steps=(*log.steps, *outcome.steps))


def coup_de_grace(
    dice: Dice,
    strike: Strike,
    rolls: Rolls,
    *,
    action: str,
    adjacent: bool = True,
    concealed: bool = False,
    level: int | None = None,
    hit_points: int | None = None,
) -> Outcome:
    """Return what comes of a blow against a helpless target; who is struck survives the damage or not by its hit points.

    Parameters
    ----------
    action
        The action spent on it, by the table's words.
    adjacent
        The attacker is next to the target.
    concealed
        The target has total concealment.
    level
        The attacker's level, where the difficulty of the save depends on it.
    hit_points
        The target's full hit points, where these decide whether it dies.

    Raises
    ------
    QuestionError
        If the edition has no such blow, or not with that action, weapon or distance, or not against who is immune to
        critical hits; for missing numbers; or as :func:`resolve`.
    """
    rule = dice.coup_de_grace
    if rule is None:
        raise QuestionError("this edition has no coup de grace")
    end = _allowed(rule, strike, action, adjacent=adjacent, concealed=concealed)
    log = _Log(dice)
    log.provokes = rule.provokes
    log.add(
        "coup_de_grace", f"coup de grace ({action})" + (", provokes attacks of opportunity" if rule.provokes else "")
    )
    if end == "dies":
        log.add("dies", "the target dies, without a save")
        return replace(log.outcome("target"), critical=True, dies=True)
    if rule.attack_roll:
        outcome = resolve(dice, replace(strike, hits_are_critical=True), rolls)
        outcome = replace(outcome, steps=(*log.steps, *outcome.steps), provokes=rule.provokes)
    else:
        outcome = _strike_home(dice, strike, rolls, log, critical=not strike.immune)
    if not outcome.hit or strike.immune:
        return outcome
    log.steps = list(outcome.steps)
    return _end_of_blow(rule, outcome, end, log, level=level, hit_points=hit_points)


def _allowed(
    rule: CoupDeGrace, strike: Strike, action: str, *, adjacent: bool, concealed: bool
) -> Literal["save", "dies", "half_hit_points"]:
    """Return what such a blow leads to; raise if it cannot be made."""
    kind = strike.swing.weapon.kind
    actions = rule.concealed_actions if concealed else rule.actions
    if strike.immune and rule.against_immune == "forbidden":
        raise QuestionError("no coup de grace against a target that is immune to critical hits")
    if kind not in rule.weapons and kind not in rule.adjacent_weapons:
        raise QuestionError(f"no coup de grace with this weapon ({kind})")
    if kind not in rule.weapons and not adjacent:
        raise QuestionError(f"a coup de grace with a {kind} needs a target next to the attacker")
    if action not in actions:
        against = " against a target with total concealment" if concealed else ""
        known = ", ".join(actions) or "none"
        raise QuestionError(f"no coup de grace{against} as the action {action!r}; known: {known}")
    return actions[action]


def _end_of_blow(
    rule: CoupDeGrace,
    outcome: Outcome,
    end: Literal["save", "dies", "half_hit_points"],
    log: _Log,
    *,
    level: int | None,
    hit_points: int | None,
) -> Outcome:
    """Return the outcome of a blow that hit, with the save that follows or the death that it is."""
    if end == "half_hit_points":
        if hit_points is None or hit_points < 1:
            raise QuestionError(f"this edition's coup de grace needs the target's full hit points, got {hit_points}")
        dies = outcome.damage >= hit_points // 2
        if dies:
            log.add("dies", f"{outcome.damage} is at least half of {hit_points} hit points: the target dies")
        return replace(outcome, steps=tuple(log.steps), dies=dies)
    added = {"damage": outcome.damage, "level": level, "nothing": 0}[rule.save_adds]
    if added is None:
        raise QuestionError("the save against this edition's coup de grace needs the attacker's level")
    log.add("save", f"if the target survives the damage: Fortitude save against {rule.save_dc + added} or it dies")
    return replace(outcome, steps=tuple(log.steps), save_dc=rule.save_dc + added)


class _Log:
    """The steps so far, and what an outcome made of them says."""

    def __init__(self, dice: Dice) -> None:
        self.rules = dice.rules
        self.steps: list[Step] = []
        self.provokes = False

    def add(self, word: StepWord, text: str) -> None:
        self.steps.append(Step(word, text, self.rules.get(word, "")))

    def outcome(
        self,
        struck: Literal["target", "coverer", "cover", "nothing"] = "nothing",
        damage: int = 0,
        *,
        critical: bool = False,
        subdual: bool = False,
    ) -> Outcome:
        return Outcome(tuple(self.steps), struck, critical, damage, subdual, provokes=self.provokes)


def _checked(roll: int | None, sides: int, what: str) -> int:
    if roll is None:
        raise QuestionError(f"the {what} is missing: a roll from 1 to {sides}")
    if not 1 <= roll <= sides:
        raise QuestionError(f"the {what} is a roll from 1 to {sides}, got {roll}")
    return roll


def _d20(faces: tuple[int, ...], strike: Strike, what: str) -> int:
    """Return the d20 that counts: the only one, the better or the worse of two."""
    needed = 1 if strike.roll == "normal" else 2
    if len(faces) != needed:
        raise QuestionError(f"the {what} ({strike.roll}) takes {needed} d20, got {len(faces)}")
    checked = [_checked(face, 20, what) for face in faces]
    return min(checked) if strike.roll == "disadvantage" else max(checked)


def _bonus(dice: Dice, strike: Strike) -> int:
    return strike.bonus + (dice.unarmed.normal_damage if strike.swing.normal_damage else 0)


def _total(dice: Dice, strike: Strike, natural: int) -> int:
    return natural + _bonus(dice, strike)


def _degree(dice: Dice, natural: int, total: int, defense: int) -> int:
    """Return the degree of success: -1, 0 for a miss, 1, 2 for a hit; without degrees 0 or 1."""
    degree = 1 if total >= defense else 0
    if dice.critical == "degrees":
        if total >= defense + dice.degree_margin:
            degree = 2
        elif total <= defense - dice.degree_margin:
            degree = -1
    if natural == 20:
        if dice.natural_20 == "degree":
            degree = min(degree + 1, 2)
        elif dice.natural_20 == "hits":
            degree = max(degree, 1)
    elif natural == 1:
        if dice.natural_1 == "degree":
            degree = max(degree - 1, -1)
        elif dice.natural_1 == "misses":
            degree = min(degree, 0)
    return degree


def _flat_check(strike: Strike, rolls: Rolls, log: _Log) -> bool:
    roll = _checked(rolls.flat_check, 20, "flat check")
    succeeds = roll >= strike.flat_check
    log.add("flat_check", f"flat check {roll} against {strike.flat_check}: {'succeeds' if succeeds else 'fails'}")
    return succeeds


def _tell_roll(dice: Dice, strike: Strike, natural: int, degree: int, log: _Log) -> None:
    total, hit = _total(dice, strike, natural), degree >= 1
    if natural == 20 and dice.natural_20 != "nothing":
        log.add("natural_20", "natural 20: " + ("hits by itself" if dice.natural_20 == "hits" else "one degree better"))
    if natural == 1 and dice.natural_1 != "nothing":
        log.add("natural_1", "natural 1: " + ("misses by itself" if dice.natural_1 == "misses" else "one degree worse"))
    text = (
        f"{natural} {_signed(_bonus(dice, strike))} = {total} against AC {strike.defense}: {'hit' if hit else 'miss'}"
    )
    log.add("hit" if hit else "miss", text)


def _missed(dice: Dice, strike: Strike, rolls: Rolls, natural: int, log: _Log) -> Outcome:
    """Return what a miss strikes instead: nothing, the cover, who gives it, or the target if that one dodged."""
    rule, total, open_defense = dice.cover_struck, _total(dice, strike, natural), strike.defense - strike.cover
    open_degree = _degree(dice, natural, total, open_defense)
    if rule is None or open_degree < 1:
        return log.outcome()
    log.add("cover_struck", f"{total} reaches AC {open_defense} without the cover: the cover is struck")
    coverer = strike.coverer
    if coverer is None:
        return log.outcome("cover")
    waived = coverer.dexterity * coverer.waives_dexterity + coverer.dodge * coverer.waives_dodge
    helped = coverer.dexterity + coverer.dodge - waived
    defense = coverer.defense - waived

    def beats(armor: int) -> bool:
        return total >= armor if rule.comparison == ">=" else total > armor

    if beats(defense):
        log.add("coverer_hit", f"{total} {rule.comparison} AC {defense} of who gives the cover: who is struck instead")
        if rule.haft and strike.swing.weapon.reach:
            log.add("haft", "the haft of a weapon with reach does no damage")
            return log.outcome("coverer")
        return _strike_home(dice, strike, rolls, log, struck="coverer")
    if rule.dodges and beats(defense - helped):
        log.add("coverer_dodges", f"only Dexterity and dodging keep AC {defense} from {total}: no cover after all")
        return _hit(dice, replace(strike, defense=open_defense), rolls, natural, open_degree, log)
    return log.outcome("cover")


def _hit(dice: Dice, strike: Strike, rolls: Rolls, natural: int, degree: int, log: _Log) -> Outcome:
    """Return what comes of an attack roll that hits the target."""
    if strike.miss_chance:
        roll = _checked(rolls.percentile, 100, "d% of the miss chance")
        missed = roll <= strike.miss_chance
        log.add("concealment", f"d% {roll}, miss chance {strike.miss_chance}%: {'missed' if missed else 'hit'}")
        if missed:
            return log.outcome()
    critical = _critical(dice, strike, rolls, natural, degree, log)
    return _strike_home(dice, strike, rolls, log, critical=critical)


def _critical(dice: Dice, strike: Strike, rolls: Rolls, natural: int, degree: int, log: _Log) -> bool:
    """Is a hit critical?"""
    if strike.immune:
        return False
    if strike.hits_are_critical:
        log.add("critical", "every hit on this target is critical")
        return True
    if dice.critical == "degrees":
        critical = degree == 2
    elif dice.critical == "none" or natural < strike.swing.weapon.threat:
        return False
    elif dice.critical == "confirm":
        return _confirmed(dice, strike, rolls, log)
    else:
        critical = dice.critical == "natural" or _total(dice, strike, natural) >= strike.defense
    if critical:
        log.add("critical", "critical hit")
    return critical


def _confirmed(dice: Dice, strike: Strike, rolls: Rolls, log: _Log) -> bool:
    log.add("threat", f"a threat: the threat range begins at {strike.swing.weapon.threat}")
    second = _d20(rolls.confirmation, strike, "roll that confirms a critical hit")
    total = _total(dice, strike, second)
    confirmed = _degree(dice, second, total, strike.defense) >= 1
    text = f"{second} {_signed(_bonus(dice, strike))} = {total} against AC {strike.defense}"
    log.add("confirmed" if confirmed else "not_confirmed", f"{text}: {'critical hit' if confirmed else 'a normal hit'}")
    return confirmed


def _strike_home(
    dice: Dice,
    strike: Strike,
    rolls: Rolls,
    log: _Log,
    *,
    critical: bool = False,
    struck: Literal["target", "coverer"] = "target",
) -> Outcome:
    """Return the outcome of an attack that strikes somebody, its damage rolled."""
    swing = strike.swing
    damage = _damage(dice, swing, rolls.damage, log, critical=critical)
    subdual = swing.weapon.subdual and not swing.normal_damage
    if damage < dice.minimum_damage:
        log.add("minimum_damage", f"{damage} is less than {dice.minimum_damage}: the damage is {dice.minimum_damage}")
        damage, subdual = dice.minimum_damage, subdual or dice.minimum_damage_subdual
    if subdual:
        log.add("subdual", "the damage is subdual")
    return log.outcome(struck, damage, critical=critical, subdual=subdual)


def _damage(dice: Dice, swing: Swing, faces: tuple[int, ...], log: _Log, *, critical: bool) -> int:
    """Return the damage before the least damage is seen to."""
    way = dice.critical_damage if critical else "once"
    weapon, light = swing.weapon, swing.weapon.light
    modifier = weapon.damage.constant + strength_damage(dice, swing.strength, hand=swing.hand, light=light)
    modifier += swing.bonus_damage
    times = {"multiply": weapon.multiplier, "double_dice": 2}.get(way, 1)
    left = list(faces)
    rolled = [_roll_of(weapon.damage, left, way) for _ in range(times)]
    extra_way = way if dice.multiplied_extra_dice else "once"
    extra_times = times if dice.multiplied_extra_dice else 1
    extra = sum(_roll_of(swing.extra, left, extra_way) for _ in range(extra_times))
    modifiers = modifier * times if way == "multiply" else modifier
    extra_modifiers = swing.extra.constant * (extra_times if extra_way == "multiply" else 1)
    factor, extra_factor = (2 if one == "double" else 1 for one in (way, extra_way))
    own, more = (sum(rolled) + modifiers) * factor, (extra + extra_modifiers) * extra_factor
    shown = " + ".join(str(one) for one in rolled)
    doubled = ", doubled" if factor == 2 else ""
    log.add("critical_damage" if critical else "damage", f"damage {shown} {_signed(modifiers)}{doubled} = {own}")
    if swing.extra.dice or swing.extra.constant:
        log.add("extra_dice", f"extra damage {more}: {own + more} in all")
    return own + more


def _roll_of(pool: DiceSum, left: list[int], way: str) -> int:
    """Return the sum of the dice of ``pool``, taken from the front of ``left``; of their highest faces if maximal."""
    if way == "maximum":
        return sum(pool.faces)
    total = 0
    for sides in pool.faces:
        total += _checked(left.pop(0) if left else None, sides, f"damage die d{sides}")
    return total


def _signed(number: int) -> str:
    return f"{'-' if number < 0 else '+'} {abs(number)}"
