# -*- coding: utf-8 -*-
"""Clients with one rule taken out, which the stories must catch. `python3 mutants.py 500` prints, for each, the story that caught it."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt import account_view, clock, journal, ledger, order_desk, quantities  # noqa: E402
from stories import Broken, story_of  # noqa: E402

UNLISTED = lambda self, one, why: self._journal.end(one['id'], 0, 'rejected', 'not_sent') or one['id']  # noqa: E731


def own_news(learn):
    """News that are written down by their volume alone."""
    def forgets(self, order_id, filled, mean, status, note, number=None, sysid=''):
        return learn(self, order_id, 0 if status in ('cancelled', 'part_cancelled') else filled, mean, status, note, number, sysid)
    return forgets


# {rule: (owner, name, what stands in its place)}; a function of one argument `real` where it needs what stood there.
RULES = {
    'an order that is not listed is not given up': (ledger.Ledger, '_ask', UNLISTED),
    'a number that was answered proves a row': (ledger, 'rows_of', lambda orders, rows: ({}, list(rows))),
    'one order of a security at a time': (account_view.AccountView, 'blocked', lambda self, code: code in self.journal.rests),
    'orders go out in continuous trading only': (order_desk, 'SESSIONS', (('09:15:00', '11:29:50'), ('13:00:00', '15:00:00'))),
    'a clock that is off trades nothing': (clock.SiteClock, 'hear', lambda self, server_ms, asked, answered: None),
    'positions prove only what they can': (account_view, 'proved_fill', lambda one, account, book, cost, others, untouched: min(one['volume'], max(0, account - book))),
    'a partial cancel keeps what was filled': (journal.Journal, 'learn', own_news(journal.Journal.learn)),
    'the book follows the account': (account_view.AccountView, 'compare', lambda self: None),
    'a security that was refused twice rests': (order_desk, 'MOST_REFUSALS', 50),
    'the exchange takes steps from the least order on': (quantities, '_allowed', lambda volume, whole, lot: volume > 0),
    'the capital bounds what is held': (order_desk.OrderDesk, '_bound', lambda self: -1e9),
    'the turnover bounds a day': (order_desk.OrderDesk, 'money_left', lambda self, side: 1e9),
    'an id is never used twice': (order_desk.OrderDesk, 'new_id', lambda self, code, side: order_desk.order_id(self.id_key, self.day.date, code, side, 0)),
}


def variants():
    """[(rule, owner, name, value)] of those that can be swapped, with the ones that need the real function."""
    made = [(rule, owner, name, value) for rule, (owner, name, value) in sorted(RULES.items())]
    real_finding = account_view.finding

    def never_cut(*given):
        one = real_finding(*given)
        return one._replace(what='keep') if one.what == 'cut' else one

    def unbounded(side, gap, saleable, account_saleable, lot, price, order_max=None, money=None):
        return quantities.order_volume(side, gap, saleable, account_saleable, lot, price, None, money)

    def event_ignored(*given):
        return real_finding(*(given[:3] + ([],) + given[4:]))
    made += [('what was sold by hand leaves the book', account_view, 'finding', never_cut),
             ('an event is followed', account_view, 'finding', event_ignored),
             ('the largest order bounds an order', order_desk, 'order_volume', unbounded)]
    return made


def caught(owner, name, value, stories, seed=1):
    """The first story that notices, None: none does."""
    real = owner.__dict__[name] if isinstance(owner, type) else getattr(owner, name)
    setattr(owner, name, value)
    try:
        for one in range(seed, seed + stories):
            figures = {'stories': 0, 'days': 0, 'orders': 0, 'kills': 0, 'questions': 0, 'resting': 0, 'exact': 0, 'halted': 0, 'habits': {}}
            try:
                story_of(one, figures)
            except (Exception, Broken) as error:
                return one, '%s' % error
        return None
    finally:
        setattr(owner, name, real)


def main(stories):
    figures = {}
    for rule, owner, name, value in variants():
        found = caught(owner, name, value, stories)
        figures[rule] = None if found is None else {'story': found[0], 'said': found[1][:120]}
    return figures


if __name__ == '__main__':
    print(json.dumps(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500), ensure_ascii=False))
