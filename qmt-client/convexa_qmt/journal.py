# -*- coding: utf-8 -*-
"""What the client remembers of a config: its plans, its orders with their states, and its book.

An order is `prepared` before it is handed over, `handed` after the call, `listed` once its row was found, `unsure` where no row tells of it,
`ended` by its row, by the positions of a later day or by the user's word. The book is what own orders have filled, and what was changed of
it by events, sales by hand and words of the user (`adjust` lines).
"""

import datetime
import uuid

from .broker import CANCELLED, FILLED, FINAL, NO_NUMBER, OPEN, PART_CANCELLED, REJECTED
from .journal_file import JournalFile

PREPARED, HANDED, LISTED, UNSURE, ENDED = 'prepared', 'handed', 'listed', 'unsure', 'ended'
# Ten trading days, and as many days as they may take with a week of holidays: so long what has ended without a row may still show.
LATELY, LATELY_DAYS = 10, 21


def days_between(first, last):
    return (day_of(last) - day_of(first)).days


def weekdays_between(first, last):
    """Mondays to Fridays after the first day, up to the last."""
    first, last = day_of(first), day_of(last)
    return sum(1 for i in range((last - first).days) if (first + datetime.timedelta(i + 1)).weekday() < 5)


def day_of(text):
    return datetime.date(*[int(part) for part in text.split('-')])


def ended_as(filled, volume):
    """The status of an order that ended without a row."""
    return FILLED if filled >= volume else PART_CANCELLED if filled > 0 else CANCELLED


class Journal(object):
    def __init__(self, path, date=None):
        """date: today; needed where a journal of version 1 may be met."""
        self.path, self.orders, self.plans, self.profits, self.stops = path, {}, {}, {}, {}
        self.adjusts, self.bases, self.foreign, self.rests, self.ex_signs = [], {}, {}, {}, {}
        # Codes that others have traded on the day of the last comparison or since: their base may be out of date.
        self.unclear = set()
        # {code: volume} that the user knows to be lacking of what other configs told to hold.
        self.lacking = {}
        # {code: days} on which the account had less than the book, and nothing proved that this is all that there is.
        self.missed = {}
        # {code: the least that the account has shown of it since it had less than the book}, own trades of later counted in.
        self.lows = {}
        self.opening, self.opened_on, self.words = '', '', set()
        # Orders whose fills the site's record, once it was taken, may have or not: it came when their rows were known, or before.
        self.in_doubt = set()
        # {n, token}: line of the start of this process; None: it only reads. Tokens of all processes that wrote here, in their order.
        self.started, self.starts = None, []
        # What is added to the counts of lines for the site: it knows larger ones of a journal that was lost.
        self.seq = 0
        self.file = JournalFile(path)
        for line in self.file.lines:
            self._take(line)
        was_1 = self.file.version_1
        if was_1:
            self._from_version_1(date)
        self.file.lines = []

    def _from_version_1(self, date):
        """Orders without an end, and those that were given up lately, become questions; what others held then is not known."""
        questions = [one for one in self.orders.values() if one['status'] not in FINAL or (
            not one['seen'] and one['status'] == REJECTED and (date is None or days_between(one['date'], date) <= LATELY_DAYS))]
        self.file.begin()
        for one in sorted(questions, key=lambda one: (one['date'], one['id'])):
            self.unsure(one['id'], 'version 1')

    def _take(self, line):
        # Of orders alone: the site compares the counts of their lines with those of the journal that was lost.
        if self.seq and 'id' in line:
            line = dict(line, n=line['n'] + self.seq)
        getattr(self, '_take_' + line['kind'], self._ignored)(line)

    def _ignored(self, line):
        """A line of a later version adds what this one does not need."""

    def _take_start(self, line):
        self.starts.append(line['token'])

    def _take_plan(self, line):
        self.plans[line['date']] = line

    def _take_profit(self, line):
        self.profits.setdefault(line['date'], {})[line['code']] = line['keep']

    def _take_stop(self, line):
        self.stops[line['date']] = line['why']

    def _take_intent(self, line):
        # Base and number are not known of version 1.
        known = {'filled': 0, 'mean': None, 'status': OPEN, 'note': '', 'seen': False, 'number': None, 'sysid': '', 'base': None,
                 'cost': 0.0, 'by': '', 'why': '', 'perhaps': None, 'state': PREPARED, 'n': 0, 'row_filled': 0,
                 'word': '', 'again': False}
        self.orders[line['id']] = dict(known, **line)
        if line.get('recorded'):
            # Its row will count it: until it is known to be lacking, it is in the record.
            self._count_in_record(line['id'], line['date'], line['code'], line['recorded'] if line['side'] == 'buy' else -line['recorded'])

    def _count_in_record(self, order_id, date, code, volume):
        """What a row says to be filled is in the site's record, until it is known to be lacking there."""
        held = self._sums().get(code, 0)
        self.in_doubt.add(order_id)
        self.adjusts.append({'date': date, 'code': code, 'by': -volume, 'base': None, 'why': 'opening', 'before': held, 'after': held})

    def _take_handed(self, line):
        self.orders[line['id']].update(state=HANDED, number=line['number'], n=line['n'])

    def _take_news(self, line):
        state = ENDED if line['status'] in FINAL else LISTED
        one = self.orders[line['id']]
        more = (line['filled'] - one['filled']) * (1 if one['side'] == 'buy' else -1)
        if one['by'] == 'record' and state == ENDED:
            self._count_in_record(line['id'], one['date'], one['code'], more)
        elif one['code'] in self.lows:
            self.lows[one['code']] = max(0, self.lows[one['code']] + more)
        # What version 1 gave up has news without a row.
        told = line['filled'] if line.get('seen', True) else 0
        one.update(line, state=state, by='list' if state == ENDED else '', n=line.get('n', 0), row_filled=max(one['row_filled'], told))

    def _take_unsure(self, line):
        one = self.orders[line['id']]
        one.update(state=UNSURE, status=OPEN, why=line['why'], n=line['n'], again=one['again'] or line['why'] == 'again')

    def _take_note(self, line):
        self.orders[line['id']].update(note=line['note'], n=line['n'])

    def _take_perhaps(self, line):
        self.orders[line['id']].update(perhaps=line['filled'])

    def _take_end(self, line):
        self.orders[line['id']].update(line, state=ENDED)

    def _take_adjust(self, line):
        self._take_change(line)
        if 'to' in line:
            self._take_change(dict(line['to'], date=line['date'], why=line['why']))

    def _take_change(self, line):
        self.adjusts.append(line)
        self.bases[line['code']] = line['base']
        self._find(line['code'])
        self._settle_doubt(line['code'])
        if self._is_clear(line['code'], line['date']):
            self.unclear.discard(line['code'])
        if line['why'] in ('follow', 'user'):
            self.ex_signs.pop(line['code'], None)
        if line['why'] == 'user':
            self.lacking[line['code']] = line.get('lacking', 0)
        if line.get('word'):
            self.words.add(line['word'])

    def _settle_doubt(self, code):
        self.in_doubt = set(one for one in self.in_doubt if self.orders[one]['code'] != code)

    def _take_base(self, line):
        self.bases[line['code']] = line['base']
        self._settle_doubt(line['code'])
        if self._is_clear(line['code'], line.get('date', '')):
            self.unclear.discard(line['code'])

    def _is_clear(self, code, date):
        """Whether what others traded of a code is in the positions of a day."""
        return date > self.foreign.get(code, '')

    def _take_foreign(self, line):
        self.foreign[line['code']] = line['date']
        self.unclear.add(line['code'])

    def _take_rest(self, line):
        self.rests[line['code']] = line
        if line.get('until_word'):
            self._settle_doubt(line['code'])

    def _take_miss(self, line):
        self.missed.setdefault(line['code'], []).append(line['date'])

    def _take_low(self, line):
        self.lows[line['code']] = line['volume']

    def _take_find(self, line):
        self._find(line['code'])

    def _find(self, code):
        self.missed.pop(code, None)
        self.lows.pop(code, None)

    def _take_wake(self, line):
        self.rests.pop(line['code'], None)

    def _take_ex(self, line):
        self.ex_signs[line['code']] = line['date']

    def _take_opening(self, line):
        """The site's record in place of a journal that was lost or is old: it is the whole truth of what came before, but for rows that this
        journal has seen. Its book has what orders without an end have filled so far."""
        self.opening, self.opened_on, self.seq = line['token'], line['date'], max(self.seq, line.get('seq', 0))
        self.missed, self.lows = {}, {}
        open_ones = dict((one['id'], one) for one in line['orders'])
        for one in self.orders.values():
            # How they ended is in the record's book: neither a question nor a word may count them again.
            if one['id'] not in open_ones and (one['state'] != ENDED or one['by'] in ('positions', 'user')):
                one.update(state=ENDED, status=ended_as(one['filled'], one['volume']), by='record')
        wanted = dict(line['book'])
        self.in_doubt = set(one['id'] for one in self.of_day(line['date']) if one['seen'] and one['filled'] and one['id'] not in open_ones)
        for one in open_ones.values():
            if one['id'] not in self.orders:
                self._take_intent(dict(one, at=0.0))
            known, told = self.orders[one['id']], one.get('filled', 0)
            if known['state'] != ENDED:
                known.update(state=UNSURE, status=OPEN, why='opening', n=line['n'] + self.seq, filled=max(told, known['filled']), row_filled=max(told, known['row_filled']))
            wanted[one['code']] = wanted.get(one['code'], 0) + (known['filled'] - told) * (1 if one['side'] == 'buy' else -1)
        held = self._sums()
        for code in sorted(set(wanted) | set(held)):
            volume = wanted.get(code, 0)
            self.bases.pop(code, None)
            self.unclear.discard(code)
            self.adjusts.append({'date': line['date'], 'code': code, 'by': volume - held.get(code, 0), 'base': None, 'why': 'opening',
                                 'before': max(0, held.get(code, 0)), 'after': volume})

    def _write(self, line):
        self.file.begin()
        self._take(self.file.write(line))

    def close(self):
        self.file.close()

    @property
    def id(self):
        return self.file.id

    @property
    def n(self):
        return self.file.n

    def begin(self):
        self.file.begin()

    def start(self):
        """A line with a token of this process: it distinguishes two processes that continue copies of one file."""
        token = uuid.uuid4().hex
        self._write({'kind': 'start', 'token': token})
        self.started = {'n': self.n, 'token': token}

    # -- what is written ------------------------------------------------------------------------------------------------------------

    def keep_plan(self, date, checksum, rows):
        self._write({'kind': 'plan', 'date': date, 'checksum': checksum, 'rows': rows})

    def take_profit(self, date, code, keep):
        """Of a security no more than `keep` is held for the rest of the day."""
        self._write({'kind': 'profit', 'date': date, 'code': code, 'keep': keep})

    def stop(self, date, why):
        """Nothing more is traded on this day."""
        self._write({'kind': 'stop', 'date': date, 'why': why})

    def intend(self, order_id, date, at, code, side, volume, price, account=0, saleable=0, cost=0.0, base=None, recorded=0):
        """An order and what stood before it: volumes of the account, price of cost, what others hold (None = not known). recorded: what is
        filled of it and may be in the site's record, which was taken before the order was found again."""
        self._write({'kind': 'intent', 'id': order_id, 'date': date, 'at': at, 'code': code, 'side': side, 'volume': volume,
                     'price': price, 'account': account, 'saleable': saleable, 'cost': cost, 'base': base, 'recorded': recorded,
                     'book': self.holdings().get(code, 0)})

    def handed(self, order_id, number):
        self._write({'kind': 'handed', 'id': order_id, 'number': number})

    def learn(self, order_id, filled, mean, status, note, number=None, sysid=''):
        """Notes what its row says. True when it is news: a number comes later than the row at the big terminal, and another one after a restart
        of the small one. What was filled never falls while rows speak; a row beats every other proof."""
        known = self.orders[order_id]
        number, sysid = known['number'] if number in NO_NUMBER else number, sysid or known['sysid']
        filled = max(filled, known['row_filled'])
        if known['state'] == ENDED and known['by'] == 'list' and status not in FINAL:
            status = known['status']
        told = (known['filled'], known['status'], known['number'], known['sysid'])
        if known['state'] in (LISTED, ENDED) and known['by'] in ('', 'list') and told == (filled, status, number, sysid):
            return False
        self._write({'kind': 'news', 'id': order_id, 'filled': filled, 'mean': mean, 'status': status, 'note': note, 'seen': True,
                     'number': number, 'sysid': sysid})
        return True

    def unsure(self, order_id, why):
        self._write({'kind': 'unsure', 'id': order_id, 'why': why})

    def note(self, order_id, words):
        """What the terminal said of an order without a row. It proves nothing."""
        self._write({'kind': 'note', 'id': order_id, 'note': words})

    def perhaps(self, order_id, filled):
        """A row that may be this order's was seen, with this filled."""
        if self.orders[order_id]['perhaps'] != filled:
            self._write({'kind': 'perhaps', 'id': order_id, 'filled': filled})

    def end(self, order_id, filled, status, by, note='', word=''):
        """by: not_sent, positions, user; word: which word of the user's it is."""
        known = self.orders[order_id]
        mean = known['mean'] or (known['price'] if filled else None)
        self._write({'kind': 'end', 'id': order_id, 'filled': filled, 'mean': mean, 'status': status, 'by': by, 'note': note, 'word': word})

    def adjust(self, date, code, by, base, why, word='', lacking=0, settles=''):
        """The book of a security changes by a volume. why: follow, cut, back, user; word: the user's answer that it follows. lacking: volume
        that other configs told to hold beyond what the account had at that answer. settles: day up to which the answer covers events."""
        self._write(dict(self._change(code, by, base), kind='adjust', date=date, why=why, word=word, lacking=lacking, settles=settles))

    def rename(self, date, code, new, book, base):
        """The book of a code moves to its new one, whose base it gives. One line: a death between two would lose the book."""
        self._write(dict(self._change(code, -book, 0), kind='adjust', date=date, why='follow', word='', to=self._change(new, book, base)))

    def _change(self, code, by, base):
        held = self.holdings().get(code, 0)
        return {'code': code, 'by': by, 'base': base, 'before': held, 'after': held + by}

    def set_base(self, date, code, base):
        if self.bases.get(code) != base or (code in self.unclear and self._is_clear(code, date)):
            self._write({'kind': 'base', 'date': date, 'code': code, 'base': base})

    def see_foreign(self, date, code):
        """An order that is none of this config's."""
        if self.foreign.get(code) != date:
            self._write({'kind': 'foreign', 'date': date, 'code': code})

    def see_ex(self, date, code):
        """The terminal's close before is another than the site's: an ex-day that the site does not know."""
        if self.ex_signs.get(code) != date:
            self._write({'kind': 'ex', 'date': date, 'code': code})

    def rest(self, date, code, why, until_word=False):
        """Nothing of a security is traded until `wake`. until_word: no reading ends it, the user's word alone."""
        known = self.rests.get(code, {})
        if known.get('why') != why or until_word > known.get('until_word', False):
            self._write({'kind': 'rest', 'date': date, 'code': code, 'why': why, 'until_word': until_word})

    def miss(self, date, code):
        """On this day the account has less of a security than the book, and nothing proves that this is all of it."""
        if date not in self.missed.get(code, []):
            self._write({'kind': 'miss', 'date': date, 'code': code})

    def see_low(self, code, volume):
        """The account has shown no more than this of a security, which is less than the book."""
        if volume < self.lows.get(code, volume + 1):
            self._write({'kind': 'low', 'code': code, 'volume': volume})

    def find(self, code):
        """The account has all of the book again."""
        if code in self.missed or code in self.lows:
            self._write({'kind': 'find', 'code': code})

    def wake(self, code):
        if code in self.rests:
            self._write({'kind': 'wake', 'code': code})

    def open_with(self, date, token, book, orders, seq=0):
        """The site's record: {code: volume} and orders without an end; seq: the largest count of a line that it knows of them."""
        if self.opening != token:
            rows = [dict((key, one[key]) for key in ('id', 'date', 'code', 'side', 'volume', 'filled', 'price')) for one in orders]
            self._write({'kind': 'opening', 'date': date, 'token': token, 'book': sorted(book.items()), 'orders': rows, 'seq': seq})

    # -- what is read ---------------------------------------------------------------------------------------------------------------

    def of_day(self, date):
        return [one for one in self.orders.values() if one['date'] == date]

    def last_day(self, before):
        """The newest day with orders before a date; '' = none."""
        return max([one['date'] for one in self.orders.values() if one['date'] < before] or [''])

    def without_end(self, date=None):
        """Orders whose end is not known, of a day or of all."""
        return [one for one in self.orders.values() if one['state'] != ENDED and date in (None, one['date'])]

    def question_of(self, code):
        """The order of a security that has no end, or None."""
        return next((one for one in self.without_end() if one['code'] == code), None)

    def holdings(self, before=None):
        """{code: volume} of the book; of days before `before` only."""
        return dict((code, volume) for code, volume in self._sums(before).items() if volume > 0)

    def _sums(self, before=None):
        held = {}
        for one in self.orders.values():
            if before is None or one['date'] < before:
                held[one['code']] = held.get(one['code'], 0) + (one['filled'] if one['side'] == 'buy' else -one['filled'])
        for one in self.adjusts:
            # A change that no order made stands before the trading of its day: it is no loss.
            if before is None or one['date'] <= before:
                held[one['code']] = held.get(one['code'], 0) + one['by']
        return held

    def adjusted(self, date, *whys):
        """Codes whose book was changed on a day for one of these reasons."""
        return set(one['code'] for one in self.adjusts if one['date'] == date and one['why'] in whys)

    def days_planned(self, first, last):
        """Trading days after the first day up to the last, the last one among them: those on which this client had a plan."""
        return len(set(day for day in self.plans if first < day < last)) + (first < last)

    def is_lately(self, date, today):
        """Whether a day is one of the last ten trading days."""
        return self.days_planned(date, today) <= LATELY and days_between(date, today) <= LATELY_DAYS

    def changes(self, since):
        """Changes of the book from a day on that no order made, [{code, date, why, before, after}], the newest last."""
        return [dict((key, one[key]) for key in ('code', 'date', 'why', 'before', 'after'))
                for one in self.adjusts if one['date'] >= since and one['before'] != one['after']]

    def next_leg(self, date, code, side):
        return sum(1 for one in self.of_day(date) if one['code'] == code and one['side'] == side)
