"""What readers of other programs' files share: numbers and their words, words of options, and what they remark."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeGuard, get_args

import numpy as np

from gridlos.errors import MapFileError, QuestionError, SceneError
from gridlos.words import hint_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["Remarks", "beyond", "check_word", "in_file", "is_number", "noun", "rounded"]

_LARGEST_NUMBER = 2**40  # what is larger is refused before anything is computed with it
_N_PLACES_TOLD = 3


class Remarks:
    """What was repaired, left out or taken for something else, with its places in the file.

    >>> remarks = Remarks()
    >>> for place in "abcde":
    ...     remarks.add("doors without a wall", place)
    >>> list(remarks.sentences())
    ['doors without a wall (5): a, b, c and 2 more']
    """

    def __init__(self) -> None:
        self._places: defaultdict[str, list[str]] = defaultdict(list)
        self._counts: defaultdict[str, int] = defaultdict(int)

    def add(self, remark: str, place: str) -> None:
        """Add a place to a remark."""
        self._counts[remark] += 1
        if len(self._places[remark]) < _N_PLACES_TOLD:
            self._places[remark].append(place)

    def sentences(self) -> Iterator[str]:
        """Return a sentence for each remark, with the count and the first places."""
        for remark, places in self._places.items():
            n_more = self._counts[remark] - len(places)
            more = f" and {n_more} more" if n_more else ""
            yield f"{remark} ({self._counts[remark]}): {', '.join(places)}{more}"


def is_number(value: object) -> TypeGuard[float]:
    """Return whether this is a finite number of a sensible size: no text, no boolean.

    >>> [is_number(value) for value in (3, 2.5, True, "3", None, float("nan"), 1e300)]
    [True, True, False, False, False, False, False]
    """
    return type(value) in (float, int) and -_LARGEST_NUMBER < value < _LARGEST_NUMBER  # type: ignore[operator]


def noun(value: object) -> str:
    """Return what a value of JSON is called.

    >>> noun([]), noun(None), noun(7), noun(float("inf"))
    ('a list', 'nothing', 'the number 7', 'a number that is not finite or too large')
    """
    if type(value) in (float, int):
        return f"the number {value:g}" if is_number(value) else "a number that is not finite or too large"
    return {bool: "true or false", str: "a text", list: "a list", dict: "an object"}.get(type(value), "nothing")


def rounded(shift: NDArray[np.float64], least: float, to: str) -> tuple[str, ...]:
    """Return one sentence if coordinates of walls were moved, each by ``shift`` squares; up to ``least`` says nothing.

    >>> rounded(np.array([0.0, 0.25]), 1e-5, "a half of a square")
    ('1 of 2 wall coordinates rounded to a half of a square, largest shift 0.25 squares',)
    """
    n_moved = int(np.count_nonzero(shift > least))
    if not n_moved:
        return ()
    return (f"{n_moved} of {shift.size} wall coordinates rounded to {to}, largest shift {shift.max():.3g} squares",)


def beyond(segments: NDArray[Any], cols: int, rows: int, size: int) -> tuple[str, ...]:
    """Return one sentence if walls, ``(n, 4)`` of lattice units, reach beyond a map of squares of ``size`` units.

    >>> beyond(np.array([[0, 0, 5, 4], [0, 0, 4, 4]]), 2, 2, 2)
    ('1 of 2 walls reach beyond the map of 2 by 2 squares; kept',)
    """
    n_out = int(np.count_nonzero(np.any((segments < 0) | (segments > np.array([cols, rows] * 2) * size), axis=1)))
    return (f"{n_out} of {len(segments)} walls reach beyond the map of {cols} by {rows} squares; kept",) if n_out else ()


def check_word(option: str, word: object, known: object) -> None:
    """Raise QuestionError if the value of an option is none of the words of a ``Literal``."""
    words = get_args(known)
    if word not in words:
        raise QuestionError(f"unknown word {word!r} for {option}; {hint_for(str(word), words)}")


def in_file(error: SceneError, file: str) -> MapFileError:
    """Return what is wrong with a scene as what is wrong with its file."""
    problem = f"{error.problem}; {error.hint}" if error.hint else error.problem
    return MapFileError(file, problem, error.place)
