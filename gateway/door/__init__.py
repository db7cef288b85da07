"""The door: the gateway over HTTP, with the page's files and every method over Connect.

Design. `listener`, `http1` and `http2` turn bytes into a `Request` and a `Reply` into bytes, by two
parsers that others keep (docs/decisions/0020-the-door.md). `door` finds who answers a request:
`calls` for methods, in the words of `connect`, and `files` for the page.
"""
