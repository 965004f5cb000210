# -*- coding: utf-8 -*-
"""The book of a security against the account: which of the two is right where they differ, and why.

The book (B) is what this config holds; the base is what others hold of the same security; the account shows A. S = A - B.
"""

from collections import namedtuple

# What is done: `what` is one of keep, follow, move, wait, rest, ask, back, again, base, cut. `book`, `base`: the new volumes.
Finding = namedtuple('Finding', 'what book base why')
# Trading days after which an event that has not come, or a security that rests, is asked of the user.
PATIENCE = 3
GONE = ('called', 'matured', 'converted', 'delisted', 'ended')
# Why a security rests that the next days may explain by themselves; everything else is asked at once.
PASSING = ('event', 'ex')


# What events will have changed: the book by `own`, the account by `total`; `gone`: the security ends.
Due = namedtuple('Due', 'own total gone')


def due_of(events, had, base):
    """What holders get of events that have not come yet. had: the book before the first of them; base: of others. A sale in between does not
    change it."""
    own, total = had, float(had + base)
    for event in events:
        ratio = event.get('ratio') or 0.0
        own, total = int(own * (1 + ratio) + 1e-9), total * (1 + ratio)
    return Due(own - had, total - had - base, any(event['kind'] in GONE for event in events))


def finding(account, book, base, due, ex_sign, others, cut, rest, is_proven):
    """What a whole reading means for a security whose orders have all ended and that had no own fill today.

    base: None = not known yet. due: of events that were not followed, None = none. ex_sign: an ex-day that the site does not know. others: what
    other configs hold, None = not known. cut: volume that was cut lately, with nothing bought since; 0 = none. rest: volume of orders that
    ended lately without a row and may still come; 0 = none. is_proven: two readings agree and make up the account's value.
    """
    surplus = account - book
    if base is None:
        # The first sight of what others hold. Less than the book is looked at below.
        if surplus >= 0 and not ex_sign and not due:
            return Finding('base', book, surplus, '')
        base = max(0, surplus)
    total = book + base
    if due and due.gone:
        if account == 0:
            return Finding('follow', 0, 0, 'event')
        return Finding('wait' if account == total else 'rest', book, base, 'event')
    if due:
        if abs(account - total - due.total) <= 1:
            kept = min(account, max(0, book + due.own))
            return Finding('follow', kept, account - kept, 'event')
        return Finding('wait' if account == total else 'rest', book, base, 'event')
    if ex_sign:
        return Finding('rest', book, base, 'ex')
    if surplus == base:
        return Finding('keep', book, base, '')
    if surplus > base:
        if cut and surplus - base == cut:
            return Finding('back', book + cut, base, '')
        if surplus - base <= rest:
            return Finding('again', book, base, '')
        return Finding('base', book, surplus, '')
    if surplus >= 0:
        return Finding('base', book, surplus, '')
    if others is None or others > 0:
        return Finding('ask', book, base, 'less')
    if not is_proven:
        return Finding('wait', book, base, 'less')
    return Finding('cut', account, 0, '')
