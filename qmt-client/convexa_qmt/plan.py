# -*- coding: utf-8 -*-
"""What targets mean for what is held: the same steps as the dry run on the server, held to it by test/plan-cases.json."""

import math

from .quantities import NEAR, order_volume


def plan_of(items, holdings, money, order_min, ignore_codes, resting=()):
    """[(code, held, target)]: what leaves first, then the chosen by rank.

    1. There are as many places as items with a weight; an item without one is kept while it is held and never bought.
    2. What is held and among the items keeps a place, the best first, and so does what rests; the best of the others fill what is left.
    3. The chosen, by their rank, take the weights in order; weight x money at the reference price makes whole lots.
    4. What stays is adjusted only by an order that is worth it and that the exchange takes. What is held and not chosen goes whole. Ignored
       codes stay.
    """
    ignored = set(ignore_codes)
    held = dict((code, volume) for code, volume in holdings.items() if volume > 0 and code not in ignored)
    placed = set(held) | set(resting)
    open_items = [item for item in items if item['code'] not in ignored]
    weights = [item['weight'] for item in open_items if item['weight'] > 0]
    kept = [item for item in open_items if item['code'] in placed][:len(weights)]
    fresh = [item for item in open_items if item['weight'] > 0 and item['code'] not in placed][:len(weights) - len(kept)]
    taken = set(item['code'] for item in kept + fresh)
    plan = [(code, held[code], 0) for code in sorted(held) if code not in taken]
    chosen = [item for item in open_items if item['code'] in taken]
    for weight, item in zip(weights, chosen):
        before = held.get(item['code'], 0)
        if not before and not item['weight'] > 0:
            # It rests: its place is kept, and nothing of it is planned today.
            continue
        # Of what rests the book may be wrong: its target follows from the money alone.
        known = 0 if item['code'] in resting else before
        wanted = money * weight / item['ref_price'] - known
        plan.append((item['code'], before, known + _steps_to(wanted, known, item, order_min)))
    return plan


def _steps_to(difference, before, item, order_min):
    lot, price = (item['lot_min'], item['lot_step']), item['ref_price']
    size = int(math.floor(abs(difference) / lot[1] + NEAR)) * lot[1]
    if size == 0 or (before > 0 and size * price < order_min):
        return 0
    if difference < 0:
        return -order_volume('sell', size, before, before, lot, price)
    return order_volume('buy', size, 0, 0, lot, price)
