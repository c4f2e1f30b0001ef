"""Documents of Foundry VTT as data: what of them a scene needs, and nothing of it checked yet."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec

from gridlos.errors import MapFileError
from gridlos.formats.reading import is_number
from gridlos.formats.scene_json import json_from

if TYPE_CHECKING:
    from gridlos.formats.files import Limits

__all__ = [
    "Document",
    "WallFields",
    "decoded",
    "document_from",
    "documents_from",
    "finite_or_none",
    "is_foundry",
    "plain_name",
    "with_scenes",
]

_VALUES_A_WALL = 100  # a wall has about twenty; tokens carry the whole sheet of their creature
_ONCE = ("c", "grid")  # keys that stand once in a wall or a scene, and hardly ever in anything else
_KEYS_OF_OTHERS = ('"line_of_sight"', '"pixelsPerTile"')  # Universal VTT, Dungeon Alchemist
_Other: TypeAlias = str | float | bool | list[Any] | None


class WallFields(msgspec.Struct, gc=False, rename={"id": "_id", "side": "dir", "state": "ds"}):
    """What a wall holds; what few walls have is left as JSON. Thousands of them are read, so nothing tracks them."""

    c: Any = None
    move: Any = None
    sight: Any = None
    sense: Any = None
    light: Any = None
    sound: Any = None
    door: Any = None
    state: Any = None
    side: Any = None
    id: Any = None
    threshold: msgspec.Raw = msgspec.Raw()
    flags: msgspec.Raw = msgspec.Raw()
    levels: msgspec.Raw = msgspec.Raw()


class Document(
    msgspec.Struct,
    kw_only=True,
    rename={
        "id": "_id",
        "is_deleted": "$$deleted",
        "grid_type": "gridType",
        "grid_distance": "gridDistance",
        "grid_units": "gridUnits",
        "shift_x": "shiftX",
        "shift_y": "shiftY",
        "global_light": "globalLight",
        "global_light_threshold": "globalLightThreshold",
    },
):
    """What a document of Foundry VTT holds, the keys that no scene needs left out; ``scenes`` is an adventure's.

    Entries that are no objects, and parts that are no lists, stay what they are.
    """

    id: Any = None
    is_deleted: Any = None
    scenes: list[Document | _Other] | dict[str, Any] | str | float | bool | None = None
    name: Any = None
    grid: Any = None
    grid_type: Any = None
    grid_distance: Any = None
    grid_units: Any = None
    width: Any = None
    height: Any = None
    padding: Any = None
    shift_x: Any = None
    shift_y: Any = None
    background: Any = None
    levels: Any = None
    darkness: Any = None
    global_light: Any = None
    global_light_threshold: Any = None
    environment: Any = None
    walls: list[WallFields | _Other] | dict[str, Any] | str | float | bool | None = None
    tokens: Any = None
    lights: Any = None
    regions: Any = None

    @property
    def is_scene(self) -> bool:
        """Whether it is a scene and no other document: one with walls or tokens, and a grid."""
        has_grid = self.grid is not None or self.grid_type is not None
        return has_grid and (self.walls is not None or self.tokens is not None)


_Kind = TypeVar("_Kind")
_DOCUMENT: msgspec.json.Decoder[Document | _Other] = msgspec.json.Decoder(Document | _Other)
_DOCUMENTS: msgspec.json.Decoder[list[Document | _Other]] = msgspec.json.Decoder(list[Document | _Other])


def is_foundry(text: str) -> bool:
    """Return whether a text of JSON may be documents of Foundry VTT, which reading it decides.

    >>> is_foundry('{"walls": [], "grid": 100}'), is_foundry('{"schema": "gridlos.scene/1", "walls": []}')
    (True, False)
    """
    if '"gridlos.scene/' in text[:4096] or any(key in text for key in _KEYS_OF_OTHERS):
        return False
    return ('"grid' in text and ('"walls"' in text or '"tokens"' in text)) or '"scenes"' in text


def document_from(text: str, file: str, limits: Limits, place: str = "") -> Document | None:
    """Return one document, None for JSON that is no object; see :func:`documents_from`."""
    _check_size(text, file, limits, place)
    found = decoded(text, _DOCUMENT, file, place)
    if not isinstance(found, Document):
        return None
    _check_keys(text, [found], file, place)
    return found


def documents_from(text: str, file: str, limits: Limits) -> list[Document]:
    """Return the documents in a text of JSON, one or a list of them, the scenes of adventures in place of these.

    Numbers that are not finite are read as nothing.

    Raises
    ------
    MapFileError
        For what is no JSON, is nested too deep, has more than 100 values for each of the walls that may be, or a key
        twice in a wall or scene.
    """
    if text.lstrip()[:1] != "[":
        found = document_from(text, file, limits)
        return [] if found is None else with_scenes(found)
    _check_size(text, file, limits, "")
    many = decoded(text, _DOCUMENTS, file, "")
    documents = [document for document in many if isinstance(document, Document)]
    _check_keys(text, documents, file, "")
    return [one for document in documents for one in with_scenes(document)]


def with_scenes(document: Document) -> list[Document]:
    """Return the scenes of an adventure, or what is none."""
    if document.is_scene or not isinstance(document.scenes, list):
        return [document]
    return [scene for scene in document.scenes if isinstance(scene, Document)]


def decoded(text: str | bytes, decoder: msgspec.json.Decoder[_Kind], file: str, place: str) -> _Kind:
    """Return JSON as data, also where it has NaN or infinite numbers, which are nothing.

    Raises
    ------
    MapFileError
        For what is no JSON.
    """
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, RecursionError):
        text = text if isinstance(text, str) else text.decode("utf-8", "replace")
    try:
        plain = json.loads(text, parse_constant=lambda _: None, parse_float=_finite, parse_int=_finite)
        return decoder.decode(msgspec.json.encode(plain))
    except (json.JSONDecodeError, UnicodeEncodeError, RecursionError):
        try:
            json_from(text, file)
        except MapFileError as error:
            raise _at(error, place) from error
        raise


def _finite(literal: str) -> float | None:
    number = float(literal)
    return number if math.isfinite(number) else None


def _check_size(text: str, file: str, limits: Limits, place: str) -> None:
    most = _VALUES_A_WALL * limits.walls
    if len(text) // 2 <= most:
        return
    n_values = sum(map(text.count, (",", "[", "{")))
    if n_values > most:
        problem = f"{n_values} values, and the limit is {most}, {_VALUES_A_WALL} a wall; Limits(walls=...) allows more"
        raise MapFileError(file, problem, place)


def _check_keys(text: str, documents: list[Document], file: str, place: str) -> None:
    """Raise MapFileError for a key that stands twice in an object; looked for only where one stands too often."""
    scenes = [one for document in documents for one in with_scenes(document)]
    n_walls = sum(len(scene.walls) for scene in scenes if isinstance(scene.walls, list))
    for key in _ONCE:
        if text.count(f'"{key}"') > (n_walls if key == "c" else len(scenes)):
            try:
                json_from(text, file)
            except MapFileError as error:
                raise _at(error, place) from error
            return


def _at(error: MapFileError, place: str) -> MapFileError:
    """Return the error with its place inside of a line or record."""
    inside = error.place
    if found := re.fullmatch(r"line 1, (.*)", inside) if place.startswith("line ") else None:
        inside = found[1]
    return MapFileError(error.file, error.problem, ", ".join(part for part in (place, inside) if part))


def plain_name(value: object) -> str:
    r"""Return a name as one line of whole characters, empty for what is no text.

    >>> plain_name(" The\nTomb "), plain_name(None)
    ('The Tomb', '')
    """
    return " ".join(value.split()).encode(errors="replace").decode() if isinstance(value, str) else ""


def finite_or_none(value: object) -> float | None:
    """Return a number, also one that is written as a text, None for what is none or not finite.

    >>> [finite_or_none(value) for value in (3, "-2.5", None, "Infinity", float("inf"), "high", True)]
    [3, -2.5, None, None, None, None, None]
    """
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return value if is_number(value) and math.isfinite(value) else None
