"""Docstrings for the reference: examples that stand at the margin become blocks of code, as Markdown wants it."""

from typing import Any

import griffe


class Doctests(griffe.Extension):
    """Puts fences around the examples of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_more: Any) -> None:
        """Called by griffe for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with its examples between fences; an example ends with an empty line.

    >>> print(fenced("Adds.\\n\\n>>> 1 + 1\\n2"))
    Adds.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    lines, inside = list[str](), False
    for line in [*text.splitlines(), ""]:
        if not inside and line.startswith(">>>"):
            inside = True
            lines.append("```pycon")
        elif inside and not line:
            inside = False
            lines.append("```")
        lines.append(line)
    return "\n".join(lines[:-1])
