"""Errors, each of them one clear line: what is wrong, where, and what would be right."""

from __future__ import annotations

__all__ = ["EditionError", "GridlosError", "MapFileError", "QuestionError", "SceneError"]


class GridlosError(Exception):
    """The base of every error that gridlos raises on purpose."""


class MapFileError(GridlosError, ValueError):
    """A file that cannot be read as a map or scene.

    Parameters
    ----------
    file
        Name of the file as the caller gave it.
    problem
        What is wrong and what would be right, one sentence each.
    place
        Where in the file: ``"line 3, column 7"``, a JSON path such as ``"$.walls[2].from"``; ``""`` if it is the
        whole file.
    """

    def __init__(self, file: str, problem: str, place: str = "") -> None:
        self.file, self.problem, self.place = file, problem, place
        super().__init__(": ".join(part for part in (file, place, problem) if part))


class SceneError(GridlosError, ValueError):
    """A scene that contradicts itself: an unknown word, a creature inside a wall, two creatures of one id.

    Parameters
    ----------
    problem
        What is wrong.
    place
        JSON path (``"$.creatures[1].at"``) or the id of the creature or wall; ``""`` if it is the whole scene.
    hint
        What would be right; ``""`` if the problem says it.
    """

    def __init__(self, problem: str, place: str = "", hint: str = "") -> None:
        self.problem, self.place, self.hint = problem, place, hint
        text = f"{place}: {problem}" if place else problem
        super().__init__(f"{text}; {hint}" if hint else text)


class EditionError(GridlosError, ValueError):
    """An edition table that cannot be used; holds all its problems, each with its path.

    Parameters
    ----------
    problems
        One line each: ``"pathfinder1.toml: degrees[2].attack: expected a whole number, got 'x'"``.
    """

    def __init__(self, problems: tuple[str, ...] | list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class QuestionError(GridlosError, ValueError):
    """A question that names what does not exist: an unknown creature, attack, condition, option or option value.

    Parameters
    ----------
    problems
        All that is wrong, a line each.
    """

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))
