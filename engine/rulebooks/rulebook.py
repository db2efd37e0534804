"""A rulebook: every choice in which one card room differs from another, as a value that never changes.

One struct per section of the TOML file, in the order of `rulebooks.md` section 1; that order is also the order of the
canonical encoding, so moving a field changes every hash. What all houses have in common is code and not found here.
A choice is a `Literal`, declared beside the rule that reads it or else here; a whole number carries its range in its
type, and `fields.py` reads both to judge a file. Rules that tie several fields together are in `consistency.py`.
"""

from __future__ import annotations

from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

from engine.poker.betting import (
    AfterShortAllIn,
    LimitType,
    PotLimitRaiseBasis,
    ShortAllInCounts,
    ShortAllInReopens,
)
from engine.poker.blinds import AnteOrder, EntryPost, MissedBigOrBoth, MissedSmallOnly
from engine.poker.button import ButtonRule, HeadsUpBlinds
from engine.poker.dealing import Burn, DealStarts
from engine.poker.money import CHIPS_MAX, Chips
from engine.poker.pots import OddChipRule
from engine.poker.showdown import ShowdownFirst

Kind: TypeAlias = Literal["cash", "tournament"]
"""What is played for at a table."""

Text: TypeAlias = Annotated[str, Meta(min_length=1)]
Amount: TypeAlias = Annotated[Chips, Meta(ge=0, le=CHIPS_MAX)]
"""Minor units, or whole chips in a tournament."""
LeastOneChip: TypeAlias = Annotated[Chips, Meta(ge=1, le=CHIPS_MAX)]
SeatCount: TypeAlias = Annotated[int, Meta(ge=2, le=10)]
BasisPoints: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]
"""Hundredths of a percent."""
Seconds: TypeAlias = Annotated[int, Meta(ge=0, le=31_536_000)]
"""At most a year, so that a deadline in milliseconds always fits its int64."""
AtLeastOneSecond: TypeAlias = Annotated[int, Meta(ge=1, le=31_536_000)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
AtLeastOnce: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000)]
Version: TypeAlias = Annotated[int, Meta(ge=1, le=CHIPS_MAX)]

BuyinUnit: TypeAlias = Literal["small_blind", "big_blind", "big_bet"]
TopUp: TypeAlias = Literal["queued", "refused_in_hand"]
SmallBlindRule: TypeAlias = Literal["half_floor_dollar", "exact_half", "half_or_stated"]
FirstButton: TypeAlias = Literal["high_card", "first_to_sit"]
ButtonDrawTie: TypeAlias = Literal["suit", "redraw"]
ReturnBlock: TypeAlias = Literal["none", "until_button_passes"]
AnteType: TypeAlias = Literal["none", "each", "big_blind", "button"]
Straddle: TypeAlias = Literal["off", "utg", "utg_restraddle", "button"]
PotLimitShortBlinds: TypeAlias = Literal["as_posted", "as_full"]
PostflopFirst: TypeAlias = Literal["left_of_button", "small_blind_poster"]
ShowdownScope: TypeAlias = Literal["final_round", "whole_hand"]
UncontestedShows: TypeAlias = Literal["optional", "never"]
ExposeAllIn: TypeAlias = Literal["never", "tournament_only", "always"]
OddChipUnit: TypeAlias = Literal["minor_unit", "smallest_chip"]
TimeoutFreeAction: TypeAlias = Literal["check", "fold"]
TimeBankAuto: TypeAlias = Literal["if_invested", "always", "never"]
DisconnectPolicy: TypeAlias = Literal["none", "all_in"]
ProtectionTrigger: TypeAlias = Literal["on_turn_facing_bet", "at_once"]
QuotaWindow: TypeAlias = Literal["sliding", "fixed_from_first_use"]
AllotmentRefill: TypeAlias = Literal["aged", "reset_only"]
CountPer: TypeAlias = Literal["hand", "outage"]
QuotaExhaustedAction: TypeAlias = Literal["fold"]
NoElimination: TypeAlias = Literal["rollback", "as_started"]
RollbackRefundAs: TypeAlias = Literal["as_paid", "cash"]
ChipsAsOf: TypeAlias = Literal["start_of_hand", "at_cancellation"]
SingleTable: TypeAlias = Literal["own_split", "as_multi_table"]
SingleTableSplit: TypeAlias = Literal["pro_rata_chips", "equal", "half_half"]
BuyinSource: TypeAlias = Literal["pool_first", "house", "fee_only"]
NextPrize: TypeAlias = Literal["each", "shared"]
RakeAttribution: TypeAlias = Literal["weighted_contributed", "contributed", "dealt"]

T = TypeVar("T")


class ByKind(Struct, Generic[T], frozen=True, gc=False, forbid_unknown_fields=True):
    """One value for cash tables and one for tournament tables."""

    cash: T
    tournament: T

    def of(self, kind: Kind) -> T:
        """Return the value for tables of `kind`."""
        return self.cash if kind == "cash" else self.tournament


class ByLimitType(Struct, Generic[T], frozen=True, gc=False, forbid_unknown_fields=True):
    """A value per limit type; None where the file states none."""

    fixed_limit: T | None = None
    pot_limit: T | None = None
    no_limit: T | None = None

    def of(self, limit_type: LimitType) -> T | None:
        """Return the value for `limit_type`, None where there is none."""
        value: T | None = getattr(self, limit_type)
        return value


class BuyinRule(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A bound of the buy-in: so many times a unit of the stakes."""

    times: AtLeastOnce
    of: BuyinUnit


class TableRules(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Section [table]: seats, limits, buy-ins."""

    seats_min: SeatCount
    """Fewest players for a hand."""
    seats_max: SeatCount
    """Most seats at a table."""
    limit_types: Annotated[tuple[LimitType, ...], Meta(min_length=1)]
    min_buyin: ByLimitType[BuyinRule]
    """None: no minimum."""
    max_buyin: ByLimitType[BuyinRule]
    """None: no maximum."""
    topup: TopUp
    """`queued`: taken at any time, added when the hand ends; `refused_in_hand`: refused to who is in the hand."""
    sit_out_max_s: Seconds
    """A cash player who sits out longer leaves the table; 0 = never."""
    return_stack_window_s: Seconds
    """Who returns to the table sooner must bring the stack he left with; 0 = off."""
    return_stack_limit_types: tuple[LimitType, ...]
    return_stack_shortfall_bps: BasisPoints
    """He may bring this much less if it is all he has."""


class SmallBlindOverride(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The exact small blind for one big blind, in minor units."""

    big_blind: LeastOneChip
    small_blind: LeastOneChip


class BlindRules(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Section [blinds]: blinds, button, entry posts, antes."""

    small_blind_rule: SmallBlindRule
    small_blind_overrides: tuple[SmallBlindOverride, ...]
    """They beat the rule. Ascending by big blind; a map in the file."""
    heads_up_blinds: HeadsUpBlinds
    no_double_big_blind: bool
    """When three become two, move the button so that nobody posts the big blind twice running."""
    button_rule: ByKind[ButtonRule]
    first_button: ByKind[FirstButton]
    button_draw_tie: ButtonDrawTie
    """Equal ranks in the draw: spades over hearts over diamonds over clubs, or draw again."""
    entry_post: EntryPost
    """A newcomer posts a live big blind or waits for it; must wait; or owes nothing."""
    post_between_button_and_bb: bool
    missed_sb_only: MissedSmallOnly
    missed_bb_or_both: MissedBigOrBoth
    return_block: ReturnBlock
    """Who missed the big blind may have to stay out until the small blind and the button have passed him."""
    no_blinds_allowed: bool
    """Tables with an ante and no blinds may exist."""
    ante_types: Annotated[tuple[AnteType, ...], Meta(min_length=1)]
    """`button`: no ante is due in a hand whose (dead) button rests on an empty seat."""
    ante_order: AnteOrder
    """What a short stack pays first."""
    straddle: Straddle
    """Cash games only."""


class BettingRules(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Section [betting]: sizes, caps, all-ins below a full raise."""

    fl_max_raises: Count
    """Raises after the bet in one fixed-limit round."""
    uncapped_heads_up: bool
    """No cap when a round starts with two players."""
    pot_limit_raise_basis: PotLimitRaiseBasis
    """What the largest pot-limit increment equals."""
    pot_limit_short_blinds: PotLimitShortBlinds
    """How a short blind counts in the pot in round 1."""
    short_all_in_reopens: ShortAllInReopens
    """Pot and no limit: may one who has acted raise again after an all-in below a full raise."""
    fl_short_all_in_counts: ShortAllInCounts
    """Fixed limit: from what size an all-in increase is a raise."""
    fl_after_short_all_in: AfterShortAllIn
    """Fixed limit: the next bet or raise goes to the full level, or one unit above the all-in."""
    postflop_first: PostflopFirst
    fold_when_check_free: bool


class DealRules(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Section [deal]: the order of the cards."""

    deal_starts: DealStarts
    burn: Burn
    """The streets before which one card is burned."""


class ShowdownRules(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Section [showdown]: who shows, who mucks, who gets the odd chip."""

    showdown_first: ShowdownFirst
    """Without an aggressor the first live seat left of the button."""
    showdown_scope: ShowdownScope
    """Where the last aggressor is looked for."""
    muck_losers: bool
    """A hand worse than one already shown may be mucked unseen."""
    uncontested_shows: UncontestedShows
    expose_all_in: ExposeAllIn
    """All live hands face up once betting is over and a player is all-in."""
    odd_chip_rule: OddChipRule
    odd_chip_unit: ByKind[OddChipUnit]
    """The unit a pot is split in."""
    max_visible_pots: Count
    """Pots shown to players, the engine keeps all; 0 = all."""
    run_it_twice: bool


class ReconnectGrace(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The extra wait from a size of the pot on."""

    pot_bb: Amount
    """The least pot, in big blinds."""
    seconds: Seconds


class ClockRules(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Section [clock]: turns, warnings, time bank."""

    act_seconds: ByLimitType[AtLeastOneSecond]
    """Stated for every limit type on offer."""
    warning_seconds: Seconds
    """Time left at which the client warns."""
    show_seconds: Seconds
    """How long one who asked to be asked may choose between show and muck; 0 = never asked."""
    min_seconds_after_reconnect: Seconds
    reconnect_grace: tuple[ReconnectGrace, ...]
    """The last entry whose `pot_bb` the pot has reached counts."""
    timeout_free_action: TimeoutFreeAction
    """What a missed turn does when a check is free."""
    time_bank_start_s: Seconds
    """The bank when sitting down; 0 = no time bank."""
    time_bank_add_s: Seconds
    time_bank_every_hands: Count
    """Hands dealt to him until `time_bank_add_s` is added; 0 = never."""
    time_bank_cap_s: Seconds
    time_bank_auto: TimeBankAuto
    """Does the bank start by itself when the turn runs out."""
    time_bank_when_disconnected: bool

    def seconds_to_act(self, limit_type: LimitType) -> int:
        """Return the time for a turn under a limit type on offer, in seconds."""
        seconds = self.act_seconds.of(limit_type)
        assert seconds is not None, "consistency.py lets no rulebook pass that offers a limit type without a clock"
        return seconds


class ProtectionRules(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Section [protection]: what a lost connection does, and how often."""

    disconnect_policy: DisconnectPolicy
    """`all_in`: one disconnected on his turn may stay in for what he has in the pot."""
    limit_types: tuple[LimitType, ...]
    """Where protection exists."""
    in_tournaments: bool
    trigger: ProtectionTrigger
    window_s: AtLeastOneSecond
    """Length of the quota window."""
    quota_window: QuotaWindow
    allotment: Count
    """Uses before a reset is needed."""
    reset_to: Count
    """Uses available after a reset."""
    max_uses: Count
    """Uses in a window."""
    max_resets: Count
    """Resets in a window."""
    allotment_refill: AllotmentRefill
    """Does a use stop counting when it leaves the window."""
    count_per: CountPer
    """Several tables in one outage: one use each, or one in all."""
    quota_exhausted_action: QuotaExhaustedAction
    ante_only_protected: bool
    """Is a matched ante a stake worth protecting."""
    play_money_uses_quota: bool


class CancellationRules(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Section [cancellation]: who gets what when a tournament is called off."""

    no_elimination: NoElimination
    rollback_refund_as: RollbackRefundAs
    chips_as_of: ChipsAsOf
    single_table: SingleTable
    stt_split: SingleTableSplit
    """How the eliminated players' buy-ins are split."""
    mtt_buyin_source: BuyinSource
    """Where the returned buy-in comes from; `fee_only`: only the fee is returned."""
    mtt_next_prize: NextPrize
    """The next eliminated place's prize."""
    equal_share_before_money_bps: BasisPoints
    """Part of the rest that is split equally before the money."""
    equal_share_in_money_bps: BasisPoints
    refund_fee_to_survivors: bool
    distribute_overlay: bool
    """Does a guarantee's overlay join the pool that is split."""


class RakeCap(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The most rake of a hand from a number of players on."""

    dealt: SeatCount
    """The least number of players dealt in."""
    cap: Amount
    """Minor units."""


class RakeRules(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Section [rake]: what the house takes."""

    bps: BasisPoints
    caps_fixed_limit: tuple[RakeCap, ...]
    """The last entry whose `dealt` the number of players dealt in has reached counts."""
    caps_pot_no_limit: tuple[RakeCap, ...]
    no_flop_no_drop: bool
    unit: LeastOneChip
    """The rake of a pot is rounded down to it, in minor units."""
    min_pot: Amount
    """No rake below this total, in minor units."""
    attribution: RakeAttribution


class Words(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Section [words]: the house's own names for actions."""

    bb_option: Text
    """Label of the big blind's option to raise."""
    raises: Annotated[tuple[Text, ...], Meta(min_length=1)]
    """Labels of the first, second … raise; the last repeats."""


class Rulebook(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """All choices of one house, or of one table of that house after what it set for itself."""

    id: Text
    title: Text
    """The house's name, shown to players."""
    version: Version
    """Grows with every change; an old version is kept for ever."""
    table_may_set: tuple[Text, ...]
    """Names of fields ("blinds.straddle") and sections ("clock") that a table may set when it is created."""
    table: TableRules
    blinds: BlindRules
    betting: BettingRules
    deal: DealRules
    showdown: ShowdownRules
    clock: ClockRules
    protection: ProtectionRules
    cancellation: CancellationRules
    rake: RakeRules
    words: Words
