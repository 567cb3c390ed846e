"""QR codes: an address that a phone reads from a screen."""

import io

import segno

__all__ = ["svg", "terminal"]


def svg(text: str) -> str:
    """A picture for a page, black on white so that every phone reads it."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", scale=8, border=3, dark="#000", light="#fff", svgns=True, omitsize=True
    )
    return out.getvalue().decode()


def terminal(text: str) -> str:
    """The same made of half blocks."""
    out = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(out=out, border=2, compact=True)
    return out.getvalue().rstrip("\n")
