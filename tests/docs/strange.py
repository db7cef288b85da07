"""Files that are no records: each strays from the form for one reason, or is there to cost much."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.core.chain import Chain, mark
from services.core.record import LARGEST, Record

NOUGHTS = "0" * 8
RAW = (
    b"",
    b"\n",
    b"\0" * 99 + b"\n",
    b"\xff\xfe\n",
    b"\x89PNG\r\n\x1a\n",
    b"{}\n",
    b"bree record 2",
)

REPLACED = (
    ("bree record 2", "bree record 3"),
    ("bree record 2", "bree  record 2"),
    ("game duel", "game Duel"),
    ("game duel\n", ""),
    ("\nedition ", "\nedition 0"),
    ("\nedition ", "\nedition 100000"),
    ("\nseat ", "\noption a b\noption a c\nseat "),
    ("\nseat ", "\noption a b c\nseat "),
    ("\nseat ", "\noption a B\nseat "),
    ("\nseat ", "\noption a\nseat "),
    ("\nseat ", "\n\nseat "),
    ("seat sauron", "seat  sauron"),
    ("seat sauron", "seat fellowship"),
    ("seat sauron", "seat Sauron"),
    ("\ncommitment ", "\nseat host 00\ncommitment "),
    ("\ncommitment ", "\nseat chance 00\ncommitment "),
    ("\ncommitment ", "\nseat a 0\ncommitment "),
    ("\ncommitment ", "\nseat a\ncommitment "),
    ("\ncommitment ", f"\nseat a {'00' * 65}\ncommitment "),
    ("\ncommitment ", "\nseat a 00 \ncommitment "),
    ("\ncommitment ", "\nseat a 00 00\ncommitment "),
    ("\ncommitment ", "\ncommitment 00"),
    ("player sauron", "player fellowship"),
    ("player sauron", "player gollum"),
    ("Rosie\n", "Rosie \n"),
    ("Rosie\n", "\n"),
    ("Rosie\n", " Rosie\n"),
    ("Rosie\n", "Ro\u202esie\n"),
    ("Rosie\n", "Ro\tsie\n"),
    ("Rosie\n", "Ro\u2028sie\n"),
    ("Rosie\n", "Ro\u00a0sie\n"),
    ("Rosie\n", "Ro\u0085sie\n"),
    ("\nsecret ", "\nsecret 00"),
    ("\n\n", "\n"),
    ("\n\n", "\n\n\n"),
    ("\n\n", "\nmore\n\n"),
    (" asked for", "  asked for"),
    (" asked for", " asked "),
    (" asked for", " Asked for"),
    (" asked for", " asked [1 of 2]"),
    ("! hint", " ! hint"),
    ("! hint", "? hint"),
    ("! hint", "!hint"),
    ("! hint", ": hint asked [1 of 1]\nfellowship! hint"),
    ("hint asked for", "a" * 401),
    ("hint asked for", "1"),
    ("hint asked for ~", "hint asked for "),
    ("hint asked for ~", "hint ~0"),
    ("\nhost: ", "\nnobody: "),
    ("\nhost: resign", "\nhost: win"),
    ("\nhost: resign", "\nhost:  resign"),
    ("\nhost: resign fellowship", "\nhost: resign nobody"),
    ("\nhost: resign", "\nhost: abort"),
    ("\nhost: resign", "\nhost: draw"),
    ("\nhost: resign", "\nhost: undo"),
    ("\nhost: resign", "\nhost: takeback"),
    ("\nhost: resign fellowship", "\nhost: takeback fellowship 0"),
    ("\nhost: resign fellowship", "\nhost: takeback fellowship -1"),
    ("\nhost: resign fellowship", "\nhost: resign fellowship 1"),
    ("\nhost: resign fellowship", "\nhost: draw fellowship"),
    ("\nhost: resign fellowship", "\nhost: undo sauron\nhost: undo sauron\nhost: undo nobody"),
    ("\nhost: resign fellowship", "\nhost: resign"),
    (" of ", " off "),
    (" of ", "  of "),
    ("[", "[0"),
    ("[", "[0 of 1, "),
    ("[", "[2 of 1, "),
    ("]", ", ]"),
    ("]", "]]"),
    ("]", " ]"),
    ("[", f"[1 of {2**64 + 1}, "),
    ("[", f"[1 of {10**30}, "),
    (" [", "["),
    ("[", "[]["),
    ("\nfinished ", "\nwon "),
    ("\nfinished ", "\nfinished 0"),
    ("\nfinished 2", "\nfinished 3"),
    ("\nfinished ", "\nopen "),
    ("\nfinished ", "\nfinished  "),
    ("sauron 1\n", "sauron 01\n"),
    ("sauron 1\n", "sauron -0\n"),
    ("sauron 1\n", "sauron\n"),
    ("sauron 1\n", "sauron 1234567\n"),
    ("sauron 1\n", "sauron 1 \n"),
    ("sauron 1\n", "gollum 1\n"),
    ("sauron 1\n", "sauron 1 a 1\n"),
    ("sauron 1\n", "sauron +1\n"),
    ("\nhead ", "\ntail "),
    ("\nhead ", "\n\nhead "),
    ("\nhead ", "\nhead 00"),
)
"""What in a record of Duel gives way to what; head and marks are made anew where it has any."""


def strange_files(record: Record) -> Iterator[str | bytes]:
    """Small files that no reader may take."""
    text = record.text()
    yield from RAW
    yield from (text[:-1], text[: len(text) // 2], text.partition("\n\n")[0] + "\n")
    yield from (text + "\n", text + "more\n", text + text)
    yield from ("\ufeff" + text, text.replace("\n", "\r\n"), text.encode("utf-16"), text.upper())
    yield text.encode().replace(b"Rosie", b"\xed\xa0\x80")
    yield text.encode().replace(b"Rosie", b"Rosi\xe9")
    for was, becomes in REPLACED:
        assert was in text, was
        yield sealed(text.replace(was, becomes, 1))
    head = re.search("\nhead .*", text)[0]
    yield text.replace(head, head.upper().lower().replace("head ", "head  "))
    yield re.sub("\nhead .*", "", text)


def sealed(text: str) -> str:
    """The text with the marks and the head that its lines call for, whatever their form."""
    for seat, salt, name in re.findall("^player ([a-z]+) ([0-9a-f]+) (.*)$", text, re.MULTILINE):
        said = mark(bytes.fromhex(salt), name)
        text = re.sub(f"(?m)^(seat {seat} [0-9a-f]+) [0-9a-f]+$", rf"\1 {said}", text)
    found = re.fullmatch(
        r"(.*\ncommitment [^\n]*)\n.*?secret ([0-9a-f]{64})\n\n(.*?)\n\n([^\n]*)\n+head .*",
        text,
        re.DOTALL,
    )
    if found is None:
        return text
    heading, secret, entries, ending = found.groups()
    chain = Chain(bytes.fromhex(secret), heading)
    for entry in entries.split("\n"):
        chain.link(entry)
    head = chain.head if ending.startswith("open") else chain.closed(ending)
    return re.sub("head [0-9a-f]{64}\n$", f"head {head}\n", text)


def hostile_files(record: Record) -> Iterator[str | bytes]:
    """Files of the largest size, in whose parts a reader could lose itself."""
    header = record.text().partition("\n\n")[0]
    after = f"\nopen 1\nhead {'0' * 64}\n"
    room = LARGEST - len(header) - 200
    yield from (b"\n" * LARGEST, "a" * (LARGEST - 1) + "\n", "\U0001f6e1" * (LARGEST - 1) + "\n")
    yield from (b"a" * 5 * LARGEST, "a" * LARGEST + "\n")
    yield f"{header.partition('player ')[0]}player fellowship 00 {'a ' * (room // 2)}a\n"
    seats = "".join(f"seat a{n} 00\n" for n in range(250_000))
    rest = re.sub("player .*\n", "", header[header.index("commitment") :])
    yield f"bree record 2\ngame a\nedition 1\n{seats}{rest}\n\n\nfinished 0 a0 0\nhead {'0' * 64}\n"
    for form, part in (
        ("fellowship: {} ~00000000", "a "), ("fellowship: {} ~00000000", "a"),
        ("chance: a {}] ~00000000", "["), ("chance: a [{}] ~00000000", "] ["),
        ("chance: a [{}] ~00000000", ", "), ("chance: a [1 of {}] ~00000000", "1"),
        ("chance: a [{}1 of 1] ~00000000", "1 of 1, "), ("chance: {} ~00000000", "a ["),
    ):  # fmt: skip
        yield f"{header}\n\n{form.format(part * (room // len(part)))}\n{after}"
    note = "host! a ~00000000\n"
    yield header + "\n\n" + note * (room // len(note)) + after
    yield f"{header}\n\n\nfinished 0{' a' * (room // 2)}\nhead {'0' * 64}\n"
