"""The JSON Schema of scene files, made from the record types and shipped with the package."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import msgspec

from gridlos.records import SCHEMA, SceneRecord

__all__ = ["scene_schema", "shipped_schema"]


def scene_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of scene files.

    Examples
    --------
    >>> scene_schema()["$defs"]["Wall"]["properties"]["state"]["description"]
    'Of doors only: open, closed (absent means that too) or locked.'
    """
    schema = msgspec.json.schema(SceneRecord)
    for record in schema["$defs"].values():
        about, remarks = _described(record.get("description", ""))
        record["description"] = about
        for name, remark in remarks.items():
            key = {"start": "from", "end": "to"}.get(name, name)
            record["properties"][key]["description"] = remark
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{SCHEMA.replace('/', ':').replace('.', ':')}",
        "title": SCHEMA,
        **schema,
    }


def shipped_schema() -> str:
    """Return the text of the JSON Schema of scene files that comes with the package."""
    return files("gridlos.formats").joinpath("scene.schema.json").read_text(encoding="utf-8")


def _described(docstring: str) -> tuple[str, dict[str, str]]:
    """Return what a record's docstring says of the record, and of each of its attributes."""
    about, _, rest = docstring.partition("\n\nAttributes\n----------\n")
    attributes, _, _ = rest.partition("\n\nExamples\n")
    remarks: dict[str, str] = {}
    for names, remark in re.findall(r"^(\w.*)\n((?: +.*\n?)+)", attributes, re.MULTILINE):
        for name in names.split(", "):
            remarks[name] = _plain_text(remark)
    return _plain_text(about), remarks


def _plain_text(text: str) -> str:
    """Return a docstring's text without its markup, in one line."""
    text = re.sub(r":\w+:`~?(?:\w+\.)*(\w+)`", r"\1", text)
    for word, in_json in (("``", ""), ("*", ""), ("None", "absent"), ("True", "true"), ("False", "false")):
        text = text.replace(word, in_json)
    return " ".join(text.split())
