"""Headers that keep a browser from doing with our answers what they are not for."""

from __future__ import annotations

from gateway.door.message import Headers

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; media-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may load and do: nothing of others, nothing inline, in nobody's frame."""

DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""What an answer of a method may do if somebody shows it as a page."""

PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in ("camera", "geolocation", "microphone", "payment", "usb", "browsing-topics")
)

_EVERYWHERE = (
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
)

PAGE = Headers(
    *_EVERYWHERE,
    ("content-security-policy", PAGE_POLICY),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", PERMISSIONS),
)
"""For the page's files."""

DATA = Headers(
    *_EVERYWHERE, ("content-security-policy", DATA_POLICY), ("cache-control", "no-store")
)
"""For answers of methods, which nobody may keep."""

STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")
"""Over TLS: from now on this host is spoken to by nothing else."""
