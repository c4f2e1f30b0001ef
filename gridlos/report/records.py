"""The records of a result file, ``gridlos.result/1``: what is encoded, and what the JSON Schema is made of."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

__all__ = ["RESULT_SCHEMA", "ContactWord", "LineRecord", "ModifierRecord", "Pair", "ProofRecord", "Result"]

RESULT_SCHEMA: Final = "gridlos.result/1"

Feet = Annotated[float, Meta(ge=0)]
Code = Annotated[int, Meta(ge=0)]
FourLines = Annotated[int, Meta(ge=0, le=4)]
Save = Annotated[Literal["reflex", "dexterity"], Meta(description="The save that cover helps.")]
ContactWord = Literal["clear", "touches", "blocked"]
AttackWord = Literal["ranged", "melee", "area"]
Position = Annotated[tuple[int, int], Meta(description="x, y.")]
Half = Annotated[float, Meta(multiple_of=0.5)]
Point = Annotated[tuple[Half, Half], Meta(description="x, y: a corner, or the centre of a space, which may lie at halves.")]

Bools = list[list[bool | None]]
Ints = list[list[int | None]]
Words = list[list[str | None]]

_ROWS = "A row an attacker, a column a target; null for a creature against itself."
Flags = Annotated[Bools, Meta(description=_ROWS)]
Numbers = Annotated[Ints, Meta(description=f"{_ROWS} A stacked sum.")]


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answers for every attacker-target pair, columnar: each column is a list of rows."""

    schema: Literal["gridlos.result/1"] = RESULT_SCHEMA
    engine: Annotated[str, Meta(description="gridlos and its version.")]
    edition: Annotated[str, Meta(description="Id of the edition.")]
    attack: AttackWord
    options: Annotated[dict[str, str], Meta(description="Every option of the edition, as used.")]
    scene: Annotated[str, Meta(description="The scene's name.")]
    feet_per_square: Annotated[float, Meta(gt=0)]
    attackers: Annotated[list[str], Meta(description="Ids of the rows.")]
    targets: Annotated[list[str], Meta(description="Ids of the columns.")]
    warnings: Annotated[list[str], Meta(description="What the scene holds and nothing uses, and what was repaired.")]
    distance: Annotated[list[list[Feet | None]], Meta(description=f"{_ROWS} Feet.")]
    line_of_effect: Flags
    line_of_sight: Flags
    cover: Annotated[list[list[Code | None]], Meta(description=f"{_ROWS} Index into degrees.")]
    degrees: Annotated[list[str], Meta(description="The edition's degrees of cover, mildest first.")]
    blocked_lines: Annotated[
        list[list[FourLines | None]],
        Meta(description=f"{_ROWS} Blocked lines from the chosen corner, of 4; 4 where all counted ones are."),
    ]
    can_attack: Annotated[Bools, Meta(description=f"{_ROWS} False: total cover, or a target that the rules forbid.")]
    attack_modifier: Numbers
    defense_modifier: Numbers
    net_modifier: Annotated[Ints, Meta(description=f"{_ROWS} Attack minus defense.")]
    save: Save
    save_modifier: Numbers
    evasion: Annotated[Words, Meta(description=f"{_ROWS} What a save does to damage: none, improved and so on.")]
    soft: Annotated[Bools, Meta(description=f"{_ROWS} A creature blocks a line from the chosen corner.")]
    concealment: Annotated[list[list[Code | None]], Meta(description=f"{_ROWS} Index into concealments.")]
    concealments: Annotated[list[str], Meta(description="The edition's degrees of concealment, mildest first.")]
    miss_chance: Annotated[Ints, Meta(description=f"{_ROWS} Percent.")]
    in_reach: Flags | UnsetType = UNSET
    threatens: Annotated[Bools, Meta(description=f"{_ROWS} In reach and able to attack.")] | UnsetType = UNSET
    flanked: Annotated[Bools, Meta(description=f"{_ROWS} Melee only.")] | UnsetType = UNSET
    opportunity: Annotated[
        Bools, Meta(description=f"{_ROWS} An attack of opportunity is allowed; null for ranged attacks.")
    ]
    can_hide: Annotated[Bools, Meta(description=f"{_ROWS} The target may try Stealth.")]
    stealth_modifier: Numbers
    roll: Annotated[Words, Meta(description=f"{_ROWS} normal, advantage or disadvantage.")] | UnsetType = UNSET
    hidden_fraction: (
        Annotated[
            list[list[float | None]],
            Meta(description=f"{_ROWS} The part of the target's square that walls hide from the chosen corner."),
        ]
        | UnsetType
    ) = UNSET
    flat_check: Annotated[Ints, Meta(description=f"{_ROWS} What a flat check must reach; 0: none.")] | UnsetType = UNSET
    loses_dexterity: Annotated[Bools, Meta(description=f"{_ROWS} The target has no Dexterity bonus.")] | UnsetType = UNSET
    sneak_attack: Annotated[Bools, Meta(description=f"{_ROWS} A sneak attack is possible.")] | UnsetType = UNSET
    off_guard: Annotated[Bools, Meta(description=f"{_ROWS} The target is off-guard.")] | UnsetType = UNSET
    combat_advantage: (
        Annotated[Bools, Meta(description=f"{_ROWS} The attacker has combat advantage.")] | UnsetType
    ) = UNSET


class ModifierRecord(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One number of a verdict, its type and its reason."""

    on: Annotated[str, Meta(description="The statistic: attack, defense, save and so on.")]
    value: int
    type: Annotated[str, Meta(description="The bonus type that decides stacking.")]
    rule: Annotated[str, Meta(description="Id of the rule.")]
    text: str
    kept: Annotated[bool, Meta(description="False where stacking dropped it.")] = True


class LineRecord(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a proof."""

    to: Point
    contact: ContactWord
    by: Annotated[list[str], Meta(description="What touches or stops it.")] = msgspec.field(default_factory=list)
    counted: Annotated[bool, Meta(description="False where the corner is cut off from its own square.")] = True
    through: Annotated[list[str], Meta(description="What it passes that gives cover by a word of its own.")] = (
        msgspec.field(default_factory=list)
    )


class ProofRecord(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The squares and the corner that the attacker chose, and the lines from that corner."""

    attacker_square: Position
    corner: Point
    target_square: Position
    lines: list[LineRecord]
    concealed_by: Annotated[list[str], Meta(description="What conceals the target.")] = msgspec.field(
        default_factory=list
    )
    is_centre: Annotated[
        bool, Meta(description="Cover is found on one line: corner is the centre of the attacker's space.")
    ] = False


class Pair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer for one attacker and one target, with its reasons."""

    attacker: str
    target: str
    distance: Annotated[float, Meta(ge=0, description="Feet.")]
    line_of_effect: bool
    line_of_sight: bool
    cover: Annotated[str, Meta(description="The edition's word for the degree.")]
    blocked_lines: FourLines
    can_attack: bool
    attack_modifier: int
    defense_modifier: int
    net_modifier: Annotated[int, Meta(description="Attack minus defense.")]
    save: Save
    save_modifier: int
    evasion: str
    soft: Annotated[bool, Meta(description="A creature blocks a line from the chosen corner.")]
    concealment: Annotated[str, Meta(description="The edition's word for the degree.")]
    miss_chance: Annotated[int, Meta(description="Percent.")]
    in_reach: bool | UnsetType = UNSET
    threatens: bool | UnsetType = UNSET
    flanked: bool | UnsetType = UNSET
    opportunity: bool | None
    can_hide: bool
    stealth_modifier: int
    roll: str | UnsetType = UNSET
    hidden_fraction: float | UnsetType = UNSET
    flat_check: int | UnsetType = UNSET
    loses_dexterity: bool | UnsetType = UNSET
    sneak_attack: bool | UnsetType = UNSET
    off_guard: bool | UnsetType = UNSET
    combat_advantage: bool | UnsetType = UNSET
    modifiers: Annotated[list[ModifierRecord], Meta(description="Those that count and those that stacking dropped.")]
    notes: Annotated[list[str], Meta(description="What the game master may decide, one sentence each.")]
    proof: ProofRecord
