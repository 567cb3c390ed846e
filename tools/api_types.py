"""Writes web/src/lib/api_types.ts: the types of the API, as the server declares them.

python tools/api_types.py            writes the file
python tools/api_types.py check      fails if the file is not what would be written
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mbegu.server.api.openapi import components, types_of
from mbegu.server.api.routes import OPERATIONS

FILE = Path(__file__).parents[1] / "web" / "src" / "lib" / "api_types.ts"
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


def typescript() -> str:
    """The whole file."""
    _found, named = components(types_of(OPERATIONS))
    return "\n".join([HEAD, *(_declared(name, named[name]) for name in sorted(named))])


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
    """Writes the file, or checks it."""
    fresh = typescript()
    if sys.argv[1:] == ["check"]:
        if FILE.read_text() != fresh:
            sys.exit(f"{FILE} is not up to date: run python tools/api_types.py")
        return
    FILE.write_text(fresh)


if __name__ == "__main__":
    main()
