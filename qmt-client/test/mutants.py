# -*- coding: utf-8 -*-
"""Clients with one rule taken out, which the stories must catch, or a test of the rule's own where few stories bring it into play.
`python3 mutants.py 500 [words of the rule]` prints, for each, the story or the test that caught it."""

import itertools
import json
import os
import random
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt import account_view, clock, journal, journal_file, ledger, order_desk, quantities, reading, site_talk, trader, user_words, xtquant_broker  # noqa: E402
from convexa_qmt.broker import BrokerAway  # noqa: E402
from convexa_qmt.journal_file import CannotWrite  # noqa: E402
from drill_config import Broken  # noqa: E402
from habits import names_of  # noqa: E402
from stories import new_figures, story_of  # noqa: E402

Desk, View, Ledger, Journal, Reading, UserWords = order_desk.OrderDesk, account_view.AccountView, ledger.Ledger, journal.Journal, reading.Reading, user_words.UserWords


def asked_once(start):
    def quiet(self):
        known = [one['id'] for one in self._journal.without_end() if one['state'] == 'unsure']
        write, self._journal.unsure = self._journal.unsure, lambda order_id, why: None if order_id in known else Journal.unsure(self._journal, order_id, why)
        try:
            return start(self)
        finally:
            self._journal.unsure = write
    return quiet


def given_up(self, one, why):
    self._journal.end(one['id'], 0, 'rejected', 'not_sent')
    return one['id']


def own_news(learn):
    """News that are written down by their volume alone."""
    def forgets(self, order_id, filled, mean, status, note, number=None, sysid=''):
        return learn(self, order_id, 0 if status in ('cancelled', 'part_cancelled') else filled, mean, status, note, number, sysid)
    return forgets


def deaf_to_numbers(learn):
    def deaf(self, order_id, filled, mean, status, note, number=None, sysid=''):
        known = self.orders[order_id]
        is_same = known['state'] in ('listed', 'ended') and known['by'] in ('', 'list') and (known['filled'], known['status']) == (filled, status)
        return False if is_same else learn(self, order_id, filled, mean, status, note, number, sysid)
    return deaf


def by_remark_and(*keys):
    """Rows found by their remark and some of: cut, number, sysid."""
    def found_by(orders, rows, ids=()):
        found, left = {}, list(rows)
        rules = {'cut': lambda one, row: len(row.remark) >= ledger.CUT_REMARK and one['id'].startswith(row.remark),
                 'number': lambda one, row: one['number'] is not None and row.number == one['number'] and row.remark not in ids,
                 'sysid': lambda one, row: bool(one['sysid']) and row.sysid == one['sysid'] and row.remark not in ids}
        for rule in [lambda one, row: row.remark == one['id']] + [rules[key] for key in keys]:
            for one in orders:
                own = [row for row in left if one['id'] not in found and ledger.looks_like(one, row) and rule(one, row)]
                if own:
                    found[one['id']] = own
                    left = [row for row in left if row not in own]
        return found, left
    return found_by


def beaten_by_words(learn):
    def deaf(self, order_id, *news):
        return False if self.orders[order_id]['by'] in ('user', 'positions') else learn(self, order_id, *news)
    return deaf


def written_or_not(intend):
    """An order goes out whether its line is on disk or not."""
    def careless(self, order_id, date, at, code, side, volume, price, *stood):
        try:
            intend(self, order_id, date, at, code, side, volume, price, *stood)
        except CannotWrite:
            self._take({'kind': 'intent', 'id': order_id, 'date': date, 'at': at, 'code': code, 'side': side, 'volume': volume, 'price': price})
    return careless


def sent_on(send):
    """A call without an answer holds up nothing."""
    def hurried(self, *order):
        try:
            send(self, *order)
        except BrokerAway:
            pass
    return hurried


def always_whole(take):
    def trusting(self, one):
        made = take(self, one)
        one.whole = True
        return made
    return trusting


def found_as(what, instead):
    def findings(finding):
        def changed(*given):
            one = finding(*given)
            return one._replace(what=instead) if one.what == what else one
        return changed
    return findings


def without(position):
    """A finding that is not told of one of its grounds."""
    def findings(finding):
        def blind(*given):
            return finding(*(given[:position] + ({3: None, 4: False, 5: 0}[position],) + given[position + 1:]))
        return blind
    return findings


def with_nothing(is_complete):
    return lambda self, quote_of: is_complete(self, quote_of) or (self.value == 0 and not self.positions)


def lenient(_line):
    """Lines that cannot be read are passed over, and nobody counts."""
    def read(self, text):
        try:
            line = json.loads(text.decode('utf-8'))
        except ValueError:
            line = None
        line = line if isinstance(line, dict) and 'kind' in line else {'kind': 'passed over'}
        self.id = line['id'] if line['kind'] == 'head' else self.id
        self.n += bool(self.id)
        return line
    return read


def unbounded(order_volume):
    return lambda side, gap, saleable, account, lot, price, order_max=None, money=None: order_volume(side, gap, saleable, account, lot, price, None, money)


def with_times(take):
    """Rows that tell no time are taken for rows of now."""
    def credulous(self, one):
        for row in one.orders:
            row.at = self._clock.now() if row.at is None else row.at
        return take(self, one)
    return credulous


def ended_by_words(take_opening):
    """Orders that the site's record has ended look like those that the user has ended."""
    def confused(self, line):
        take_opening(self, line)
        for one in self.orders.values():
            one['by'] = 'user' if one['by'] == 'record' else one['by']
    return confused


def trades_of_all(_own_trades):
    return lambda one, found, left, trades: trades


# [(rule, owner, name, what stands in its place, given what stood there)].
RULES = [
    # 2: states, proofs by rows.
    ('an order that is not listed is not given up', Ledger, '_ask', lambda _: given_up),
    ('a remark that was cut proves a row', ledger, 'rows_of', lambda _: by_remark_and('number', 'sysid')),
    ('a number that was answered proves a row', ledger, 'rows_of', lambda _: by_remark_and('cut', 'sysid')),
    ('a number of the exchange proves a row', ledger, 'rows_of', lambda _: by_remark_and('cut', 'number')),
    ('rows agree in code, side and volume', ledger, 'looks_like', lambda _: lambda one, row: True),
    ('trades beside rows of others prove nothing', ledger, 'own_trades', trades_of_all),
    ('a row that is listed twice counts once', ledger, 'once', lambda _: list),
    ('a number that comes later than its row is learnt', Journal, 'learn', deaf_to_numbers),
    ('an order with an id of ours is ours, whatever the journal lost', trader.Trader, 'adopt', lambda _: lambda self, one: None),
    ('what the record may have of an order found again is asked', View, '_ask_of_record', lambda _: lambda self, one: None),
    ('a trade that is listed twice counts once', ledger, 'once_each', lambda _: list),
    ('a row beats positions and words', Journal, 'learn', beaten_by_words),
    ('a partial cancel keeps what was filled', Journal, 'learn', own_news),
    ('one order of a security at a time', View, 'blocked', lambda _: lambda self, code: code in self.journal.rests),
    ('an order of before a change of codes holds up the new code', View, '_former_codes', lambda _: lambda self, code: []),
    ('a list that is not whole concludes nothing', Ledger, 'take', always_whole),
    ('an id is never used twice', Desk, 'new_id', lambda _: lambda self, code, side: order_desk.order_id(self.id_key, self.day.date, code, side, 0)),
    # 3: positions, the wall, money.
    ('positions prove only what they can', account_view, 'proved_fill',
     lambda _: lambda one, account, held, cost, others, untouched: min(one['volume'], max(0, account - held))),
    ('positions prove by two readings a minute apart', reading.Witness, 'is_steady', lambda _: lambda self, code, now: True),
    ('an account that shows nothing at all proves nothing', reading.Reading, 'is_complete', with_nothing),
    ('positions that do not make up the value prove nothing', Reading, 'is_complete', lambda _: lambda self, quote_of: True),
    ('the capital bounds what is held', Desk, '_bound', lambda _: lambda self: -1e9),
    ('an order without an end binds its money', Journal, 'without_end',
     lambda real: lambda self, date=None: [] if sys._getframe(1).f_code.co_name == '_bound' else real(self, date)),
    ('the turnover bounds a day', Desk, 'money_left', lambda _: lambda self, side: 1e9),
    ('the account bounds a buy, whatever the book says', Desk, 'under_wall', lambda _: lambda self, code, target, lot: 10 ** 9),
    ('a row like ours that is missed makes a list that is not whole', ledger, 'have_rows', lambda _: lambda orders, rows: True),
    ('a row like ours without its time proves nothing', Ledger, 'take', with_times),
    # 4: the user.
    ('a question counts further than a line that was lost', Ledger, 'start', asked_once),
    ('questions are told', site_talk.SiteTalk, '_to_tell', lambda _: lambda self: []),
    ('less than the whole counts in the evening', UserWords, '_is_over', lambda _: lambda self, date: True),
    ('a word on a book settles the events that it was asked for', UserWords, '_settled_by_word', lambda _: lambda self, code: ''),
    ('a stop that is taken back within the window ends no day', trader.Trader, 'is_over', lambda _: property(lambda self: self.halted != '')),
    ('after a stop was taken back nothing is sent for a minute', order_desk, 'HEARD', lambda _: 0),
    ('words on books are heard', UserWords, 'hear', lambda real: lambda self, settled, books: real(self, settled, [])),
    # 5: the book.
    ('the book follows the account', View, 'compare', lambda _: lambda self: None),
    ('what was sold by hand leaves the book', account_view, 'finding', found_as('cut', 'keep')),
    ('what the account lacks without a proof is asked', View, '_miss', lambda _: lambda self, code, reading: None),
    ('what the account shows on top of less than the book is asked', View, '_note_lows', lambda _: lambda self, reading: None),
    ('what another config says to hold and the account has not is asked', View, 'lacking', lambda _: lambda self, code, surplus: 0),
    ('an event is followed', account_view, 'finding', without(3)),
    ('an ex-day that the site does not know rests', account_view, 'finding', without(4)),
    ('what another config may have sold is asked', account_view, 'finding', without(5)),
    ('shares on their way bind their money', View, 'entitled', lambda _: lambda self, code: 0),
    ('a renamed security is the same', View, '_renamed', lambda _: lambda self, code, now: False),
    ('a journal that is damaged sends nothing', journal_file.JournalFile, '_line', lenient),
    ('a line that is not on disk sends nothing', Journal, 'intend', written_or_not),
    ("the site's record takes the place of a journal", site_talk.SiteTalk, '_open', lambda _: lambda self, opening: None),
    ("the site's record has its orders without an end", Journal, 'open_with',
     lambda real: lambda self, date, token, book, orders, seq=0: real(self, date, token, book, [], seq)),
    ('an order that the record has ended is not counted again', Journal, '_take_opening', ended_by_words),
    ('the site knows of plans whose end nobody told', site_talk.SiteTalk, '_told', lambda told: lambda self: dict(told(self), may_order=False)),
    ('the site knows which process it is', site_talk.SiteTalk, 'has_heard_plan', lambda _: lambda self: True),
    # 6: quantities and refusals.
    ('a security that was refused twice rests', order_desk, 'MOST_REFUSALS', lambda _: 50),
    ('positions that may be of yesterday sell no odd rest', order_desk, 'TODAYS', lambda _: '09:15:00'),
    ('the exchange takes steps from the least order on', quantities, '_allowed', lambda _: lambda volume, whole, lot: volume > 0),
    ('the largest order bounds an order', order_desk, 'order_volume', unbounded),
    ('a call without an answer holds up the rest', Desk, 'send', sent_on),
    ('sells go first', trader.Trader, '_waits_for', lambda _: lambda self, one: False),
    # 7 and 8: sessions and the clock.
    ('the first order of a session goes alone', Desk, '_prove', lambda _: lambda self, one, session: None),
    ('a computer that slept hears the time first', clock.SiteClock, 'jumped', lambda _: property(lambda self: False)),
    ('a dead session is made anew', xtquant_broker, 'SILENT', lambda _: 10 ** 9),
    ('orders go out in continuous trading only', order_desk, 'SESSIONS', lambda _: (('09:15:00', '11:29:50'), ('13:00:00', '15:00:00'))),
    ('a clock that is off trades nothing', clock.SiteClock, 'hear', lambda _: lambda self, server_ms, asked, answered: None),
    ('quotes that stand still trade nothing', order_desk, 'STILL', lambda _: 1e9),
    ('a session whose quotes stand still is made anew', xtquant_broker.XtquantBroker, 'renew', lambda _: lambda self: None),
    ('words of a refusal without a row are told', View, '_hear_refusals', lambda _: lambda self: None),
    ('holidays are no trading days', Journal, 'days_planned', lambda _: lambda self, first, last: journal.weekdays_between(first, last)),
    ('what ended without a row is told until the site has it', Journal, 'is_lately', lambda _: lambda self, date, today: False),
]


# Habits that bring a rule into play, where few stories draw them.
NEEDED = {'a remark that was cut proves a row': {'remark_cut'}, 'a number that was answered proves a row': {'remark_empty'},
          'a number of the exchange proves a row': {'renumbered'}, 'a trade that is listed twice counts once': {'twice'}, 'a row beats positions and words': {'wrong_words'},
          'an order of before a change of codes holds up the new code': {'renamed'}, 'less than the whole counts in the evening': {'hasty_words'},
          'what another config may have sold is asked': {'second_config', 'hand_sells'}, 'shares on their way bind their money': {'shares_late'},
          'the site knows which process it is': {'two_computers'}, 'the site knows of plans whose end nobody told': {'two_computers', 'kills'},
          'a journal that is damaged sends nothing': {'damaged'}, 'a clock that is off trades nothing': {'clock_off'},
          'quotes that stand still trade nothing': {'still'}, 'a line that is not on disk sends nothing': {'full_disk'}, 'positions prove by two readings a minute apart': {'old_positions'},
          'an account that shows nothing at all proves nothing': {'unsynced'}, 'positions that do not make up the value prove nothing': {'bare'}}


# Rules whose absence is noticed by a test alone: the terminals and computers that they are for are too seldom drawn.
TESTED = {'the account bounds a buy, whatever the book says': 'test_rules.TheWall',
          'a row like ours that is missed makes a list that is not whole': 'test_ledger.ALateList',
          'a row like ours without its time proves nothing': 'test_ledger.ALateList',
          'an order with an id of ours is ours, whatever the journal lost': 'test_journal.OrdersOfALostJournal',
          'what the record may have of an order found again is asked': 'test_journal.OrdersOfALostJournal',
          'a word on a book settles the events that it was asked for': 'test_ledger.Shares',
          'a stop that is taken back within the window ends no day': 'test_day.TheDay',
          'after a stop was taken back nothing is sent for a minute': 'test_day.TheDay',
          'a session whose quotes stand still is made anew': 'test_ledger.ASession',
          'words of a refusal without a row are told': 'test_ledger.ASession',
          'holidays are no trading days': 'test_ledger.Shares',
          'what ended without a row is told until the site has it': 'test_told.BookAndOrders',
          'a number that comes later than its row is learnt': 'test_ledger.ALateList',
          'words on books are heard': 'test_ledger.TheUsersHand',
          'what the account lacks without a proof is asked': 'test_ledger.TheUsersHand',
          'what the account shows on top of less than the book is asked': 'test_ledger.TheUsersHand',
          'an order that the record has ended is not counted again': 'test_journal.TheSitesRecord',
          'positions that may be of yesterday sell no odd rest': 'test_ledger.Shares',
          'a question counts further than a line that was lost': 'test_ledger.APowerCut',
          'what was sold by hand leaves the book': 'test_ledger.TheUsersHand',
          'what another config says to hold and the account has not is asked': 'test_ledger.TheUsersHand',
          "the site's record takes the place of a journal": 'test_journal.TheSitesRecord',
          "the site's record has its orders without an end": 'test_journal.TheSitesRecord',
          'sells go first': 'test_rules.SellsFirst',
          'the first order of a session goes alone': 'test_ledger.ALateList',
          'a computer that slept hears the time first': 'test_rules.AComputerThatSlept'}


def caught_by_test(rule, owner, name, instead):
    """The test that notices, None: it passes without the rule."""
    real = owner.__dict__[name] if isinstance(owner, type) else getattr(owner, name)
    suite = unittest.defaultTestLoader.loadTestsFromName(TESTED[rule])
    setattr(owner, name, instead(real))
    try:
        result = unittest.TestResult()
        suite.run(result)
        found = result.failures + result.errors
        return (found[0][0].id(), found[0][1].strip().splitlines()[-1]) if found else None
    finally:
        setattr(owner, name, real)


def seeds_with(habits):
    """Seeds of stories that draw all of these."""
    for seed in itertools.count(1):
        if habits <= names_of(random.Random(seed)):
            yield seed


def caught(rule, owner, name, instead, stories):
    """The first story that notices, None: none of so many does."""
    real = owner.__dict__[name] if isinstance(owner, type) else getattr(owner, name)
    setattr(owner, name, instead(real))
    try:
        for one in itertools.islice(seeds_with(NEEDED.get(rule, set())), stories):
            try:
                story_of(one, new_figures(real=False))
            except (Exception, Broken) as error:
                return one, '%s' % error
        return None
    finally:
        setattr(owner, name, real)


def main(stories, words=''):
    """words: of the rules that are tried, '' = all."""
    figures = {}
    for rule, owner, name, instead in [one for one in RULES if words in one[0]]:
        found = caught_by_test(rule, owner, name, instead) if rule in TESTED else caught(rule, owner, name, instead, stories)
        figures[rule] = None if found is None else {'story': found[0], 'said': found[1][:120]}
    return figures


if __name__ == '__main__':
    print(json.dumps(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500, sys.argv[2] if len(sys.argv) > 2 else ''), ensure_ascii=False))
