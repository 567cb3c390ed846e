"""The translations: extracts the messages, updates and compiles the catalogues, checks them.

    python tools/catalogues.py update     after a change of messages: .pot, every .po, every .mo
    python tools/catalogues.py compile    after a change of a translation: every .mo
    python tools/catalogues.py check      is everything up to date and sound? (exit code 1 if not)
    python tools/catalogues.py status     how much of each language is translated

The template carries no dates and no line numbers, so that a diff shows only what changed.
"""

import ast
import io
import re
import string
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from babel.messages.catalog import Catalog, Message  # noqa: E402
from babel.messages.pofile import PoFileError, read_po, write_po  # noqa: E402

from hatch_build import compile_catalogues  # noqa: E402

SOURCES = ROOT / "src" / "mbegu"
LOCALE = SOURCES / "locale"
TEMPLATE = LOCALE / "mbegu.pot"
LANGUAGES = ("fr", "rn", "sw")  # English is the source

# In the browser's sources: t("…") with one plain text, or with several joined by +.
WEB_TEXT = r"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
WEB_CALL = re.compile(rf"(?<![\w.$])t\(\s*({WEB_TEXT}(?:\s*\+\s*{WEB_TEXT})*)")

# In French a space that may not break stands before these signs and inside guillemets.
FRENCH_SPACES = re.compile(r"(?<=\S) (?=[;:!?»])(?=[;:!?»]+(?:\W|$))|(?<=«) |(?<=[\d}]) (?=%)")

Key = tuple[str, str | None]


def source_of(language: str) -> Path:
    """Where the translations into a language are written."""
    return LOCALE / language / "LC_MESSAGES" / "mbegu.po"


def extract() -> Catalog:
    """Every message of the sources, with the files that say it.

    Read from the syntax tree, so that a message inside an f-string is found by every Python.
    """
    catalogue = Catalog()
    for path in sorted(SOURCES.rglob("*.py")):
        place = [(path.relative_to(ROOT).as_posix(), 0)]
        calls = [
            node
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("_", "N_", "p_")
        ]
        for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
            texts = [
                argument.value
                for argument in call.args
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            ]
            if len(texts) == len(call.args) and all(texts):  # otherwise it is known by another call
                context = texts.pop(0) if len(texts) == 2 else None
                catalogue.add(texts[0], None, place, context=context)
    for path in sorted((ROOT / "web" / "src").rglob("*")):
        if path.suffix in (".svelte", ".ts") and not path.name.endswith(".test.ts"):
            place = [(path.relative_to(ROOT).as_posix(), 0)]
            for found in WEB_CALL.finditer(path.read_text(encoding="utf-8")):
                texts = re.findall(WEB_TEXT, found[1])
                catalogue.add("".join(map(ast.literal_eval, texts)), None, place)
    return catalogue


def read(path: Path) -> Catalog:
    """A catalogue from its file. Babel is not told the language: it has no rule for Kirundi."""
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def write(path: Path, catalogue: Catalog, header: str) -> None:
    """A catalogue into its file, with a header of our own instead of dates."""
    buffer = io.BytesIO()
    write_po(
        buffer, catalogue, width=100, omit_header=True, include_lineno=False, ignore_obsolete=True
    )
    text = header + "\n" + buffer.getvalue().decode().strip() + "\n"
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return  # an untouched file asks for no new installation
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def header_of(path: Path, language: str) -> str:
    """The header a translator wrote, up to the first empty line; a new one for a new file."""
    if path.exists():
        return path.read_text(encoding="utf-8").split("\n\n", 1)[0] + "\n"
    title = "Messages of Mbegu" if not language else f"Mbegu in {language}: needs native review"
    fields = {"Project-Id-Version": "Mbegu", "Language": language, "MIME-Version": "1.0"}
    fields |= {"Content-Type": "text/plain; charset=UTF-8", "Content-Transfer-Encoding": "8bit"}
    lines = [f'"{name}: {value}\\n"' for name, value in fields.items()]
    return "\n".join([f"# {title}.", 'msgid ""', 'msgstr ""', *lines]) + "\n"


def keys(catalogue: Catalog) -> set[Key]:
    """What identifies each message."""
    return {(str(message.id), message.context) for message in catalogue if message.id}


def update() -> int:
    """Extracts, updates every language, compiles."""
    template = extract()
    write(TEMPLATE, template, header_of(TEMPLATE, ""))
    for language in LANGUAGES:
        path = source_of(language)
        known = read(path) if path.exists() else Catalog()
        fresh = Catalog()
        for message in template:
            if not message.id:
                continue
            old = known.get(message.id, message.context)
            fresh.add(
                message.id,
                with_french_spaces(str(old.string), language) if old else "",
                message.locations,
                flags=old.flags if old else (),
                user_comments=old.user_comments if old else (),
                context=message.context,
            )
        write(path, fresh, header_of(path, language))
    compile_catalogues(LOCALE)
    return status()


def with_french_spaces(text: str, language: str) -> str:
    """A French text whose colons stay with their words; those of other languages as they are.

    >>> with_french_spaces("Qui gagne ?", "fr")
    'Qui gagne\\xa0?'
    """
    return FRENCH_SPACES.sub("\u00a0", text) if language == "fr" else text


def status() -> int:
    """How much is translated."""
    for language in LANGUAGES:
        messages = [message for message in read(source_of(language)) if message.id]
        done = sum(bool(message.string) and not message.fuzzy for message in messages)
        print(f"{language}: {done} of {len(messages)} messages")
    return 0


def fields(text: str) -> set[str]:
    """The {names} that a message leaves open."""
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name}


def complaints_about(message: Message, language: str) -> list[str]:
    """What is wrong with one translation."""
    source, translated = str(message.id), str(message.string)
    if not translated:
        return []
    if language == "fr" and FRENCH_SPACES.search(translated):
        return [f"fr: {translated!r} needs no-break spaces: run `make catalogues`"]
    if language == "fr" and re.search("[“”]", translated):
        return [f"fr: {translated!r} has foreign quotation marks: write « »"]
    try:
        expected = fields(source)
    except ValueError:  # not a format string: braces that stand for themselves
        return []
    try:
        found = fields(translated)
    except ValueError as error:
        return [f"{language}: {translated!r}: {error}"]
    if found != expected:
        return [f"{language}: {source!r} leaves open {sorted(expected)}, not {sorted(found)}"]
    if source.endswith("\n") != translated.endswith("\n"):
        return [f"{language}: {source!r} and its translation must both end a line, or neither"]
    return []


def check() -> int:
    """The template is up to date, every catalogue compiles, and placeholders match."""
    complaints = []
    extracted = keys(extract())
    if not TEMPLATE.exists() or keys(read(TEMPLATE)) != extracted:
        complaints.append("mbegu.pot is not up to date with the sources: run `make catalogues`")
    for language in LANGUAGES:
        try:
            catalogue = read(source_of(language))
        except (OSError, PoFileError) as error:
            complaints.append(f"{language}: {error}")
            continue
        if keys(catalogue) != extracted:
            complaints.append(f"{language} is not up to date with mbegu.pot: run `make catalogues`")
        for message in catalogue:
            if message.id:
                complaints += complaints_about(message, language)
    print("\n".join(complaints) or f"The catalogues are up to date: {len(extracted)} messages.")
    if not complaints:
        compile_catalogues(LOCALE)
    return 1 if complaints else 0


def compile_all() -> int:
    """Writes every .mo."""
    compile_catalogues(LOCALE)
    return 0


COMMANDS = {"update": update, "compile": compile_all, "check": check, "status": status}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in COMMANDS:
        sys.exit(f"usage: python tools/catalogues.py {' | '.join(COMMANDS)}")
    sys.exit(COMMANDS[sys.argv[1]]())
