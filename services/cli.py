"""The command `dealer`: one subcommand per thing that can be started.

Exit codes: 0 done, 1 something that must hold does not or is not there, 2 the command line makes no sense, 3 a log is
corrupt, 4 a log cannot be reached or opened.
"""

from __future__ import annotations

import sys

import click
import msgspec

from engine.rulebooks.loading import HOUSES, load
from services.demo import story
from services.demo.display import show_proofs, show_story
from services.demo.narrate import narrate
from services.demo.proofs import prove
from services.logtool.commands import log_group
from services.logtool.doctor import doctor_command
from services.terminal import console_on


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def main() -> None:
    """The trusted dealer of an online Texas Hold'em card room."""
    if not __debug__:
        msg = "assertions guard the chips: do not run the dealer with python -O"
        raise click.ClickException(msg)


@main.command()
@click.option(
    "--house",
    type=click.Choice(HOUSES),
    default="modern",
    show_default=True,
    help="The rulebook to play by.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the events as JSON, one on each line.")
def demo(house: str, *, as_json: bool) -> None:
    """Deal a demonstration hand and prove it fair.

    Six players, no limit, two side pots; the cards are different every time. Colour needs a terminal, and is off when
    NO_COLOR is set.
    """
    rulebook = load(house)
    if story.LIMIT_TYPE not in rulebook.table.limit_types:
        msg = f"{rulebook.title} does not deal no limit, which this hand is. Choose {_no_limit_houses()}."
        raise click.BadParameter(msg, param_hint="'--house'")
    played = story.play(rulebook)
    proofs = prove(played.history, played.table)
    if as_json:
        for recorded in played.history:
            click.echo(msgspec.json.encode(recorded))
    else:
        console = console_on(sys.stdout)
        show_story(narrate(played.history), console)
        console.print("\nChecked from the events alone", style="bold yellow")
        show_proofs(proofs, console)
    if not all(proof.holds for proof in proofs):
        msg = "the hand does not prove what it must"
        raise click.ClickException(msg)


main.add_command(log_group)
main.add_command(doctor_command)


def _no_limit_houses() -> str:
    *first, last = [house for house in HOUSES if story.LIMIT_TYPE in load(house).table.limit_types]
    return f"{', '.join(first)} or {last}"


if __name__ == "__main__":
    main(prog_name="dealer")
