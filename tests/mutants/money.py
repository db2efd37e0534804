"""The planted mutants of money on its way: ledger, inbox, seats, protections, and the courier of the model.

M19 to M32 are those of `reliability.md` section 7; the C mutants are our own. Each is found by a test of its rule, and
all that can be seen from outside a second time, by the random runs of whole card rooms.
"""

from __future__ import annotations

from tests.mutants.planted import Mutant

RUNS = "tests/engine/test_courier_runs.py::test_no_chip_is_lost_whatever_befalls_the_couriers"
COURIER = "tests/engine/test_courier.py"
LEDGER = "tests/engine/test_ledger.py"
ANSWERED = '        if reached and fault != "unanswered":\n            waiting.popleft()\n'

BY_RULE = (
    Mutant(
        "M19",
        "rake is counted twice on the side where it is held",
        "engine/ledger.py",
        "entries += [Posting(source, unit, -amount), Posting(target, unit, amount)]",
        'sides = 2 if target.startswith("rake held") else 1\n'
        "            entries += [Posting(source, unit, -amount)] + [Posting(target, unit, amount)] * sides",
        (f"{LEDGER}::test_postings_sum_to_zero",),
    ),
    Mutant(
        "M22",
        "a receiver accepts a transfer twice",
        "engine/inbox.py",
        "return all((mark.sequence, mark.index) < place for mark in",
        "return all(place for mark in",
        (f"{COURIER}::test_what_comes_twice_takes_effect_once",),
    ),
    Mutant(
        "M23",
        "the timer of the buy-in dialog releases a seat whose funds were sent",
        "engine/table/seating.py",
        "    if command.transfer_id:\n"
        "        reservation = _refused(draft.table, command.transfer_id, top_up=False)\n"
        "        # From here on the command succeeds.\n"
        "        draft.emit(SeatReleased(reservation.seat, reservation.player, "
        '"funds_refused", command.transfer_id))\n',
        "    waiting = [r for r in desk.reservations if r.player == command.player and not r.top_up]\n"
        "    if waiting:\n"
        "        reservation = waiting[0]\n"
        '        draft.emit(SeatReleased(reservation.seat, reservation.player, "expired", reservation.transfer_id))\n',
        ("tests/engine/test_transfers.py::test_no_timer_releases_a_seat_whose_funds_were_sent",),
    ),
    Mutant(
        "M24",
        "a restarted courier delivers again under new ids",
        "tests/engine/courier.py",
        "Delivery(self.partition, record.sequence, index)",
        "Delivery(self.partition, record.sequence + 1000 * self.restarts, index)",
        (f"{COURIER}::test_a_restarted_courier_delivers_again_under_the_same_ids",),
    ),
    Mutant(
        "M25",
        "the courier stops after an error",
        "tests/engine/courier.py",
        ANSWERED,
        f"{ANSWERED}        else:\n            self.targets = list\n",
        (f"{COURIER}::test_what_was_not_answered_is_tried_again",),
    ),
    Mutant(
        "M26",
        "the account grants whatever a table asks for, as if tables counted protections",
        "engine/account/decide.py",
        "if not covered and not left:",
        "if not covered and left < 0:",
        ("tests/engine/test_transfers_protection.py::test_two_tables_cannot_take_the_same_last_protection",),
    ),
    Mutant(
        "M32",
        "the courier goes on with the next delivery to a target after a failure",
        "tests/engine/courier.py",
        ANSWERED,
        f"{ANSWERED}        else:\n            waiting.rotate(-1)\n",
        (f"{COURIER}::test_nothing_overtakes_what_has_failed",),
    ),
    Mutant(
        "C1",
        "the id of a delivered command depends on the time",
        "engine/origin.py",
        "return str(uuid5(event_id(origin), str(index)))",
        'return str(uuid5(event_id(origin), f"{index}/{origin.at_ms}"))',
        ("tests/engine/test_reactions.py::test_ids_follow_from_the_place_alone",),
    ),
    Mutant(
        "C2",
        "the rake of a void hand stays in the books",
        "engine/ledger.py",
        'f"pots/{table_id}", event.rake),',
        'f"pots/{table_id}", 0),',
        (f"{LEDGER}::test_an_event_moves_money_between_these_lines",),
    ),
    Mutant(
        "C3",
        "a closing table does not wait for money under way",
        "engine/table/after_hand.py",
        "or table.desk.reservations or",
        "or",
        ("tests/engine/test_transfers.py::test_a_closing_table_waits_for_money_under_way",),
    ),
)

UNSEEN_IN_RUNS = frozenset({"C1"})
"""An id that changes with time is the same each time a model without snapshots computes it."""

IN_RUNS = tuple(
    mutant._replace(id=f"{mutant.id}-runs", killers=(RUNS,)) for mutant in BY_RULE if mutant.id not in UNSEEN_IN_RUNS
)

MUTANTS = (*BY_RULE, *IN_RUNS)
