"""The settings that every process has. They come from the environment, each with a default.

`docs/configuration.md` lists all settings of all processes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

S = TypeVar("S", bound="ProcessSettings")


class ProcessSettings(BaseSettings):
    """Read from variables that begin with BREE_."""

    model_config = SettingsConfigDict(env_prefix="BREE_", frozen=True, extra="ignore")

    listen: str = "127.0.0.1:0"  # address and port of the gRPC server
    metrics_port: int = Field(default=0, ge=0, le=65535)  # 0: nowhere
    metrics_address: str = "127.0.0.1"  # on which /metrics is served
    platform_token: SecretStr = Field(min_length=16)  # what the platform's own parts present
    log_level: str = Field(default="info", pattern="^(debug|info|warning|error)$")
    log_format: str = Field(default="json", pattern="^(json|text)$")
    tls_certificate: str = ""  # a PEM file; with the key, the server speaks TLS
    tls_key: str = Field(default="", validate_default=True)
    tls_authority: str = ""  # a PEM file; with it, clients of other parts speak TLS
    traces: str = Field(default="", pattern=r"^$|^https?://[^\s/@]+:[0-9]{1,5}/?$")  # a collector
    traces_share: float = Field(default=0.05, ge=0, le=1)  # of calls whose callers ask for none
    traces_a_second: float = Field(default=10, ge=0)  # for those who ask
    drain_seconds: float = Field(default=10, ge=0, le=600)
    largest_message: int = Field(default=1 << 20, ge=1 << 12, le=1 << 26)  # bytes

    @field_validator("tls_certificate", "tls_key", "tls_authority")
    @classmethod
    def _is_a_pem_file(cls, path: str) -> str:
        if path and b"-----BEGIN " not in _bytes_of(path):
            raise ValueError(f"{path} is no PEM file")
        return path

    @field_validator("tls_key")
    @classmethod
    def _has_its_certificate(cls, path: str, info: ValidationInfo) -> str:
        if bool(path) != bool(info.data.get("tls_certificate", path)):
            raise ValueError("a key goes with BREE_TLS_CERTIFICATE, and neither without the other")
        return path


def _bytes_of(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None


def read(kind: type[S], **given: Any) -> S:
    """The settings of this process; what is wrong with them ends it with one sentence each."""
    try:
        return kind(**given)
    except ValidationError as e:
        for problem in e.errors():
            name = "_".join(str(part) for part in problem["loc"]).upper()
            sys.stderr.write(f"BREE_{name}: {problem['msg']}\n")
        raise SystemExit(2) from None
