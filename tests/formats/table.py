"""What became of the maps of the corpus: ``PYTHONPATH=.:tests python -m formats.table`` with GRIDLOS_CORPUS set prints it.

A row a format: files, what can be asked for in them, how many of these are loaded and refused, squares, walls, doors,
creatures and lights, processor seconds. Then why any is refused, and what is remarked, by kind.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter, defaultdict

from formats.corpus import FORMATS, files

from gridlos.errors import MapFileError
from gridlos.formats import scenes_at
from gridlos.walls import KINDS

COLUMNS = ("files", "scenes", "loaded", "refused", "squares", "walls", "doors", "creatures", "lights", "seconds")
_NUMBER = re.compile(r"-?[0-9][0-9.,e+-]*[0-9]|[0-9]")


def kind_of(sentence):
    """A remark or problem without what differs from map to map."""
    if sentence.startswith("weld: "):
        return "weld: ends were moved"
    sentence = re.sub(r"(?<=\([0-9])[0-9]*\): .*|(?<=\))(?<=[0-9]\)): .*", "):", sentence)
    sentence = re.sub(r"'[^']*'|\"[^\"]*\"", "…", sentence).partition("; layers of tiles:")[0]
    return _NUMBER.sub("n", sentence).partition("(n")[0].strip(" :")


def counted(found, scene):
    battle_map = scene.battle_map
    found["loaded"] += 1
    found["squares"] += battle_map.rows * battle_map.cols
    found["walls"] += len(battle_map.walls)
    found["doors"] += sum(KINDS[wall.kind].is_door for wall in battle_map.walls)
    found["creatures"] += len(scene.creatures)
    found["lights"] += len(scene.lights)


def read(format_, refused, remarks):
    """The row of a format."""
    found = Counter(files=len(files(format_)))
    begin = time.thread_time()
    for path in files(format_):
        try:
            scenes = scenes_at(path)
        except MapFileError as error:
            scenes = ((None, raising(error)),)
        for name, read_one in scenes:
            found["scenes"] += 1
            try:
                scene = read_one()
            except MapFileError as error:
                found["refused"] += 1
                refused[kind_of(error.problem)].append(f"{path.name[-40:]}{f' ({name})' if name else ''}")
                continue
            counted(found, scene)
            for kind in {kind_of(warning) for warning in scene.warnings}:
                remarks[kind][format_] += 1
    found["seconds"] = round(time.thread_time() - begin, 2)
    return found


def raising(error):
    def read_one():
        raise error

    return read_one


def main():
    refused, remarks = defaultdict(list), defaultdict(Counter)
    rows = {format_: read(format_, refused, remarks) for format_ in FORMATS}
    rows["all"] = sum(rows.values(), Counter())
    lines = ["| format | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join(f"{row[column]:,.5g}" if column == "seconds" else f"{row[column]:,}" for column in COLUMNS) + " |"
              for name, row in rows.items()]  # fmt: skip
    lines += ["", "refused:"] + [f"* {why}: {', '.join(names)}" for why, names in refused.items()]
    lines += ["", "remarks, and in how many scenes:"]
    for kind, counts in sorted(remarks.items(), key=lambda one: -one[1].total()):
        lines.append(f"* {kind}: " + ", ".join(f"{format_} {count}" for format_, count in counts.items()))
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
