"""The words of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import get_args

from gridlos.cli import commands, editions
from gridlos.cli.bench import add_arguments
from gridlos.cli.lint import lint
from gridlos.creature import SQUARES_BY_SIZE
from gridlos.facts import Attack
from gridlos.formats.foundry import EffectChannel
from gridlos.formats.tiled import EmptyWord, ShapesWord
from gridlos.formats.uvtt import ObjectsWord, WindowsWord
from gridlos.version import __version__
from gridlos.weld import TOLERANCE

__all__ = ["parser"]

EXAMPLES = """\
examples:
  gridlos evaluate maps/gatehouse.scene.json --edition pathfinder1
  gridlos evaluate maps/cave.scene.json --edition dnd5e --attacker guide --format json -o cave.json
  gridlos field maps/gatehouse.scene.json --edition pathfinder1 --attacker sentry
  gridlos explain maps/gatehouse.scene.json --attacker fighter --target sentry --edition pathfinder1
  gridlos evaluate maps/mill.dd2vtt --creatures maps/mill.creatures.json --windows open --edition starfinder1
  gridlos evaluate maps/gatehouse.scene.json --edition starfinder1 --attack area --origin 7,4
  gridlos compare maps/gatehouse.scene.json --editions pathfinder1,dnd5e
  gridlos evaluate packs/maps.db --scene "The Tomb" --effect-channel both --edition dnd5e
  gridlos convert maps/mill.dd2vtt --creatures maps/mill.creatures.json mill.scene.json
  gridlos lint maps/mill.dd2vtt --creatures maps/mill.creatures.json
  gridlos editions pathfinder1
"""

MAP = (
    "a scene file (.scene.json), a Universal VTT map (.dd2vtt, .df2vtt, .uvtt), a scene or pack of Foundry VTT (.json, .db, "
    "a folder), a map of Tiled (.tmx, .tmj), a One Page Dungeon or a dungeon of donjon (.json), a map of MovingAI (.map), a "
    "drawing (.txt) of gridlos or a roguelike game"
)


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; what it returns has ``run``, the function of the command."""
    whole = argparse.ArgumentParser(
        prog="gridlos",
        description="Exact line of effect and cover for every attacker and target of a battle map.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"gridlos {__version__}")
    add = whole.add_subparsers(title="commands", metavar="COMMAND", required=True).add_parser
    _evaluate(add("evaluate", help="the answers for all pairs of creatures: a table, JSON or CSV"))
    _field(add("field", help="the cover that one would have in every square: drawings or JSON"))
    _explain(add("explain", help="why one attacker has his answer against one target"))
    _compare(add("compare", help="the pairs for which editions differ, with reasons"))
    _convert(add("convert", help="write a map in another format"))
    _lint(add("lint", help="what is probably not meant: leaks, clipped squares, creatures sealed in, doors without a gap"))
    _editions(add("editions", help="the editions; what one of them says; check a table of house rules"))
    info = add("info", help="versions, formats, editions, where compiled kernels are kept")
    info.set_defaults(run=commands.info)
    warmup = add("warmup", help="compile everything once, so that no later command waits for it")
    warmup.set_defaults(run=commands.warmup)
    add_arguments(add("bench", help="how long named workloads take here, each checked first"))
    return whole


def _map(command: argparse.ArgumentParser, metavar: str = "MAP") -> None:
    """Add what names a map and says how it is read."""
    command.add_argument("map", metavar=metavar, help=MAP)
    command.add_argument("--creatures", metavar="FILE", help="JSON with the creatures, in place of those of the map")
    command.add_argument("--scene", metavar="NAME", help="which scene of a pack of Foundry VTT, by name or id")
    _reading(command.add_argument_group("how maps of other programs are read"))


def _reading(reading: argparse._ArgumentGroup) -> None:
    reading.add_argument(
        "--windows",
        choices=get_args(WindowsWord),
        help="Universal VTT: which portals are windows: none (default; those that are not closed are open doors), open "
        "(those), short (shorter than 0.85 squares) or open-or-short",
    )
    reading.add_argument(
        "--objects",
        choices=get_args(ObjectsWord),
        help="what outlines of objects (Universal VTT) and columns (One Page Dungeon) are: hard (default; walls), "
        "see-into (one lets through, two do not) or ignore",
    )
    reading.add_argument(
        "--effect-channel",
        choices=get_args(EffectChannel),
        help="Foundry VTT: which restriction of a wall stops effect: move (default), sight, light, sound or both (the "
        "milder of move and sight: cliffs and water, where one only cannot walk, stop nothing)",
    )
    reading.add_argument(
        "--weld",
        type=float,
        metavar="SQUARES",
        help=f"put wall ends nearer than that to something onto it (default: {TOLERANCE}; 0: leave all as drawn)",
    )
    reading.add_argument(
        "--solid-layers",
        type=_names,
        metavar="NAME,NAME",
        help="Tiled: the layers whose tiles and objects are walls (default: those called walls, collision, solid ...)",
    )
    reading.add_argument(
        "--tile-property",
        type=_names,
        metavar="NAME,NAME",
        help="Tiled: the properties that make a tile or an object a wall (default: collides, solid, blocked ...)",
    )
    reading.add_argument(
        "--empty", choices=get_args(EmptyWord), help="Tiled: what squares without a tile are: open (default) or void"
    )
    reading.add_argument(
        "--tile-shapes",
        choices=get_args(ShapesWord),
        help="Tiled: what collision shapes of tiles are that are no whole square: walls (default; along their outline) "
        "or ignore",
    )
    reading.add_argument(
        "--letter",
        action="append",
        default=[],
        type=_letter,
        metavar="X=WORD",
        help="MovingAI, roguelike drawings: what a letter stands for: T=brush, D='secret door', g='creature goblins'; "
        "may be repeated",
    )
    reading.add_argument(
        "--legend", metavar="FILE", help='the same for many letters: JSON such as {"T": "brush", "w": {"kind": "low wall"}}'
    )
    reading.add_argument(
        "--feet-per-square", type=float, metavar="FEET", help="how wide a square is, whatever the file says (default: as it says, else 5)"
    )


def _question(command: argparse.ArgumentParser) -> None:
    """Add what every question about a scene takes."""
    _map(command)
    _edition(command)
    _attack(command)


def _edition(command: argparse.ArgumentParser) -> None:
    command.add_argument("--edition", required=True, metavar="E", help="an edition's id, or a TOML file of house rules")
    command.add_argument(
        "--option",
        action="append",
        default=[],
        type=_option,
        metavar="NAME=VALUE",
        help="an option of the edition (gridlos editions ID lists them); may be repeated",
    )


def _attack(command: argparse.ArgumentParser) -> None:
    """Add what says how is attacked, also from a point."""
    _creatures_attack(command, [str(one) for one in Attack])
    command.add_argument(
        "--origin",
        type=_point,
        metavar="X,Y",
        help="for --attack area: the point from which the effect comes, in squares (a corner is a pair of whole numbers)",
    )
    command.add_argument("--spread", action="store_true", help="for --attack area: the effect spreads round corners")


def _creatures_attack(command: argparse.ArgumentParser, attacks: Sequence[str]) -> None:
    command.add_argument("--attack", choices=attacks, default="ranged", help="default: ranged")
    command.add_argument("--weapon", metavar="W", help="the weapon of all attackers: bow, crossbow, longsword ...")
    command.add_argument("--observer", metavar="SIDE", help="leave out the creatures that are hidden from this side")


def _only(command: argparse.ArgumentParser, *roles: str) -> None:
    for role in roles:
        command.add_argument(
            f"--{role}", action="append", metavar="ID", help=f"only this {role}; may be repeated (default: everybody)"
        )


def _output(command: argparse.ArgumentParser) -> None:
    command.add_argument("-o", "--output", metavar="FILE", help="write there, whole or not at all (default: stdout)")


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is no option; write name=value")
    return name, value


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _letter(text: str) -> tuple[str, str]:
    if len(text) < 3 or text[1] != "=":
        raise argparse.ArgumentTypeError(f"{text!r} says of no letter what it stands for; write x=wall")
    return text[0], text[2:].strip()


def _point(text: str) -> tuple[float, float]:
    x, comma, y = text.partition(",")
    try:
        if comma:
            return float(x), float(y)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is no point; write X,Y")


def _evaluate(command: argparse.ArgumentParser) -> None:
    _question(command)
    _only(command, "attacker", "target")
    command.add_argument("--format", choices=list(commands.FORMATS), help="default: table")
    command.add_argument(
        "--pairs", action="store_true", help="JSON, an object a pair, with modifiers, notes and the lines that prove it"
    )
    _output(command)
    command.set_defaults(run=commands.evaluate, usage_error=command.error)


def _field(command: argparse.ArgumentParser) -> None:
    _map(command)
    _edition(command)
    _creatures_attack(command, ("ranged", "melee"))
    command.add_argument(
        "--size", choices=list(SQUARES_BY_SIZE), default="medium", help="of the one who would stand there (default: medium)"
    )
    _only(command, "attacker")
    command.add_argument("--format", choices=["drawing", "json"], default="drawing", help="default: drawing")
    _output(command)
    command.set_defaults(run=_run_field)


def _run_field(given: argparse.Namespace) -> None:
    from gridlos.cli.field import field  # noqa: PLC0415 - numba takes longer to import than all the rest

    field(given)


def _explain(command: argparse.ArgumentParser) -> None:
    _question(command)
    command.add_argument("--attacker", required=True, metavar="ID")
    command.add_argument("--target", required=True, metavar="ID")
    command.set_defaults(run=commands.explain)


def _compare(command: argparse.ArgumentParser) -> None:
    _map(command)
    command.add_argument(
        "--editions", required=True, metavar="E,E", help="ids of editions or TOML files, with commas; all: every edition"
    )
    _attack(command)
    _only(command, "attacker", "target")
    command.set_defaults(run=commands.compare)


def _convert(command: argparse.ArgumentParser) -> None:
    _map(command, "IN")
    command.add_argument(
        "result",
        metavar="OUT",
        help="what to write, by its ending: .scene.json, .txt (a drawing), .uvtt or .dd2vtt; a folder: each scene of a pack; "
        "/dev/stdout: scene JSON",
    )
    command.set_defaults(run=commands.convert)


def _lint(command: argparse.ArgumentParser) -> None:
    _map(command)
    command.description = (
        "What is probably not meant on a map, nearest to the top left first: leaks at nearly closed joints, walls through "
        "creatures' squares, creatures sealed in, doors that open nothing. Exit code 0 with or without findings. Welding "
        "closes the narrowest leaks while the map is read; --weld 0 shows them, too."
    )
    command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    command.add_argument("--brief", action="store_true", help="no drawings")
    command.set_defaults(run=lint)


def _editions(command: argparse.ArgumentParser) -> None:
    which = command.add_mutually_exclusive_group()
    which.add_argument("id", nargs="?", metavar="ID", help="an edition's id, or a TOML file of house rules")
    which.add_argument("--check", metavar="FILE", help="tell every problem of a TOML file of house rules")
    command.set_defaults(run=editions.editions)
