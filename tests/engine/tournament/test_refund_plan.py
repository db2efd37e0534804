"""The plan as a document: ids of obligations, hash, parts."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from engine.tournament.cancellation import plan
from engine.tournament.cancellation_case import CancellationCase
from engine.tournament.refund_plan import (
    PART_BYTES_MAX,
    CancellationPlan,
    PlanLine,
    PlanPart,
    Sources,
    joined,
    obligation_id,
    parts,
    plan_hash,
)
from tests.engine.tournament.events import FOUR_LEFT, TEN_OF_TWENTY_DOLLARS, TWELVE_LEFT, event, house

PLAN = plan(FOUR_LEFT, house("akpoker"))
LARGE = plan(event(12_000, 2**40, range(2**50, 2**50 + 10_000), fee=2**36), house("akpoker"))
LONG_IDS = CancellationPlan(
    LARGE.summary, tuple([replace(line, player=line.player.rjust(128, "p")) for line in LARGE.lines])
)


def test_id_of_an_obligation_is_pinned() -> None:
    """T-IDEM-8: what is owed is named by (tournament, entry, reason) for ever; another name would pay it again."""
    assert obligation_id("SNG9", 17, "buy_in") == "b19e132a-88a4-57a9-888e-b8a6d00ae4c7"


def test_each_obligation_has_its_own_id() -> None:
    """T-IDEM-8: other tournament, other entry, other reason: other obligation."""
    things = [
        ("SNG9", 1, "fee"),
        ("SNG8", 1, "fee"),
        ("SNG9", 11, "fee"),
        ("SNG9", 1, "rollback"),
        ("SNG9", 1, "rollback/1"),
    ]
    assert len({obligation_id(*thing) for thing in things}) == len(things)


def test_id_does_not_depend_on_the_amount() -> None:
    """T-IDEM-8, reliability.md mutation 27: a plan with other amounts has the same obligations."""
    other = plan(FOUR_LEFT, house("akpoker", equal_share_in_money_bps=100))
    amounts = [[line.amount for line in planned.lines] for planned in (PLAN, other)]
    ids = [[obligation_id("SNG9", line.entry, line.reason) for line in planned.lines] for planned in (PLAN, other)]
    assert amounts[0] != amounts[1]
    assert ids[0] == ids[1]


@pytest.mark.parametrize(
    "changed",
    [
        plan(replace(FOUR_LEFT, tournament_id="SNG8"), house("akpoker")),
        plan(replace(FOUR_LEFT, unit="EUR"), house("akpoker")),
        plan(replace(FOUR_LEFT, overlay=1), house("akpoker")),
        plan(FOUR_LEFT, house("akpoker", stt_split="equal")),
        replace(PLAN, lines=PLAN.lines[:-1]),
        replace(PLAN, lines=(replace(PLAN.lines[0], player="P99"), *PLAN.lines[1:])),
        replace(PLAN, lines=(replace(PLAN.lines[0], sources=Sources(house=1000)), *PLAN.lines[1:])),
    ],
)
def test_hash_binds_everything(changed: CancellationPlan) -> None:
    """T-ABU-11: any change of a plan, its rules or its tournament shows in the hash that two people approve."""
    assert plan_hash(changed) != plan_hash(PLAN)


def test_hash_is_pinned() -> None:
    """T-ABU-11: an old plan keeps its hash; a change of the encoding would break what was approved."""
    assert plan_hash(PLAN).hex() == "97b4f93e01d0fbb06427be2436e6be949ba1a8940f007c675c8d16c5f5e6b324"


def test_plan_survives_its_encoding() -> None:
    """Design.md section 2: what is written to the log reads back as the same plan."""
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(PLAN), type=CancellationPlan) == PLAN


@pytest.mark.parametrize(
    "case", [TEN_OF_TWENTY_DOLLARS, TWELVE_LEFT, FOUR_LEFT, event(2, 10, [1, 1]), event(2, 10, [1])]
)
def test_every_line_cites_its_clause(case: CancellationCase) -> None:
    """AMB-07 to AMB-14, AMB-59: a line says where its reason is written down."""
    for name in ("akpoker", "modern"):
        planned = plan(case, house(name))
        assert all(
            planned.clause(line).startswith(("rulebooks.md section 4 step", "operations.md")) for line in planned.lines
        )


def test_ticket_cites_the_rollback() -> None:
    """AMB-14: the second ticket comes back for the same reason as all else."""
    rolled_back = plan(event(2, 10, [1, 1]), house("modern"))
    ticket = PlanLine(1, "P1", "rollback/2", "ticket/Sunday", Sources(pool=10))
    assert "AMB-14" in rolled_back.clause(ticket)


@pytest.mark.parametrize(("size", "lengths"), [(500, [20]), (20, [20]), (19, [19, 1]), (7, [7, 7, 6]), (1, [1] * 20)])
def test_parts_have_at_most_so_many_lines(size: int, lengths: list[int]) -> None:
    """Design.md section 2: part k of n, with the hash of the whole."""
    cut = parts(PLAN, size)
    assert [len(part.lines) for part in cut] == lengths
    assert [(part.number, part.count) for part in cut] == [(k, len(lengths)) for k in range(1, len(lengths) + 1)]
    assert {part.plan_hash for part in cut} == {plan_hash(PLAN)}
    assert joined(cut) == PLAN


def test_plan_without_lines_is_one_part() -> None:
    """Design.md section 2: a plan comes into force with its last part, so it has one even if it owes nothing."""
    empty = plan(event(0, 10, []), house("modern"))
    assert [(part.number, part.count, part.lines) for part in parts(empty)] == [(1, 1, ())]
    assert joined(parts(empty)) == empty


@pytest.mark.parametrize("large", [LARGE, LONG_IDS])
def test_part_fits_its_record(large: CancellationPlan) -> None:
    """Design.md section 2: for 10,000 survivors with large amounts and long ids a part stays below 48 KiB."""
    cut = parts(large)
    assert len(large.lines) == 40_000
    assert max(len(msgspec.msgpack.encode(part)) for part in cut) <= PART_BYTES_MAX
    assert max(len(part.lines) for part in cut) <= 500
    assert joined(cut) == large


def test_part_is_as_full_as_it_may_be() -> None:
    """Design.md section 2: a part that is short of lines could not hold one more."""
    first, second, *_ = parts(LONG_IDS)
    fuller = replace(first, lines=(*first.lines, second.lines[0]))
    assert len(msgspec.msgpack.encode(fuller)) > PART_BYTES_MAX - 16


def test_line_too_large_for_any_record_is_our_mistake() -> None:
    """Design.md section 2: an id of 50,000 characters is refused where it enters, so here it is a mistake of ours."""
    with pytest.raises(AssertionError, match="too large"):
        parts(replace(PLAN, lines=(replace(PLAN.lines[0], player="p" * 50_000),)))


@pytest.mark.parametrize("chosen", [(1, 0, 2), (0, 1), (0, 1, 1)])
def test_parts_of_another_plan_do_not_join(chosen: tuple[int, ...]) -> None:
    """Design.md section 2: parts in another order, without the last, or with one twice are no plan."""
    cut: tuple[PlanPart, ...] = parts(PLAN, 7)
    with pytest.raises(AssertionError, match="another plan"):
        joined([cut[index] for index in chosen])
