# -*- coding: utf-8 -*-
"""Trading by targets in the window of a day; day.py is what stands around it.

1. Read what was done today; look up at the broker what may have been sent.
2. Pull the targets, or take the plan that was made of them earlier today: a day has one plan.
3. Every interval: heartbeat, news of orders, cancels, then sells, then buys, in slices and within every limit.
4. At the end cancel what is open, wait for the last news, tell the site, write a summary.

Sold is only what orders of this config have bought. An order has an id made of config, day, security, side and leg; it is written down
before it is sent, and an id is never sent twice.
"""

import base64
import hashlib
import hmac
import math

from . import VERSION
from .broker import FINAL, REJECTED, BrokerAway
from .day_result import day_result
from .plan import plan_of
from .server import Refused, ServerAway

# Seconds without the site after which nothing new is bought.
AWAY = 60
# Below five orders a second, cancels among them.
PAUSE = 0.21
# Share of the capital that may be lost on a day: then nothing more is traded on it.
DAY_LOSS = 0.05
# Seconds in which the targets are asked for again while the site does not answer.
ASKING = 60
TICK = {'cb': 0.001, 'stk': 0.01}
# Of what is no longer among the targets; those name their own.
LOT = {'cb': 10, 'stk': 100}


def order_id(config_id, date, code, side, leg):
    text = '|'.join([date, code, side, str(leg)]).encode('utf-8')
    return base64.b32encode(hmac.new(config_id.encode('utf-8'), text, hashlib.sha256).digest()).decode('ascii')[:20]


def line_of(text):
    """A terminal's words as one line: its messages come with line breaks and zero bytes, which the site refuses."""
    return u' '.join(u''.join(one if one.isprintable() and one <= u'\uffff' else u' ' for one in text).split())


class Trader(object):
    def __init__(self, settings, server, broker, journal, clock, log, dry_run=True):
        self.settings, self.rules = settings, settings['trading']
        self.server, self.broker, self.journal, self.clock, self.log, self.dry_run = server, broker, journal, clock, log, dry_run
        self.date = clock.date()
        # An order on paper must not be taken for a real one of the same day.
        self.id_key = settings['config_id'] + (' dry' if dry_run else '')
        self.items, self.plan, self.money, self.planned, self._end = {}, [], 0.0, False, 0.0
        # Why nothing is traded: the site's word, which it may take back, and our own, which stands for the day.
        self._site_halt, self._stop = '', journal.stops.get(self.date, '')
        self.heard = clock.now()
        # The last day with orders too: the site may have been away when it ended.
        self._untold = set(one['id'] for one in journal.of_day(self.date) + journal.of_day(journal.last_day(self.date)))
        self._said = set()

    @property
    def halted(self):
        return self._stop or self._site_halt

    def at(self, text):
        """Seconds since 1970 of `14:50:00` on the day that is traded: a computer that slept may wake on another."""
        return self.clock.at(text, self.date)

    def run(self):
        """The day's summary, a dict."""
        self.begin()
        return self.trade()

    def begin(self):
        # Whoever was killed and started again has just sent something, perhaps.
        self.clock.sleep(PAUSE)
        self.adopt()
        self.look_up()
        if self._stop:
            self.log(self._stop)

    def trade(self):
        self.ask_for_plan()
        self._end = min(self.clock.now() + self.rules['duration'], self.at(self.rules['end_time']))
        while not self.halted and self.clock.now() < self._end:
            began = self.clock.now()
            self.round()
            if not self.halted and self.finished():
                break
            self.clock.sleep(max(1.0, min(self.rules['interval'], self._end - began) - (self.clock.now() - began)))
        self.close()
        return self.summary()

    def adopt(self):
        """Orders of today with ids of ours that the journal does not know: it was lost, they were not."""
        try:
            orders = self.broker.orders()
        except BrokerAway:
            return
        for order in orders:
            if order.remark in self.journal.orders:
                continue
            ids = [order_id(self.id_key, self.date, order.code, order.side, leg) for leg in range(self.rules['day_max'])]
            if order.remark in ids:
                self.log(u'找回委托 %s' % order.remark)
                self.journal.intend(order.remark, self.date, self.clock.now(), order.code, order.side, order.volume, order.price)

    # -- before ---------------------------------------------------------------------------------------------------------------------

    def greet(self):
        """Tells the site that the client is here, and the user what the site says."""
        self.beat()
        if not self.halted:
            self.log(u'心跳已送达网站')

    def prepare(self):
        """Pulls the targets ahead of time; what goes wrong is only said, the window asks again."""
        if self.halted:
            return
        try:
            self.make_plan()
        except (Refused, ServerAway) as error:
            self.log(u'目标还没有取到：%s' % error)

    def ask_for_plan(self):
        until = self.clock.now() + ASKING
        while not self.halted and not self.planned:
            try:
                self.make_plan()
            except Refused as error:
                self.log(u'今天不交易：%s' % error)
                self._stop = u'%s' % error
            except ServerAway as error:
                self.say(u'网站没有应答，%d 秒内重试：%s' % (ASKING, error))
                if self.clock.now() >= until:
                    self.log(u'今天不交易：%s' % error)
                    self._stop = u'%s' % error
                self.clock.sleep(5)

    def make_plan(self):
        # Who remembers no plan asks first whether the site knows of more holdings: they would be bought a second time. Orders may have been
        # found again at the broker, but only those of today.
        if not self.journal.plans:
            self.hello()
            if self.halted:
                return
        targets = self.server.targets(self.date)
        self.heard = self.clock.now()
        self._site_halt = targets['halt_reason'] if targets['halt'] else ''
        if self._site_halt:
            self.log(u'今天不交易：%s' % self._site_halt)
            return
        self.items = dict((item['code'], item) for item in targets['items'])
        self.money = targets['money']
        known = self.journal.plans.get(self.date)
        if known is None:
            rows = plan_of(targets['items'], self.journal.holdings(), self.money, self.rules['order_min'], self.rules['ignore_codes'])
            self.journal.keep_plan(self.date, targets['checksum'], [list(row) for row in rows])
            known = self.journal.plans[self.date]
        elif known['checksum'] != targets['checksum']:
            self.log(u'目标在当日计划之后变了，仍按当日已定的计划执行')
        self.plan = [(code, target) for code, _held, target in known['rows']]
        self.planned = True

    # -- each interval --------------------------------------------------------------------------------------------------------------

    def hear(self):
        """The site, what became of orders, the result of the day; what is open for too long is taken back. True: the broker answered."""
        self.beat()
        self.look_up()
        self.count_loss()
        self.cancel(older_than=0 if self.halted else self.rules['wait'])
        return self.look_up()

    def round(self):
        if not self.hear() or self.halted:
            return
        try:
            positions, cash = self.broker.positions(), self.broker.cash()
        except BrokerAway as error:
            self.log(u'终端没有应答：%s' % error)
            return
        selling = [row for row in self.gaps() if row[1] < 0]
        for code, gap in self.in_time(selling):
            self.slice(code, 'sell', min(-gap, positions.get(code, (0, 0))[1]), 0.0)
        if self.rules['sell_first'] and any(one['side'] == 'sell' for one in self.journal.unsettled(self.date)):
            return
        if self.clock.now() - self.heard > AWAY:
            self.say(u'与网站失联超过 %d 秒，暂停买入' % AWAY)
            return
        for code, gap in self.in_time(self.gaps()):
            if gap > 0:
                cash -= self.slice(code, 'buy', gap, cash)

    def in_time(self, rows):
        """As many of them as the window has time for: a silent site or a long list must not lead into the closing auction."""
        for row in rows:
            if self.clock.now() >= self._end:
                return
            yield row

    def gaps(self):
        """[(code, volume)] still to be bought (> 0) or sold, what is open taken off."""
        return self._gaps_to([(code, min(target, self.profits().get(code, target))) for code, target in self.plan], self.profits())

    def profits(self):
        """{code: volume} that may still be held of what was sold with profit today."""
        return self.journal.profits.get(self.date, {})

    def profit_gaps(self):
        return [row for row in self._gaps_to(sorted(self.profits().items()), self.profits()) if row[1] < 0]

    def _gaps_to(self, wanted, never_bought):
        held, open_volume = self.journal.holdings(), {}
        for one in self.journal.unsettled(self.date):
            left = one['volume'] - one['filled']
            open_volume[one['code']] = open_volume.get(one['code'], 0) + (left if one['side'] == 'buy' else -left)
        gaps = [(code, target - held.get(code, 0) - open_volume.get(code, 0)) for code, target in wanted]
        return [(code, min(gap, 0) if code in never_bought else gap) for code, gap in gaps]

    def count_loss(self):
        """Stops the day when too much of the capital was lost on it."""
        if self._stop or not (self.journal.holdings() or self.journal.of_day(self.date)):
            return
        try:
            result = day_result(self.journal, self.date, self.broker.quote)
        except BrokerAway:
            return
        if result <= -DAY_LOSS * self.settings['capital'] * 10000:
            self._stop = u'当日亏损 %.0f 元，达到资金的 %.0f%%，今天不再交易' % (-result, DAY_LOSS * 100)
            self.journal.stop(self.date, self._stop)
            self.log(self._stop)

    def lot(self, code):
        return self.items[code]['lot_step'] if code in self.items else LOT[self.settings['kind']]

    def slice(self, code, side, volume, cash, guarded=True):
        """Sends one order at most; the yuan that it binds. `guarded`: only near the price of the signal."""
        item = self.items.get(code)
        try:
            quote = self.broker.quote(code)
        except BrokerAway as error:
            self.log(u'%s 没有行情：%s' % (code, error))
            return 0.0
        why = self.refusal(item, quote, side, guarded)
        if why:
            self.say(u'%s %s：%s' % (code, u'不买' if side == 'buy' else u'不卖', why))
            return 0.0
        price = self.price(quote, side)
        step = self.lot(code)
        least = item['lot_min'] if item else 1
        most = self.money_left(side) / price
        if side == 'buy':
            most = min(most, cash / price)
        # What is sold whole goes with its odd lot.
        rest = volume
        volume = min(volume, self.rules['order_max'] / price, most)
        volume = int(rest) if side == 'sell' and volume >= rest else int(math.floor(volume / step + 1e-9)) * step
        if volume < (least if side == 'buy' else 1):
            if rest >= least:
                self.say(u'%s %s：不足一手、资金不足或已到当日上限' % (code, u'不买' if side == 'buy' else u'不卖'))
            return 0.0
        if len(self.journal.of_day(self.date)) >= self.rules['day_max']:
            self.say(u'今日委托已到 %d 笔上限' % self.rules['day_max'])
            return 0.0
        self.send(code, side, volume, price)
        return volume * price if side == 'buy' else 0.0

    def refusal(self, item, quote, side, guarded):
        if quote is None or not quote.last > 0:
            return u'没有价格'
        if quote.halted:
            return u'停牌'
        if guarded and item and abs(quote.last / item['ref_price'] - 1) > self.rules['price_guard']:
            return u'最新价 %.3f 偏离参考价 %.3f 超过价格保护' % (quote.last, item['ref_price'])
        if side == 'buy' and not item:
            return u'不在目标中'
        # At the upper limit nobody sells to us and what is held may go on; at the lower one nobody buys, whatever was chosen.
        if self.rules['limit_up_skip'] and quote.up and quote.last >= quote.up:
            return u'涨停'
        if (side == 'sell' or self.rules['limit_up_skip']) and quote.down and quote.last <= quote.down:
            return u'跌停'
        return ''

    def price(self, quote, side):
        buy = side == 'buy'
        if self.rules['price_mode'] == 1:
            price = (quote.ask if buy else quote.bid) or quote.last
        elif self.rules['price_mode'] == 2:
            price = quote.last
        else:
            price = quote.last * (1 + (self.rules['price_offset'] if buy else -self.rules['price_offset']))
        if quote.up:
            price = min(price, quote.up)
        if quote.down:
            price = max(price, quote.down)
        tick = TICK[self.settings['kind']]
        return round(round(price / tick) * tick, 3)

    def money_left(self, side):
        """Yuan that may still be bought, or sold, today: what is open counts in full."""
        used = 0.0
        for one in self.journal.of_day(self.date):
            if one['side'] == side:
                volume = one['filled'] if one['status'] in FINAL else one['volume']
                used += volume * one['price']
        return max(0.0, self.rules['max_daily_turnover'] * self.settings['capital'] * 10000 - used)

    def send(self, code, side, volume, price):
        leg = self.journal.next_leg(self.date, code, side)
        # Of orders that were found again one may be lacking that never arrived.
        while order_id(self.id_key, self.date, code, side, leg) in self.journal.orders:
            leg += 1
        one = order_id(self.id_key, self.date, code, side, leg)
        self.journal.intend(one, self.date, self.clock.now(), code, side, volume, price)
        self._untold.add(one)
        try:
            self.broker.place(code, side, volume, price, one)
        except BrokerAway as error:
            self.log(u'%s 委托没有应答，稍后按编号 %s 查询：%s' % (code, one, error))
        self.clock.sleep(PAUSE)

    def cancel(self, older_than):
        try:
            listed = dict((order.remark, order) for order in self.broker.orders())
        except BrokerAway:
            return
        for one in self.journal.unsettled(self.date):
            order = listed.get(one['id'])
            if order is None or self.clock.now() - one['at'] < older_than:
                continue
            try:
                self.broker.cancel(order.number)
            except BrokerAway:
                pass
            self.clock.sleep(PAUSE)

    def look_up(self):
        """News of what was sent; True when the broker answered. Whoever is not listed after a while was never there."""
        try:
            listed = dict((order.remark, order) for order in self.broker.orders())
        except BrokerAway as error:
            self.log(u'终端没有应答：%s' % error)
            return False
        for one in self.journal.unsettled(self.date) + self.journal.unseen(self.date):
            order = listed.get(one['id'])
            if order is not None:
                if self.journal.learn(one['id'], order.filled, order.price, order.status, order.note):
                    self._untold.add(one['id'])
            elif not one['seen'] and one['status'] not in FINAL and self.clock.now() - one['at'] > self.broker.settle:
                self.journal.learn(one['id'], 0, None, REJECTED, u'终端没有这笔委托', seen=False)
                self._untold.add(one['id'])
        return True

    def hello(self):
        answer = self.server.heartbeat(VERSION, self.dry_run, self.journal.holdings(), not self.journal.plans)
        self.heard = self.clock.now()
        heard = answer['halt_reason'] if answer['halt'] else ''
        if heard != self._site_halt:
            self.log(u'收到停止：%s' % heard if heard else u'停止已解除')
        self._site_halt = heard

    def beat(self):
        try:
            self.hello()
            self.tell()
        except (Refused, ServerAway) as error:
            self.log(u'心跳没有送达：%s' % error)

    def tell(self):
        ids = sorted(self._untold)[:200]
        if not ids:
            return
        fills = []
        for one in (self.journal.orders[i] for i in ids):
            fills.append({
                'order_id': one['id'], 'trade_date': one['date'], 'code': one['code'], 'side': one['side'], 'volume': one['volume'],
                'filled': one['filled'], 'price': one['mean'] or None, 'status': one['status'], 'note': line_of(one['note'])[:200],
                'dry_run': self.dry_run, 'ordered_at': self.clock.stamp(one['at'])})
        self.server.fills(fills)
        self._untold.difference_update(ids)

    def finished(self):
        return not self.journal.unsettled(self.date) and all(gap == 0 for _code, gap in self.gaps())

    # -- after ----------------------------------------------------------------------------------------------------------------------

    def close(self):
        for _ in range(20):
            self.look_up()
            if not self.journal.unsettled(self.date):
                break
            self.cancel(older_than=0)
            self.clock.sleep(2)
        else:
            self.log(u'仍有委托没有结果，请在终端核对')
        self.beat()

    def summary(self):
        held = self.journal.holdings()
        missed = [(code, target, held.get(code, 0)) for code, target in self.plan if held.get(code, 0) != target]
        for code, target, volume in missed:
            self.log(u'%s 目标 %d，实际 %d%s' % (code, target, volume, u'，当日止盈后不再买回' if code in self.profits() else ''))
        orders = self.journal.of_day(self.date)
        done = sum(1 for one in orders if one['filled'] > 0)
        self.log(u'今日委托 %d 笔，成交 %d 笔，未到目标 %d 只%s' % (len(orders), done, len(missed), u'；' + self.halted if self.halted else ''))
        return {'orders': len(orders), 'filled': done, 'missed': missed, 'halted': self.halted}

    def say(self, text):
        """Once a day."""
        if text not in self._said:
            self._said.add(text)
            self.log(text)
