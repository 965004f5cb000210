# -*- coding: utf-8 -*-
"""Random trading days against every broker with faults and kill -9 at any step. `python3 random_days.py 1000 [seed]` prints the figures as JSON; `npm run drill:client` reads them.

Most deaths are an exception that nothing may catch, thrown at a counted call; of a share of the days the client is a process of its own
and dies by SIGKILL (real_kills.py).

Asserted of every day, whatever happened: no order twice, nothing sold that this config has not bought, no cap passed; and that positions
end where the plan says or the log names the security.
"""

import json
import os
import random
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.broker import FINAL  # noqa: E402
from convexa_qmt.day import Day  # noqa: E402
from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.simulator import Simulator  # noqa: E402
from convexa_qmt.trader import PAUSE, Trader, order_id  # noqa: E402
import real_kills  # noqa: E402
from terminals import MAKERS  # noqa: E402
from world import Burning, Fuse, Killed, Site, TestClock, item, memory_folder, settings, targets_of  # noqa: E402

CODES = ['%06d.%s' % (110901 + i // 2 if i % 2 else 123901 + i // 2, 'SH' if i % 2 else 'SZ') for i in range(16)]
DAYS = 5


class Watched(Simulator):
    """Notes when orders came, to count their rate; prices move while one looks."""

    clock, restless = None, 0.0

    def positions(self):
        for code in sorted(self.prices):
            self.prices[code] = round(self.prices[code] * (1 + self.random.uniform(-self.restless, self.restless)), 3)
        return Simulator.positions(self)

    def place(self, code, side, volume, price, remark):
        self.times.append(self.clock.now())
        return Simulator.place(self, code, side, volume, price, remark)


def date_of(day):
    return '2026-11-%02d' % (23 + day)


def days(seed, figures, real):
    chance = random.Random(seed)
    maker = chance.choice(sorted(MAKERS))
    folder = memory_folder()
    try:
        stock = chance.random() < 0.3
        # Days on which nothing is in the way: they have to end as planned, killed or not.
        calm = chance.random() < 0.25
        faults = dict((name, 0 if calm else chance.choice([0, 0, 0.02, 0.15])) for name in ('lost', 'away', 'reject', 'partial', 'slow_cancel'))
        broker = Watched(dict((code, round(chance.uniform(60, 200), 3)) for code in CODES), 200000.0 + chance.uniform(0, 5e5) if calm else chance.uniform(5e4, 3e5),
                         settlement=1 if stock else 0, seed=seed, faults=faults)
        foreign = dict((code, chance.randrange(1, 60) * 10) for code in chance.sample(CODES, 5))
        for code, volume in foreign.items():
            broker.hold(code, volume)
        for day in range(DAYS):
            one_day(chance, broker, foreign, os.path.join(folder, 'journal.jsonl'), date_of(day), figures, calm, maker, real)
    finally:
        shutil.rmtree(folder)


def one_day(chance, broker, foreign, path, date, figures, calm, maker, real):
    moves = (1, 1) if calm else (0.9, 1.1)
    broker.new_day(dict((code, round(price * chance.uniform(*moves), 3)) for code, price in broker.prices.items()))
    broker.halted = set(chance.sample(CODES, 0 if calm else chance.choice([0, 0, 0, 2])))
    broker.restless = 0.0 if calm else chance.choice([0, 0.01])
    # From well before the window, or from a restart within it.
    broker.sent, broker.times, broker.clock = [], [], TestClock(date, 14 * 3600 + chance.choice([30, 50]) * 60)
    for code in chance.sample(CODES, 0 if calm else 2):
        broker.previous[code] = broker.prices[code] / chance.choice([1.2, 0.8])
    listed = chance.sample(CODES, chance.randrange(0, 12))
    places = max(1, min(len(listed), chance.randrange(1, 8)))
    items = [item(code, i + 1, 1.0 / places // 1e-6 * 1e-6 if i < places else 0, round(broker.prices[code] * (1 if calm else chance.uniform(0.985, 1.02)), 3))
             for i, code in enumerate(listed)]
    site = Site(targets_of(items, date))
    rules = settings() if calm else settings(order_max=chance.choice([6000, 30000]), day_max=chance.choice([5, 200]),
                                             max_daily_turnover=chance.choice([0.3, 1]), sell_first=chance.random() < 0.8,
                                             take_profit=chance.choice([None, {'activate': 0.02, 'drawdown': 0.003, 'deal': 0.5}]))
    lines, kills = [], chance.choice([0, 0, 1, 3])
    while True:
        steps = chance.randrange(1, 120) if kills > 0 else -1
        kills -= 1
        site.away = not calm and chance.random() < 0.05
        if real:
            world = {'market': broker, 'site': site, 'clock': broker.clock, 'log': lines}
            summary = real_kills.client(world, path, rules, maker, chance, steps)
            if summary is not None:
                break
            figures['real'] += 1
            broker.clock.sleep(chance.choice([0, 1, 15]))
            continue
        fuse = Fuse(steps, chance.random() < 0.5)
        journal = Journal(path)
        journal.file.write = fuse.wrap(journal.file.write)
        try:
            trader = Trader(rules, site, MAKERS[maker](Burning(broker, fuse), broker.clock), journal, broker.clock, lines.append, dry_run=False)
            summary = Day(trader).run()
            break
        except Killed:
            figures['kills'] += 1
            broker.clock.sleep(chance.choice([0, 1, 15]))
        finally:
            journal.close()
    check(broker, foreign, rules, Journal(path), date, summary, lines, figures, calm)


def check(broker, foreign, rules, journal, date, summary, lines, figures, calm):
    journal.close()
    limits, sent = rules['trading'], broker.sent
    remarks = [one[0] for one in sent]
    assert len(set(remarks)) == len(remarks), 'an order twice'
    assert len(sent) <= limits['day_max'], 'too many orders'
    expected = set(order_id(rules['config_id'], date, code, side, leg) for code in CODES for side in ('buy', 'sell') for leg in range(200))
    assert set(remarks) <= expected, 'an order with an id of nobody'
    for _id, _code, side, volume, price in sent:
        assert volume * price <= limits['order_max'] + 1e-6, 'an order too large'
    for side in ('buy', 'sell'):
        done = sum(order.filled * order.price for order in broker.book if order.side == side)
        assert done <= limits['max_daily_turnover'] * rules['capital'] * 10000 + 1e-6, 'too much on one day'
    assert all(later - earlier >= PAUSE - 1e-9 for earlier, later in zip(broker.times, broker.times[1:])), 'too fast'
    for code, volume in foreign.items():
        assert broker.volumes.get(code, 0) >= volume, 'sold what is somebody else\'s'
    settled = all(one['status'] in FINAL for one in journal.orders.values())
    own = dict((code, volume - foreign.get(code, 0)) for code, volume in broker.volumes.items() if volume > foreign.get(code, 0))
    if settled:
        assert own == journal.holdings(), 'the journal is wrong: %r %r' % (own, journal.holdings())
    else:
        assert any(u'仍有委托没有结果' in line for line in lines), 'unsettled without a word'
        figures['unsettled'] += 1
    # A death between an order's line and its call leaves a question, which binds its money; what is kept above its weight may leave too little.
    short = [row for row in summary['missed'] if not any(row[0] in line and u'资金不足' in line for line in lines)]
    assert not calm or not short or journal.without_end(), 'a calm day missed its plan: %r' % summary['missed']
    for code, target, volume in summary['missed']:
        assert any(code in line for line in lines), 'missed without a word'
    figures['days'] += 1
    figures['calm'] += calm
    figures['orders'] += len(sent)
    figures['profits'] += len(journal.profits.get(date, {}))
    figures['stops'] += date in journal.stops
    figures['exact'] += not summary['missed'] and not summary['halted']


def main(wanted, seed=1, real_every=5):
    """Every `real_every`-th run of days has real processes, where the system can kill them."""
    figures = dict((name, 0) for name in ('days', 'orders', 'kills', 'real', 'calm', 'exact', 'unsettled', 'profits', 'stops'))
    while figures['days'] < wanted:
        days(seed, figures, real_kills.POSSIBLE and seed % real_every == 0)
        seed += 1
    return figures


if __name__ == '__main__':
    print(json.dumps(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
