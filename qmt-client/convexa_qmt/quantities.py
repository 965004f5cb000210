# -*- coding: utf-8 -*-
"""How much one order may be for. The same function as server/src/qmt/order-volume.ts, held to it by test/volume-cases.json."""

import math

# What was written as 0.1 of 100,000 must buy what 10,000 buys: a millionth of a step.
NEAR = 1e-6


def lot_of(code, kind):
    """(least, step) of a security that neither targets nor facts name, by its code."""
    if kind == 'cb':
        return 10, 10
    if code.startswith(('688', '689')):
        return 200, 1
    if code.endswith('.BJ'):
        return 100, 1
    return 100, 100


def order_volume(side, gap, saleable, account_saleable, lot, price, order_max=None, money=None):
    """The volume of the next order towards a gap; 0 = none.

    gap: volume that is still to be bought or sold. saleable: of it what this config may sell now. account_saleable: what the whole account
    may sell now; the exchange looks at that. lot: (least, step). order_max, money: yuan of one order, and of what is left; None = no bound.
    """
    if not price > 0 or gap <= 0:
        return 0
    if side == 'buy':
        return _buy(gap, lot, price, order_max, money)
    return _sell(int(min(gap, saleable)), int(account_saleable), lot, price, order_max, money)


def _steps(volume, step):
    return int(math.floor(volume / float(step) + NEAR)) * step


def _bound(yuan, price):
    return float('inf') if yuan is None else yuan / price


def _buy(gap, lot, price, order_max, money):
    least, step = lot
    affordable = min(gap, _bound(money, price))
    volume = _steps(min(affordable, _bound(order_max, price)), step)
    rest = _steps(affordable, step) - volume
    if 0 < rest < least:
        # A rest below the least order could never be bought: this order leaves more of it, where it can.
        smaller = _steps(volume + rest - least, step)
        volume = smaller if smaller >= least else volume
    return volume if volume >= least else 0


def _sell(wish, whole, lot, price, order_max, money):
    least = lot[0]
    if not _allowed(wish, whole, lot):
        # What cannot go in any order stays.
        wish = max(_choices(wish, wish, whole, lot) or [0])
    if wish <= 0:
        return 0
    affordable = min(wish, _bound(money, price))
    # The least order wins over the largest.
    within = min(affordable, max(_bound(order_max, price), least))
    found = [one for one in _choices(wish, within, whole, lot) if wish - one == 0 or wish - one >= least]
    if not found:
        found = [wish] if wish <= affordable else _choices(wish, within, whole, lot)
    return max(found or [0])


def _allowed(volume, whole, lot):
    """What the exchange takes of an account that may sell `whole`: steps from the least order on, all of it, or its odd rest with steps."""
    least, step = lot
    return volume > 0 and ((volume >= least and volume % step == 0) or volume == whole or (step > 1 and volume % step == whole % step))


def _choices(wish, within, whole, lot):
    """The largest volumes that are allowed, with and without the odd rest, and those that leave a least order."""
    least, step = lot
    odd = whole % step if step > 1 else 0
    made = [whole]
    for most in (within, min(within, wish - least)):
        made += [_steps(most, step), _steps(most - odd, step) + odd]
    return [one for one in made if 0 < one <= min(within, wish) + NEAR and _allowed(one, whole, lot)]
