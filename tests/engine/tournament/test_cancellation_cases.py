"""The special cases of a cancellation: rollback, one left, overlay, bounties, re-entries, freerolls."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.tournament.cancellation import plan
from engine.tournament.cancellation_case import CancellationCase, EntryAccount
from engine.tournament.refund_plan import Sources
from tests.engine.tournament.events import FOUR_LEFT, TWELVE_LEFT, column, entrant, event, house, totals

HOUSES = ("pacific", "planet", "akpoker", "freeguide", "modern")


def case_of(*entries: EntryAccount, single_table: bool = True) -> CancellationCase:
    """Return a tournament of these entries."""
    return CancellationCase("SNG9", "USD", single_table, entries)


@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize("single_table", [True, False])
def test_nobody_out_gives_everything_back(name: str, single_table: bool) -> None:
    """AMB-14, rulebooks.md section 4 step 1: buy-in, fee and bounty come back, the overlay to the house."""
    case = event(3, 1000, [9000, 1, 0], fee=100, bounty=200, single_table=single_table, overlay=5000)
    planned = plan(case, house(name, distribute_overlay=True))
    assert planned.summary.procedure == "rollback"
    assert column(planned, "rollback") == [1300] * 3
    assert planned.summary.totals == Sources(pool=3000, fees=300, bounty_pool=600)
    assert planned.summary.unused_overlay == 5000


def test_as_started_divides_though_nobody_is_out() -> None:
    """AMB-14: `as_started` has no rollback; with nobody out the buy-ins come back and there is nothing else."""
    planned = plan(
        event(3, 1000, [500, 300, 100], fee=100, single_table=True), house("akpoker", no_elimination="as_started")
    )
    assert planned.summary.procedure == "own_split"
    assert totals(planned) == [1000] * 3
    assert column(planned, "rollback") == []


def test_ticket_comes_back_as_money_where_the_house_says_so() -> None:
    """AMB-11, AMB-14: `rollback_refund_as = cash`: one payment of all that was paid."""
    case = case_of(entrant(1, 50, 2000, fee=200, paid_as=(("ticket/Sunday", 2000), ("cash", 200))))
    (line,) = plan(case, house("modern", rollback_refund_as="cash")).lines
    assert (line.reason, line.form, line.amount) == ("rollback", "cash", 2200)


def test_each_ticket_comes_back_by_itself() -> None:
    """AMB-11, AMB-14: two tickets, rebuys and add-on in cash: every ticket is an obligation of its own, cash is one."""
    paid_as = (("ticket/Sunday", 2200), ("cash", 1000), ("ticket/Sunday", 500), ("cash", 500))
    planned = plan(case_of(entrant(1, 50, 3800, fee=200, bounty=200, paid_as=paid_as)), house("modern"))
    assert [(line.reason, line.form, line.sources) for line in planned.lines] == [
        ("rollback/1", "ticket/Sunday", Sources(pool=2200)),
        ("rollback/2", "ticket/Sunday", Sources(pool=500)),
        ("rollback", "cash", Sources(pool=1100, fees=200, bounty_pool=200)),
    ]


def test_ticket_that_paid_for_all_comes_back_whole() -> None:
    """AMB-11: a ticket for buy-in, fee and bounty comes back as one, out of three purses."""
    case = case_of(entrant(1, 50, 2000, fee=200, bounty=500, paid_as=(("ticket/Sunday", 2700),)))
    (line,) = plan(case, house("modern")).lines
    assert line.sources == Sources(pool=2000, fees=200, bounty_pool=500)
    assert line.amount == 2700


def test_ticket_counts_as_cash_once_somebody_is_out() -> None:
    """AMB-11: a ticket comes back as a ticket on rollback, and as cash otherwise."""
    case = case_of(entrant(1, 50, paid_as=(("ticket/Sunday", 1000),)), entrant(2, 50), entrant(3, None))
    assert {line.form for line in plan(case, house("akpoker")).lines} == {"cash"}


@pytest.mark.parametrize("name", HOUSES)
def test_one_left_has_won(name: str) -> None:
    """AMB-14, rulebooks.md section 4 step 2: K = 1 is no cancellation: the first prize and the own bounty, no fee."""
    case = event(3, 1000, [3000], fee=100, bounty=200, prizes=(2500, 1000), paid=1000, overlay=500)
    planned = plan(case, house(name))
    assert planned.summary.procedure == "first_prize"
    assert [(line.reason, line.amount) for line in planned.lines] == [("prize", 2500), ("bounty", 200)]
    assert planned.summary.unused_overlay == 0


def test_one_left_before_prizes_are_fixed_takes_the_pool() -> None:
    """AMB-14: who is alone when no prizes are fixed yet has won all there is."""
    planned = plan(event(2, 1000, [3000], overlay=500), house("modern"))
    assert column(planned, "prize") == [2500]


def test_first_prize_is_capped_by_the_pool() -> None:
    """Operations.md section 4: the pool never pays what it does not hold."""
    planned = plan(event(2, 1000, [3000], prizes=(2500,)), house("modern"))
    assert column(planned, "prize") == [2000]


@pytest.mark.parametrize(("distributed", "from_pool", "back"), [(False, 30_000, 20_000), (True, 50_000, 0)])
def test_guarantee(distributed: bool, from_pool: int, back: int) -> None:
    """AMB-11, operations.md section 3: a guarantee's top-up goes back to the house, unless it is to be distributed."""
    planned = plan(replace(TWELVE_LEFT, overlay=20_000), house("akpoker", distribute_overlay=distributed))
    assert planned.summary.totals.pool == sum(totals(planned)) == from_pool
    assert planned.summary.unused_overlay == back


def test_overlay_that_prizes_have_used_does_not_come_back() -> None:
    """AMB-11, rulebooks.md section 4 step 3: prizes of 34,000 from 30,000 and 10,000 of overlay leave 6000."""
    planned = plan(replace(FOUR_LEFT, paid=34_000, overlay=10_000), house("modern"))
    assert (planned.summary.remaining, planned.summary.unused_overlay) == (0, 6000)
    assert {line.reason for line in planned.lines} == {"fee"}


@pytest.mark.parametrize("name", HOUSES)
def test_survivor_keeps_the_bounty_on_his_own_head(name: str) -> None:
    """AMB-11, operations.md section 3: knock-out: a survivor gets his own bounty, out of the bounties."""
    planned = plan(event(10, 1000, [300, 200, 100], bounty=500), house(name))
    assert column(planned, "bounty") == [500] * 3
    assert planned.summary.totals.bounty_pool == 1500


def test_earlier_entry_of_a_player_is_out() -> None:
    """AMB-11: who entered again gets back his living entry alone; the money of the earlier one is split."""
    again = replace(entrant(3, 60), player="P1")
    planned = plan(case_of(entrant(1, None), entrant(2, 40), again), house("akpoker"))
    assert planned.summary.procedure == "own_split"
    assert [(line.player, line.reason, line.amount) for line in planned.lines] == [
        ("P2", "buy_in", 1000),
        ("P2", "chip_share", 400),
        ("P1", "buy_in", 1000),
        ("P1", "chip_share", 600),
    ]


def test_rebuys_and_add_ons_are_part_of_the_buy_in() -> None:
    """AMB-11: buy-in, two rebuys and an add-on come back; who paid in once gets back that."""
    planned = plan(
        case_of(entrant(1, 50, 4000), entrant(2, 50), *[entrant(n, None) for n in (3, 4, 5)]), house("akpoker")
    )
    assert column(planned, "buy_in") == [4000, 1000]
    assert column(planned, "chip_share") == [1500, 1500]


def test_large_buy_in_is_capped_by_an_equal_part_of_the_pool() -> None:
    """AMB-11, rulebooks.md section 4 step 4: nobody gets back more than R divided by K."""
    planned = plan(
        replace(case_of(entrant(1, 1, 9000), entrant(2, 2), entrant(3, None)), single_table=False), house("akpoker")
    )
    assert column(planned, "buy_in") == [5500, 1000]
    assert sum(totals(planned)) == 11_000


@pytest.mark.parametrize("name", HOUSES)
def test_freeroll_is_not_compensated(name: str) -> None:
    """Operations.md section 3: who paid nothing gets nothing; the prizes were overlay and go back to the house."""
    planned = plan(event(50, 0, [300, 200], prizes=(700, 300), overlay=1000), house(name))
    assert planned.lines == ()
    assert planned.summary.unused_overlay == 1000


def test_freeroll_with_distributed_overlay() -> None:
    """AMB-11: `distribute_overlay` gives a freeroll's survivors the next prize and the rest by chips."""
    planned = plan(event(50, 0, [300, 200], prizes=(700, 300), overlay=1000), house("modern", distribute_overlay=True))
    assert totals(planned) == [300 + 240, 300 + 160]
    assert planned.summary.unused_overlay == 0


def test_heads_up_before_a_bust_is_rolled_back() -> None:
    """AMB-14, operations.md section 3: in a heads-up tournament both get back buy-in and fee."""
    planned = plan(event(2, 1000, [1999, 1], fee=50, single_table=True, prizes=(2000,)), house("modern"))
    assert column(planned, "rollback") == [1050, 1050]


def test_all_in_of_the_void_hand_is_still_in() -> None:
    """AMB-12, R-MOD-11: stacks are those at the start of the hand, so who was all-in has his share by chips."""
    planned = plan(event(4, 1000, [900, 100, 200]), house("modern"))
    assert column(planned, "chip_share") == [1500, 167, 333]


def test_no_chips_reported_means_equal_shares() -> None:
    """AMB-10, AMB-12: where no stack counts for anything, the chip half is equal too."""
    assert totals(plan(event(5, 100, [0, 0, 0]), house("modern"))) == [84 + 84, 83 + 83, 83 + 83]


@pytest.mark.parametrize("fee_back", [True, False])
@pytest.mark.parametrize("single_table", [True, False])
def test_house_may_keep_the_fee(fee_back: bool, single_table: bool) -> None:
    """AMB-11, rulebooks.md section 4 step 7: `refund_fee_to_survivors` is a posting of its own, paid by the house."""
    case = event(4, 1000, [20, 10], fee=100, single_table=single_table)
    planned = plan(case, house("akpoker", refund_fee_to_survivors=fee_back))
    assert column(planned, "fee") == [100, 100] * fee_back


@pytest.mark.parametrize("fee_back", [True, False])
def test_only_the_fee_comes_back_and_only_once(fee_back: bool) -> None:
    """AMB-09, rulebooks.md section 4 steps 4 and 7: `fee_only` returns the fee in place of the buy-in, once."""
    planned = plan(event(4, 1000, [20, 10], fee=100), house("modern", refund_fee_to_survivors=fee_back))
    assert column(planned, "fee") == [100, 100]
    assert column(planned, "buy_in") == []


def test_own_split_does_not_know_the_multi_table_source() -> None:
    """AMB-09, AMB-11: `mtt_buyin_source` is about multi-table events; an own split returns the fee by step 7."""
    case = event(4, 1000, [20, 10], fee=100, single_table=True)
    planned = plan(case, house("akpoker", mtt_buyin_source="fee_only"))
    assert (column(planned, "buy_in"), column(planned, "fee")) == ([1000, 1000], [100, 100])


def test_single_table_may_follow_the_common_way() -> None:
    """R-MOD-11: `single_table = as_multi_table`: a single table has the same procedure as all others."""
    one, many = (plan(event(4, 1000, [20, 10], single_table=single), house("modern")) for single in (True, False))
    assert one == many


@pytest.mark.parametrize("no_elimination", ["rollback", "as_started"])
def test_nobody_ever_entered(no_elimination: str) -> None:
    """AMB-14: a tournament without entries gives its overlay back and owes nothing."""
    planned = plan(event(0, 1000, [], overlay=700), house("modern", no_elimination=no_elimination))
    assert (planned.lines, planned.summary.unused_overlay) == ((), 700)


@pytest.mark.parametrize(
    ("case", "mistake"),
    [
        (case_of(entrant(1, 5), entrant(1, 5)), "twice"),
        (case_of(entrant(1, None)), "last entry"),
        (event(3, 1000, [5, 5], paid=3001), "more than it held"),
        (event(3, 1000, [5, 5, 5], paid=1), "nobody is out"),
        (case_of(entrant(1, 5, paid_as=(("cash", 999),))), "explain"),
    ],
)
def test_books_that_cannot_be_are_our_mistake(case: CancellationCase, mistake: str) -> None:
    """Style.md section 3: assertions catch a caller whose books do not add up, before a cent is planned."""
    with pytest.raises(AssertionError, match=mistake):
        plan(case, house("modern"))
