# -*- coding: utf-8 -*-
"""One look at the account: orders, trades, positions and cash, of one session and one moment."""

from .broker import NOTHING, BrokerAway

# Seconds in which the whole of it must have answered.
QUICK = 10.0
# Part of the account's value, and yuan, by which positions may differ from it.
NEAR, NEAR_YUAN = 0.02, 1000.0


class Reading(object):
    """`whole`: set by the ledger, when the list of orders has all that it ever had today."""

    def __init__(self, at, account, positions, orders, trades):
        self.at, self.cash, self.value = at, account.cash, account.value
        self.positions, self.orders, self.trades, self.whole = positions, orders, trades, False

    def position(self, code):
        return self.positions.get(code, NOTHING)

    @property
    def shows_an_account(self):
        """Whether there are positions or cash: after a login terminals show neither before they have heard of the account."""
        return bool(self.positions) or self.cash > 0

    def is_complete(self, quote_of):
        """Whether positions make up the account's value. Where that is not told, an empty list proves nothing; nor does an account that shows
        nothing."""
        if self.value is None or not self.shows_an_account:
            return bool(self.positions)
        total = 0.0
        for code, position in sorted(self.positions.items()):
            quote = None if position.value > 0 else quote_of(code)
            total += position.value or (position.volume * quote.last if quote else 0.0)
        return abs(total - self.value) <= max(NEAR * self.value, NEAR_YUAN)


def read(broker, clock):
    """The Reading of now. Raises BrokerAway, also where it took too long or the session changed meanwhile."""
    began = clock.now()
    account = broker.account()
    session = broker.session
    positions, orders, trades = broker.positions(), broker.orders(), broker.trades()
    if broker.session != session or clock.now() - began > QUICK:
        raise BrokerAway(u'终端应答过慢')
    return Reading(clock.now(), account, positions, orders, trades)


class Witness(object):
    """How long the account has shown the same volume of a security, over whole readings."""

    SECONDS = 60.0

    def __init__(self):
        self._since = {}

    def note(self, reading, codes):
        for code in codes:
            volume = reading.position(code).volume
            known = self._since.get(code)
            if known is None or known[0] != volume:
                self._since[code] = (volume, reading.at)

    def is_steady(self, code, reading):
        known = self._since.get(code)
        return known is not None and known[0] == reading.position(code).volume and reading.at - known[1] >= self.SECONDS
