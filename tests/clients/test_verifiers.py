"""The verifiers, which know no rules: what holds passes, and whatever was changed is found.

One run of a verifier checks many files, so that a hundred of them cost the start of one program.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.clients import toolchains
from tests.clients.toolchains import verifier_sources
from tests.conform.walks import variants, walk
from tests.docs import recorded
from tests.docs.recorded import COMMITMENT, HEAD, NONCE, PLAYED, RECORD, Kept
from tests.docs.strange import hostile_files, sealed, strange_files
from tests.docs.vectors import VECTORS, applied

GOLDEN = sorted((toolchains.ROOT / "tests/golden").glob("*/*.record"))
SENTENCE = re.compile(r"(Line \d+: |The |There )[^\t\n]+\.")
KEPT = {"": (), COMMITMENT: (COMMITMENT,), NONCE: (NONCE,), HEAD: (HEAD,)}
"""What may have been kept, each on its own."""

SECONDS, MEGABYTES = 60, 400
"""What checking some of the most laborious files may take."""


class Verdict(NamedTuple):
    """What a verifier says of one file."""

    code: int
    said: tuple[str, ...]


class Verifier(NamedTuple):
    """The verifier of one language."""

    language: str
    command: tuple[str, ...]

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Check one file, as a person does."""
        return subprocess.run(
            [*self.command, *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS,
            check=False,
        )  # fmt: skip

    def cases(self, folder: Path, cases: Sequence[tuple[bytes | str, Sequence[str]]]):
        """Check contents of files, each with what was kept of it, in one run."""
        lines = []
        for number, (content, flags) in enumerate(cases):
            path = folder / f"{number}.record"
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            lines.append("\t".join([str(path), *flags]))
        done = subprocess.run(
            [*self.command, "--cases"], input="".join(f"{line}\n" for line in lines),
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        assert "" == done.stderr
        told = [line.split("\t") for line in done.stdout.split("\n")[:-1]]
        assert len(cases) == len(told)
        return [Verdict(int(code), tuple(said)) for code, *said in told]


@pytest.fixture(params=["go", "ts"])
def verifier(request):
    """The verifier of each language in turn."""
    return Verifier(request.param, toolchains.verifier(request.param))


@lru_cache
def short(game):
    """A short record of a game, with draws, a note and names."""
    return recorded.recorded(game)


@lru_cache
def tampered(game):
    """All that is changed in the short record of a game."""
    return tuple(recorded.tamperings(short(game)))


# What holds.


def test_what_was_played_holds_for_whoever_kept_anything(verifier, tmp_path):
    """Whole random games, and short ones, of all games; with each thing that may have been kept."""
    played = [recorded.recorded(game, "long ", least=300) for game in PLAYED]
    played += [short(game) for game in PLAYED]
    cases = [
        (record.text(), Kept.of(record).flags(*kept)) for record in played for kept in KEPT.values()
    ]

    verdicts = verifier.cases(tmp_path, cases)

    assert [] == [verdict for verdict in verdicts if verdict.code != 0]


def test_every_head_that_was_told_is_on_the_way(verifier, tmp_path):
    """Of a match that is over and of one that stands open; after each entry, and at the end."""
    cases = []
    for game in PLAYED:
        whole, cut = short(game), walk(variants(game)[0], "cut").record()
        for record in (whole, cut):
            last = len(record.entries)
            heads = [(min(n, last), head) for n, head in enumerate(record.heads())]
            cases.append((record.text(), [f for n, h in heads for f in ("--head", f"{n}={h}")]))

    verdicts = verifier.cases(tmp_path, cases)

    assert [] == [verdict for verdict in verdicts if verdict.code != 0]


def test_names_can_be_taken_out_and_the_record_still_holds(verifier, tmp_path):
    """Where an account was deleted; and where nobody was ever named."""
    cases = []
    for game in PLAYED:
        kept = Kept.of(short(game)).flags(*recorded.PROMISES)
        cases.append((recorded.without_names(short(game)), kept))
        cases.append((walk(variants(game)[0], "unnamed").record().text(), []))

    verdicts = verifier.cases(tmp_path, cases)

    assert [0] * len(cases) == [verdict.code for verdict in verdicts]


def test_it_says_what_was_checked_against_what(verifier, tmp_path):
    """A sentence for each check, which tells what was kept from what the record itself says."""
    record = short("duel")
    path = tmp_path / "duel.record"
    path.write_text(record.text())

    bare = verifier.run(path)
    full = verifier.run(path, *Kept.of(record).flags(*recorded.PROMISES))

    draws = sum(len(entry.draws) for entry in record.entries)
    for done in (bare, full):
        assert (0, "") == (done.returncode, done.stderr)
        for word in ("Form", "Commitment", "Nonces", "Draws", "Players", "Head"):
            assert 1 == len(re.findall(rf"^{word}: .+\.$", done.stdout, re.MULTILINE))
        assert re.search(rf"^Draws: .*\b{draws}\b", done.stdout, re.MULTILINE)
    assert 3 == bare.stdout.count("none was given") + bare.stdout.count(
        "none that was kept was given"
    )
    assert "none" not in full.stdout


def test_draws_among_very_many_are_computed_to_the_last_bit(verifier, tmp_path):
    """Up to 2^64, and where half of all values are rejected; one more or less is found."""
    many = [1, 2**32 + 1, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1, 2**64] * 8
    record = short("duel")
    fate = record.fairness.fate()
    draws = [(fate.pick(choices) + 1, choices) for choices in many]
    cases = []
    for shift in (0, 1, -1):
        told = [*draws[:-3], *((drawn + shift, choices) for drawn, choices in draws[-3:])]
        entry = f"chance: a [{', '.join(f'{n} of {m}' for n, m in told)}] ~00000000"
        header = record.text().partition("\n\n")[0]
        cases.append((sealed(f"{header}\n\n{entry}\n\nopen 1\nhead {'0' * 64}\n"), []))

    assert [0, 1, 1] == [verdict.code for verdict in verifier.cases(tmp_path, cases)]


# What does not.


@pytest.mark.parametrize("game", PLAYED)
def test_whatever_was_changed_is_found_by_what_can_find_it(verifier, tmp_path, game):
    """By the record alone, or by what was kept once the tamperer has made the head anew."""
    kept = Kept.of(short(game))
    wanted, cases = [], []
    for change in tampered(game):
        for what, flags in KEPT.items():
            is_found = bool({RECORD, what} & change.found_by)
            wanted.append((change.what, what, int(is_found)))
            cases.append((change.text, kept.flags(*flags)))

    verdicts = verifier.cases(tmp_path, cases)

    codes = [verdict.code for verdict in verdicts]
    told = [(*case[:2], code) for case, code in zip(wanted, codes, strict=True)]
    assert wanted == told
    for verdict in verdicts:
        assert verdict.code == 0 or (len(verdict.said) == 1 and SENTENCE.fullmatch(*verdict.said))


@pytest.mark.parametrize("game", PLAYED)
def test_second_thoughts_hold_and_what_nobody_agreed_to_is_found(verifier, tmp_path, game):
    """Undone, agreed, declined, withdrawn; a consent that is not there is found without rules."""
    record = recorded.reconsidered(game)
    text = record.text()
    *heads, end = record.heads()
    flags = [f for n, h in enumerate(heads[:-1]) for f in ("--head", f"{n}={h}")]
    flags += ["--head", f"{len(record.entries)}={end}"]
    assert all(f" {word} " in text for word in ("takeback", "accept", "decline", "withdraw"))
    changes = list(recorded.misremembered(record))

    whole, *rest = verifier.cases(tmp_path, [(text, flags), *((c.text, []) for c in changes)])

    assert whole.code == 0, whole
    assert {c.what: 1 for c in changes} == {
        c.what: v.code for c, v in zip(changes, rest, strict=True)
    }
    for verdict in rest:
        assert SENTENCE.fullmatch(*verdict.said)


def test_a_draw_that_is_agreed_holds(verifier, tmp_path):
    """Of a game that knows one: it ends directly after the last consent, and not otherwise."""
    record = recorded.drawn()
    entries = record.entries
    nobody = replace(record, entries=(*entries[:-2], entries[-1]))
    later = replace(record, entries=(*entries[:-1], entries[-3], entries[-1]))
    cases = [(one.text(), []) for one in (record, nobody, later)]

    assert [0, 1, 1] == [verdict.code for verdict in verifier.cases(tmp_path, cases)]


def test_every_kind_of_tampering_is_tried():
    """With the head as it was, and with a new one: what the project promises to find."""
    for game in PLAYED:
        tried = {change.what.removesuffix(", head anew") for change in tampered(game)}
        assert {
            "a draw", "a nonce", "the secret", "a decision", "an entry left out", "an entry added",
            "two entries swapped", "the outcome", "a player's name", "the last entry cut off",
            "a record of another match",
        } <= tried  # fmt: skip
        assert len({change.text for change in tampered(game)}) == len(tampered(game))


def test_the_line_of_a_fault_is_named(verifier, tmp_path):
    """Where a draw is wrong, and where a history leaves the one that was kept."""
    record = short("duel")
    changes = {change.what: change.text for change in tampered("duel")}
    lines = record.text().split("\n")
    first_draw = next(n for n, line in enumerate(lines, 1) if "[" in line)
    first_entry = lines.index("") + 2
    half, kept = len(record.entries) // 2, Kept.of(record)

    drawn, decided = verifier.cases(
        tmp_path,
        [
            (changes["a draw, head anew"], []),
            (changes["the edition, head anew"], kept.flags(HEAD)),
        ],
    )

    assert drawn.said[0].startswith(f"Line {first_draw}: ")
    assert decided.said[0].startswith(f"Line {first_entry + half - 1}: ")


def test_records_of_form_1_are_refused_as_such(verifier, tmp_path):
    """They bind nothing; the golden games are verified if they are of form 2."""
    old = [recorded.form_1(short(game)) for game in PLAYED]
    cases = [(text, []) for text in [*old, *(path.read_text() for path in GOLDEN)]]

    verdicts = verifier.cases(tmp_path, cases)

    for (text, _), verdict in zip(cases, verdicts, strict=True):
        is_old = text.startswith("bree record 1\n")
        assert int(is_old) == verdict.code
        assert not is_old or (1 == len(verdict.said) and "form 1" in verdict.said[0])


# The vectors.


def test_the_vectors_hold(verifier, tmp_path):
    """Each record holds with what was kept of it, and no changed one does."""
    cases, wanted = [], []
    for vector in VECTORS["records"]:
        text, heads = vector["record"], dict(enumerate(vector["heads"]))
        kept = Kept(vector["commitment"], vector["nonces"], heads)
        flags = kept.flags(COMMITMENT, NONCE, HEAD)
        flags += ["--head", f"{len(heads) - 1}={vector['end']}"]
        cases += [(text, flags), (applied(text, vector["without_names"]), flags)]
        wanted += [0, 0]
        for change in vector["changed"]:
            changed = applied(text, change["lines"])
            cases += [(changed, flags), (changed, [])]
            wanted += [1, int(RECORD in change["found_by"])]

    verdicts = verifier.cases(tmp_path, cases)

    assert wanted == [verdict.code for verdict in verdicts]


# Files that are none.


def test_sealing_makes_a_record_whole():
    """What strays from the form in one place has no other fault: so nothing else can find it."""
    text = short("duel").text()

    assert text == sealed(text) == sealed(re.sub("head [0-9a-f]+", f"head {'0' * 64}", text))


def test_strange_files_get_one_sentence(verifier, tmp_path):
    """Torn, foreign, or of another form: no crash, and exit code 1."""
    contents = list(strange_files(short("duel")))

    verdicts = verifier.cases(tmp_path, [(content, []) for content in contents])

    for content, verdict in zip(contents, verdicts, strict=True):
        assert 1 == verdict.code, content
        assert 1 == len(verdict.said)
        assert SENTENCE.fullmatch(verdict.said[0]), verdict


MEASURED = """
import json, os, subprocess, sys
process = subprocess.Popen(sys.argv[1:])
_, status, used = os.wait4(process.pid, 0)
said = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss
sys.stderr.write("\\n" + json.dumps(said))
"""
"""Runs a program from a small process: Linux counts the memory of whoever starts one as its own."""


def test_hostile_files_cost_bounded_time_and_memory(verifier, tmp_path):
    """Whatever fills the largest file: one sentence each, in one run."""
    paths = []
    for number, content in enumerate(hostile_files(short("duel"))):
        paths.append(tmp_path / f"{number}.record")
        paths[-1].write_bytes(content if isinstance(content, bytes) else content.encode())
    asked, told = tmp_path / "asked", tmp_path / "told"
    asked.write_text("".join(f"{path}\n" for path in paths))

    with asked.open() as stdin, told.open("w") as stdout:
        command = [sys.executable, "-c", MEASURED, *verifier.command, "--cases"]
        measured = subprocess.run(
            command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, check=True
        )
    code, seconds, kilobytes = json.loads(measured.stderr.splitlines()[-1])

    lines = told.read_text().splitlines()
    assert (1, len(paths)) == (code, len(lines))
    assert all(SENTENCE.fullmatch(line.removeprefix("1\t")) for line in lines), lines
    assert seconds < SECONDS
    assert kilobytes < MEGABYTES * 1024


BAD_USAGE = (
    (),
    ("no-such-file",),
    (".",),
    ("{}", "{}"),
    ("{}", "--commitment"),
    ("{}", "--commitment", "00"),
    ("{}", "--commitment", "00" * 32, "--commitment", "00" * 32),
    ("{}", "--nonce", "good"),
    ("{}", "--nonce", "good=0"),
    ("{}", "--nonce", "Good=00"),
    ("{}", "--head", f"x={'00' * 32}"),
    ("{}", "--head", f"1={'00' * 31}"),
    ("{}", "--head", f"-1={'00' * 32}"),
    ("{}", "--help"),
)


@pytest.mark.parametrize("arguments", BAD_USAGE, ids=" ".join)
def test_bad_usage_has_its_own_code(verifier, tmp_path, arguments):
    """One sentence on stderr, and 2."""
    path = tmp_path / "duel.record"
    path.write_text(short("duel").text())

    done = verifier.run(*(argument.format(path) for argument in arguments))

    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n")), done


IN_A_PAGE = """
const [{ readFileSync }, vm] = [require("node:fs"), require("node:vm")];
const [program, record] = process.argv.slice(1).map((path) => readFileSync(path));
const page = vm.createContext({ TextDecoder, TextEncoder, record });
vm.runInContext(String(program).replace(/^export /gm, ""), page);
console.log(vm.runInContext("verify(record, { nonces: [], heads: [] }).holds", page));
"""


def test_the_verifier_runs_in_a_page(tmp_path):
    """With the language and two things that every browser has, and nothing of Node."""
    node, command = toolchains.need("node"), toolchains.verifier("ts")
    program = Path(command[-1]).with_name("verify.js")
    path, changed = tmp_path / "whole.record", tmp_path / "changed.record"
    path.write_text(short("duel").text())
    changed.write_text(tampered("duel")[0].text)

    told = [
        subprocess.check_output([node, "-e", IN_A_PAGE, program, record], text=True)
        for record in (path, changed)
    ]

    assert ["true\n", "false\n"] == told


@pytest.mark.parametrize("language", ["go", "ts"])
def test_a_verifier_knows_no_game(language):
    """No name of any is in it."""
    text = "".join(path.read_text(encoding="utf-8") for path in verifier_sources(language))

    assert "bree chain 1" in text
    assert not re.search("confrontation|duel|risk|war.of.the.ring|sauron|frodo", text.lower())


def test_the_verifier_is_as_small_as_it_says():
    """Under 440 lines, and nothing imported: the same file runs in a page."""
    source = (toolchains.CLIENTS / "ts/verify.ts").read_text(encoding="utf-8")

    assert source.count("\n") < 440
    assert not re.search(r"\b(import|require|process|Buffer)\b", source)
