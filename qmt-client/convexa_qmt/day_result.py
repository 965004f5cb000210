# -*- coding: utf-8 -*-
"""What own holdings and own orders have made or lost on a day, in yuan against the close before."""


def day_result(journal, date, quote_of):
    """`quote_of(code)`: a Quote or None. A security without a price counts as unchanged; fees are left out."""
    before, now = journal.holdings(before=date), journal.holdings()
    orders = [one for one in journal.of_day(date) if one['filled'] > 0]
    result = 0.0
    for code in sorted(set(before) | set(now) | set(one['code'] for one in orders)):
        quote = quote_of(code)
        if quote is None or not quote.last > 0:
            continue
        result += now.get(code, 0) * quote.last - before.get(code, 0) * (quote.before or quote.last)
        for one in orders:
            if one['code'] == code:
                value = one['filled'] * (one['mean'] or one['price'])
                result += value if one['side'] == 'sell' else -value
    return result
