"""Properties of every table: what players may do, how pots are cut, and that seats have no numbers of their own.

They are stated about random plays (`random_play.py`). The referee (`referee.py`) reads the betting rules off the events
of a hand in another way than the engine does.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from hypothesis import given

from engine.errors import Rejected
from engine.poker.betting import player_at
from engine.poker.pots import is_contested
from engine.rulebooks.loading import rulebook_hash
from engine.table import commands
from engine.table import events as said
from engine.table.commands import TableCommand
from engine.table.decide import decide, execute
from engine.table.evolve import replay
from engine.table.menu import LegalActions, legal_actions
from engine.table.state import Table, hand_of, occupant_at
from tests.engine.table.played import Play, Step
from tests.engine.table.random_play import often, plays
from tests.engine.table.referee import Opinion, Referee


def decisions(play: Play) -> Iterator[tuple[Step, LegalActions]]:
    """Yield the steps after which a player is to act, with his menu."""
    for step in play.steps:
        hand = step.after.hand
        if step.events and hand is not None and hand.betting.to_act >= 0:
            menu = legal_actions(step.after, hand.betting.to_act)
            if menu is not None:
                yield step, menu


@often
@given(plays())
def test_the_menu_follows_from_rulebook_and_events(play: Play) -> None:
    """`rulebooks.md` section 11.4: who is to act and what he may do is a function of the events and the rulebook."""
    referee = None
    for step in play.steps:
        for event in step.events:
            if isinstance(event, said.HandStarted):
                referee = Referee(step.after.config.rulebook, event)
            elif referee is not None:
                referee.hear(event)
        if step.after.hand is not None and referee is not None and not step.after.hand.lost.waiting:
            seat = step.after.hand.betting.to_act
            assert referee.to_act == seat
            if seat >= 0:
                assert referee.opinion() == opinion_of(legal_actions(without_halt(step.after), seat))


def opinion_of(menu: LegalActions | None) -> Opinion:
    """Return a menu as the referee puts it."""
    assert menu is not None
    sizes = menu.bet_or_raise
    return Opinion(menu.fold, menu.check, menu.call, None if sizes is None else (sizes.minimum, sizes.maximum))


def without_halt(table: Table) -> Table:
    """Return the table in service: a halted one has no menu."""
    return msgspec.structs.replace(table, desk=msgspec.structs.replace(table.desk, halted=""))


@often
@given(plays())
def test_full_raises_are_those_of_the_referee(play: Play) -> None:
    """AMB-25, FAULT-1: a bet or raise is marked as full exactly if it reopens the betting and counts to the cap."""
    referee = None
    for step in play.steps:
        for event in step.events:
            if isinstance(event, said.HandStarted):
                referee = Referee(step.after.config.rulebook, event)
            elif referee is not None:
                if isinstance(event, said.Bet | said.Raised):
                    assert event.full == referee.counts(event.raise_to)
                referee.hear(event)


@often
@given(plays())
def test_what_the_menu_offers_is_accepted(play: Play) -> None:
    """R-PLA-4: no legal action is refused: each one on the menu, with the least, the largest and a middle size."""
    for step, menu in decisions(play):
        for command in offered(step.after, menu):
            assert is_accepted(step, command), command


@often
@given(plays())
def test_what_the_menu_does_not_offer_is_refused(play: Play) -> None:
    """R-PLA-4, R-PLA-9: no illegal action is accepted, not even a raise of one chip too few or too many."""
    for step, menu in decisions(play):
        for command in not_offered(step.after, menu):
            assert not is_accepted(step, command), command


@often
@given(plays())
def test_only_the_player_to_act_may_act(play: Play) -> None:
    """T-IDEM-7: what he may do is refused to everybody else, and to himself for another turn or hand."""
    for step, menu in decisions(play):
        own = offered(step.after, menu)[0]
        others = [o.player for o in step.after.seats if o is not None and o is not step.after.seats[menu.seat]]
        strange = [msgspec.structs.replace(own, player=player) for player in (*others, "a stranger")]
        strange += [msgspec.structs.replace(own, turn=turn) for turn in (own.turn - 1, own.turn + 1)]
        strange += [msgspec.structs.replace(own, hand_id="T1-0")]
        assert not any(is_accepted(step, command) for command in strange)


Action = commands.Fold | commands.Check | commands.Call | commands.Raise


def offered(table: Table, menu: LegalActions) -> list[Action]:
    """Return the actions of a menu; everything he has comes last where it is another word for a call."""
    who = (occupant_at(table, menu.seat).player, hand_of(table).setup.hand_id, menu.turn)
    actions: list[Action] = [commands.Check(*who) if menu.check else commands.Call(*who)]
    if menu.fold:
        actions.append(commands.Fold(*who))
    if menu.bet_or_raise is not None:
        least, most = menu.bet_or_raise.minimum, menu.bet_or_raise.maximum
        actions += [commands.Raise(*who, size) for size in sorted({least, (least + most) // 2, most})]
    elif everything_is_a_call(table, menu):
        actions.append(commands.Raise(*who, everything(table, menu)))
    return actions


def everything(table: Table, menu: LegalActions) -> int:
    """Return what the player to act has, with what he has in on this street."""
    player = player_at(hand_of(table).players, menu.seat)
    return player.stack + player.bet


def everything_is_a_call(table: Table, menu: LegalActions) -> bool:
    """Say whether all he has is a call: it is no more than the bet, or nobody else could put in more than the bet."""
    hand = hand_of(table)
    price, able = hand.betting.current_bet, hand.betting.active & ~(1 << menu.seat)
    others = [player_at(hand.players, seat) for seat in range(table.config.seats) if able >> seat & 1]
    answered = any(other.stack + other.bet > price for other in others)
    return menu.call > 0 and (everything(table, menu) <= price or not answered)


def not_offered(table: Table, menu: LegalActions) -> list[Action]:
    """Return actions that are not on a menu, with sizes just beside those that are."""
    who = (occupant_at(table, menu.seat).player, hand_of(table).setup.hand_id, menu.turn)
    actions: list[Action] = [commands.Call(*who) if menu.check else commands.Check(*who)]
    if not menu.fold:
        actions.append(commands.Fold(*who))
    total, sizes = everything(table, menu), menu.bet_or_raise
    least, most = (total, total) if sizes is None else (sizes.minimum, sizes.maximum)
    beside = {-1, 0, 1, hand_of(table).betting.current_bet, least - 1, most + 1, total, total + 1}
    if sizes is not None:
        beside -= set(range(least, most + 1))
    elif everything_is_a_call(table, menu):
        beside -= {total}
    return actions + [commands.Raise(*who, size) for size in sorted(beside)]


def is_accepted(step: Step, command: TableCommand) -> bool:
    """Say whether a command would be accepted after a step."""
    try:
        decide(step.after, command, step.at_ms, step.deck)
    except Rejected:
        return False
    return True


@often
@given(plays())
def test_everything_without_a_raise_is_a_call(play: Play) -> None:
    """FAULT-17: where no raise is possible, "everything he has" is a call, with the very events of a call."""
    for step, menu in decisions(play):
        if menu.bet_or_raise is None and everything_is_a_call(step.after, menu):
            call, *_, all_in = offered(step.after, menu)
            assert isinstance(all_in, commands.Raise)
            as_call, as_raise = (decide(step.after, command, step.at_ms, step.deck) for command in (call, all_in))
            assert as_call == as_raise


@often
@given(plays())
def test_a_hand_keeps_the_rules_it_started_with(play: Play) -> None:
    """`rulebooks.md` section 11.5, O-32: HandStarted names the rulebook, and no level touches a hand in progress."""
    for moment in play.moments:
        if isinstance(moment.event, said.HandStarted):
            rules = moment.after.config.rulebook
            assert (moment.event.rulebook_id, moment.event.rulebook_hash) == (rules.id, rulebook_hash(rules))
            assert moment.event.stakes == moment.before.terms.stakes
        if moment.before.hand is not None and moment.after.hand is not None:
            assert moment.after.hand.setup.terms is moment.before.hand.setup.terms


@often
@given(plays())
def test_contested_pots_are_fewer_than_live_players(play: Play) -> None:
    """`rulebooks.md` section 11.6, R-PAC-21, AMB-37: contested pots <= live players - 1; each pot has a claimant."""
    for moment in play.moments:
        if isinstance(moment.event, said.PotSplit):
            hand = hand_of(moment.after)
            pots = hand.settlement.pots
            assert sum(is_contested(pot) for pot in pots) <= hand.betting.live.bit_count() - 1
            assert all(pot.claimants and not pot.claimants & ~hand.betting.live for pot in pots)


@often
@given(plays())
def test_a_pot_with_one_claimant_never_waits(play: Play) -> None:
    """`rulebooks.md` section 11.6: it is awarded before any card is turned or any hand is shown."""
    for hand in play.hands:
        alone = {event.pot for event in hand.events if isinstance(event, said.PotSplit) and len(event.seats) == 1}
        after_split = False
        for event in hand.events:
            after_split |= isinstance(event, said.PotSplit)
            alone -= {event.pot} if isinstance(event, said.PotAwarded) else set()
            if isinstance(event, said.HandShown | said.StreetDealt | said.HandMucked):
                assert not (after_split and alone)


@often
@given(plays())
def test_fixed_limit_moves_in_units(play: Play) -> None:
    """`rulebooks.md` section 11.7, R-PAC-3, R-PLA-7: a bet or raise that is not all-in ends on a multiple of a unit."""
    for moment in play.moments:
        event, hand = moment.event, moment.after.hand
        if isinstance(event, said.Bet | said.Raised) and hand is not None:
            limits = hand.setup.terms.limits
            if limits.limit_type == "fixed_limit" and player_at(hand.players, event.seat).stack:
                over = event.raise_to % limits.units[hand.street]
                before = hand_of(moment.before).betting.current_bet % limits.units[hand.street]
                assert over == (before if limits.fl_after_short_all_in == "add_unit" else 0)


@often
@given(plays())
def test_fixed_limit_has_a_cap(play: Play) -> None:
    """`rulebooks.md` section 11.7, R-PAC-16, AMB-24: at most 1 + fl_max_raises counted increases in a round."""
    for moment in play.moments:
        hand = moment.after.hand
        if hand is not None and hand.setup.terms.stakes.limit_type == "fixed_limit":
            rules = moment.after.config.rulebook.betting
            assert rules.uncapped_heads_up or hand.betting.raises <= 1 + rules.fl_max_raises


@often
@given(plays())
def test_turning_the_table_turns_the_results(play: Play) -> None:
    """Seats have no numbers of their own: everybody some seats further clockwise, the same commands, the same chips."""
    seats = play.table.config.seats
    for turned in {1, seats - 1}:
        table = replay(play.opening.events(turned), 0)
        assert table is not None
        for step in play.steps:
            command = moved(step.command, turned, seats)
            table = table if step.refusal else execute(table, command, step.at_ms, step.deck)[1]
            assert by_player(table) == by_player(step.after)


def moved(command: TableCommand, turned: int, seats: int) -> TableCommand:
    """Return a command with the seat that it names, if it names one, so many seats further clockwise."""
    if isinstance(command, commands.HoldSeat | commands.ReserveSeat | commands.SeatEntry):
        return msgspec.structs.replace(command, seat=(command.seat + turned) % seats)
    return command


def by_player(table: Table) -> dict[str, object]:
    """Return how each player stands, and where the hand is: all without the number of a seat."""
    hand = table.hand
    standing: dict[str, object] = {} if hand is None else {"": (hand.pot, hand.street, hand.board, hand.turn.number)}
    for seat, occupant in enumerate(table.seats):
        if occupant is not None:
            chips = None if hand is None else hand.players[seat]
            standing[occupant.player] = (occupant, chips, hand is not None and hand.betting.to_act == seat)
    return standing


@often
@given(plays())
def test_an_event_names_no_strange_amount(play: Play) -> None:
    """`design.md` section 1: chips move by positive amounts; only who has lost all leaves with none."""
    for moment in play.moments:
        amount = getattr(moment.event, "amount", 1)
        assert amount > 0 or isinstance(moment.event, said.PlayerLeft)
