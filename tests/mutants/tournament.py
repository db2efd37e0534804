"""The planted mutants of tournaments: who is out and in which place, prizes, bounties, and refunds when called off.

M27 is that of `reliability.md` section 7, in both its forms; the T mutants are our own.
"""

from __future__ import annotations

from tests.mutants.planted import Mutant

TESTS = "tests/engine/tournament"
CALLED_OFF = f"{TESTS}/test_calling_off.py"
REPORTS = f"{TESTS}/test_calling_off_reports.py"
APPROVED = f"{TESTS}/test_calling_off_approved.py"
IN_SYNC = f"{TESTS}/test_calling_off_hand_for_hand.py"
PAID = f"{TESTS}/test_refunds_paid.py"
LEDGER = "tests/engine/test_ledger_tournament.py"

MUTANTS = (
    Mutant(
        "M27",
        "the id of an obligation contains its amount",
        "engine/tournament/paying.py",
        "    transfer_id = obligation_id(name, line.entry, line.reason)\n",
        '    transfer_id = obligation_id(name, line.entry, f"{line.reason}/{line.amount}")\n',
        (f"{PAID}::test_another_amount_is_the_same_obligation",),
    ),
    Mutant(
        "M27-again",
        "the refund job pays its last line again when it goes on",
        "engine/tournament/calling_off.py",
        "    first = calling_off.paid_lines\n",
        "    first = max(0, calling_off.paid_lines - 1)\n",
        (f"{PAID}::test_two_jobs_at_once_pay_each_line_once",),
    ),
    Mutant(
        "T1",
        "a prize that is paid is still due",
        "engine/tournament/evolve.py",
        "        unpaid = tuple([number for number in tournament.unpaid if number != entry])\n",
        "        unpaid = tournament.unpaid\n",
        (f"{TESTS}/test_finish.py::test_every_prize_is_paid_once",),
    ),
    Mutant(
        "T2",
        "a purse pays a cent more than it holds",
        "engine/tournament/evolve.py",
        "assert min(after.values()) >= 0,",
        "assert min(after.values()) >= -1,",
        (f"{PAID}::test_a_purse_pays_no_cent_that_it_does_not_hold",),
    ),
    Mutant(
        "T3",
        "the whole guarantee is added to the prizes, whatever the pool holds",
        "engine/tournament/ending.py",
        "    return min(held.overlay, max(0, wanted - held.pool))\n",
        "    return min(held.overlay, wanted)\n",
        (f"{TESTS}/test_finish.py::test_unused_overlay_goes_back",),
    ),
    Mutant(
        "T4",
        "a bounty goes to the player who was knocked out",
        "engine/tournament/paying.py",
        "PlanLine(winner.number, winner.player, reason,",
        "PlanLine(winner.number, entry.player, reason,",
        (f"{TESTS}/test_bounties.py",),
    ),
    Mutant(
        "T5",
        "the first winner of a pot takes the bounty alone",
        "engine/tournament/evolve_play.py",
        "knocked_out_by=knock_out.winners,",
        "knocked_out_by=knock_out.winners[:1],",
        (f"{TESTS}/test_bounties.py",),
    ),
    Mutant(
        "T6",
        "everybody has the prize of the next place",
        "engine/tournament/paying.py",
        "tournament.entered - entry.out_number\n",
        "tournament.entered - entry.out_number + 1\n",
        (f"{TESTS}/test_refunds_golden.py::test_single_table_in_the_money",),
    ),
    Mutant(
        "T7",
        "busts of a synchronised hand count at once",
        "engine/tournament/busts.py",
        "if tournament.sync is not None or left(tournament) == 1:",
        "if left(tournament) == 1:",
        (f"{IN_SYNC}::test_busts_of_the_unfinished_hand_have_not_happened",),
    ),
    Mutant(
        "T8",
        "the chips at the start of the synchronised hand count in every house",
        "engine/tournament/calling_off.py",
        'chips_as_of == "at_cancellation"',
        'chips_as_of == ""',
        (f"{IN_SYNC}::test_the_present_chips",),
    ),
    Mutant(
        "T9",
        "the present chips count in every house",
        "engine/tournament/calling_off.py",
        "at_start.get(entry.number, entry.chips + entry.due)",
        "entry.chips + entry.due",
        (f"{IN_SYNC}::test_back_to_the_start_of_the_synchronised_hand",),
    ),
    Mutant(
        "T10",
        "an undone hand ends the synchronised hand of a cancelled tournament",
        "engine/tournament/evolve_play.py",
        '    if sync is None or (event.voided and tournament.phase == "cancelling"):\n',
        "    if sync is None:\n",
        (f"{IN_SYNC}::test_a_void_hand_of_a_cancelled_tournament_ends_no_synchronised_hand",),
    ),
    Mutant(
        "T11",
        "overlay that was not needed stays in its purse",
        "engine/tournament/ending.py",
        '    pay_house(draft, "unused_overlay", Sources(), overlay=held.overlay - overlay)\n',
        "",
        (f"{TESTS}/test_finish.py::test_unused_overlay_goes_back",),
    ),
    Mutant(
        "T12",
        "what is left of the pool after the refunds stays in it",
        "engine/tournament/calling_off.py",
        '    pay_house(draft, "left_over", Sources(pool=purses.pool))\n',
        "",
        (f"{PAID}::test_the_guarantee_goes_back_or_is_played_out",),
    ),
    Mutant(
        "T13",
        "the plan is made when the first table has reported",
        "engine/tournament/calling_off.py",
        "all(table.frozen for table",
        "any(table.frozen for table",
        (f"{REPORTS}::test_all_tables_must_report",),
    ),
    Mutant(
        "T14",
        "the plan does not wait for money on its way",
        "engine/tournament/calling_off.py",
        "money_to_come = tournament.payments or tournament.overlay_id",
        "money_to_come = tournament.overlay_id",
        (f"{CALLED_OFF}::test_money_on_its_way_is_waited_for_and_goes_straight_back",),
    ),
    Mutant(
        "T15",
        "one person approves twice",
        "engine/tournament/calling_off.py",
        "    if command.by in calling_off.approved_by:\n",
        "    if command.by in calling_off.approved_by[1:]:\n",
        (f"{APPROVED}::test_two_different_people_approve",),
    ),
    Mutant(
        "T16",
        "any hash approves the plan",
        "engine/tournament/calling_off.py",
        "or calling_off.plan_hash != command.plan_hash:",
        "or not calling_off.plan_hash:",
        (f"{APPROVED}::test_a_wrong_hash_approves_nothing",),
    ),
    Mutant(
        "T17",
        "players are paid before the house has paid its part",
        "engine/tournament/calling_off.py",
        "    return calling_off.covered or not _house_owes(calling_off)\n",
        "    return True\n",
        (f"{APPROVED}::test_the_house_is_asked_when_two_have_approved",),
    ),
    Mutant(
        "T18",
        "a cancelled tournament seats who arrives from another table",
        "engine/tournament/running.py",
        'if target and draft.tournament.phase != "cancelling":',
        "if target:",
        (f"{REPORTS}::test_who_is_moving_counts_and_is_not_seated_any_more",),
    ),
    Mutant(
        "T19",
        "the money that stands for a ticket stays in the purses",
        "engine/tournament/paying.py",
        '    pay_house(draft, "ticket", line.sources, transfer_id=',
        '    pay_house(draft, "ticket", Sources(), transfer_id=',
        (f"{PAID}::test_a_ticket_comes_back_as_a_ticket_and_its_money_to_the_house",),
    ),
    Mutant(
        "T20",
        "the books take a bounty out of the prize pool",
        "engine/ledger.py",
        '(f"bounties/{name}", target, sources.bounty_pool),',
        '(f"prize pool/{name}", target, sources.bounty_pool),',
        (f"{LEDGER}::test_the_lines_of_a_tournament_are_its_purses",),
    ),
)
