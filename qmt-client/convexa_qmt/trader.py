# -*- coding: utf-8 -*-
"""Trading by targets in the window of a day; day.py is what stands around it.

1. Read the account; what earlier processes and days left without an end stays a question until it is answered (account_view.py).
2. Pull the targets, or take the plan that was made of them earlier today: a day has one plan.
3. Every interval: heartbeat, reading, cancels, then sells, then buys, one order of a security at a time (order_desk.py).
4. At the end cancel what is open, wait for the last news, tell the site, write a summary.

Sold is only what this config's book holds. An order has an id made of config, day, security, side and leg; it is written down before it is
handed over, and an id is never used twice.
"""

from .account_view import AccountView
from .broker import FINAL, NO_NUMBER, BrokerAway
from .clock import SiteClock
from .day_result import day_result
from .journal import ENDED, LISTED, UNSURE
from .journal_file import CannotWrite
from .order_desk import LAST_CANCEL, PAUSE, OrderDesk, order_id
from .plan import plan_of
from .server import Refused, ServerAway
from .site_talk import SiteTalk, line_of

# Seconds without the site after which nothing new is bought.
AWAY = 60
# Share of the capital that may be lost on a day: then nothing more is traded on it.
DAY_LOSS = 0.05
# Seconds in which the targets are asked for at least while the site does not answer; usually to the window's end.
ASKING = 60
# Seconds between two heartbeats of a client that waits.
BEAT = 60
# Seconds after the end in which rows that are late are still looked for.
LATE_ROWS = 600


class Trader(object):
    line_of = staticmethod(line_of)

    def __init__(self, settings, server, broker, journal, clock, log, dry_run=True):
        self.settings, self.rules = settings, settings['trading']
        self.server, self.broker, self.journal, self.log, self.dry_run = server, broker, journal, log, dry_run
        self.clock = SiteClock(clock)
        journal.start()
        self.date = clock.date()
        # items, facts: of the day's targets, by code. quotes: the last that were seen.
        self.items, self.facts, self.quotes, self.plan, self.money, self.planned, self._end = {}, None, {}, [], 0.0, False, 0.0
        # Our own word why nothing is traded: it stands for the day. What cannot be written is not repeated.
        self._stop, self._mute = journal.stops.get(self.date, ''), False
        self._said = set()
        # Whether this process sends nothing more on this day.
        self.is_done = False
        # Whether the account was read; remarks that are no ids of ours.
        self._adopted, self._strange = False, set()
        self.view = AccountView(self)
        self.desk = OrderDesk(self, self.view)
        self.site = SiteTalk(self, self.view)

    @property
    def halted(self):
        return self._stop or self.site.halt

    @property
    def is_over(self):
        """Whether the day has ended by a word of our own. The site may take its stop back."""
        return self._stop != ''

    @property
    def trading_day(self):
        """Whether today is known to trade: its targets came."""
        return self.planned

    def at(self, text, date=None):
        """Seconds since 1970 of `14:50:00` on the day that is traded: a computer that slept may wake on another."""
        return self.clock.at(text, date or self.date)

    def news(self, order_id):
        self.site.untold.add(order_id)

    def quote(self, code):
        """The Quote of a security, None: there is none now."""
        try:
            quote = self.broker.quote(code)
        except BrokerAway:
            return None
        if quote is not None:
            self.quotes[code] = quote
        return quote

    def stop_day(self, why):
        if self._stop:
            return
        self._stop = why
        self.log(why)
        try:
            self.journal.stop(self.date, why)
        except CannotWrite as error:
            self.log(u'%s' % error)

    def run(self):
        """The day's summary, a dict."""
        self.begin()
        return self.trade()

    def begin(self):
        for one in self.view.start():
            self.news(one)
        # A process that was killed may have sent an order just before.
        self.clock.sleep(PAUSE)
        self.view.look()
        if self._stop:
            self.log(self._stop)

    def trade(self, goes_on=False):
        """goes_on: something may be sold after the window too."""
        self.ask_for_plan()
        self._end = self._window_from(self.clock.now())
        while self.planned and not self.is_over and self.clock.now() < self._end:
            began = self.clock.now()
            try:
                self.round()
            except CannotWrite as error:
                self.unwritten(error)
            if not self.halted and self.finished():
                break
            self.clock.sleep(max(1.0, min(self.rules['interval'], self._end - began) - (self.clock.now() - began)))
        self.close(goes_on and not self.is_over)
        return self.summary()

    def _window_from(self, moment):
        return min(moment + self.rules['duration'], self.at(self.rules['end_time']), self.at(LAST_CANCEL))

    def unwritten(self, error):
        """What cannot be written down is not sent: the rest is cancelled and the day ends."""
        self._stop, self._mute = u'%s' % error, True
        self.log(u'%s，今天不再交易' % error)

    def adopt(self, reading):
        """Orders of today with ids of ours that the journal does not know: it was lost, they were not. What is seen while the site halts this
        client may be another computer's, but for what stands there at the start."""
        if self._adopted and self.site.halt:
            return
        self._adopted = True
        for order in reading.orders:
            if order.remark in self.journal.orders or order.remark in self._strange or len(order.remark) != 20 or not order.remark.isalnum():
                continue
            if order.remark not in [order_id(self.desk.id_key, self.date, order.code, order.side, leg) for leg in range(self.rules['day_max'])]:
                self._strange.add(order.remark)
                continue
            self.log(u'找回委托 %s' % order.remark)
            # The site's record may have what has ended, and names what has not.
            recorded = order.filled if self.journal.opened_on == self.date and order.status in FINAL else 0
            self.journal.intend(order.remark, self.date, self.clock.now(), order.code, order.side, order.volume, order.limit or order.price, recorded=recorded)
            self.journal.handed(order.remark, order.number or None)
            self.news(order.remark)

    # -- before ---------------------------------------------------------------------------------------------------------------------

    def greet(self):
        """Tells the site that the client is here, and the user what the site says."""
        self.site.beat()
        if not self.halted:
            self.log(u'心跳已送达网站')

    def look(self):
        """Between the hours of trading: what the site says and what became of orders."""
        self.site.beat()
        try:
            if self.view.look() and self.planned:
                self.view.conclude()
            if self.halted:
                self.desk.cancel(older_than=0)
        except CannotWrite as error:
            self.unwritten(error)

    def prepare(self):
        """Pulls the targets ahead of time; what goes wrong is only said, the window asks again."""
        if self.halted:
            return
        try:
            self.make_plan()
        except (Refused, ServerAway, CannotWrite) as error:
            self.log(u'目标还没有取到：%s' % error)

    def ask_for_plan(self):
        halted_until = self._window_from(self.clock.now())
        until = max(self.clock.now() + ASKING, min(self.at(self.rules['end_time']), self.at(LAST_CANCEL)))
        while not self.is_over and not self.planned:
            try:
                self.make_plan()
                if self.halted and not self.is_over:
                    # The user may lift it in the window: until then what is open is taken back.
                    if self.clock.now() >= halted_until:
                        return
                    if self.view.look():
                        self.desk.cancel(older_than=0)
                    self.clock.sleep(max(1.0, min(BEAT, self.rules['interval'], halted_until - self.clock.now())))
            except Refused as error:
                self.log(u'今天不交易：%s' % error)
                self._stop = u'%s' % error
            except ServerAway as error:
                self.say(u'目标还没有取到，时段内继续重试：%s' % error)
                if self.clock.now() >= until:
                    self.log(u'今天不交易：%s' % error)
                    self._stop = u'%s' % error
                self.clock.sleep(5)
            except CannotWrite as error:
                self.unwritten(error)
            else:
                if not self.planned and not self.halted:
                    self.say(u'终端没有应答，等待后再定当日计划')
                    self.clock.sleep(5)
                    if self.clock.now() >= until:
                        return

    def make_plan(self):
        """Asks the site first: without a journal, or with an old copy, the client would buy again what the site knows to be held."""
        self.site.hello()
        if self.halted:
            return
        targets = self.server.targets(self.date)
        self.site.heard = self.clock.now()
        self.site.halt = targets['halt_reason'] if targets['halt'] else ''
        if self.site.halt:
            self.say(u'网站停止了交易：%s' % self.site.halt)
            return
        self.items = dict((item['code'], item) for item in targets['items'])
        self.facts, self.money = targets.get('facts'), targets['money']
        # Words on books have waited for the facts.
        self.view.words.hear([], self.site.books)
        known = self.journal.plans.get(self.date)
        if known is None:
            reading = self.view.look()
            if reading is None or not reading.whole:
                return
            self.planned = True
            self.view.compare()
            resting = set(one['code'] for one in self.journal.without_end()) | set(self.journal.rests)
            # By the codes of today: the account may show a changed one later than the site.
            held = {}
            for code, volume in self.journal.holdings().items():
                held[self.view.code_now(code)] = held.get(self.view.code_now(code), 0) + volume
            rows = plan_of(targets['items'], held, self.money, self.rules['order_min'], self.ignored(),
                           set(self.view.code_now(code) for code in resting))
            self.journal.keep_plan(self.date, targets['checksum'], [list(row) for row in rows])
            known = self.journal.plans[self.date]
        elif known['checksum'] != targets['checksum']:
            self.log(u'目标在当日计划之后变了，仍按当日已定的计划执行')
        self.plan = [(code, held, target) for code, held, target in known['rows']]
        self.planned = True

    def ignored(self):
        """Codes that are left alone, those that they were changed to among them."""
        codes = self.rules['ignore_codes']
        return set(codes) | set(self.view.code_now(code) for code in codes)

    # -- each interval --------------------------------------------------------------------------------------------------------------

    def hear(self):
        """The site, the account, the result of the day; what is open for too long is taken back. The Reading that follows, or None."""
        self.site.beat()
        if not self.view.look():
            return None
        self.view.conclude()
        self.count_loss()
        if self.desk.cancel(older_than=0 if self.halted else self.rules['wait']) and not self.view.look():
            return None
        self.view.compare()
        return self.view.reading

    def round(self):
        reading = self.hear()
        if reading is None or self.halted:
            return
        closed = self.desk.why_closed()
        if closed:
            self.say(closed)
            return
        try:
            self._sell()
            if self.rules['sell_first'] and any(self._waits_for(one) for one in self.journal.without_end(self.date)):
                return
            if self.clock.now() - self.site.heard > AWAY:
                self.say(u'与网站失联超过 %d 秒，暂停买入' % AWAY)
                return
            self._buy(reading.cash)
        except BrokerAway as error:
            # Nothing more is sent before a whole list came.
            self.say(u'暂停下单，等待完整的委托列表：%s' % error)

    def _waits_for(self, one):
        """Whether buys wait for a sell: while it may still bring cash, and not for ever."""
        return one['side'] == 'sell' and one['state'] != UNSURE and self.clock.now() - one['at'] <= self.rules['wait']

    def _sell(self):
        for code, gap, _target in self.in_turn('sell'):
            self.desk.slice(code, 'sell', -gap, 0.0)

    def _buy(self, cash):
        cut = self.journal.adjusted(self.date, 'cut')
        for code, gap, target in self.in_turn('buy'):
            if code in cut or code in self.view.waiting:
                self.say(u'%s 不买：账本刚按账户核对，今天不再买入' % code)
                continue
            cash -= self.desk.slice(code, 'buy', gap, cash, target)

    def in_turn(self, side):
        """Gaps of a side, those that were refused today last; as many as the window has time for: a silent site or a long list must not lead
        into the closing auction."""
        rows = [row for row in self.gaps() if (row[1] < 0) == (side == 'sell') and row[1] != 0]
        for row in sorted(rows, key=lambda row: len(self.view.refused(row[0], side)) > 0):
            if self.clock.now() >= self._end or not self.desk.in_hours() or self.halted:
                return
            yield row

    def gaps(self):
        """[(code, gap, target)]: volume still to be bought (> 0) or sold. Nothing of what rests or has an order without an end."""
        return self._gaps_to([(code, target) for code, _held, target in self.plan])

    def profits(self):
        """{code: volume} that may still be held of what was sold with profit today."""
        return self.journal.profits.get(self.date, {})

    def profit_gaps(self):
        return [row for row in self._gaps_to(sorted(self.profits().items())) if row[1] < 0]

    def _gaps_to(self, wanted):
        held, profits, made = self.journal.holdings(), self.profits(), []
        for code, target in wanted:
            if self.view.blocked(code):
                continue
            target = min(target, profits.get(code, target))
            gap = target - held.get(code, 0)
            made.append((code, min(gap, 0) if code in profits else gap, target))
        return made

    def count_loss(self):
        """Stops the day when too much of the capital was lost on it. An order without an end counts by what is known to be filled."""
        if self._stop or not (self.journal.holdings() or self.journal.of_day(self.date)):
            return
        try:
            result = day_result(self.journal, self.date, self.broker.quote)
        except BrokerAway:
            return
        if result <= -DAY_LOSS * self.settings['capital'] * 10000:
            self.stop_day(u'当日亏损 %.0f 元，达到资金的 %.0f%%，今天不再交易' % (-result, DAY_LOSS * 100))

    def finished(self):
        return not self.journal.without_end() and not self.view.waiting and all(gap == 0 for _code, gap, _target in self.gaps())

    # -- after ----------------------------------------------------------------------------------------------------------------------

    def close(self, goes_on=False):
        """Takes back what is open and waits for the last news; for rows and numbers that are late some minutes longer."""
        until = min(self.clock.now() + LATE_ROWS, max(self.clock.now(), self.at('15:00:30')))
        tries, beaten = 0, self.clock.now()
        try:
            while True:
                self.view.look()
                # A row beats the user's word: of what he has ended it is looked for too.
                left = self.journal.without_end(self.date) + [one for one in self.journal.of_day(self.date) if one['by'] in ('user', 'record') and not one['seen']]
                # What has no number yet cannot be taken back.
                only_late = all(one['state'] in (UNSURE, ENDED) or one['number'] in NO_NUMBER for one in left)
                tries += not only_late
                if not left or (self.clock.now() >= until if only_late else tries >= 20):
                    break
                self.desk.cancel(older_than=0)
                if self.clock.now() - beaten >= 60:
                    beaten = self.clock.now()
                    self.site.beat()
                self.clock.sleep(10 if only_late and not any(one['state'] == LISTED for one in left) else 2)
            if self.journal.without_end():
                self.log(u'仍有委托没有结果，明天按持仓核对，或请你在网站的运行配置里回答')
        except CannotWrite as error:
            if not self._mute:
                self.log(u'%s' % error)
            self.desk.take_back_rows()
        self.is_done = not goes_on
        self.site.beat()

    def summary(self):
        held = self.journal.holdings()
        missed = [(code, target, held.get(code, 0)) for code, _held, target in self.plan if held.get(code, 0) != target]
        for code, target, volume in missed:
            self.log(u'%s 目标 %d，实际 %d%s' % (code, target, volume, self._why_missed(code)))
        orders = self.journal.of_day(self.date)
        done = sum(1 for one in orders if one['filled'] > 0)
        self.log(u'今日委托 %d 笔，成交 %d 笔，未到目标 %d 只%s' % (len(orders), done, len(missed), u'；' + self.halted if self.halted else ''))
        return {'orders': len(orders), 'filled': done, 'missed': missed, 'halted': self.halted}

    def _why_missed(self, code):
        if code in self.profits():
            return u'，当日止盈后不再买回'
        if self.view.blocked(code):
            return u'，暂停中'
        return ''

    def say(self, text):
        """Once a day."""
        if text not in self._said:
            self._said.add(text)
            self.log(text)
