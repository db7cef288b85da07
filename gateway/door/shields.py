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

WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"
"""What a script may load and do that runs as a worker: there its own policy counts."""

PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in ("camera", "geolocation", "microphone", "payment", "usb", "browsing-topics")
)

_PART = (("x-content-type-options", "nosniff"), ("cross-origin-resource-policy", "same-origin"))
_EVERYWHERE = (*_PART, ("x-frame-options", "DENY"), ("referrer-policy", "no-referrer"))

PAGE = Headers(
    *_EVERYWHERE,
    ("content-security-policy", PAGE_POLICY),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", PERMISSIONS),
)
"""For what a browser shows as a page of its own."""

SCRIPT = Headers(*_PART, ("content-security-policy", WORKER_POLICY))
"""For scripts of the page. A browser fetches dozens of them: more would be bytes and no shield."""

PART = Headers(*_PART)
"""For whatever else is only ever a part of a page."""

DATA = Headers(
    *_EVERYWHERE, ("content-security-policy", DATA_POLICY), ("cache-control", "no-store")
)
"""For answers of methods, which nobody may keep."""

DOCUMENT = Headers(*_EVERYWHERE, ("content-security-policy", DATA_POLICY))
"""For data that is the same for everyone."""

PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""What a picture may load and do: nothing, but for looking as it says itself."""

_PICTURE = (
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("content-security-policy", PICTURE_POLICY),
)

PICTURE = Headers(*_PICTURE, ("cross-origin-resource-policy", "cross-origin"))
"""For a picture that is for everyone: other pages may show it."""

OWN_PICTURE = Headers(*_PICTURE, ("cross-origin-resource-policy", "same-origin"))
"""For a picture of what a seat may see."""

STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")
"""Over TLS: from now on this host is spoken to by nothing else."""
