"""Installs Mbegu from this folder, without a network: python3 install.py [FOLDER]

Installe Mbegu depuis ce dossier, sans réseau : python3 install.py [DOSSIER]
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MARK = "installed-by-bundle"  # written last: whoever lacks it was interrupted

# Each sentence in English and in French.
OLD = (
    "Mbegu needs Python 3.11 or newer; this is {version}. Start this file with a newer one.",
    "Mbegu a besoin de Python 3.11 ou plus récent ; celui-ci est {version}. Lancez ce fichier avec un plus récent.",
)
BROKEN = (
    "This bundle is not whole: {name} is missing or damaged. Copy the whole folder again.",
    "Ce dossier n’est pas complet : {name} manque ou est abîmé. Copiez de nouveau tout le dossier.",
)
MISFIT = (
    "These wheels do not fit this Python ({version}) or this computer: see above. Make a bundle for it: INSTALL.txt",
    "Ces paquets ne vont pas avec ce Python ({version}) ou cet ordinateur : voyez ci-dessus. Faites-en un autre : INSTALL.txt",
)
OTHER = (
    "{folder} is there already, and is no installation of Mbegu: name another folder.",
    "{folder} existe déjà, et n’est pas une installation de Mbegu : nommez un autre dossier.",
)
NO_VENV = (
    "Python cannot make an environment here; on Debian: apt install python3-venv",
    "Python ne peut pas créer d’environnement ici ; sous Debian : apt install python3-venv",
)
DOING = ("Installing Mbegu into {folder} ...", "Installation de Mbegu dans {folder} ...")
DONE = (
    "Done. To play in the browser: {mbegu} serve    In the terminal: {mbegu} play",
    "C’est fait. Pour jouer dans le navigateur : {mbegu} serve    Dans le terminal : {mbegu} play",
)


def say(sentence: "tuple[str, str]", **words: object) -> str:
    """A sentence in French if the computer speaks French, else in English."""
    tongue = next(
        (os.environ[k] for k in ("MBEGU_LANG", "LC_ALL", "LANG") if os.environ.get(k)), ""
    )
    return sentence[tongue.lower().startswith("fr")].format(**words)


def main() -> None:
    """Looks first, then installs into a folder of its own; a half-made one is made again."""
    version = "{}.{}".format(*sys.version_info)
    if sys.version_info < (3, 11):  # noqa: UP036 - anybody may start it
        sys.exit(say(OLD, version=version))
    own, extras = look()
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path.home() / "mbegu").absolute()
    ours = (folder / MARK).exists() or (folder / "pyvenv.cfg").exists()
    if folder.exists() and not ours and any(folder.iterdir()):
        sys.exit(say(OTHER, folder=folder))
    print(say(DOING, folder=folder), flush=True)
    if subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(folder)], check=False
    ).returncode:
        sys.exit(say(NO_VENV))
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [
        str(programs / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]
    pip += [
        "--no-index",
        "--find-links",
        str(HERE / "wheels"),
        f"{own}[{extras}]" if extras else str(own),
    ]
    if subprocess.run(pip, check=False).returncode:
        sys.exit(say(MISFIT, version=version))
    (folder / MARK).touch()
    print(say(DONE, mbegu=programs / "mbegu"))


def look() -> "tuple[Path, str]":
    """Our own wheel and the extras, once every wheel is there and is what it was."""
    for line in text("SHA256SUMS").splitlines():
        wanted, _gap, name = line.partition("  ")
        path = HERE / name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != wanted:
            sys.exit(say(BROKEN, name=name))
    own = next((HERE / "wheels").glob("mbegu-*.whl"), None)
    if own is None:  # then the list is cut off too
        sys.exit(say(BROKEN, name="SHA256SUMS"))
    return own, text("extras.txt").strip()


def text(name: str) -> str:
    """What a small file of the bundle says."""
    try:
        return (HERE / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):  # missing, or zeros where the stick was pulled out
        sys.exit(say(BROKEN, name=name))


if __name__ == "__main__":
    main()
