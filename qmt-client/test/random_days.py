# -*- coding: utf-8 -*-
"""Random trading days against the simulator with faults and kill -9 at any step. `python3 random_days.py 1000 [seed]` prints the figures.

Asserted of every day, whatever happened: no order twice, nothing sold that this config has not bought, no cap passed; and that positions
end where the plan says or the log names the security.
"""

import os
import random
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.broker import FINAL  # noqa: E402
from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.simulator import Simulator  # noqa: E402
from convexa_qmt.trader import PAUSE, Trader, order_id  # noqa: E402
from world import Burning, Fuse, Killed, Site, TestClock, item, settings, targets_of  # noqa: E402

CODES = ['%06d.%s' % (110901 + i // 2 if i % 2 else 123901 + i // 2, 'SH' if i % 2 else 'SZ') for i in range(16)]
DAYS = 5


class Watched(Simulator):
    """Notes when orders came, to count their rate, and what they would break."""

    clock = None

    def place(self, code, side, volume, price, remark):
        self.times.append(self.clock.now())
        return Simulator.place(self, code, side, volume, price, remark)


def date_of(day):
    return '2026-11-%02d' % (23 + day)


def days(seed, figures):
    chance = random.Random(seed)
    folder = tempfile.mkdtemp()
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
            one_day(chance, broker, foreign, os.path.join(folder, 'journal.jsonl'), date_of(day), figures, calm)
    finally:
        shutil.rmtree(folder)


def one_day(chance, broker, foreign, path, date, figures, calm):
    moves = (1, 1) if calm else (0.9, 1.1)
    broker.new_day(dict((code, round(price * chance.uniform(*moves), 3)) for code, price in broker.prices.items()))
    broker.halted = set(chance.sample(CODES, 0 if calm else chance.choice([0, 0, 0, 2])))
    broker.sent, broker.times, broker.clock = [], [], TestClock(date)
    for code in chance.sample(CODES, 0 if calm else 2):
        broker.previous[code] = broker.prices[code] / chance.choice([1.2, 0.8])
    listed = chance.sample(CODES, chance.randrange(0, 12))
    places = max(1, min(len(listed), chance.randrange(1, 8)))
    items = [item(code, i + 1, 1.0 / places // 1e-6 * 1e-6 if i < places else 0, round(broker.prices[code] * (1 if calm else chance.uniform(0.985, 1.02)), 3))
             for i, code in enumerate(listed)]
    site = Site(targets_of(items, date))
    rules = settings() if calm else settings(order_max=chance.choice([6000, 30000]), day_max=chance.choice([5, 200]),
                                             max_daily_turnover=chance.choice([0.3, 1]), sell_first=chance.random() < 0.8)
    lines, kills = [], chance.choice([0, 0, 1, 3])
    while True:
        fuse = Fuse(chance.randrange(1, 120) if kills else -1, chance.random() < 0.5)
        kills -= 1
        site.away = not calm and chance.random() < 0.05
        journal = Journal(path)
        real_write = journal._write
        journal._write = fuse.wrap(real_write)
        trader = Trader(rules, site, Burning(broker, fuse), journal, broker.clock, lines.append, dry_run=False)
        try:
            summary = trader.run()
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
    settled = all(one['status'] in FINAL for one in journal.of_day(date))
    own = dict((code, volume - foreign.get(code, 0)) for code, volume in broker.volumes.items() if volume > foreign.get(code, 0))
    if settled:
        assert own == journal.holdings(), 'the journal is wrong: %r %r' % (own, journal.holdings())
    else:
        assert any(u'仍有委托没有结果' in line for line in lines), 'unsettled without a word'
        figures['unsettled'] += 1
    assert not calm or not summary['missed'], 'a calm day missed its plan: %r' % summary['missed']
    for code, target, volume in summary['missed']:
        assert any(code in line for line in lines), 'missed without a word'
    figures['days'] += 1
    figures['calm'] += calm
    figures['orders'] += len(sent)
    figures['exact'] += not summary['missed'] and not summary['halted']


def main(wanted, seed=1):
    figures = dict((name, 0) for name in ('days', 'orders', 'kills', 'calm', 'exact', 'unsettled'))
    while figures['days'] < wanted:
        days(seed, figures)
        seed += 1
    return figures


if __name__ == '__main__':
    made = main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print('%(days)d days, %(orders)d orders, %(kills)d kills: 0 orders twice, 0 foreign sales, 0 caps passed; '
          '%(exact)d days ended as planned (all of the %(calm)d calm ones), the others say why; %(unsettled)d left an order without a result' % made)
