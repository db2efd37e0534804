"""Who is protected, and at whose cost: tables, houses, kinds of money, void hands, and the privilege itself."""

from __future__ import annotations

import pytest

from engine.account.commands import GiveBackProtection, RestoreProtections, RevokeProtections
from engine.account.events import (
    AccountOpened,
    ProtectionGivenBack,
    ProtectionRefused,
    ProtectionsReset,
    ProtectionsRestored,
    ProtectionsRevoked,
    ProtectionUsed,
)
from engine.account.quota import money_of
from engine.account.state import Revocation
from engine.errors import IllegalAction
from tests.engine.account.passbook import Passbook, given, opened, protect, reset, rules

OPENED = AccountOpened("p1")
AKPOKER = rules("akpoker")
PACIFIC = rules("pacific")
PER_OUTAGE = rules("akpoker", count_per="outage")
WEEK_S = 604_800


def used(hand_id: str, remaining: int, *, counted: bool = True, outage_id: str = "outage") -> ProtectionUsed:
    """Return AKPokerClub's answer to a table of real money."""
    table_id = hand_id.partition("-")[0]
    return ProtectionUsed(table_id, hand_id, outage_id, "akpoker", "real", counted, remaining, WEEK_S, "aged")


# A use.


def test_a_protection_is_granted() -> None:
    """R-PAC-27, R-AKP-22: with a use left the player is protected, and the answer names the hand and what is left."""
    given(OPENED).when(protect("T1-1")).then(used("T1-1", 1))


def test_a_used_up_quota_is_an_answer() -> None:
    """R-PAC-29, R-AKP-29: the refusal goes back to the table, which folds the player."""
    refused = ProtectionRefused("T3", "T3-1", "akpoker", "real", "used_up")
    given(OPENED, used("T1-1", 1), used("T2-1", 0)).when(protect("T3-1")).then(refused)


def test_two_tables_cannot_both_take_the_last_one() -> None:
    """T-ABU-3: two tables that lose one player at once with one use left: the first is granted, the second refused."""
    book = opened().do(protect("T1-1"))
    book.do(protect("T2-1")).do(protect("T3-1"))
    assert [event.hand_id for event in book.all(ProtectionUsed)] == ["T1-1", "T2-1"]
    assert [event.hand_id for event in book.all(ProtectionRefused)] == ["T3-1"]


def test_a_reset_and_a_use_are_decided_in_order() -> None:
    """T-ABU-3: a reset that comes after the last refusal does not change it; before it, the use is granted."""
    spent = opened().do(protect("T1-1")).do(protect("T2-1"))
    assert not spent.do(protect("T3-1")).granted
    assert spent.do(reset()).do(protect("T4-1")).granted


def test_a_hand_costs_one_use_however_often_it_asks() -> None:
    """I10: asked again for the same hand, the answer is the same and costs nothing."""
    given(OPENED, used("T1-1", 1)).when(protect("T1-1")).then(used("T1-1", 1, counted=False))
    assert opened().do(protect("T1-1")).do(protect("T1-1")).do(protect("T1-1")).left(AKPOKER) == 1


def test_a_protected_hand_stays_protected_when_the_quota_is_spent() -> None:
    """I10: with nothing left, a hand that has its use is granted it again and another is refused."""
    book = opened().do(protect("T1-1")).do(protect("T2-1"))
    assert book.do(protect("T1-1")).granted
    assert not book.do(protect("T3-1")).granted


def test_a_house_that_grants_none_refuses_the_first() -> None:
    """`rulebooks.md` section 1, quota: max_uses is a limit even where the allotment is larger."""
    assert not opened().do(protect("T1-1", rules("akpoker", max_uses=0))).granted


# Whose quota.


def test_houses_count_for_themselves() -> None:
    """`rulebooks.md` section 4, quota: uses and resets are counted per rulebook."""
    book = opened().do(protect("T1-1")).do(protect("T2-1"))
    assert book.do(protect("T3-1", rulebook_id="pacific")).granted
    assert (book.left(AKPOKER), book.left(PACIFIC, "pacific")) == (0, 1)


def test_play_money_has_a_quota_of_its_own() -> None:
    """AMB-53: the same mechanism in play money, without touching the real-money quota."""
    book = opened().do(protect("T1-1", unit="USD/play")).do(protect("T2-1", unit="USD/play"))
    assert book.all(ProtectionUsed)[-1].money == "play"
    assert (book.left(AKPOKER, money="play"), book.left(AKPOKER, money="real")) == (0, 2)
    assert not book.do(protect("T3-1", unit="EUR/play")).granted


@pytest.mark.parametrize(
    ("unit", "money"), [("USD", "real"), ("USD/play", "play"), ("ticket/playoffs", "real"), ("play", "real")]
)
def test_a_unit_tells_play_money(unit: str, money: str) -> None:
    """AMB-53: play money is what ends in "/play", and nothing else."""
    assert money_of(unit) == money


def test_play_money_may_use_the_real_quota() -> None:
    """AMB-53: with `play_money_uses_quota` there is one quota, also for resets."""
    terms = rules("akpoker", play_money_uses_quota=True)
    book = opened().do(protect("T1-1", terms, unit="USD/play")).do(protect("T2-1", terms))
    assert [event.money for event in book.all(ProtectionUsed)] == ["real", "real"]
    assert book.left(terms) == 0
    assert book.do(reset(terms, money="play")).left(terms) == 2


def test_resets_count_per_kind_of_money() -> None:
    """R-AKP-28, AMB-53: three resets in play money leave the three of real money untouched."""
    book = opened()
    for _ in range(3):
        book.do(reset(money="play"))
    book.refuses(reset(money="play"), "RESETS_USED_UP")
    assert book.do(reset()).events == (ProtectionsReset("akpoker", "real", 2, WEEK_S, "aged"),)


# One outage at several tables.


def test_tables_cost_a_use_each() -> None:
    """AMB-32: with `count_per = hand` one outage at two tables is two uses."""
    assert opened().do(protect("T1-1")).do(protect("T2-1")).left(AKPOKER) == 0


def test_an_outage_may_cost_one_use_in_all() -> None:
    """AMB-32: with `count_per = outage` the second table shares the first one's use."""
    book = opened().do(protect("T1-1", PER_OUTAGE)).do(protect("T2-1", PER_OUTAGE))
    assert book.events == (used("T2-1", 1, counted=False),)
    assert book.do(protect("T3-1", PER_OUTAGE)).do(protect("T3-1", PER_OUTAGE)).left(PER_OUTAGE) == 1


def test_an_outage_that_has_its_use_needs_no_other() -> None:
    """AMB-32: sharing is possible when nothing is left."""
    book = opened().do(protect("T1-1", PER_OUTAGE, outage_id="a")).do(protect("T1-2", PER_OUTAGE, outage_id="b"))
    assert book.do(protect("T2-1", PER_OUTAGE, outage_id="b")).granted
    assert not book.do(protect("T3-1", PER_OUTAGE, outage_id="c")).granted


def test_an_outage_without_a_name_is_shared_with_none() -> None:
    """AMB-32: where the gateway gave no name, each hand counts."""
    book = opened().do(protect("T1-1", PER_OUTAGE, outage_id="")).do(protect("T2-1", PER_OUTAGE, outage_id=""))
    assert book.left(PER_OUTAGE) == 0


def test_an_outage_is_shared_while_its_use_counts() -> None:
    """AMB-05, AMB-32: a use that has left the window protects no further hand."""
    book = opened().do(protect("T1-1", PER_OUTAGE))
    assert not book.at(seconds=WEEK_S, ms=-1).do(protect("T2-1", PER_OUTAGE)).all(ProtectionUsed)[-1].counted
    assert book.at(seconds=WEEK_S).do(protect("T3-1", PER_OUTAGE)).all(ProtectionUsed)[-1].counted


def test_the_last_use_of_an_outage_is_shared() -> None:
    """AMB-32: of two uses in one outage the later one counts longer, so that is the one a third table shares."""
    short, each = rules("akpoker", window_s=10, count_per="outage"), rules("akpoker", window_s=10)
    book = opened().do(protect("T1-1", each)).at(seconds=5).do(protect("T2-1", each))
    book.at(seconds=11).do(protect("T3-1", short)).do(GiveBackProtection("T2-1"))
    assert (book.all(ProtectionGivenBack)[-1].freed, book.left(short)) == (False, 1)


# Void hands.


def test_a_void_hand_gives_its_use_back() -> None:
    """I10, `rulebooks.md` section 4, void: a use given back does not count."""
    given(OPENED, used("T1-1", 1)).when(GiveBackProtection("T1-1")).then(
        ProtectionGivenBack("T1-1", "akpoker", "real", freed=True)
    )
    assert opened().do(protect("T1-1")).do(GiveBackProtection("T1-1")).left(AKPOKER) == 2


@pytest.mark.parametrize("hand_id", ["T1-2", "T2-1"])
def test_what_was_not_used_is_not_given_back(hand_id: str) -> None:
    """I10: a void hand for which nothing was used changes nothing."""
    given(OPENED, used("T1-1", 1)).when(GiveBackProtection(hand_id)).then()


def test_nothing_is_given_back_twice() -> None:
    """I10: the second time there is nothing left to give back."""
    book = (
        opened().do(protect("T1-1")).do(protect("T2-1")).do(GiveBackProtection("T1-1")).do(GiveBackProtection("T1-1"))
    )
    assert book.events == ()
    assert book.left(AKPOKER) == 1


def test_a_shared_use_is_kept_while_a_hand_holds_it() -> None:
    """I10, AMB-32: one of two tables voids its hand: the use still counts; the other voids too: it is free."""
    book = opened().do(protect("T1-1", PER_OUTAGE)).do(protect("T2-1", PER_OUTAGE))
    book.do(GiveBackProtection("T1-1"))
    assert (book.all(ProtectionGivenBack)[-1].freed, book.left(PER_OUTAGE)) == (False, 1)
    book.do(GiveBackProtection("T2-1"))
    assert (book.all(ProtectionGivenBack)[-1].freed, book.left(PER_OUTAGE)) == (True, 2)


@pytest.mark.parametrize(("unit", "rulebook_id"), [("USD/play", "akpoker"), ("USD", "pacific")])
def test_a_use_goes_back_to_where_it_came_from(unit: str, rulebook_id: str) -> None:
    """`rulebooks.md` section 4, quota: the hand's house and kind of money are found, the others stay."""
    book = opened().do(protect("T1-1")).do(protect("T2-1", unit=unit, rulebook_id=rulebook_id))
    book.do(GiveBackProtection("T2-1"))
    given_back = book.all(ProtectionGivenBack)[-1]
    assert given_back.rulebook_id == rulebook_id
    assert given_back.money == ("play" if unit.endswith("/play") else "real")
    assert book.left(AKPOKER) == 1


def test_a_use_before_a_reset_is_given_back_too() -> None:
    """`rulebooks.md` section 1, quota: then it is one use less of the window's eight; the reset stands."""
    terms = rules("akpoker", max_uses=3)
    book = opened().do(protect("T1-1", terms)).do(protect("T2-1", terms)).do(reset(terms))
    assert book.left(terms) == 1
    assert book.do(GiveBackProtection("T1-1")).left(terms) == 2


# The privilege.


def spoilt() -> Passbook:
    """Return an account whose protections were taken away."""
    return opened().do(protect("T1-1")).do(RevokeProtections("ann", "pulled the plug"))


def test_the_privilege_can_be_lost() -> None:
    """R-AKP-23: misuse may cost it; who took it away and why stays on record."""
    assert spoilt().events == (ProtectionsRevoked("ann", "pulled the plug"),)
    assert spoilt().account.revoked == Revocation("ann", "pulled the plug")


@pytest.mark.parametrize("hand_id", ["T2-1", "T1-1"])
def test_who_lost_the_privilege_is_refused(hand_id: str) -> None:
    """R-AKP-23: with uses left, in every house."""
    refused = ProtectionRefused(hand_id[:2], hand_id, "pacific", "real", "revoked")
    assert spoilt().do(protect(hand_id, rulebook_id="pacific")).events == (refused,)


def test_who_lost_the_privilege_resets_nothing() -> None:
    """R-AKP-23: a reset would be wasted, so it is refused."""
    given(OPENED, ProtectionsRevoked("ann", "why")).when(reset()).then_rejected(IllegalAction, "PROTECTIONS_REVOKED")


def test_the_privilege_can_be_restored() -> None:
    """R-AKP-23: by an event too; the uses counted before still count."""
    book = spoilt().do(RestoreProtections("bob", "it was a storm"))
    assert book.events == (ProtectionsRestored("bob", "it was a storm"),)
    assert book.account.revoked is None
    assert book.do(protect("T2-1")).all(ProtectionUsed)[-1].remaining == 0


def test_revoking_twice_changes_nothing() -> None:
    """A command that changes nothing makes no event; the first reason stands."""
    assert spoilt().do(RevokeProtections("bob", "again")).events == ()


def test_restoring_what_was_not_lost_changes_nothing() -> None:
    """A command that changes nothing makes no event."""
    given(OPENED).when(RestoreProtections("bob", "why")).then()
