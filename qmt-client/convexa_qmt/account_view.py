# -*- coding: utf-8 -*-
"""The account as the config sees it: readings, what they prove of orders, and what they mean for the book.

Whatever rests here is not planned, sold or watched for profit until it wakes; its money stays bound and its place is not given away.
"""

from .book import GONE, PASSING, PATIENCE, Finding, due_of, finding
from .broker import FINAL, BrokerAway
from .journal import UNSURE, ended_as
from .ledger import Ledger
from .proof import proved_fill
from .reading import Witness, read
from .user_words import UserWords

# From when on positions of a day prove anything; seconds of a list that is not whole after which it is said.
OPENED, LONG = '09:31:00', 600
ASKED = u'请在网站的运行配置里核对并回答'
WHY = {'event': u'除权或到期的股份与账户不符', 'ex': u'终端的前收盘与网站不同，可能有网站还不知道的除权', 'less': u'账户少于各配置账本之和',
       'unproven': u'终端的持仓少于账本，或曾少于账本、后来又变多，无法确认其中多少是本配置的', 'record': u'按网站记录重建之后，无法确定记录里是否已有当日的成交'}


class AccountView(object):
    def __init__(self, day):
        """day: the Trader whose broker, journal, clock and words these are."""
        self.day, self.journal, self.clock = day, day.journal, day.clock
        self.ledger = Ledger(day.journal, day.clock, day.date, day.broker.settle)
        self.witness, self.reading, self.words = Witness(), None, UserWords(self)
        # Codes that may not be bought now: an event, or a cut, that readings do not yet prove.
        self.waiting = set()
        # {code: day} of events that the account does not show yet.
        self.expected = {}
        self._away, self._not_whole_since = False, None

    def start(self):
        """Questions of earlier days: ids."""
        news = self.ledger.start()
        for one in self.journal.without_end():
            if one['state'] == UNSURE:
                self.day.log(u'待核对：%s %s %s %d，%s' % (one['date'], one['code'], u'买入' if one['side'] == 'buy' else u'卖出', one['volume'], ASKED))
        for code, one in sorted(self.journal.rests.items()):
            if self._is_asked(one):
                self.day.log(u'待核对：%s %s，%s' % (code, WHY[one['why']], ASKED))
        return news

    def _is_asked(self, rest):
        """Whether the user is asked about a book by now."""
        return rest['why'] not in PASSING or self.journal.days_planned(rest['date'], self.day.date) >= PATIENCE

    def look(self):
        """Reads the account and writes down what it says. The Reading, None: the terminal did not answer."""
        try:
            reading = read(self.day.broker, self.clock)
        except BrokerAway as error:
            self.reading = None
            if not self._away:
                self.day.log(u'终端没有应答，稍后再试：%s' % error)
            self._away = True
            return None
        if self._away:
            self.day.log(u'终端已恢复应答')
            self._away = False
        self.day.adopt(reading)
        news, doubled = self.ledger.take(reading)
        for one in news:
            self.day.news(one)
        for one in doubled:
            self.day.stop_day(u'终端有两笔委托的编号相同（%s），今天不再交易' % one)
        self._hear_refusals()
        self._whole(reading)
        self.reading = reading
        self._note_lows(reading)
        self._ask_of_record(reading)
        return reading

    def _hear_refusals(self):
        """Words of refusals that have no row, for the user who is asked."""
        for one in self.journal.without_end(self.day.date):
            words = u'' if one['seen'] or one['note'] else self.day.broker.words_of(one['id'], one['number'])
            if words:
                self.journal.note(one['id'], words)
                self.day.news(one['id'])
                self.day.log(u'%s 的委托 %s，终端说：%s' % (one['code'], one['id'], self.day.line_of(words)))

    def _ask_of_record(self, reading):
        """The site's record took the place of the journal. Nothing shows whether it includes what the day's orders have filled, unless the
        account has no room for it; otherwise the user is asked what the book has."""
        for one in [self.journal.orders[one] for one in sorted(self.journal.in_doubt)]:
            book, code = self.journal.holdings().get(one['code'], 0), one['code']
            room = reading.position(code).volume - book if one['side'] == 'buy' else book
            if reading.whole and one['id'] in self.journal.in_doubt and room >= one['filled'] > 0:
                self.journal.rest(self.day.date, code, 'record', until_word=True)
                self.day.log(u'%s 暂停：网站记录里可能没有委托 %s 的成交 %d，%s' % (code, one['id'], one['filled'], ASKED))

    def _note_lows(self, reading):
        """The least that the account has shown of each security while it was less than the book may be: what comes on top of it later the user may have
        bought. Not where orders explain it, nor by a list that is known to be short."""
        held = self.journal.holdings()
        busy = set(one['code'] for one in self.journal.of_day(self.day.date))
        for one in self.journal.without_end():
            if one['side'] == 'sell':
                busy.add(one['code'])
            else:
                # The answer may be that all of it was filled, and has been sold since.
                held[one['code']] = held.get(one['code'], 0) + one['volume'] - one['filled']
        low = [code for code in sorted(held) if code not in busy and reading.position(code).volume < held[code]]
        if not low or not reading.whole or self.clock.now() < self.day.at(OPENED) or not reading.shows_an_account:
            return
        may_be_all = reading.value is None or reading.is_complete(self.day.quote)
        for code in low:
            if may_be_all or self.witness.is_steady(code, reading):
                self.journal.see_low(code, reading.position(code).volume)

    @property
    def trouble(self):
        """Why the account cannot be seen now, '' = it can."""
        return u'终端没有应答' if self._away else ''

    def _whole(self, reading):
        if reading.whole:
            self._not_whole_since = None
            if self.clock.now() >= self.day.at(OPENED):
                # What was shown before may have been yesterday's.
                self.witness.note(reading, self._codes())
        else:
            self._not_whole_since = self._not_whole_since or self.clock.now()
            if self.clock.now() - self._not_whole_since >= LONG:
                self.day.say(u'终端的委托列表不完整已超过 10 分钟，期间不下单')

    def _codes(self):
        codes = set(self.journal.holdings()) | set(one['code'] for one in self.journal.without_end())
        codes |= set(code for code, _held, _target in self.day.plan) | set(self.journal.rests)
        return sorted(codes | set(code for code in self.day.facts or {} if self.events(code, None)))

    def blocked(self, code):
        """Whether nothing of a security may be ordered: an order has no end, or its book is in question, under its code of before too."""
        return self._is_open(code) or any(self._is_open(old) or self.journal.holdings().get(old) for old in self._former_codes(code))

    def _is_open(self, code):
        return code in self.journal.rests or self.journal.question_of(code) is not None

    def _former_codes(self, code):
        return [old for old, row in sorted((self.day.facts or {}).items()) if any(event.get('to') == code for event in row['events'])]

    def resting(self):
        """[{code, why, since, order_id}] for the site and the user."""
        held = self.journal.holdings()
        rows = [{'code': one['code'], 'why': 'order', 'since': one['date'], 'order_id': one['id']}
                for one in self.journal.without_end() if one['state'] == UNSURE]
        asked = set(one['code'] for one in rows)
        rows += [{'code': code, 'why': one['why'], 'since': one['date']} for code, one in sorted(self.journal.rests.items()) if code not in asked]
        told = set(row['code'] for row in rows)
        # Also what was sold before its new shares came: the site goes on telling its events.
        rows += [{'code': code, 'why': 'event', 'since': since} for code, since in sorted(self.expected.items()) if code not in told]
        for row in rows:
            row['book'] = held.get(row['code'], 0)
            if self.reading is not None:
                # Of a code that has changed the account shows the new one.
                row['account'] = sum(self.reading.position(code).volume for code in set((row['code'], self.code_now(row['code']))))
        return rows

    # -- proofs ---------------------------------------------------------------------------------------------------------------------

    def conclude(self):
        """Ends what positions of this later day prove. Only with the day's facts and a whole reading."""
        reading = self.reading
        if reading is None or not reading.whole or not self.day.trading_day or self.clock.now() < self.day.at(OPENED):
            return
        for one in sorted(self.journal.without_end(), key=lambda one: (one['date'], one['id'])):
            if one['date'] < self.day.date and one['state'] == UNSURE and self.witness.is_steady(one['code'], reading):
                self._settle(one, reading)

    def _settle(self, one, reading):
        code = one['code']
        if [other for other in self.journal.without_end() if other['code'] == code] != [one] or not reading.is_complete(self.day.quote):
            return
        if self.day.facts is None or self.events(code, one['date']) or self._ex_sign(code) is not False or self.journal.ex_signs.get(code, '') >= one['date']:
            return
        position = reading.position(code)
        untouched = self.journal.foreign.get(code, '') < one['date']
        filled = proved_fill(one, position.volume, self.journal.holdings().get(code, 0), position.cost, self._others(code), untouched)
        if filled is None:
            return
        self.journal.end(one['id'], filled, ended_as(filled, one['volume']), 'positions')
        self.day.log(u'%s 的委托 %s：按持仓核对，成交 %d' % (code, one['id'], filled))
        self.day.news(one['id'])

    # -- the book -------------------------------------------------------------------------------------------------------------------

    def compare(self):
        """Brings the book to the account, security by security, where a whole reading says how."""
        reading, self.waiting = self.reading, set()
        if reading is None or not reading.whole or self.day.facts is None:
            return
        self.expected = {}
        today = self.journal.of_day(self.day.date)
        busy = set(one['code'] for one in today if one['filled'] > 0) | set(one['code'] for one in self.journal.without_end())
        complete = None
        # First, since the account shows the security under its new code only.
        renamed = set(code for code in self._codes() if self._renamed(code, reading))
        for code in self._codes():
            if code in renamed:
                continue
            if code in busy:
                due, events = self.due(code)
                if due:
                    self.waiting.add(code)
                    self.expected[code] = max(event['day'] for event in events)
                continue
            if complete is None:
                complete = reading.is_complete(self.day.quote) and self.clock.now() >= self.day.at(OPENED)
            self._compare(code, reading, complete)

    def _compare(self, code, reading, complete):
        journal, day = self.journal, self.day
        if journal.rests.get(code, {}).get('until_word'):
            return
        account, book = reading.position(code).volume, journal.holdings().get(code, 0)
        base = journal.bases.get(code)
        due, events = self.due(code)
        sign = self._ex_sign(code) if book > 0 else False
        # All of it again, and nothing else: the list had been short.
        is_back = account in (book + (base or 0), book + (self._others(code) or 0))
        if not due and not sign and not is_back and journal.lows.get(code, book) < min(book, account):
            self._rest(code, 'unproven')
            return
        if sign is None:
            self.waiting.add(code)
            if due:
                # Shares on their way bind their money, whatever else is not known.
                self.expected[code] = max(event['day'] for event in events)
            elif account < book:
                self._miss(code, reading)
            return
        one = finding(account, book, base, due, sign, self._others(code), self._cut(code), self._late_rest(code),
                      complete and self.witness.is_steady(code, reading))
        if due and not due.gone and (code in journal.unclear or (self._others(code) or 0) > (base or 0)):
            # Others have traded it since its base was seen: what they have cannot be told from new shares.
            one = Finding('rest', book, base, 'event')
        if one.what in ('keep', 'base') and book > 0 and self.lacking(code, account - book) > journal.lacking.get(code, 0):
            one = Finding('rest', book, base, 'less')
        if is_back or (account >= book and code not in journal.lows):
            journal.find(code)
        if one.what in ('follow', 'cut', 'back'):
            journal.adjust(day.date, code, one.book - book, one.base, one.what)
            words = {'follow': u'账本随除权或到期从 %d 变为 %d', 'cut': u'账户少于账本，账本从 %d 改为 %d', 'back': u'已回到账户，账本从 %d 恢复为 %d'}
            if one.book != book:
                day.log(u'%s %s' % (code, words[one.what] % (book, one.book)))
            journal.wake(code)
        elif one.what == 'base':
            if base is not None and base != one.base:
                day.log(u'%s 本配置以外的持有从 %d 变为 %d' % (code, base, one.base))
            journal.set_base(day.date, code, one.base)
            journal.wake(code)
        elif one.what == 'keep':
            journal.set_base(day.date, code, one.base)
            journal.wake(code)
        elif one.what == 'again':
            self._ask_again(code)
        elif one.what == 'wait':
            self.waiting.add(code)
            if one.why == 'event':
                self.expected[code] = max(event['day'] for event in events)
            if one.why == 'event' and journal.days_planned(max(event['day'] for event in events), day.date) >= PATIENCE:
                self._rest(code, 'event')
            if one.why == 'less':
                self._miss(code, reading)
        else:
            if one.why == 'ex' and code not in journal.ex_signs:
                journal.see_ex(day.date, code)
            self._rest(code, one.why)

    def _miss(self, code, reading):
        """The account has less of a security than the book for a minute, and nothing proves that this is all of it: the list may be short. From the
        third such day on the user is asked."""
        if not self.witness.is_steady(code, reading):
            return
        self.journal.miss(self.day.date, code)
        if len(self.journal.missed[code]) >= PATIENCE:
            self._rest(code, 'unproven')

    def _rest(self, code, why):
        if code not in self.journal.rests:
            self.day.log(u'%s 暂停：%s%s' % (code, WHY[why], u'' if why in PASSING else u'，' + ASKED))
        self.journal.rest(self.day.date, code, why)

    def code_now(self, code):
        """The code that a security of this one has today."""
        events = (self.day.facts or {}).get(code, {}).get('events', [])
        return next((one['to'] for one in events if one['kind'] == 'renamed' and one.get('to') and one['day'] <= self.day.date), code)

    def _renamed(self, code, reading):
        """Whether the code of a security has changed. Its book moves once the account shows all of it under the new one; until then neither
        code is bought, and after some days the user is asked."""
        journal, day = self.journal, self.day
        book, new = journal.holdings().get(code, 0), self.code_now(code)
        if new == code or not book:
            return False
        surplus = reading.position(new).volume - journal.holdings().get(new, 0) - book
        if journal.question_of(code) is None and not reading.position(code).volume and surplus >= 0:
            journal.rename(day.date, code, new, book, surplus)
            journal.wake(code)
            day.log(u'%s 的代码已变更为 %s，账本随之改变' % (code, new))
            return True
        self.waiting.update((code, new))
        since = max(one['day'] for one in day.facts[code]['events'] if one['kind'] == 'renamed' and one['day'] <= day.date)
        self.expected[code] = since
        if journal.days_planned(since, day.date) >= PATIENCE:
            self._rest(code, 'event')
        return True

    def due(self, code):
        """(Due, events) of a security whose book has not followed all of them; (None, []): nothing is due. Cash alone changes no volume."""
        events = [one for one in self.events(code, None) if one['kind'] in GONE or one.get('ratio')]
        if not events:
            return None, []
        due = due_of(events, self.journal.holdings(before=min(one['day'] for one in events)).get(code, 0), self.journal.bases.get(code) or 0)
        return (due, events) if due.gone or abs(due.total) > 1 else (None, [])

    def entitled(self, code):
        """Volume that events still have to bring to the book."""
        due, _events = self.due(code)
        return max(0, due.own) if due and not due.gone else 0

    def events(self, code, since):
        """Events of a security up to today that neither the book has followed nor the user's word has settled; since: those after that day
        only."""
        changes = [one for one in self.journal.adjusts if one['code'] == code]
        done = max([one['date'] if one['why'] == 'follow' else one.get('settles', '') for one in changes] or [''])
        made = []
        for event in (self.day.facts or {}).get(code, {}).get('events', []):
            if event['day'] > self.day.date or (since is not None and event['day'] <= since) or (since is None and event['day'] <= done):
                continue
            # What was bought on the ex-day or later has it in its price.
            if since is None and not self.journal.holdings(before=event['day']).get(code, 0):
                continue
            made.append(event)
        return made

    def _ex_sign(self, code):
        """Whether the terminal's close before differs from the site's by more than rounding, or did so and the site has not explained it
        since; None: there is no quote to tell. Shares only."""
        if self.day.settings['kind'] != 'stk':
            return False
        row = (self.day.facts or {}).get(code)
        seen = self.journal.ex_signs.get(code)
        if seen and not (row and any(self._plan_before(seen) < event['day'] <= seen for event in row['events'])):
            return True
        if not row or not row['close']:
            return False
        quote = self.day.quote(code)
        if quote is None or not quote.before > 0:
            return None
        expected = self.close_before(code)
        return abs(quote.before - expected) > max(0.005 * expected, 0.02 + 1e-9)

    def close_before(self, code):
        """The site's close before, as an ex-day of today makes it; 0.0 = not told."""
        row = (self.day.facts or {}).get(code) or {'close': None, 'events': []}
        close = row['close'] or 0.0
        for event in row['events']:
            if close and event['day'] == self.day.date:
                close = max(0.0, (close - event.get('cash', 0)) / (1 + event.get('ratio', 0)))
        return close

    def _plan_before(self, date):
        """The last day before a date on which this client looked, '' = none."""
        return max([day for day in self.journal.plans if day < date] or [''])

    def _others(self, code):
        row = (self.day.facts or {}).get(code)
        return None if row is None else row['others']

    def lacking(self, code, surplus):
        """Volume that other configs hold by what they told and that the account has not beside the book: somebody sold it, and nobody knows
        of whom. What they trade today, or what a merge has made less, is not told yet."""
        row = (self.day.facts or {}).get(code) or {'events': []}
        is_late = self.journal.foreign.get(code) == self.day.date or any((event.get('ratio') or 0) < 0 for event in row['events'])
        return 0 if is_late else max(0, (self._others(code) or 0) - surplus)

    def _cut(self, code):
        """Volume that was cut lately and may come back; 0: none, or bought since."""
        cuts = [one for one in self.journal.adjusts if one['code'] == code and one['why'] in ('cut', 'back')]
        if not cuts or cuts[-1]['why'] != 'cut' or not self.journal.is_lately(cuts[-1]['date'], self.day.date):
            return 0
        bought = any(one['code'] == code and one['filled'] > 0 and one['date'] >= cuts[-1]['date'] for one in self.journal.orders.values())
        return 0 if bought else -cuts[-1]['by']

    def _late_orders(self, code):
        return [one for one in self.journal.orders.values() if one['code'] == code and one['side'] == 'buy' and one['by'] in ('user', 'positions')
                and not one['again'] and one['filled'] < one['volume'] and self.journal.is_lately(one['date'], self.day.date)]

    def _late_rest(self, code):
        return sum(one['volume'] - one['filled'] for one in self._late_orders(code))

    def _ask_again(self, code):
        for one in self._late_orders(code)[-1:]:
            self.journal.unsure(one['id'], 'again')
            self.day.log(u'%s 的委托 %s 可能还是成交了，%s' % (code, one['id'], ASKED))
            self.day.news(one['id'])

    def refused(self, code, side):
        """Words of today's refusals of a security and side."""
        return [one['note'] for one in sorted(self.journal.of_day(self.day.date), key=lambda one: one['at'])
                if (one['code'], one['side'], one['status']) == (code, side, 'rejected') and one['status'] in FINAL]
