"""A PostgreSQL server for the tests: a real one, with its data in a temporary folder.

Debian keeps the programs out of the PATH, and PostgreSQL does not run as root: both are seen to.
"""

import getpass
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

MISSING = "no PostgreSQL here: install Debian's package postgresql to run these tests"


def programs() -> Path | None:
    """Where initdb and postgres are; None if there is no PostgreSQL."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if found:
        return found[-1].parent
    beside = shutil.which("initdb")
    return Path(beside).parent if beside and shutil.which("postgres") else None


class Postgres:
    """A server of our own, reached by a socket in its folder."""

    def __init__(self, safe: bool = False) -> None:
        where = programs()
        assert where is not None, MISSING
        self._bin, self._sync = where, "on" if safe else "off"
        self.folder = Path(tempfile.mkdtemp(prefix="mbegu-pg-"))
        self._user = getpass.getuser()
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self._user = "postgres" if "postgres" in names else "nobody"
            shutil.chown(self.folder, self._user)
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0
        data = str(self.folder / "data")
        self._run("initdb", "-D", data, "-U", "mbegu", "-A", "trust", "-E", "UTF8", "--no-sync")
        rules = self.folder / "data" / "pg_hba.conf"
        rules.write_text(f"local all locked scram-sha-256\n{rules.read_text()}")
        self.start()

    def _run(self, program: str, *arguments: str) -> str:
        done = subprocess.run(
            [self._bin / program, *arguments],
            check=False,
            capture_output=True,
            text=True,
            user=self._user if os.geteuid() == 0 else None,
            cwd=self.folder,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self) -> None:
        """Starts the server, and waits until it answers."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": self._sync,
            "max_connections": "100",
        }
        command = [str(self._bin / "postgres"), "-D", str(self.folder / "data")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *(f"--{name}={value}" for name, value in settings.items())],
                stdout=subprocess.DEVNULL,
                stderr=log,
                user=self._user if os.geteuid() == 0 else None,
                cwd=self.folder,
                start_new_session=True,
            )
        until = time.monotonic() + 30
        while time.monotonic() < until:
            asked = [str(self._bin / "pg_isready"), "-q", "-h", str(self.folder)]
            if subprocess.run(asked, check=False).returncode == 0:
                return
            time.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def stop(self, number: int = signal.SIGINT) -> None:
        """Stops it; by default all who are connected are cut off (a "fast" stop)."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(30)
            self._process = None

    def close(self) -> None:
        """Stops it and forgets its data."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def query(self, text: str, database: str = "postgres") -> str:
        """Asks as a superuser would."""
        return self._run(
            "psql", "-h", str(self.folder), "-U", "mbegu", "-d", database, "-Atc", text
        )

    def url(self, database: str, user: str = "mbegu") -> str:
        """How a program reaches a database here."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def new(self) -> str:
        """The URL of a new, empty database."""
        self._count += 1
        name = f"games{self._count}"
        self.query(f"CREATE DATABASE {name}")
        return self.url(name)
