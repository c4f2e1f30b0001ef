"""The command ``gridlos bench``: times of named workloads, each checked first, with the machine."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from gridlos.cli.output import tell, write_text
from gridlos.errors import MapFileError, QuestionError
from gridlos.words import hint_for

__all__ = ["add_arguments", "bench"]

RECORDS = "runs.jsonl"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    command.description = (
        "How long named, seeded workloads take here. Each result is compared with that of the plain walk first; exit code "
        "1 if one is wrong. Real scenes are asked about where GRIDLOS_CORPUS names a folder of map files."
    )
    command.add_argument("names", nargs="*", metavar="NAME", help="only workloads whose name begins so (default: all)")
    command.add_argument("--list", action="store_true", help="tell the names, measure nothing")
    command.add_argument("--json", action="store_true", help="all figures, as JSON")
    command.add_argument("--markdown", action="store_true", help="the table of the README")
    command.add_argument("--seconds", type=float, default=0.5, metavar="S", help="spent on each at most (default: 0.5)")
    command.add_argument("--no-peers", action="store_true", help="leave out other libraries and plain Python")
    command.add_argument("--memory", action="store_true", help="each workload's memory, too, in a process of its own")
    command.add_argument("--start-up", action="store_true", help="import and first evaluation of new processes, too")
    command.add_argument(
        "--cold", action="store_true", help="with --start-up: of a process that compiles all, too (a minute)"
    )
    command.add_argument("--record", metavar="DIR", help=f"add the run to {RECORDS} in this folder, as one line")
    command.add_argument("--last", metavar="DIR", help="measure nothing: tell the last run recorded in this folder")
    command.add_argument(
        "--growth",
        metavar="DIR",
        help="how times grow with creatures, squares and walls, instead: a table and a plot there",
    )
    command.set_defaults(run=bench)


def bench(given: argparse.Namespace) -> None:
    """Measure, on one core unless ``GRIDLOS_THREADS`` says otherwise, and write the figures."""
    from gridlos.bench.workloads import WORKLOADS  # noqa: PLC0415 - numba takes longer to import than all the rest

    os.environ.setdefault("GRIDLOS_THREADS", "1")
    chosen = [name for name in WORKLOADS if not given.names or name.startswith(tuple(given.names))]
    for asked in given.names:
        if not any(name.startswith(asked) for name in WORKLOADS):
            raise QuestionError(f"no workload begins with {asked!r}; {hint_for(asked, list(WORKLOADS))}")
    if given.list:
        write_text("".join(f"{name:<28}  {WORKLOADS[name].title}\n" for name in chosen))
    elif given.growth is not None:
        _growth(Path(given.growth), given.seconds)
    else:
        run = _recorded(Path(given.last)) if given.last is not None else _measured(given, chosen)
        _write(given, run)


def _measured(given: argparse.Namespace, chosen: list[str]) -> dict[str, Any]:
    from gridlos.bench import measure  # noqa: PLC0415 - as above

    found = measure.measured(
        chosen, seconds=given.seconds, peers=not given.no_peers, memory=given.memory, told=_tell_of
    )
    more = {"start_up": measure.start_up(cold=given.cold)} if given.start_up else {}
    run = measure.run_of(found, **more)
    if given.record is not None:
        folder = Path(given.record)
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / RECORDS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(run, ensure_ascii=False) + "\n")
    return run


def _tell_of(name: str) -> None:
    """Tell somebody at a terminal what is being measured."""
    if sys.stderr is not None and sys.stderr.isatty():
        tell([f"{name} ..."])


def _recorded(folder: Path) -> dict[str, Any]:
    path = folder / RECORDS
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines:
        raise MapFileError(os.fspath(path), "no run is recorded here; gridlos bench --record DIR adds one")
    try:
        run = json.loads(lines[-1])
    except ValueError:
        run = None
    if not isinstance(run, dict) or not {"workloads", "machine", "version", "date"} <= run.keys():
        raise MapFileError(os.fspath(path), "this is no record of a run of gridlos bench", f"line {len(lines)}")
    return run


def _write(given: argparse.Namespace, run: dict[str, Any]) -> None:
    from gridlos.bench.tables import to_markdown, to_text  # noqa: PLC0415 - as above

    if given.json:
        write_text(json.dumps(run, ensure_ascii=False, indent=1) + "\n")
    else:
        write_text(to_markdown(run) if given.markdown else to_text(run))


def _growth(folder: Path, seconds: float) -> None:
    from gridlos.bench.growth import growth, growth_plot, growth_table, too_steep  # noqa: PLC0415 - as above

    found = growth(seconds=seconds, told=_tell_of)
    folder.mkdir(parents=True, exist_ok=True)
    table = growth_table(found)
    (folder / "growth.md").write_text(table, encoding="utf-8")
    (folder / "growth.svg").write_text(growth_plot(found), encoding="utf-8")
    write_text(table)
    if problems := too_steep(found):
        raise QuestionError(*problems)
