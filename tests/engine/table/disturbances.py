"""What may happen at a table beside the players' actions: a random command of any kind, most of them sensible.

Each function makes one command from the table and chance, or None where it would make no sense at all. What is refused
is welcome: a refusal must change nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

from engine.poker.seats import SEATS_MAX, Seat
from engine.table import commands
from engine.table.commands import TableCommand
from engine.table.seat_events import Luggage
from engine.table.state import Occupant, Table, turn_seat
from tests.engine.table.random_tables import UNIT, Chance, a_stack

Disturbance: TypeAlias = Callable[[Table, Chance], TableCommand | None]


REMOVALS: tuple[Literal["sat_out_too_long", "moved", "removed"], ...] = ("sat_out_too_long", "moved", "removed")
ABSENCES: tuple[Literal["now", "next_hand", "next_big_blind", "never"], ...] = (
    "now",
    "next_hand",
    "next_big_blind",
    "never",
)
AWAY = (Luggage(5000, "timeout"), Luggage(0, "disconnected"), Luggage(60_000, "sat_out"))


def any_of(table: Table, chance: Chance) -> TableCommand:
    """Return something that may happen now."""
    command = chance.pick(DISTURBANCES)(table, chance)
    return command if command is not None else commands.SweepRake()


HANDS_AHEAD = 100
"""So many hands may be dealt at least where the director lets the play go on."""


def back_to_work(table: Table) -> list[TableCommand]:
    """Return what lets a table go on that is halted, paused, or waits for its director."""
    desk = table.desk
    resume: list[TableCommand] = [commands.ResumeTable("an operator")] if desk.halted else []
    if desk.paused_at_ms is not None:
        resume.append(commands.ResumeClock())
    if desk.hands_allowed is not None and desk.hands_allowed < desk.hands_started + HANDS_AHEAD:
        resume.append(commands.LimitHands(desk.hands_started + 2 * HANDS_AHEAD))
    return resume


def comeback(table: Table, seat: Seat, chance: Chance) -> TableCommand | None:
    """Return the next step of a player without chips, or who sits out, back into the game; None when he is in it."""
    occupant = table.seats[seat]
    if occupant is None:
        return _entry(table, seat, chance) if table.config.kind == "tournament" else None
    for asked in table.desk.reservations:
        if asked.top_up and asked.player == occupant.player:
            return commands.QueueChips(asked.player, asked.amount, asked.transfer_id)
    if occupant.stack == 0:
        return commands.RequestTopUp(occupant.player, table.config.buyin_min + chance.number(0, 5 * UNIT))
    return commands.SitIn(occupant.player, chance.pick(("post", "wait"))) if occupant.sitting_out else None


def _entry(table: Table, seat: Seat, chance: Chance) -> TableCommand:
    """Seat an entry, perhaps from another table, or, now and then, somebody who sits here or where somebody sits."""
    player, luggage = f"n{table.desk.arrivals}-{seat}", chance.pick(AWAY) if chance.once_in(6) else Luggage()
    if chance.once_in(8):
        player = _somebody(table, chance).player
    if chance.once_in(8):
        seat = chance.number(0, table.config.seats - 1)
    number = SEATS_MAX + 1 + table.desk.arrivals
    return commands.SeatEntry(player, number, seat, a_stack(chance), f"t-{number}", luggage)


def _somebody(table: Table, chance: Chance) -> Occupant:
    """Return a player; where nobody sits, one who does not."""
    players = [occupant for occupant in table.seats if occupant is not None]
    return chance.pick(players) if players else Occupant("nobody", 0)


def _free_seat(table: Table, chance: Chance) -> int | None:
    free = [seat for seat, occupant in enumerate(table.seats) if occupant is None]
    return chance.pick(free) if free else None


def _lose(table: Table, chance: Chance) -> TableCommand:
    house_fault = chance.once_in(4)
    return commands.LoseConnection(_somebody(table, chance).player, "outage", house_fault)


def _restore(table: Table, chance: Chance) -> TableCommand:
    return commands.RestoreConnection(_somebody(table, chance).player)


def _leave(table: Table, chance: Chance) -> TableCommand:
    return commands.Leave(_somebody(table, chance).player)


def _remove(table: Table, chance: Chance) -> TableCommand:
    return commands.RemovePlayer(_somebody(table, chance).player, chance.pick(REMOVALS))


def _sit_out(table: Table, chance: Chance) -> TableCommand:
    return commands.SitOut(_somebody(table, chance).player, chance.pick(ABSENCES))


def _sit_in(table: Table, chance: Chance) -> TableCommand:
    absent = [o for o in table.seats if o is not None and (o.sitting_out or o.missed_turn)]
    player = chance.pick(absent) if absent else _somebody(table, chance)
    return commands.SitIn(player.player, chance.pick(("post", "wait")))


def _plan(table: Table, chance: Chance) -> TableCommand:
    return commands.PlanEntry(_somebody(table, chance).player, chance.pick(("post", "wait")))


def _prefer(table: Table, chance: Chance) -> TableCommand:
    return commands.SetPreferences(_somebody(table, chance).player, chance.once_in(2), chance.once_in(2))


def _ask_for_chips(table: Table, chance: Chance) -> TableCommand:
    return commands.RequestTopUp(_somebody(table, chance).player, a_stack(chance))


def _answer_account(table: Table, chance: Chance) -> TableCommand | None:
    """Let money arrive that was asked for, or be refused."""
    if not table.desk.reservations:
        return None
    asked, paid = chance.pick(table.desk.reservations), not chance.once_in(2)
    if asked.top_up:
        if paid:
            return commands.QueueChips(asked.player, asked.amount, asked.transfer_id)
        return commands.ReleaseTopUp(asked.player, asked.transfer_id)
    if paid:
        return commands.SeatPlayer(asked.player, asked.amount, asked.transfer_id)
    return commands.ReleaseSeat(asked.player, asked.transfer_id)


def _unasked_money(table: Table, chance: Chance) -> TableCommand:
    """Let money arrive that nobody waits for any more."""
    late = (_somebody(table, chance).player, a_stack(chance), "an old transfer")
    return commands.SeatPlayer(*late) if chance.once_in(2) else commands.QueueChips(*late)


def _newcomer(table: Table, chance: Chance) -> TableCommand | None:
    seat = _free_seat(table, chance)
    if seat is None:
        return None
    player = f"n{table.desk.arrivals}"
    if table.config.kind == "tournament":
        return _entry(table, seat, chance)
    if chance.once_in(3):
        return commands.HoldSeat(player, seat, 30_000)
    return commands.ReserveSeat(player, seat, table.config.buyin_min + chance.number(0, 3 * UNIT))


def _release_hold(table: Table, chance: Chance) -> TableCommand | None:
    return commands.ReleaseSeat(chance.pick(table.desk.holds).player) if table.desk.holds else None


def _time_out(table: Table, _chance: Chance) -> TableCommand | None:
    return None if table.hand is None else commands.TimeOut(table.hand.setup.hand_id, table.hand.turn.number)


def _use_bank(table: Table, chance: Chance) -> TableCommand | None:
    if table.hand is None:
        return None
    seat = max(turn_seat(table.hand), 0)
    player = (table.seats[seat] or _somebody(table, chance)).player
    return commands.UseTimeBank(player, table.hand.setup.hand_id, table.hand.turn.number)


def _restart_clock(table: Table, _chance: Chance) -> TableCommand | None:
    return None if table.hand is None else commands.RestartTurnClock(table.hand.setup.hand_id, table.hand.turn.number)


def _act_out_of_turn(table: Table, chance: Chance) -> TableCommand | None:
    if table.hand is None:
        return None
    turn = table.hand.turn.number + chance.pick((0, -1, 1))
    act = (_somebody(table, chance).player, table.hand.setup.hand_id, turn)
    acts: list[TableCommand] = [commands.Fold(*act), commands.Check(*act), commands.Call(*act), commands.Muck(*act)]
    return chance.pick(acts)


def _show_one(table: Table, chance: Chance) -> TableCommand | None:
    if table.hand is None:
        return None
    hand_id, turn = table.hand.setup.hand_id, table.hand.turn.number
    return commands.Show(_somebody(table, chance).player, hand_id, turn, chance.pick(((0,), (1,), (0, 1), (1, 0))))


def _answer_unasked(table: Table, chance: Chance) -> TableCommand:
    answer = (_somebody(table, chance).player, "T1-1" if table.hand is None else table.hand.setup.hand_id)
    return commands.RefuseProtection(*answer) if chance.once_in(2) else commands.GrantProtection(*answer)


def _stop(_table: Table, chance: Chance) -> TableCommand:
    stops: list[TableCommand] = [commands.PauseClock(), commands.HaltTable("a fault"), commands.ResumeClock()]
    return chance.pick(stops)


def _limit(table: Table, chance: Chance) -> TableCommand:
    return commands.LimitHands(table.desk.hands_started + chance.pick((1, 0, 2)))


def _freeze(_table: Table, _chance: Chance) -> TableCommand:
    return commands.FreezeTable("called off", "an operator")


def _void(table: Table, _chance: Chance) -> TableCommand | None:
    return None if table.hand is None else commands.VoidHand(table.hand.setup.hand_id, "a fault", "an operator")


def _change_level(table: Table, chance: Chance) -> TableCommand:
    """Raise blinds and bets: all amounts grow by the same factor."""
    old, times = table.terms.stakes, chance.pick((2, 1, 3))
    amounts = {
        name: getattr(old, name) * times
        for name in ("small_blind", "big_blind", "small_bet", "big_bet", "ante", "min_bet")
    }
    return commands.ChangeLevel(table.terms.level + 1, msgspec.structs.replace(old, **amounts))


def _close(_table: Table, chance: Chance) -> TableCommand:
    return commands.CloseTable() if chance.once_in(6) else commands.StartHand()


DISTURBANCES: tuple[Disturbance, ...] = (
    _sit_in,
    _lose,
    _time_out,
    _answer_account,
    _prefer,
    _ask_for_chips,
    _restore,
    _plan,
    _sit_out,
    _newcomer,
    _leave,
    _act_out_of_turn,
    _show_one,
    _answer_unasked,
    _use_bank,
    _restart_clock,
    _unasked_money,
    _release_hold,
    _remove,
    _change_level,
    _stop,
    _void,
    _close,
    _time_out,
    _lose,
    _answer_account,
    _newcomer,
    _release_hold,
    _answer_account,
    _sit_out,
    _sit_out,
    _ask_for_chips,
    _limit,
    _freeze,
)
