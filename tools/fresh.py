"""The README on a fresh machine: every command of it, where there is nothing but Python, git and make.

usage: fresh.py [--root FOLDER] [--keep] [--python PATH]

With `--root` the machine is a fresh Debian, made by
`debootstrap --variant=minbase --include=python3,python3-venv,git,make,ca-certificates bookworm FOLDER`: it becomes the
root of all files, as in a container (for that one must be root). Without it an empty home is made, with a PATH that holds
python3, git, make and what every Debian has (coreutils, sed, awk, find …): no uv, no Node.js, no pip cache.

The repository is cloned there as it is committed. The first fence of the README is typed as it is printed; the
boards must come over HTTP, and in Chromium, if playwright is there; then everything else runs in `make shell`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ESSENTIAL = (
    "awk basename bash cat chmod cp cut date dirname echo env expr false find grep gzip head id install kill ln ls "
    "make mkdir mktemp mv ps printf pwd readlink realpath rm rmdir sed seq sh sleep sort tail tar tee test touch tr true "
    "uname wc which xargs git"
).split()
KEPT = re.compile(
    r"(PIP|UV|NPM|SSL|REQUESTS|NODE_EXTRA)_|(HTTPS?|NO)_PROXY$|LANG$", re.I
)  # how to reach a registry
USUAL_PORT = 8765
INSTALLED = 1800  # seconds that an installation may take
SHOWN = re.compile(r"http://localhost:\d+/")


# A container by hand: the folder becomes the root, and what is mounted is gone with the process.
ENTER = """set -e; mount --bind "$1" "$1"; cd "$1"; mount --rbind /dev dev; mount -t proc proc proc
pivot_root . mnt; umount -l /mnt; cd "$2"; exec sh -c "$3" """


@dataclass
class Machine:
    """A machine on which nothing was installed: its files as seen from here, the clone's place on it."""

    root: Path | None
    clone: str
    environment: dict[str, str]

    def start(self, command: str, **more: Any) -> subprocess.Popen[Any]:
        """Types a line into a shell that stands in the clone."""
        if self.root is None:
            typed = ["sh", "-c", f'cd "{self.clone}" && {command}']
        else:
            inside = ["sh", "-c", ENTER, "sh", str(self.root), self.clone, command]
            typed = ["unshare", "--mount", *inside]
        return subprocess.Popen(typed, env=self.environment, **more)

    def seen_from_here(self) -> Path:
        """The clone's folder on the machine that runs this."""
        return Path(f"{self.root or ''}{self.clone}")


def main() -> None:
    """Follows the README; ends at the first thing that does not go."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, metavar="FOLDER", help="a fresh Debian in a folder")
    parser.add_argument("--keep", action="store_true", help="leave the folder there")
    parser.add_argument("--python", default=sys.executable, help="the python3 of that machine")
    told = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mbegu-fresh-"))
    machine = (
        debian(told.root.resolve()) if told.root else empty(folder, Path(told.python).resolve())
    )
    try:
        follow(machine, folder)
    finally:
        if not told.keep:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.rmtree(machine.seen_from_here(), ignore_errors=True)


def follow(machine: Machine, folder: Path) -> None:
    """The README from top to bottom."""
    clone = machine.seen_from_here()
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(clone)], check=True)
    first, *others = commands((clone / "README.md").read_text(encoding="utf-8"))
    say(f"$ {first}")
    begun = time.monotonic()
    look_at_boards(first, machine, folder)
    say(f"the first board after {time.monotonic() - begun:.0f} s")
    for name in (".venv", "web/node_modules", "."):
        say(f"{weight(clone / name):6.0f} MiB  {name}")
    assert others[0].startswith("make shell"), others[0]
    shell = machine.start(others[0], stdin=subprocess.PIPE, text=True)
    shell.communicate("\n".join(["set -ex", *others[1:]]))
    if shell.returncode:
        raise SystemExit("a command of the README failed (see above)")
    say("every command of the README runs on a fresh machine")


def debian(root: Path) -> Machine:
    """A system in a folder; it is told only how this machine reaches its network."""
    for name in ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt"):
        if Path(name).exists():
            shutil.copy(name, f"{root}{name}")
    home = {"HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SHELL": "/bin/sh"}
    return Machine(root, "/root/mbegu", {**reaching_out(), **home, "TERM": "dumb"})


def empty(folder: Path, python: Path) -> Machine:
    """This system, without whatever was installed on it."""
    programs = folder / "bin"
    programs.mkdir()
    for name in ESSENTIAL:
        found = shutil.which(name)
        if found:
            (programs / name).symlink_to(found)
    (programs / "python3").symlink_to(python)
    (folder / "home").mkdir()
    home = {"HOME": str(folder / "home"), "PATH": str(programs), "SHELL": str(programs / "sh")}
    return Machine(None, f"{folder}/mbegu", {**reaching_out(), **home, "TERM": "dumb"})


def reaching_out() -> dict[str, str]:
    """How a registry is reached from here, and on which port the boards are, if the usual one is taken."""
    kept = {name: value for name, value in os.environ.items() if KEPT.match(name)}
    with socket.socket() as usual:
        if usual.connect_ex(("127.0.0.1", USUAL_PORT)) == 0:
            kept["ARGS"] = "--port 0"
            say(f"port {USUAL_PORT} is taken here: make play ARGS='--port 0'")
    return kept


def commands(text: str) -> list[str]:
    """What is to be typed, in order: after $ in consoles, all lines of shell blocks."""
    found = list[str]()
    for language, block in re.findall(r"^```(console|sh)\n(.*?)^```", text, re.M | re.S):
        lines = block.splitlines()
        if language == "console":
            typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
            answers = [line.partition("> ")[2] for line in lines if re.match(r"\w+> ", line)]
            if answers:  # a session: what one types goes to its command
                words = " ".join(answers)
                typed[-1] = f"printf '%s\\n' {words} | {typed[-1]}"
            lines = typed
        found += [re.sub(r"\s+# .*", "", line) for line in lines if line]
    return [short(line) for line in found]


def short(line: str) -> str:
    """A hundred games show no more than two."""
    line = line.replace("--games 100", "--games 2").replace(
        "school.toml", "school.toml --folder cup"
    )
    if line.endswith("lab stats kalah"):  # as the README says: make lab, once
        return f"make lab && {line} --games 1000 --levels none --nodes 1000"
    return line


def look_at_boards(command: str, machine: Machine, folder: Path) -> None:
    """Starts the server as the README says, asks for the boards, and stops it as one does."""
    log = folder / "play.log"
    with log.open("w") as output:
        server = machine.start(
            command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        url = wait_for(log, server)
        with urllib.request.urlopen(url, timeout=30) as answer:
            say(f"{url} answers {answer.status}")
        photograph(url, folder)
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGINT)
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)


def wait_for(log: Path, server: subprocess.Popen[bytes]) -> str:
    """The address that the server tells."""
    until = time.monotonic() + INSTALLED
    while time.monotonic() < until:
        found = SHOWN.search(log.read_text(errors="replace"))
        if found:
            return found[0]
        if server.poll() is not None:
            raise SystemExit(log.read_text(errors="replace"))
        time.sleep(0.5)
    raise SystemExit("the boards did not come")


def photograph(url: str, folder: Path) -> None:
    """The first board, in a browser."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where it is there
    except ImportError:
        say("no browser was asked: playwright is not there")
        return
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.set_default_timeout(120_000)
        page.goto(f"{url}new/oware")
        page.locator("main button[type=submit], main form button").last.click()
        page.wait_for_url("**/play/**")
        page.locator("svg.play [data-target]").first.wait_for()
        picture = folder.with_name(f"{folder.name}.png")
        page.screenshot(path=str(picture))
        say(f"a board in the browser: {picture}")
        browser.close()


def weight(place: Path) -> float:
    """Mebibytes of a folder's files."""
    files = (path for path in place.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / (1 << 20)


def say(line: str) -> None:
    """Tells at once."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
