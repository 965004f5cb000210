# -*- coding: utf-8 -*-
"""What the positions of a later trading day prove of an order whose end is not known. Where they prove nothing, the user is asked."""


def proved_fill(one, account, book, cost, others, is_untouched):
    """What was filled of an order, or None: positions do not tell.

    account, book: volumes of the whole account and of this config. cost: the account's price of cost, 0 = not given. others: what other
    configs of the account hold, None = not known. is_untouched: no foreign order, event or ex-day of the security since the order.
    """
    rest = one['volume'] - one['filled']
    if is_untouched and one['base'] == 0 and others == 0:
        more = account - book if one['side'] == 'buy' else book - account
        if one['perhaps'] is not None and more == one['perhaps'] - one['filled']:
            return one['perhaps']
        if more == rest:
            return one['volume']
        if more == 0 and one['perhaps'] in (None, one['filled']) and (not cost or not one['cost'] or abs(cost - one['cost']) < 1e-6):
            return one['filled']
    # Volumes are not negative: where the account holds no more than the book, no buy of ours is in it, whatever others have traded since.
    if account == book and one['side'] == 'buy' and one['perhaps'] is None:
        return one['filled']
    return None
