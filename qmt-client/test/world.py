# -*- coding: utf-8 -*-
"""A made-up world for the tests: a clock that only moves when told, a site, a kill -9 at any step."""

import os
import tempfile

from convexa_qmt.broker import Broker
from convexa_qmt.clock import OFFSET, Clock
from convexa_qmt.server import ServerAway, checked_beat, checked_targets, checksum_of, facts_checksum

RULES = {
    'start_time': '14:50:00', 'end_time': '14:56:30', 'interval': 30, 'duration': 300, 'wait': 24, 'price_mode': 1, 'price_offset': 0.0001,
    'price_guard': 0.03, 'order_min': 3000, 'order_max': 30000, 'day_max': 200, 'max_daily_turnover': 1, 'hold_rank': None, 'buy_rank': None,
    'sell_first': True, 'limit_up_skip': True, 'only_own': True, 'take_profit': None, 'ignore_codes': [], 'heartbeat': '09:15', 'dry_run': False,
}


CONFIG = '01990000-0000-7000-8000-000000000001'


def settings(**over):
    kind, capital, config_id = over.pop('kind', 'cb'), over.pop('capital', 10), over.pop('config_id', CONFIG)
    rules = dict(RULES, **over)
    return {'format': 1, 'server': 'http://127.0.0.1', 'api_key': 'qmt_x', 'config_id': config_id,
            'config_version': 1, 'name': u'双低', 'kind': kind, 'capital': capital, 'trading': rules}


def memory_folder():
    """A journal waits for the disk at every line; what a death leaves of it is the same in memory."""
    return tempfile.mkdtemp(dir='/dev/shm' if os.path.isdir('/dev/shm') else None)


class TestClock(Clock):
    """Moves only when somebody sleeps. at: seconds of the day, or since 1970, of which the time of day is taken."""

    def __init__(self, date='2026-11-23', at=14 * 3600 + 50 * 60):
        self.seconds = self.at('00:00', date) + (at if at < 86400 else (at + OFFSET) % 86400)

    def now(self):
        return self.seconds

    def sleep(self, seconds):
        self.seconds += max(0.0, seconds)

    def monotonic(self):
        return self.now()


def targets_of(items, date='2026-11-23', money=98000.0, halt='', facts=None, config_id=CONFIG):
    """facts: {code: what differs from the usual}, for the items and these."""
    made = {'config_id': config_id, 'config_version': 1, 'date': date, 'signal_date': '2026-11-20', 'money': money,
            'items': items, 'halt': halt != '', 'halt_reason': halt}
    made['checksum'] = checksum_of(made)
    made['facts'] = facts_of(items, facts or {})
    return made


def facts_of(items, over):
    known = dict((one['code'], {'code': one['code'], 'lot_min': one['lot_min'], 'lot_step': one['lot_step'], 'close': None}) for one in items)
    rows = [dict({'code': code, 'lot_min': 10, 'lot_step': 10, 'close': None, 'others': 0, 'events': []}, **dict(known.get(code, {}), **over.get(code, {})))
            for code in sorted(set(known) | set(over))]
    return {'rows': rows, 'checksum': facts_checksum(rows)}


def item(code, rank, weight, price, lot_min=10, lot_step=10):
    return {'code': code, 'name': code, 'rank': rank, 'weight': weight, 'ref_price': price, 'lot_min': lot_min, 'lot_step': lot_step}


class Site(object):
    """Keeps what is reported to it; `away` and `halt` are switched by a test; `settled`, `books` are the user's words."""

    def __init__(self, made):
        self.made, self.away, self.halt, self.told, self.beats, self.fresh = made, False, '', {}, 0, []
        self.settled, self.books, self.opening, self.clock, self.heard = [], [], None, None, {}

    def reach(self):
        if self.away:
            raise ServerAway(u'没有连接')

    def targets(self, date):
        self.reach()
        return checked_targets(self.made, settings(), date)

    def heartbeat(self, told):
        self.reach()
        if not self.halt:
            self.fills(told.get('fills', []))
        return self.answer_to(told)

    def answer_to(self, told):
        self.heard = told
        self.fresh.append(told['fresh'])
        self.beats += 1
        return checked_beat({'halt': self.halt != '', 'halt_reason': self.halt, 'settled': self.settled, 'books': self.books, 'opening': self.opening,
                             'server_ms': None if self.clock is None else int(self.clock.now() * 1000)})

    def fills(self, fills):
        self.reach()
        for one in fills:
            self.told[one['order_id']] = one


class Killed(BaseException):
    """kill -9: no `except` and no `finally` of the client runs before the next start."""


class Fuse(object):
    """Burns down by a step at every call of the outer world; at its end the process dies, before the call or just after it."""

    def __init__(self, steps, after):
        self.steps, self.after = steps, after

    def wrap(self, call):
        def burning(*given, **named):
            self.steps -= 1
            if self.steps == 0 and not self.after:
                raise Killed()
            answer = call(*given, **named)
            if self.steps == 0:
                raise Killed()
            return answer
        return burning


class Burning(Broker):
    def __init__(self, broker, fuse):
        self.habits, self.strike = getattr(broker, 'habits', {}), getattr(broker, 'strike', None)
        for name in ('account', 'positions', 'orders', 'trades', 'quote', 'index_time', 'place', 'cancel'):
            setattr(self, name, fuse.wrap(getattr(broker, name)))
