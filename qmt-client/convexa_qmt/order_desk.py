# -*- coding: utf-8 -*-
"""One order at a time of a security: its price, its volume within every limit, and how it is handed over."""

import base64
import hashlib
import hmac

from .broker import CANCELLED, FINAL, NO_NUMBER, BrokerAway, NotSent
from .journal import ENDED, LISTED
from .journal_file import CannotWrite
from .ledger import looks_like, rows_of
from .quantities import lot_of, order_volume
from .reading import read

# Below five orders a second, cancels among them.
PAUSE = 0.21
TICK = {'cb': 0.001, 'stk': 0.01}
# What a buy needs besides its value: part, yuan.
FEE_PART, FEE_YUAN = 0.002, 5.0
# Refusals of a security and side after which it is left alone today.
MOST_REFUSALS = 2
# Continuous trading, less ten seconds before its ends: an order must be there before they come.
SESSIONS = (('09:30:00', '11:29:50'), ('13:00:00', '14:56:50'))
LAST_CANCEL = '14:56:55'
# From when on positions are taken for those of today where an order rests on them: a minute after they may prove anything.
TODAYS = '09:32:00'
# Seconds after which the index has a tick of a session; by which it may differ from now.
FIRST_TICK, STILL = 30, 30
# Seconds between two sessions that are given up for it.
RENEWED = 60
# Seconds after the site has taken back a stop before anything is sent.
HEARD = 60
JUST_LIFTED = u'停止刚解除，一分钟后继续'
# Seconds after which a reading is no ground for an order any more.
STALE = 60
NO_ROW = u'终端没有登记委托：请看是否有弹窗，模型交易的运行模式是否为“实盘”'


def order_id(config_id, date, code, side, leg):
    text = '|'.join([date, code, side, str(leg)]).encode('utf-8')
    return base64.b32encode(hmac.new(config_id.encode('utf-8'), text, hashlib.sha256).digest()).decode('ascii')[:20]


class OrderDesk(object):
    def __init__(self, day, view):
        """day: the Trader whose broker, journal and rules these are; view: of its account."""
        self.day, self.view = day, view
        self.rules, self.journal, self.broker, self.clock = day.rules, day.journal, day.broker, day.clock
        # An order on paper must not be taken for a real one of the same day.
        self.id_key = day.settings['config_id'] + (' dry' if day.dry_run else '')
        self.trouble = ''
        # The session whose rows were seen; orders in a row that were not.
        self._proved, self._unseen = None, 0
        # When a session was last given up whose quotes stood still; 0 = never.
        self._renewed = 0.0

    # -- whether -------------------------------------------------------------------------------------------------------------------

    def in_hours(self):
        now = self.clock.now()
        return any(self.day.at(begin) <= now < self.day.at(end) for begin, end in SESSIONS)

    def why_closed(self):
        """Why nothing at all may be sent now, '' = it may. What the terminal is the cause of is kept to be told to the site."""
        why = self._why_closed()
        self.trouble = why if why not in ('', JUST_LIFTED) and self.in_hours() and not self.clock.wrong else ''
        return why

    def _why_closed(self):
        """Why nothing at all may be sent now, '' = it may. Clock and quotes have two witnesses: the site and the index."""
        if not self.in_hours():
            return u'不在连续竞价时段，不下单'
        if not self.day.site.has_heard_plan():
            return u'网站还没有收到本次启动与当日计划，暂停下单'
        if self.clock.now() - self.day.site.lifted < HEARD:
            # Another computer that traded this config until now must have heard that it is halted instead.
            return JUST_LIFTED
        if self.clock.wrong:
            return u'本机时钟与网站相差 %.1f 分钟，校准前不下单' % abs(self.clock.offset / 60)
        if self.clock.jumped:
            return u'本机时钟刚被改动或电脑刚从睡眠恢复，与网站校时前不下单'
        now = self.clock.now()
        if any(self.day.at(begin) + FIRST_TICK <= now < self.day.at(end) for begin, end in SESSIONS):
            try:
                tick = self.broker.index_time()
            except BrokerAway as error:
                return u'终端没有行情：%s' % error
            if tick is not None and abs(now - tick) > STILL:
                if now - self._renewed >= RENEWED:
                    self._renewed = now
                    self.broker.renew()
                return u'终端的行情停在 %s，不下单' % self.clock.stamp(tick)[11:19]
        reading = self.view.reading
        if reading is None or not reading.whole:
            return u'终端的委托列表不完整，不下单'
        return ''

    def refusal(self, item, quote, side, guarded):
        """Why a security is not ordered now; '' = it is."""
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

    def is_left_alone(self, code, side):
        """Whether a security and side were refused often enough today; says so once, in the terminal's words."""
        words = self.view.refused(code, side)
        if len(words) < MOST_REFUSALS:
            return False
        self.day.say(u'%s %s委托两次被拒，今天不再%s：%s' % (
            code, u'买入' if side == 'buy' else u'卖出', u'买' if side == 'buy' else u'卖', self.day.line_of(words[-1]) or u'终端没有说明'))
        return True

    # -- how much ------------------------------------------------------------------------------------------------------------------

    def lot(self, code):
        """(least, step), by targets, facts, or the code."""
        for known in (self.day.items.get(code), (self.day.facts or {}).get(code)):
            if known:
                return known['lot_min'], known['lot_step']
        return lot_of(code, self.day.settings['kind'])

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
        tick = TICK[self.day.settings['kind']]
        return round(round(price / tick) * tick, 3)

    @property
    def capital(self):
        return self.day.settings['capital'] * 10000.0

    def money_left(self, side):
        """Yuan that may still be bought, or sold, today: what has no end counts in full."""
        used = 0.0
        for one in self.journal.of_day(self.day.date):
            if one['side'] == side:
                used += (one['filled'] if one['state'] == ENDED else one['volume']) * one['price']
        left = self.rules['max_daily_turnover'] * self.capital - used
        if side == 'buy':
            left = min(left, self.capital - self._bound())
        return max(0.0, left)

    def _bound(self):
        """Yuan of what the config holds and of its buys without an end."""
        held = self.journal.holdings()
        bound = sum(self._value_of(code, held.get(code, 0)) for code in set(held) | set(self.view.expected) | set(self.journal.rests))
        return bound + sum((one['volume'] - one['filled']) * one['price'] for one in self.journal.without_end() if one['side'] == 'buy')

    def _value_of(self, code, volume):
        """Yuan of a holding. Where the book is in question, as much as it may be worth: new shares may be there already, or still to come."""
        price = self._price_of(code)
        if self.view.blocked(code) or code in self.view.waiting:
            if self.view.reading is not None:
                volume = max(volume, self.view.reading.position(code).volume - (self.journal.bases.get(code) or 0))
            volume = max(volume, self.journal.holdings().get(code, 0) + self.view.entitled(code))
            price = max(price, ((self.day.facts or {}).get(code) or {}).get('close') or 0.0)
        return volume * price

    def _price_of(self, code):
        quote = self.day.quotes.get(code) or self.day.quote(code)
        if quote is not None and quote.last > 0:
            return quote.last
        known = (self.day.items.get(code) or {}).get('ref_price') or self.view.close_before(code)
        if known:
            return known
        prices = [(one['date'], one['at'], one['mean'] or one['price']) for one in self.journal.orders.values() if one['code'] == code]
        return max(prices)[2] if prices else 0.0

    def under_wall(self, code, target, lot):
        """Volume that may still be bought without passing the target, by this round's positions: they may know more than the book."""
        account, book = self.view.reading.position(code).volume, self.journal.holdings().get(code, 0)
        base = self.journal.bases.get(code)
        base = account - book if base is None else base
        return target + lot[0] - max(account - base, book)

    # -- one order -----------------------------------------------------------------------------------------------------------------

    def slice(self, code, side, gap, cash, target=None, guarded=True):
        """Sends one order at most towards a gap; the yuan that it binds. target: of a buy, the volume that is meant to be held."""
        day, item = self.day, self.day.items.get(code)
        if self.is_left_alone(code, side):
            return 0.0
        try:
            quote = self.broker.quote(code)
        except BrokerAway as error:
            day.log(u'%s 没有行情：%s' % (code, error))
            return 0.0
        day.quotes[code] = quote
        why = self.refusal(item, quote, side, guarded)
        if why:
            day.say(u'%s %s：%s' % (code, u'不买' if side == 'buy' else u'不卖', why))
            return 0.0
        price, lot, position = self.price(quote, side), self.lot(code), self.view.reading.position(code)
        money = self.money_left(side)
        if side == 'buy':
            money = min(money, max(0.0, cash - FEE_YUAN) / (1 + FEE_PART))
            wall = self.under_wall(code, target, lot)
            if wall < gap:
                day.say(u'%s 不买：账户里已有的超过目标' % code)
                gap = wall if wall >= lot[0] else 0
        saleable = min(gap, position.saleable)
        # Of yesterday's positions nobody knows what the whole of the account is.
        whole = position.saleable if self.clock.now() >= day.at(TODAYS) else 0
        volume = order_volume(side, gap, saleable, whole, lot, price, self.rules['order_max'], money)
        if volume <= 0:
            self._say_why_none(code, side, gap, saleable, lot)
            return 0.0
        if sum(1 for one in self.journal.of_day(day.date) if one['by'] != 'not_sent') >= self.rules['day_max']:
            day.say(u'今日委托已到 %d 笔上限' % self.rules['day_max'])
            return 0.0
        if side == 'sell' and volume * price > self.rules['order_max'] + 1e-6:
            day.say(u'%s 卖出 %d 超过单笔最大：少于此数量交易所不收' % (code, volume))
        # A round takes its time: quotes may have come to stand still in it.
        closed = self.why_closed()
        if closed:
            day.say(closed)
            return 0.0
        self.send(code, side, volume, price)
        return volume * price * (1 + FEE_PART) + FEE_YUAN if side == 'buy' else 0.0

    def _say_why_none(self, code, side, gap, saleable, lot):
        if side == 'buy':
            if gap >= lot[0]:
                self.day.say(u'%s 不买：不足一手、资金不足或已到当日上限' % code)
        elif saleable > 0 and self.clock.now() < self.day.at(TODAYS):
            self.day.say(u'%s 暂不卖：09:32 起才卖零股' % code)
        elif saleable > 0:
            self.day.say(u'%s 不卖：%d 不足最小申报数量，且不是账户可卖的全部；如需卖出请在终端与其他持有合并卖出' % (code, saleable))
        elif gap > 0:
            self.day.say(u'%s 不卖：今天没有可卖的数量' % code)

    def new_id(self, code, side):
        leg = self.journal.next_leg(self.day.date, code, side)
        # Of orders that were found again one may be lacking that never arrived.
        while order_id(self.id_key, self.day.date, code, side, leg) in self.journal.orders:
            leg += 1
        return order_id(self.id_key, self.day.date, code, side, leg)

    def send(self, code, side, volume, price):
        """Writes an order down and hands it over. Raises BrokerAway where nothing more may be sent before a whole list came."""
        reading = self.view.reading
        if not 0 <= self.clock.now() - reading.at <= STALE or self.clock.jumped or self.clock.date() != self.day.date:
            raise BrokerAway(u'上次查询之后过了太久，重新查询')
        position, one = reading.position(code), self.new_id(code, side)
        book = self.journal.holdings().get(code, 0)
        base = self.journal.bases.get(code)
        base = position.volume - book if base is None else base
        self.journal.intend(one, self.day.date, self.clock.now(), code, side, volume, price, position.volume, position.saleable,
                            position.cost, base)
        session = self.broker.session
        try:
            number = self.broker.place(code, side, volume, price, one)
        except NotSent as error:
            self.journal.end(one, 0, CANCELLED, 'not_sent', u'%s' % error)
            self.day.news(one)
            raise
        except BrokerAway as error:
            self.journal.handed(one, None)
            self.day.news(one)
            self.day.log(u'%s 委托没有应答，按编号 %s 查询：%s' % (code, one, error))
            raise
        try:
            self.journal.handed(one, number)
        except CannotWrite:
            # Its intent is on disk: it is an order without an end. What can be taken back of it now is.
            self._take_back(number)
            raise
        self.day.news(one)
        self.clock.sleep(PAUSE)
        if self._proved != session:
            self._prove(one, session)

    def _prove(self, one, session):
        """The first order of a session goes alone, until its row is seen or it is late."""
        until = self.clock.now() + self.broker.settle
        while True:
            reading = self.view.look()
            if self.journal.orders[one]['seen']:
                self._proved, self._unseen = session, 0
                return
            if self.clock.now() > until + 2:
                break
            self.clock.sleep(1)
        self._unseen += 1
        if self._unseen >= 2:
            self.day.stop_day(NO_ROW)
        raise BrokerAway(u'委托还没有出现在列表里' if reading else u'终端没有应答')

    def cancel(self, older_than):
        """Asks to take back what is open for so many seconds; how many."""
        if not self.day.at('09:30:00') <= self.clock.now() < self.day.at(LAST_CANCEL):
            return 0
        asked = 0
        for one in self.journal.without_end(self.day.date):
            if one['number'] in NO_NUMBER:
                continue
            if one['status'] in FINAL or self.clock.now() - one['at'] < older_than or self._is_of_another(one):
                continue
            self._take_back(one['number'])
            asked += 1
        return asked

    def take_back_rows(self):
        """Takes back what the list shows open of today's orders, where nothing can be written down any more; looks again for rows that are
        late."""
        for _ in range(int(self.broker.settle / 2) + 5):
            if not self.clock.now() < self.day.at(LAST_CANCEL):
                return
            try:
                rows = [row for row in read(self.broker, self.clock).orders if row.date in ('', self.day.date)]
            except BrokerAway:
                rows = []
            orders = self.journal.of_day(self.day.date)
            found, _others = rows_of(orders, rows, self.journal.orders)
            for own in found.values():
                for row in own:
                    if row.status not in FINAL:
                        self._take_back(row.number)
            if len(found) == len(orders) and all(row.status in FINAL for own in found.values() for row in own):
                return
            self.clock.sleep(2)

    def _is_of_another(self, one):
        """Whether the number that was answered stands in the list for another order: some terminals answer that of the one before."""
        rows = self.view.reading.orders if self.view.reading is not None and one['state'] != LISTED else []
        return any(row.number == one['number'] and not looks_like(one, row) for row in rows)

    def _take_back(self, number):
        if number in NO_NUMBER:
            return
        try:
            self.broker.cancel(number)
        except BrokerAway:
            pass
        self.clock.sleep(PAUSE)
