"""The planted mutants of a tournament's transfers: entries, prizes, refunds, and chips on their way between tables.

M27 is that of `reliability.md` section 7; the D mutants are our own. Each is found by a test of its edge, and a second
time by the random runs of whole tournaments.
"""

from __future__ import annotations

from tests.mutants.planted import Mutant

EDGES = "tests/engine/test_transfers_tournament.py"
RUNS = "tests/engine/test_tournament_runs.py::test_no_cent_of_a_tournament_is_lost_whatever_befalls_the_couriers"

BY_EDGE = (
    Mutant(
        "M27-edge",
        "the key of a refund contains the amount",
        "engine/tournament/paying.py",
        "transfer_id = obligation_id(name, line.entry, line.reason)",
        'transfer_id = obligation_id(name, line.entry, f"{line.reason}/{line.amount}")',
        (f"{EDGES}::test_refunds_are_paid_once_whatever_befalls_them",),
    ),
    Mutant(
        "D1",
        "the receiver does not mark what it has handled",
        "engine/inbox.py",
        'return Inbox(tuple(sorted((*others, delivery), key=attrgetter("partition"))))',
        'return Inbox(tuple(sorted(others, key=attrgetter("partition"))))',
        (f"{EDGES}::test_an_entry_is_paid_once_whatever_befalls_it",),
    ),
    Mutant(
        "D2",
        "a payment is accepted as often as it comes",
        "engine/tournament/evolve.py",
        "payments = tuple([payment for payment in tournament.payments if payment.transfer_id != transfer_id])",
        "payments = tuple([payment for payment in tournament.payments if transfer_id])",
        (f"{EDGES}::test_a_payment_that_comes_again_goes_back",),
    ),
    Mutant(
        "D3",
        "what comes too late goes back under the id under which it came",
        "engine/tournament/registration.py",
        "draft.emit(events.PaymentReturned(*about, return_id(payment.transfer_id)))",
        "draft.emit(events.PaymentReturned(*about, payment.transfer_id))",
        (f"{EDGES}::test_money_that_comes_too_late_goes_back_under_its_own_id",),
    ),
    Mutant(
        "D4",
        "the director seats a player who moves before his chips have come",
        "engine/tournament/arranging.py",
        "    draft.emit(events.MoveOrdered(mover.number, mover.player, table, *move.target))\n",
        "    draft.emit(events.MoveOrdered(mover.number, mover.player, table, *move.target))\n"
        "    place = place_for(draft.tournament, mover, move.target[1])\n"
        "    draft.emit(events.EntrySeated(move.target[0], place))\n",
        (f"{EDGES}::test_nobody_is_seated_before_his_chips_have_come",),
    ),
    Mutant(
        "D5",
        "a plan is made without the chips of those who are between two tables",
        "engine/tournament/calling_off.py",
        "at_start.get(entry.number, entry.chips + entry.due)",
        "at_start.get(entry.number, entry.chips)",
        (f"{EDGES}::test_who_is_between_two_tables_counts_when_it_is_called_off",),
    ),
    Mutant(
        "D6",
        "a refused payment keeps its place",
        "engine/tournament/evolve.py",
        "return _not_paid(_answered(tournament, event.transfer_id), event)\n\n\ndef _payment_returned",
        "return tournament\n\n\ndef _payment_returned",
        (f"{EDGES}::test_who_cannot_pay_leaves_his_place_to_others",),
    ),
    Mutant(
        "D7",
        "money that comes when everything is called off is taken in",
        "engine/tournament/registration.py",
        'PAYERS = frozenset({"registering", "seating", "running"})',
        'PAYERS = frozenset({"registering", "seating", "running", "cancelling"})',
        (f"{EDGES}::test_money_that_comes_too_late_goes_back_under_its_own_id",),
    ),
)

IN_RUNS = tuple(mutant._replace(id=f"{mutant.id}-runs", killers=(RUNS,)) for mutant in BY_EDGE)

MUTANTS = (*BY_EDGE, *IN_RUNS)
