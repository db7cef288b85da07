"""Codes that people read in one place and type in another."""

from __future__ import annotations

import re

from gateway import names
from gateway.refusals import invalid

CODE_LENGTH = 8
LONGEST_CODE = 40
"""How long what is typed for a code may be, with blanks and all."""

CODE = re.compile(rf"[{names.ALPHABET}]{{{CODE_LENGTH}}}")
BETWEEN = re.compile(r"[\s-]+")


def typed(said: str) -> str:
    """The code that somebody has typed; capitals, blanks and hyphens do not matter."""
    code = BETWEEN.sub("", said).lower()
    if len(said) > LONGEST_CODE or not CODE.fullmatch(code):
        raise invalid("code", f"a code is {CODE_LENGTH} letters and digits, none of them l o 0 1")
    return code


def new_code() -> str:
    """Forty bits that nobody knows."""
    return names.random_word(CODE_LENGTH)


def shown(code: str) -> str:
    """A code as people read it."""
    half = CODE_LENGTH // 2
    return f"{code[:half]}-{code[half:]}".upper()
