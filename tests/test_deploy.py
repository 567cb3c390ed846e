"""The files in deploy/: each is read by the program for which it is; a program that is missing is skipped."""

import json
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"


def run(*command: str | Path, **more: object) -> str:
    """What a program says; it must end well."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=60, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def found(name: str) -> str:
    """The path of a program; servers lie in sbin, where not everybody's PATH looks."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin:/usr/local/sbin")
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def nginx_with(text: str, folder: Path) -> str:
    """Lets nginx read a configuration of ours inside of a small one, with a certificate of its own."""
    nginx, openssl = found("nginx"), found("openssl")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    run(openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-subj", "/CN=play.example.org", "-keyout", key, "-out", certificate)  # fmt: skip
    text = re.sub(r"(ssl_certificate\s+)\S+;", rf"\g<1>{certificate};", text)
    text = re.sub(r"(ssl_certificate_key\s+)\S+;", rf"\g<1>{key};", text)
    text = re.sub(r"listen \d+", lambda _: f"listen 127.0.0.1:{free_port()}", text)
    (folder / "mbegu.conf").write_text(text, encoding="utf-8")
    whole = f"pid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{ include {folder}/mbegu.conf; }}\n"
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    return run(nginx, "-t", "-p", folder, "-c", folder / "nginx.conf")


def test_nginx_reads_its_file(tmp_path: Path) -> None:
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert "test is successful" in nginx_with(text, tmp_path)
    with pytest.raises(AssertionError, match="proxy_pas"):
        nginx_with(text.replace("proxy_pass", "proxy_pas"), tmp_path)


def test_caddy_reads_its_file(tmp_path: Path) -> None:
    caddy = found("caddy")
    folders = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    command = (caddy, "validate", "--adapter", "caddyfile", "--config")
    assert "Valid configuration" in run(*command, DEPLOY / "Caddyfile", env=folders)
    wrong = tmp_path / "Caddyfile"
    wrong.write_text((DEPLOY / "Caddyfile").read_text("utf-8").replace("reverse_proxy", "reverse"))
    with pytest.raises(AssertionError, match="unrecognized directive"):
        run(*command, wrong, env=folders)


def test_systemd_reads_its_file(tmp_path: Path) -> None:
    """The only change is the program, which is not installed here."""
    systemd = found("systemd-analyze")
    text = (DEPLOY / "mbegu.service").read_text(encoding="utf-8")
    text = text.replace("/opt/mbegu/bin/mbegu serve", f"{shutil.which('true')} serve")
    unit = tmp_path / "mbegu.service"
    unit.write_text(text, encoding="utf-8")
    assert "mbegu.service" not in run(systemd, "verify", "--man=no", unit)
    unit.write_text(text.replace("RestartSec=1", "RestartSeconds=1"), encoding="utf-8")
    assert "RestartSeconds" in run(systemd, "verify", "--man=no", unit)


CONTAINER = DEPLOY / "Containerfile"


def test_the_container_file_is_sound(tmp_path: Path) -> None:
    """No image is built here: that needs another host. Its grammar and usual mistakes are looked for."""
    hadolint = Path(sys.executable).with_name("hadolint")
    if not hadolint.exists():
        pytest.skip("hadolint is not installed")
    command = (hadolint, "--no-color", "--failure-threshold", "warning")
    run(*command, CONTAINER)
    wrong = tmp_path / "Containerfile"
    wrong.write_text(CONTAINER.read_text("utf-8").replace("WORKDIR /src", "WORKDIR src"))
    with pytest.raises(AssertionError, match="absolute WORKDIR"):
        run(*command, wrong)


def test_what_the_container_file_names_is_there() -> None:
    text = CONTAINER.read_text(encoding="utf-8")
    copied = [line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY ")]
    names = [name for row in copied if "--from=build" not in row for name in row]
    assert names
    assert all((DEPLOY.parent / name).exists() for name in names)
    served = re.search(r"^CMD (\[.*\])$", text, re.MULTILINE)
    assert served
    program, *arguments = json.loads(served[1])
    assert program == "mbegu"
    run(
        sys.executable, "-m", "mbegu", *arguments, "--help"
    )  # --help last: the options before it are read
