"""Lines and proofs on a screen: aligned, and coloured where a terminal shows them to a person.

The words are the same without colours (`services/terminal.py`). Suits are written as letters where the output cannot
encode their signs.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from services.demo.proofs import Proof
from services.demo.words import SUIT_SIGNS, Kind, Line

TEXT_WIDTH = 46
SUIT_LETTERS = str.maketrans(SUIT_SIGNS, "cdhs")
SUIT_STYLES = {"♣": "green", "♦": "bright_blue", "♥": "bright_red", "♠": "bold default"}
STYLES: dict[Kind, str] = {
    "title": "bold underline",
    "heading": "bold yellow",
    "action": "",
    "fact": "dim",
    "alarm": "bold white on red",
}


def show_story(lines: Iterable[Line], console: Console) -> None:
    """Print a story; players' names and amounts stand in columns."""
    story = list(lines)
    name_width = max((len(line.who) for line in story), default=0)
    for line in story:
        _show(_laid_out(line, name_width), console)


def show_proofs(proofs: Iterable[Proof], console: Console) -> None:
    """Print what was checked: a tick for what holds, an alarm for what does not."""
    for proof in proofs:
        mark, style = ("ok ", "green") if proof.holds else ("BAD", STYLES["alarm"])
        _show(Text.assemble("  ", (mark, style), "  ", proof.text), console)


def _laid_out(line: Line, name_width: int) -> Text:
    style = STYLES[line.kind]
    if line.kind in {"title", "heading"}:
        pot = f"   (pot {line.pot})" if line.pot else ""
        return Text.assemble("\n", (line.text, style), pot)
    if not line.who:
        return Text.assemble("  ", (line.text, style))
    pot = f"pot {line.pot}" if line.pot else ""
    has = f"has {line.stack}" if line.stack else ""
    text = f"  {line.who:<{name_width}}  {line.text:<{TEXT_WIDTH}} {pot:<12} {has}".rstrip()
    laid_out = Text(text, style=style)
    laid_out.stylize("bold", 2, 2 + len(line.who))
    return laid_out


def _show(text: Text, console: Console) -> None:
    for sign, style in SUIT_STYLES.items():
        text.highlight_regex(rf"[2-9TJQKA]{sign}", style)
    console.print(text if _can_write(console) else Text(text.plain.translate(SUIT_LETTERS)))


def _can_write(console: Console) -> bool:
    try:
        SUIT_SIGNS.encode(console.encoding)
    except UnicodeEncodeError:
        return False
    return True
