"""Certificates that tests make for themselves, with openssl; they are good for a day."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.clients.toolchains import need


class Certificate(NamedTuple):
    """Where a key and its certificate are kept."""

    key: Path
    certificate: Path


def certificate(folder: Path, name: str = "localhost") -> Certificate:
    """One of this name that nobody else has signed."""
    made = Certificate(folder / "key.pem", folder / "certificate.pem")
    subprocess.run(
        [need("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1",
         "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
         "-keyout", made.key, "-out", made.certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    return made
