"""What MkDocs does not do by itself: pages of the clone that lie outside docs/ come into the site.

The texts in the root (CONTRIBUTING.md and the like) become pages; a link to any other file of the clone, such
as the rules of a game, leads to a page that shows it. So the same Markdown is right in the clone and in the site.
"""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ("CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md")
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".md": "markdown"}
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)")
LOGO = re.compile(r"""(<a href=")(\.(?:\.(?:/\.\.)*)?)(?=")""")
FENCE = re.compile(r"(^[ ]*```.*?^[ ]*```$)", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the texts of the root, and a page for each file of the clone that a page links to."""
    for name in TEXTS:
        files.append(File.generated(config, name, content=(ROOT / name).read_text("utf-8")))
    shown: set[str] = set()
    for file in list(files.documentation_pages()):
        for target in LINK.findall(_prose(file.content_string)):
            path = _in_clone(file.src_uri, target)
            if path and files.get_file_from_path(_home(path)) is None and path not in shown:
                shown.add(path)
                page = File.generated(config, _home(path), content=_shown(path))
                page.inclusion = InclusionLevel.NOT_IN_NAV
                files.append(page)
    return files


def on_page_markdown(markdown: str, *, page: Page, **_more: Any) -> str:
    """Links to files of the clone lead to where the site has them."""
    here = page.file.src_uri

    def led(link: re.Match[str]) -> str:
        path = _in_clone(here, link[1])
        if path is None:
            return link[0]
        return f"]({posixpath.relpath(_home(path), posixpath.dirname(here) or '.')}"

    parts = FENCE.split(markdown)
    parts[::2] = [LINK.sub(led, part) for part in parts[::2]]
    return "".join(parts)


def on_post_page(output: str, **_more: Any) -> str:
    """The logo leads to the first page: in a folder without a server `..` would be a list of files."""
    return LOGO.sub(r"\1\2/index.html", output)


def _prose(text: str) -> str:
    return FENCE.sub("", text)


def _in_clone(here: str, target: str) -> str | None:
    """The path in the clone of what a page links to, if it lies outside docs/; None if it does not."""
    place = "" if here in TEXTS else "docs"
    if here.startswith("clone/"):
        return None
    path = posixpath.normpath(posixpath.join(place, posixpath.dirname(here), target))
    if path.startswith("docs/"):
        return (
            None if place else path
        )  # a text of the root lies beside the pages of docs/ in the site
    return path if (ROOT / path).exists() else None


def _home(path: str) -> str:
    """Where the site has a file of the clone."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path in TEXTS:
        return path
    return "index.md" if path == "README.md" else f"clone/{path}.md"


def _shown(path: str) -> str:
    """A page that shows a file, or what is in a folder."""
    file = ROOT / path
    head = f"---\nsearch:\n  exclude: true\n---\n\n# {path}\n\n"
    if file.is_dir():
        names = sorted(entry.name for entry in file.iterdir() if not entry.name.startswith("_"))
        return head + "\n".join(f"- `{name}`" for name in names)
    language = LANGUAGES.get(file.suffix, "text")
    return f"{head}````{language}\n{file.read_text('utf-8')}\n````\n"
