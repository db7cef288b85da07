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


def authority(folder: Path) -> Certificate:
    """A certificate authority of this test's own."""
    made = Certificate(folder / "ca-key.pem", folder / "ca.pem")
    _openssl(
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=Test CA",
        "-keyout", made.key, "-out", made.certificate,
    )  # fmt: skip
    return made


def signed(folder: Path, by: Certificate, name: str = "localhost") -> Certificate:
    """A certificate of this name, and of 127.0.0.1, that an authority has signed."""
    made = Certificate(folder / f"{name}-key.pem", folder / f"{name}.pem")
    request, extra = folder / f"{name}.csr", folder / f"{name}.ext"
    extra.write_text(f"subjectAltName=DNS:{name},IP:127.0.0.1\n", "ascii")
    _openssl(
        "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}",
        "-keyout", made.key, "-out", request,
    )  # fmt: skip
    _openssl(
        "x509", "-req", "-in", request, "-CA", by.certificate, "-CAkey", by.key,
        "-CAcreateserial", "-days", "1", "-extfile", extra, "-out", made.certificate,
    )  # fmt: skip
    return made


def _openssl(*arguments: object) -> None:
    command = [need("openssl"), *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True)
