"""The build hook: compiles the translations, also for an editable installation."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(locale: Path) -> None:
    """Writes a .mo beside every .po that is newer; never half a file."""
    for source in sorted(locale.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns > source.stat().st_mtime_ns:
            continue
        # The language is not told to Babel: it has no plural rule for Kirundi, and we use no plurals.
        with source.open("rb") as file:
            catalogue = read_po(file, abort_invalid=True)
        part = target.with_suffix(".mo.part")
        with part.open("wb") as file:
            write_mo(file, catalogue)
        part.replace(target)


class CatalogueHook(BuildHookInterface[Any]):
    """Called by hatchling before it gathers the files of the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """The .mo files are git-ignored, so pyproject.toml names them as artifacts."""
        compile_catalogues(Path(self.root) / "src" / "mbegu" / "locale")
