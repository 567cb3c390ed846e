"""Draws the icons of the installed app out of web/public/icon.svg, in Chromium: `python tools/icons.py`."""

import os
import re
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).resolve().parent.parent / "web" / "public"
CHROMIUM = os.environ.get("MBEGU_CHROMIUM") or shutil.which("chromium")
# Systems cut a maskable icon to a shape of their own: the ground goes to the edges, the bowl stays within.
MASKABLE = 0.82
SIZES = {
    "192": (192, 1.0),
    "512": (512, 1.0),
    "maskable-512": (512, MASKABLE),
    "apple-180": (180, 0.9),
}


def drawn(svg: str, scale: float) -> str:
    """The drawing as it is, or smaller on a ground without corners."""
    if scale == 1.0:
        return svg
    ground = re.sub(r' rx="14"', "", svg, count=1)
    first, rest = re.match(r"(<svg[^>]*><rect[^>]*/>)(.*)</svg>", ground, re.DOTALL).groups()  # type: ignore[union-attr]
    shift = 32 * (1 - scale)
    return f'{first}<g transform="translate({shift} {shift}) scale({scale})">{rest}</g></svg>'


def main() -> None:
    """Writes every size."""
    svg = (PUBLIC / "icon.svg").read_text("utf-8")
    (PUBLIC / "icons").mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, (size, scale) in SIZES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>body{{margin:0}}svg{{display:block}}</style>{drawn(svg, scale)}"
            )
            page.screenshot(path=PUBLIC / "icons" / f"{name}.png", omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
