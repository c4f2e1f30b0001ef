"""What each command does: it reads, asks, writes; whatever is wrong is raised."""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import gridlos
from gridlos import report
from gridlos.cli.output import tell, terminal_width, warn, write_bytes_to_stdout, write_text
from gridlos.cli.warmup import warm_up
from gridlos.errors import MapFileError, QuestionError, SceneError
from gridlos.facts import Attack
from gridlos.formats import LoadOptions, file_stems, load_legend, scenes_at, to_scene_json, with_creatures
from gridlos.formats.files import write_bytes
from gridlos.formats.uvtt import UVTT_ENDINGS
from gridlos.rules import edition_ids, load_edition, own_options
from gridlos.scene import Scene
from gridlos.verdict import Evaluation

__all__ = [
    "FORMATS",
    "compare",
    "convert",
    "evaluate",
    "explain",
    "info",
    "names_the_file",
    "scene_for",
    "warmup",
    "write_result",
]

STDOUT = ("-", "/dev/stdout")
OTHER_FORMATS = (".tmx, .tmj (Tiled)", ".json (One Page Dungeon, donjon)", ".map (MovingAI)")

FORMATS: Mapping[str, Callable[[Evaluation], bytes]] = {
    "table": lambda found: report.to_table(found, width=terminal_width()).encode("utf-8", "backslashreplace"),
    "json": report.to_json,
    "csv": lambda found: report.to_csv(found).encode("utf-8", "backslashreplace"),
}


def evaluate(given: argparse.Namespace) -> None:
    """Write the answers for all pairs."""
    if given.pairs and given.format not in (None, "json"):
        given.usage_error(f"--pairs is JSON and does not go with --format {given.format}")
    _, found = _asked(given, given.edition, given.attacker, given.target)
    content = report.to_pairs_json(found) if given.pairs else FORMATS[given.format or "table"](found)
    write_result(content, given.output)
    warn(found.frame["warnings"])


def write_result(content: bytes, output: str | None) -> None:
    """Write to a file, or to stdout where none is given."""
    if output is None or output in STDOUT:
        write_bytes_to_stdout(content)
    else:
        write_bytes(output, content)


def explain(given: argparse.Namespace) -> None:
    """Write why one pair has its answer."""
    if given.attacker == given.target:
        raise QuestionError(f"attacker and target are both {given.attacker!r}; give two creatures")
    attackers = None if given.attack == str(Attack.AREA) else [given.attacker]
    scene, found = _asked(given, given.edition, attackers, [given.target])
    if given.attacker not in found.attackers:
        raise QuestionError(f"an effect on an area comes from {found.attackers[0]!r}; give that as the attacker")
    edition = load_edition(given.edition, options=found.frame["options"])
    sources = {name: rule.source for name, rule in edition.table.rules.items()}
    verdict = found[given.attacker, given.target]
    text = report.to_explanation(verdict, scene, sources=sources, width=terminal_width())
    write_text(text)
    warn(found.frame["warnings"])


def compare(given: argparse.Namespace) -> None:
    """Write the pairs for which editions differ."""
    names = edition_ids() if given.editions == "all" else [one for one in given.editions.split(",") if one]
    if len(set(names)) < 2:
        raise QuestionError(f"--editions {given.editions}: give two different editions or more, with commas")
    given.option = []
    for name in names:
        load_edition(name)  # what is wrong with these is told before anything about the map
    loaded = gridlos.load(given.map, scene=given.scene, **_reading(given))
    asked = [_asked(given, name, given.attacker, given.target, loaded) for name in names]
    found = [one for _, one in asked]
    write_text(report.to_comparison(found, width=terminal_width()))
    warn(tuple(dict.fromkeys(text for one in found for text in one.frame["warnings"])))


def convert(given: argparse.Namespace) -> None:
    """Write a map in another format; all scenes of a pack where a folder is given."""
    if given.result not in STDOUT and Path(given.result).is_dir():
        _convert_all(given)
        return
    scene = scene_for(given)
    losses: tuple[str, ...] = ()
    if given.result in STDOUT:
        write_bytes_to_stdout(to_scene_json(scene))
    else:
        losses = gridlos.save(scene, given.result)
    warn((*scene.warnings, *losses))


def _convert_all(given: argparse.Namespace) -> None:
    """Write each scene of a pack into a folder, and tell which ones cannot be read."""
    found = scenes_at(given.map, **_reading(given))
    if given.scene is not None:
        found = ((given.scene, lambda: gridlos.load(given.map, scene=given.scene, **_reading(given))),)
    n_written, problems = 0, []
    stems = file_stems([name or Path(given.map).stem for name, _ in found])
    for (_, read), stem in zip(found, stems, strict=True):
        try:
            scene = scene_for(given, loaded=read())
        except MapFileError as error:
            problems.append(error)
            continue
        gridlos.save(scene, Path(given.result) / f"{stem}.scene.json")
        warn(f"{stem}: {warning}" for warning in scene.warnings)
        n_written += 1
    if problems and not n_written:
        raise problems[0]
    warn(f"left out: {problem}" for problem in problems)


def info(given: argparse.Namespace) -> None:
    """Write what is installed and what it can do."""
    import importlib.metadata  # noqa: PLC0415 - takes longer to import than most commands need for their map

    from gridlos.kernels.jit import cache_folder  # noqa: PLC0415 - numba takes longer to import than all the rest
    from gridlos.kernels.lanes import LANES  # noqa: PLC0415 - as above

    versions = {"python": platform.python_version()}
    versions.update({name: importlib.metadata.version(name) for name in ("numpy", "numba", "shapely", "msgspec")})
    entries = {
        "gridlos": gridlos.__version__,
        **versions,
        "package": str(Path(gridlos.__file__).parent),
        "kernels": str(cache_folder() or "compiled anew in each process: no folder for them can be written"),
        "lanes": f"{LANES} words at once" if LANES > 1 else "one word at a time",
        "editions": ", ".join(edition_ids()),
        "reads": ", ".join(
            (".scene.json", *sorted(UVTT_ENDINGS), "Foundry VTT (.json, .db, folders)", *OTHER_FORMATS, ".txt (a drawing)")
        ),
        "writes": ".scene.json, .txt (a drawing), .uvtt, .dd2vtt; answers as table, json, csv",
    }
    width = max(map(len, entries))
    write_text("".join(f"{name:<{width}}  {value}\n" for name, value in entries.items()))


def warmup(given: argparse.Namespace) -> None:
    """Compile all kernels."""
    begin = time.perf_counter()
    warm_up()
    write_text(f"all kernels are compiled: {time.perf_counter() - begin:.1f} s\n")


def _asked(
    given: argparse.Namespace,
    edition: str,
    attackers: list[str] | None,
    targets: list[str] | None,
    loaded: Scene | None = None,
) -> tuple[Scene, Evaluation]:
    """Return the scene and the answers; errors in the scene name its file."""
    load_edition(edition, options=dict(given.option))  # what is wrong with these is told before anything about the map
    scene = scene_for(given, edition, loaded)
    _tell_of_the_first_call()
    with names_the_file(given):
        found = gridlos.evaluate(
            scene,
            edition=edition,
            attack=given.attack,
            attackers=attackers,
            targets=targets,
            options=dict(given.option),
            weapon=given.weapon,
            observer=given.observer,
            origin=given.origin,
            spread=given.spread,
        )
    return scene, found


@contextmanager
def names_the_file(given: argparse.Namespace) -> Iterator[None]:
    """Put the file of the creatures before what is wrong with a question about them."""
    try:
        yield
    except (QuestionError, SceneError) as error:
        file = given.creatures or given.map
        problems = error.problems if isinstance(error, QuestionError) else (str(error),)
        raise QuestionError(*(f"{file}: {problem}" for problem in problems)) from error


def _tell_of_the_first_call() -> None:
    """Tell somebody at a terminal why the first call of all takes so long."""
    from gridlos.kernels.jit import cache_folder  # noqa: PLC0415 - as above

    folder = cache_folder()
    if sys.stderr is not None and sys.stderr.isatty() and (folder is None or not any(folder.glob("*.nbi"))):
        tell(["the first call compiles the kernels, which takes half a minute or more; later ones find them"])


def scene_for(given: argparse.Namespace, edition: str | None = None, loaded: Scene | None = None) -> Scene:
    """Return the scene, read as the command says; where an edition is given, options in the files must be its own.

    ``loaded`` is what stands in the map's file, where that was read before.
    """
    scene = gridlos.load(given.map, scene=given.scene, **_reading(given)) if loaded is None else loaded
    _check_options(scene, edition, given.map)
    if given.creatures is not None:
        scene = with_creatures(scene, given.creatures)
        _check_options(scene, edition, given.creatures)
    return scene


_READING = (
    "windows", "objects", "weld", "effect_channel", "solid_layers", "tile_property", "tile_shapes", "empty",
    "feet_per_square",
)  # fmt: skip
"""Options of :func:`gridlos.load` that the command line has under the same name."""


def _reading(given: argparse.Namespace) -> LoadOptions:
    """Return how the map is to be read, as far as somebody says."""
    said = {name: value for name in _READING if (value := getattr(given, name)) is not None}
    if given.legend is not None or given.letter:
        said["letters"] = {**(load_legend(given.legend) if given.legend is not None else {}), **dict(given.letter)}
    return cast(LoadOptions, said)


def _check_options(scene: Scene, edition: str | None, file: str) -> None:
    if edition is None:
        return
    try:
        load_edition(edition, options=own_options(edition, scene.options)[0])
    except QuestionError as error:
        raise MapFileError(file, str(error), "$.options") from error
