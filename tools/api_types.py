"""Writes web/src/lib/api_types.ts and api_people.ts: the types of the API, as the server declares them.

python tools/api_types.py            writes the files
python tools/api_types.py check      fails if they are not what would be written
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mbegu.server.api import people_schemas
from mbegu.server.api.openapi import components, types_of
from mbegu.server.api.routes import OPERATIONS

LIB = Path(__file__).parents[1] / "web" / "src" / "lib"
FILE, PEOPLE = LIB / "api_types.ts", LIB / "api_people.ts"
HEAD = """/**
 * What is sent and answered over HTTP. Written by tools/api_types.py from the server's own
 * declarations (src/mbegu/server/api/schemas.py): change those, and run `python tools/api_types.py`.
 */
"""
WORDS = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def typescript() -> dict[Path, str]:
    """Both files."""
    _found, named = components(types_of(OPERATIONS))
    people = {name for name in named if _is_of_people(name)}
    told = {name: _declared(name, schema) for name, schema in named.items()}
    needed = {
        name
        for name in set(named) - people
        if any(re.search(rf"\b{name}\b", told[one]) for one in people)
    }
    imported = f'import type {{ {", ".join(sorted(needed))} }} from "./api_types";\n'
    return {
        FILE: "\n".join([HEAD, *(told[name] for name in sorted(set(told) - people))]),
        PEOPLE: "\n".join([HEAD, imported, *(told[name] for name in sorted(people))]),
    }


def _is_of_people(name: str) -> bool:
    kind = getattr(people_schemas, name, None)
    return getattr(kind, "__module__", "") == people_schemas.__name__


def _declared(name: str, schema: Mapping[str, Any]) -> str:
    """One type, with what is said about it."""
    told = f"/** {schema['description']} */\n" if "description" in schema else ""
    if schema.get("type") != "object":
        return f"{told}export type {name} = {_written(schema)};\n"
    required = set(schema.get("required", ()))
    fields = [
        f"  {field}{'' if field in required else '?'}: {_written(kind)};"
        for field, kind in schema["properties"].items()
    ]
    return "\n".join([f"{told}export interface {name} {{", *fields, "}", ""])


def _written(schema: Any) -> str:
    """A schema as TypeScript writes it."""
    if not schema:
        return "unknown"
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(
            f'"{value}"' if isinstance(value, str) else str(value) for value in schema["enum"]
        )
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_written(one) for one in schema["anyOf"]))
    if "prefixItems" in schema:
        return f"[{', '.join(_written(one) for one in schema['prefixItems'])}]"
    if schema["type"] == "array":
        items = _written(schema["items"])
        return f"({items})[]" if " | " in items else f"{items}[]"
    if schema["type"] == "object":
        return f"Record<string, {_written(schema.get('additionalProperties'))}>"
    return WORDS[schema["type"]]


def main() -> None:
    """Writes the files, or checks them."""
    for file, fresh in typescript().items():
        if sys.argv[1:] != ["check"]:
            file.write_text(fresh)
        elif file.read_text() != fresh:
            sys.exit(f"{file} is not up to date: run python tools/api_types.py")


if __name__ == "__main__":
    main()
