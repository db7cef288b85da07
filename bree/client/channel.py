"""Connections to a gateway."""

from __future__ import annotations

from pathlib import Path

import grpc

LARGEST = 8 << 20
"""Bytes of a message; records are long."""


def channel(gateway: str, authority: Path | None) -> grpc.Channel:
    """A connection, guarded by TLS if there is an authority, a PEM file, that can vouch for it."""
    options = (
        ("grpc.max_receive_message_length", LARGEST),
        ("grpc.keepalive_time_ms", 10_000),
        ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.http2.max_pings_without_data", 0),  # on a silent stream they never cease
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 2_000),
    )
    if authority is None:
        return grpc.insecure_channel(gateway, options)
    trust = grpc.ssl_channel_credentials(authority.read_bytes())
    return grpc.secure_channel(gateway, trust, options)
