# -*- coding: utf-8 -*-
"""The site of the stories: its rules on journals (server/src/qmt/journals.ts), and a user who answers what is asked, right, wrong or never."""

from convexa_qmt.journal import weekdays_between
from convexa_qmt.server import checked_beat, checked_targets
from world import Site

OPEN_STATES = ('open', 'unsure')
# Why a security rests that the user is asked about on the first day.
ASKED_AT_ONCE = ('less', 'unproven', 'record')
# Of a wrong shape, for heartbeats and for everything else.
WRONG = [None, [], {}, 0, {'halt': None}, {'halt': False, 'halt_reason': 1}, {'halt': False, 'halt_reason': '', 'settled': None}]


class DrillSite(Site):
    def __init__(self, config):
        Site.__init__(self, None)
        self.config, self.story, self.clock = config, config.story, config.story.clock
        # The last holdings and journal that counted, as told; which process; what the user chose of two journals.
        self.known, self.journal, self.start, self.word = {}, None, None, None
        self.halted, self.number, self.words, self.planned, self.may_order = False, 0, 0, '', False
        self.stop, self.stopped = None, False
        # {order id: (day of the answer, right?)}, {code: the same}; what was said: {order id: word}, {code: word}.
        self.pending, self.pending_books, self.said, self.said_books = {}, {}, {}, {}
        self.right = {}
        # {code: day of the answer on its book}.
        self.said_on = {}

    def new_day(self, number, make):
        """make: a function that makes the targets of the day, with the facts of the moment."""
        self.make, self.number = make, number
        self.away = self.story.drawn.get('site_away', 0) > self.story.chance.random()
        if self.away:
            self.story.mark('site_away')
        self.reached = not self.away
        # The user's stop of all trading within the window, which he takes back: (from, until).
        self.stop, begins = None, self.story.in_window(self.story.chance.randrange(-60, 150)) if 'stops' in self.story.drawn else 0
        if begins:
            self.stop = (begins, begins + self.story.chance.randrange(30, 150))

    # -- what is asked of the site ---------------------------------------------------------------------------------------------------------

    def reach(self):
        Site.reach(self)
        if self.story.chance.random() < self.story.drawn.get('wrong_answers', 0):
            self.story.mark('wrong_answers')
            self.reached = False
            checked_beat(self.story.chance.choice(WRONG))

    def targets(self, date):
        self.reach()
        return checked_targets(self.make(), self.config.rules, date)

    def heartbeat(self, told):
        self.reach()
        self.config.heard_beat(told)
        state = self._state_of(told)
        self.halted = state is not None
        self.stopped = self.stop is not None and self.stop[0] <= self.story.clock.now() < self.stop[1]
        if self.stopped:
            self.story.mark('stops')
        self.halt = u'委托记录不符：%s' % state if state else u'自动交易已急停' if self.stopped else ''
        self.opening = None
        if state is None:
            self._keep(told)
            self._take_fills(told.get('fills', []))
        elif self.word and self.word['use'] == 'site' and self.word['id'] == told['journal']['id']:
            open_orders = self._open_orders()
            self.opening = {'token': self.word['token'], 'seq': max([self.told[one['order_id']]['seq'] for one in open_orders] or [0]), 'book': [{'code': code, 'volume': volume} for code, volume in sorted(self.known.items())],
                            'orders': open_orders}
        else:
            self._choose(told)
        self.settled = [] if state else self._settled()
        self.books = [] if state else self._books()
        return self.answer_to(told)

    def fills(self, fills):
        self.reach()
        self._take_fills(fills)

    def _take_fills(self, fills):
        for one in fills:
            # Of two tellings the later line of the journal counts.
            if one['seq'] < self.told.get(one['order_id'], one)['seq']:
                continue
            self.told[one['order_id']] = one
            if one['status'] == 'unsure':
                self._ask(one)
            elif one['status'] not in OPEN_STATES:
                self.pending.pop(one['order_id'], None)
                self.said.pop(one['order_id'], None)

    # -- journals --------------------------------------------------------------------------------------------------------------------------

    def _state_of(self, told):
        """Why a journal does not count, None: it does. The same steps as the server's `stateOf`."""
        journal, word = told['journal'], self.word or {}
        if journal['id'] == 'damaged':
            return 'damaged'
        if self.journal is not None and journal['id'] == self.journal['id'] and journal['n'] >= self.journal['n']:
            start = journal.get('start')
            if start is None or self.start is None or start['token'] == self.start or (start['n'] > self.journal['n'] and self.start in journal['starts']):
                return None
        if word.get('use') == 'site' and journal.get('opening') == word['token']:
            return None
        if word.get('use') == 'client' and word['id'] == journal['id']:
            return None
        if self.journal is None:
            return None
        if journal['id'] == self.journal['id']:
            return 'other'
        if told['fresh']:
            if self.known or self._open_orders():
                return 'lost'
            return 'other' if self.may_order or self.planned == self.clock.date() else None
        return 'other'

    def _keep(self, told):
        journal = told['journal']
        if self.word and self.word['use'] == 'client':
            self.config.take_journal()
            # What this computer tells wins over lines of the other that count further.
            self.told = dict((key, dict(one, seq=0)) for key, one in self.told.items())
        elif self.config.damaged and not self.config.doubled:
            # An old copy that counts further than the site has heard of the lost journal: nobody can tell it from that one.
            self.config.take_journal()
        self.known, self.journal, self.word = dict((one['code'], one['volume']) for one in told['holdings']), journal, None
        self.start = (journal.get('start') or {}).get('token')
        self.may_order = told['may_order']
        if self.may_order:
            self.planned = self.clock.date()
        for one in told.get('words', []):
            self.said_books = dict((code, word) for code, word in self.said_books.items() if word['word'] != one)
        for row in told['resting']:
            asked = row['why'] in ASKED_AT_ONCE or (row['why'] != 'order' and weekdays_between(row['since'], self.story.clock.date()) >= 3)
            if asked and row['code'] not in self.pending_books and row['code'] not in self.said_books:
                self.pending_books[row['code']] = self._answers_on(('book', row['code']))

    def _open_orders(self):
        return [{'order_id': one['order_id'], 'trade_date': one['trade_date'], 'code': one['code'], 'side': one['side'], 'volume': one['volume'],
                 'filled': one['filled'], 'price': one['limit']} for _id, one in sorted(self.told.items()) if one['status'] in OPEN_STATES]

    def _choose(self, told):
        """The user says which record counts, after a day or two: the site's, where the file of this computer is lost or old."""
        chosen = self.pending.setdefault('journal', (self.number + self.story.chance.randrange(0, 3), True))
        if chosen[0] > self.number or self.config.doubled:
            return
        del self.pending['journal']
        use = 'site' if self.config.damaged else 'client'
        if told['journal']['id'] != 'damaged' and self.story.is_wrong():
            use = 'client' if use == 'site' else 'site'
        self.story.figures['journals'] += 1
        self.words += 1
        self.word = {'use': use, 'id': told['journal']['id'], 'token': 't%d' % self.words, 'day': self.number}
        if use == 'site':
            self.config.take_record(self.known, dict((one['order_id'], one['filled']) for one in self._open_orders()))

    # -- words -----------------------------------------------------------------------------------------------------------------------------

    def _answers_on(self, question):
        """(day, whether right) of the user's answer to a question; a day that never comes where he says nothing."""
        self.story.figures['questions'] += 1
        if self.story.is_silent():
            return 10 ** 6, True
        return self.number + self.story.chance.randrange(0, 4), not self.story.is_wrong()

    def _ask(self, one):
        if one['order_id'] not in self.pending:
            self.said.pop(one['order_id'], None)
            self.pending[one['order_id']] = self._answers_on(one['order_id'])

    def _settled(self):
        for one, (day, is_right) in sorted(self.pending.items()):
            if one == 'journal' or one in self.said or day > self.number:
                continue
            told = self.told[one]
            filled, is_hasty = self.story.filled_of(one), False
            # What may still be filled is not answered with less, but by the hasty: that word may be wrong by the evening.
            is_alive = filled < told['volume'] and told['trade_date'] == self.story.clock.date()
            if is_alive and is_right:
                if 'hasty_words' not in self.story.drawn:
                    continue
                self.story.mark('hasty_words')
                self.config.doubted.update([told['code'], self.story.events.get(told['code'], {}).get('to', told['code'])])
                is_hasty = True
            if not is_right:
                wrong = told['volume'] if is_alive else self.story.chance.choice([0, told['volume'], told['volume'] // 20 * 10])
                if wrong != filled:
                    self.config.doubt(told['code'])
                if is_alive:
                    self.config.said_over.add(one)
                filled = wrong
            self.words += 1
            self.said[one] = {'order_id': one, 'filled': filled, 'word': 'w%d' % self.words}
            if is_right and not is_hasty:
                self.right[one] = self.number
        return [self.said[one] for one in sorted(self.said)]

    def _books(self):
        for code, word in sorted(self.said_books.items()):
            # Something was sold after the answer: it is given again.
            if word['volume'] > self.story.world.volumes.get(code, 0):
                del self.said_books[code]
                self.pending_books[code] = self._answers_on(code)
        for code, (day, is_right) in sorted(self.pending_books.items()):
            if day > self.number or self.story.is_due(code):
                continue
            volume = max(0, self.config.truth(code))
            if not is_right:
                self.config.doubt(code)
                volume = self.story.chance.choice([0, self.story.world.volumes.get(code, 0)])
            del self.pending_books[code]
            self.words += 1
            self.said_books[code] = {'code': code, 'volume': volume, 'word': 'b%d' % self.words}
            self.said_on[code] = self.number
        return [self.said_books[code] for code in sorted(self.said_books)]
