"""The command `dealer`, as somebody types it."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from engine.table.evolve import evolve
from services.cli import main
from services.demo.display import show_proofs, show_story
from services.demo.proofs import Proof
from services.demo.record import Recorded
from services.demo.words import Line
from services.terminal import console_on

ROOT = Path(__file__).resolve().parents[2]
ESCAPE = "\x1b"
CARDS = Line("heading", "The flop:  K♣ 7♦ 2♥", pot="$3")


class Terminal(io.StringIO):
    """An output that says it is a terminal."""

    def isatty(self) -> bool:
        """Claim to be one."""
        return True


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, arguments, prog_name="dealer")


def test_demo_tells_the_story_and_its_proofs() -> None:
    """`dealer demo` prints the hand from the first seat to the last proof and ends with 0."""
    result = run("demo")
    assert result.exit_code == 0
    assert "Modern rules, table Demonstration" in result.output
    assert "Side pot 2 of $120: Cleo and Dov play for it." in result.output
    assert "ok   No chip was made or lost: $826.50 = $822.50 in stacks + $4 rake." in result.output


def test_demo_plays_by_the_house_that_is_chosen() -> None:
    """`--house` chooses the rulebook."""
    assert "Planet Poker rules" in run("demo", "--house", "planet").output


def test_demo_refuses_a_house_without_no_limit() -> None:
    """A house that deals fixed limit only is refused with a sentence and exit code 2."""
    result = run("demo", "--house", "pacific")
    assert result.exit_code == 2
    assert "Pacific Poker does not deal no limit, which this hand is." in result.output
    assert "Choose planet, akpoker, freeguide or modern." in result.output


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(("demo", "--house", "nowhere"), "nowhere"), (("demo", "--seed", "00"), "--seed"), (("deal",), "deal")],
)
def test_command_line_without_sense_is_refused(arguments: tuple[str, ...], named: str) -> None:
    """T-OPS-3: unknown houses, options and subcommands are named, exit code 2; no option chooses a deck."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert named in result.output.splitlines()[-1]


def test_json_is_one_event_per_line() -> None:
    """`--json` prints the history: whoever decodes it can replay the table, to its last version."""
    result = run("demo", "--json")
    history = [msgspec.json.decode(line, type=Recorded) for line in result.output.splitlines()]
    table = None
    for recorded in history:
        table = evolve(table, recorded.event, recorded.at_ms)
    assert [recorded.version for recorded in history] == list(range(1, len(history) + 1))
    assert table is not None
    assert table.hand is None


def test_help_lists_the_subcommands() -> None:
    """`dealer --help` says what there is."""
    result = run("--help")
    assert result.exit_code == 0
    assert re.search(r"demo +Deal a demonstration hand and prove it fair\.", result.output)


def test_output_into_a_file_is_plain() -> None:
    """What is no terminal gets no colours."""
    assert ESCAPE not in run("demo").output


def colours_on(monkeypatch: pytest.MonkeyPatch, **environment: str) -> str:
    """Return what a terminal gets in an environment."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", **environment}.items():
        monkeypatch.setenv(name, value)
    terminal = Terminal()
    show_story([CARDS], console_on(terminal))
    return terminal.getvalue()


def test_terminal_gets_coloured_suits(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal each suit has its colour."""
    assert f"{ESCAPE}[1;91m2♥" in colours_on(monkeypatch)


def test_no_color_is_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With NO_COLOR a terminal gets plain text."""
    assert colours_on(monkeypatch, NO_COLOR="1") == "\nThe flop:  K♣ 7♦ 2♥   (pot $3)\n"


def test_suits_are_letters_where_signs_cannot_be_written() -> None:
    """An output that cannot encode the suits' signs gets letters."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    show_story([CARDS], console_on(stream))
    stream.flush()
    assert raw.getvalue() == b"\nThe flop:  Kc 7d 2h   (pot $3)\n"


def test_columns_are_aligned() -> None:
    """Names, texts, pots and stacks stand below one another."""
    stream = io.StringIO()
    show_story([Line("action", "bets $1", "Al", "$1", "$9"), Line("action", "folds", "Barbara")], console_on(stream))
    assert stream.getvalue() == (
        "  Al       bets $1                                        pot $1       has $9\n  Barbara  folds\n"
    )


def test_failed_proof_stands_out() -> None:
    """What does not hold is marked."""
    stream = io.StringIO()
    show_proofs([Proof(holds=True, text="Good."), Proof(holds=False, text="NOT GOOD.")], console_on(stream))
    assert stream.getvalue() == "  ok   Good.\n  BAD  NOT GOOD.\n"


def test_dealer_refuses_to_run_without_assertions() -> None:
    """Assertions guard the chips, so `python -O` is refused."""
    command = (sys.executable, "-O", "-m", "services.cli", "demo")
    result = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)  # noqa: S603 - constant.
    assert result.returncode == 1
    assert "do not run the dealer with python -O" in result.stderr
