"""Consoles: coloured where a person looks at them, plain in a file or where NO_COLOR is set."""

from __future__ import annotations

import os
from typing import TextIO

from rich.console import Console


def console_on(stream: TextIO) -> Console:
    """Return a console that colours only what a person looks at."""
    plain = bool(os.environ.get("NO_COLOR")) or not stream.isatty()
    return Console(file=stream, color_system=None if plain else "auto", highlight=False, soft_wrap=True)
