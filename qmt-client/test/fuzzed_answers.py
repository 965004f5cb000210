# -*- coding: utf-8 -*-
"""Whole trading days on which answers of the site are changed on their way: bytes, members, types, codes, also with sums that fit.
`python3 fuzzed_answers.py 10000 [seed]` prints figures as JSON; `npm run drill:client` reads them.

Whatever the site answers, the client raises nothing, leaves nothing open, sends nothing out of hours or after a wrong shape of the plan, and
holds no more than its capital; and what it had planned by right answers it trades on.
"""

import copy
import io
import json
import os
import random
import shutil
import sys

try:
    from urllib.error import HTTPError
except ImportError:  # pragma: no cover
    raise SystemExit('Python 3.6')

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.day import Day  # noqa: E402
from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.server import Server, checksum_of, facts_checksum  # noqa: E402
from convexa_qmt.trader import Trader  # noqa: E402
from exchange import Exchange  # noqa: E402
from terminals import MAKERS  # noqa: E402
from world import TestClock, item, memory_folder, settings, targets_of  # noqa: E402

CODES = ['110901.SH', '123901.SZ', '110902.SH', '123902.SZ']
DATES = ['2026-11-23', '2026-11-24']
JUNK = [None, True, False, 0, -1, 1, 2 ** 53, 10 ** 400, -10 ** 400, 0.1, 1e308, float('nan'), float('inf'), '', '0', 'x' * 300, u'\u0000', u'中文', '2026-13-45',
        '110901.SH', [], [None], [[]], {}, {'code': 0}, {'kind': 'end'}]
BODIES = [b'', b'null', b'[]', b'{', b'\xff\xfe\x00', b'<html>502 Bad Gateway</html>', b'{"code":0}', b'{"code":0,"data":null}', b'{"code":0,"data":[]}', b'{"code":"0","data":{}}',
          b'{"code":true,"data":{}}', b'[' * 100000, b'{"code":0,"data":' + b'9' * 5000 + b'}', b'{"code":40004,"msg":null}', b'{"code":0.0,"data":{}}']


def spots(value):
    """Every (container, key) of an answer."""
    found, left = [], [value]
    while left:
        one = left.pop()
        for key in sorted(one) if isinstance(one, dict) else range(len(one)):
            found.append((one, key))
            if isinstance(one[key], (dict, list)):
                left.append(one[key])
    return found


class FuzzedServer(Server):
    """The client's own Server over a line on which answers are changed."""

    def __init__(self, config, clock, chance, share, figures):
        Server.__init__(self, config)
        self.clock, self.chance, self.share, self.figures, self.made, self.told = clock, chance, share, figures, None, {}
        # The true fills; whether a word was changed into another that is well-formed: what it says of the book is the user's to answer for.
        self.filled_of, self.has_wrong_word = lambda _id: 0, False

    def open(self, request):
        what = request.full_url.split('?')[0].rsplit('/', 1)[1]
        body = json.loads(request.data.decode('utf-8')) if request.data else {}
        if self.chance.random() >= self.share:
            return io.BytesIO(json.dumps({'code': 0, 'data': self._answer(what, body)}).encode('utf-8'))
        self.figures['changed'] += 1
        kind = self.chance.choice(['body', 'data', 'member', 'member', 'member', 'member', 'status', 'away'])
        if kind == 'away':
            raise OSError('timed out')
        if kind == 'status':
            raise HTTPError(request.full_url, self.chance.choice([400, 401, 403, 404, 409, 429, 500, 502]), 'x', {}, io.BytesIO(self.chance.choice(BODIES)))
        if kind == 'body':
            return io.BytesIO(self.chance.choice(BODIES))
        answer = self._answer(what, body)
        words = [copy.deepcopy(answer.get(name)) for name in ('settled', 'books')]
        if kind == 'data':
            answer = self.chance.choice(JUNK)
        for _ in range(self.chance.choice([1, 1, 2, 4]) if kind == 'member' else 0):
            found = spots(answer)
            where, key = self.chance.choice(found) if found else (answer, None)
            if self.chance.random() < 0.2 and isinstance(where, dict) and key is not None:
                del where[key]
            elif key is not None:
                where[key] = copy.deepcopy(self.chance.choice(JUNK))
        self.has_wrong_word = self.has_wrong_word or (what == 'heartbeat' and kind == 'member' and words != [answer.get(name) for name in ('settled', 'books')])
        if what == 'targets' and kind == 'member' and self.chance.random() < 0.6:
            answer = summed(answer)
        return io.BytesIO(json.dumps({'code': 0, 'data': answer}).encode('utf-8'))

    def _answer(self, what, body):
        if what == 'targets':
            return copy.deepcopy(self.made)
        if what == 'fills':
            for one in body['fills']:
                self.told[one['order_id']] = one
            return {'kept': len(body['fills'])}
        one = self.chance.choice(sorted(self.told) or ['X' * 20])
        some = {'order_id': one, 'filled': self.chance.choice([self.filled_of(one), 10 ** 6]), 'word': 'w'}
        book = {'code': self.chance.choice(CODES), 'volume': 10 ** 6, 'word': 'b%d' % self.chance.randrange(3)}
        return {'halt': False, 'halt_reason': '', 'server_ms': int(self.clock.now() * 1000), 'settled': [some], 'books': [book], 'opening': None}


def summed(targets):
    """As a site would send it that is wrong and not the line: its sums fit."""
    try:
        targets = dict(targets, checksum=checksum_of(targets))
        targets['facts'] = dict(targets['facts'], checksum=facts_checksum(targets['facts']['rows']))
    except Exception:
        # What cannot be summed is sent as it is.
        pass
    return targets


def need(condition, words):
    if not condition:
        raise AssertionError(words)


def one_case(seed, figures):
    chance, folder = random.Random(seed), memory_folder()
    try:
        clock = TestClock(DATES[0], 14 * 3600 + 45 * 60)
        prices = dict((code, float(chance.randrange(80, 150))) for code in CODES)
        world = Exchange(prices, 400000.0, clock, 0, seed, dict((code, (10, 10)) for code in CODES))
        for code in CODES[:2]:
            world.hold(code, 100)
        rules = settings(order_max=50000, day_max=20)
        server = FuzzedServer(rules, clock, chance, chance.choice([0.05, 0.3, 0.9]), figures)
        maker, path = chance.choice(sorted(MAKERS)), os.path.join(folder, 'journal-live.jsonl')
        place = world.place
        server.filled_of = lambda one: sum(order.filled for order in world.book if order.remark == one)

        def placed(code, side, volume, price, remark):
            need('14:50' <= clock.stamp(clock.now())[11:16] < '14:57', 'an order out of hours')
            own = sum(world.truth(one) * prices[one] for one in CODES)
            need(server.has_wrong_word or side == 'sell' or own + volume * price <= 106000, 'beyond the capital')
            need(server.has_wrong_word or side == 'buy' or volume <= world.truth(code), 'sold what is the user\'s')
            return place(code, side, volume, price, remark)
        world.place = placed
        for number, date in enumerate(DATES):
            if number:
                clock.seconds = clock.at('15:30')
                world.new_day()
                clock.seconds = clock.at('14:45', date)
            listed = chance.sample(CODES, 3)
            items = [item(code, i + 1, 0.333333, prices[code]) for i, code in enumerate(listed)]
            events = [{'day': date, 'kind': chance.choice(['shares', 'called']), 'ratio': 0.0, 'cash': 0.1}] if chance.random() < 0.3 else []
            server.made = targets_of(items, date, facts={CODES[3]: {'events': events, 'close': prices[CODES[3]]}})
            journal = Journal(path, date)
            try:
                Day(Trader(rules, server, MAKERS[maker](world, clock), journal, clock, lambda _line: None, dry_run=False)).run()
            finally:
                journal.close()
            figures['days'] += 1
            figures['orders'] += len(world.book)
            need(not [order for order in world.book if order.status == 'open'], 'left open')
    finally:
        shutil.rmtree(folder)


def main(wanted, seed=1):
    """No case raises; the figures. A case is a day on which answers were changed."""
    figures = {'cases': 0, 'days': 0, 'changed': 0, 'orders': 0}
    while figures['days'] < wanted:
        try:
            one_case(seed, figures)
        except Exception as error:
            error.args = (u'case %d: %s' % (seed, error),)
            raise
        figures['cases'] += 1
        seed += 1
    return figures


if __name__ == '__main__':
    print(json.dumps(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
