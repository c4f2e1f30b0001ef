"""What readers of other programs' files share: numbers of a sensible size, words of options, and what they remark."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeGuard, get_args

from gridlos.errors import MapFileError, QuestionError, SceneError
from gridlos.words import hint_for

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Remarks", "check_word", "in_file", "is_number"]

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


def check_word(option: str, word: object, known: object) -> None:
    """Raise QuestionError if the value of an option is none of the words of a ``Literal``."""
    words = get_args(known)
    if word not in words:
        raise QuestionError(f"unknown word {word!r} for {option}; {hint_for(str(word), words)}")


def in_file(error: SceneError, file: str) -> MapFileError:
    """Return what is wrong with a scene as what is wrong with its file."""
    problem = f"{error.problem}; {error.hint}" if error.hint else error.problem
    return MapFileError(file, problem, error.place)
