"""An evaluation as CSV: a row a pair."""

from __future__ import annotations

import csv
import io

import numpy as np
from numpy.typing import NDArray

from gridlos.report.records import Result
from gridlos.verdict import Evaluation

__all__ = ["to_csv"]

TRUTH = np.array(["false", "true"], dtype=object)


def to_csv(evaluation: Evaluation) -> str:
    """Return the evaluation as CSV with a header, a row for every pair of two different creatures.

    Codes stand as their words, truth as ``true`` and ``false``. Lines end in a line feed.

    Examples
    --------
    >>> import gridlos
    >>> result = gridlos.evaluate(gridlos.Scene.from_drawing("A.#.T"), edition="dnd5e", attackers=["A"])
    >>> header, row = to_csv(result).splitlines()
    >>> header[:46], row[:29]
    ('attacker,target,distance,line_of_effect,line_o', 'A,T,20,false,false,total,4,fa')
    """
    rows, columns = np.nonzero(evaluation.distinct)
    table: dict[str, NDArray[np.generic]] = {
        "attacker": np.array(evaluation.attackers, dtype=object)[rows],
        "target": np.array(evaluation.targets, dtype=object)[columns],
    }
    order = [name for name in Result.__struct_fields__ if name in evaluation.columns]
    for name in (*order, *(name for name in evaluation.columns if name not in order)):
        values = evaluation.columns[name][rows, columns]
        if name in evaluation.words:
            values = np.array(evaluation.words[name], dtype=object)[values]
        elif values.dtype == np.bool_:
            values = TRUTH[values.astype(np.intp)]
        table[name] = values
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*(values.tolist() for values in table.values()), strict=True))
    return text.getvalue()
