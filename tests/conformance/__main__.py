"""`python -m tests.conformance`: replay the hands, show the results by file and every mismatch; HANDS=all for all."""

from __future__ import annotations

import sys

from tests.conformance.hands import chosen, file_names, read
from tests.conformance.report import NOT_FOUND, print_table, tally_of

EXIT_MISMATCH = 1
EXIT_USAGE = 2


def main() -> int:
    """Return the exit code: 0 when all is as it must be, 1 after a mismatch, 2 without hands."""
    names = file_names()
    if not names:
        sys.stderr.write(f"{NOT_FOUND}\n")
        return EXIT_USAGE
    tallies = []
    for name in names:
        hands = chosen(read(name))
        sys.stderr.write(f"{name}: {len(hands):,} hands ...\n")
        tallies.append(tally_of(name, hands))
    print_table(tallies, sys.stdout)
    mismatches = [line for tally in tallies for line in tally.mismatches]
    sys.stdout.writelines(f"{line}\n" for line in mismatches)
    return EXIT_MISMATCH if mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
