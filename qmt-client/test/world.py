# -*- coding: utf-8 -*-
"""A made-up world for the tests: a clock that only moves when told, a site, a kill -9 at any step."""

import os
import tempfile

from convexa_qmt.broker import Broker
from convexa_qmt.server import ServerAway, checked_targets, checksum_of

RULES = {
    'start_time': '14:50:00', 'end_time': '14:56:30', 'interval': 30, 'duration': 300, 'wait': 24, 'price_mode': 1, 'price_offset': 0.0001,
    'price_guard': 0.03, 'order_min': 3000, 'order_max': 30000, 'day_max': 200, 'max_daily_turnover': 1, 'hold_rank': None, 'buy_rank': None,
    'sell_first': True, 'limit_up_skip': True, 'only_own': True, 'take_profit': None, 'ignore_codes': [], 'heartbeat': '09:15', 'dry_run': False,
}


def settings(**over):
    rules = dict(RULES, **over)
    return {'format': 1, 'server': 'http://127.0.0.1', 'api_key': 'qmt_x', 'config_id': '01990000-0000-7000-8000-000000000001',
            'config_version': 1, 'name': u'双低', 'kind': 'cb', 'capital': 10, 'trading': rules}


def memory_folder():
    """A journal waits for the disk at every line; what a death leaves of it is the same in memory."""
    return tempfile.mkdtemp(dir='/dev/shm' if os.path.isdir('/dev/shm') else None)


class TestClock(object):
    def __init__(self, date='2026-11-23', at=14 * 3600 + 50 * 60):
        self.day, self.seconds = date, float(at)

    def now(self):
        return self.seconds

    def sleep(self, seconds):
        self.seconds += max(0.0, seconds)

    def date(self):
        return self.day

    def at(self, text, date=None):
        assert date in (None, self.day)
        hours, minutes, seconds = (int(part) for part in (text + ':00').split(':')[:3])
        return float(hours * 3600 + minutes * 60 + seconds)

    def stamp(self, at):
        return '%sT%02d:%02d:%02d+08:00' % (self.day, at // 3600, at % 3600 // 60, at % 60)


def targets_of(items, date='2026-11-23', money=98000.0, halt=''):
    made = {'config_id': settings()['config_id'], 'config_version': 1, 'date': date, 'signal_date': '2026-11-20', 'money': money,
            'items': items, 'halt': halt != '', 'halt_reason': halt}
    made['checksum'] = checksum_of(made)
    return made


def item(code, rank, weight, price, lot_min=10, lot_step=10):
    return {'code': code, 'name': code, 'rank': rank, 'weight': weight, 'ref_price': price, 'lot_min': lot_min, 'lot_step': lot_step}


class Site(object):
    """Keeps what it is told; `away` and `halt` are switched by a test."""

    def __init__(self, made):
        self.made, self.away, self.halt, self.told, self.beats, self.fresh = made, False, '', {}, 0, []

    def reach(self):
        if self.away:
            raise ServerAway(u'没有连接')

    def targets(self, date):
        self.reach()
        return checked_targets(self.made, settings(), date)

    def heartbeat(self, version, dry_run, holdings, fresh):
        self.reach()
        self.fresh.append(fresh)
        self.beats += 1
        return {'halt': self.halt != '', 'halt_reason': self.halt}

    def fills(self, fills):
        self.reach()
        for one in fills:
            self.told[one['order_id']] = one


class Killed(BaseException):
    """kill -9: nothing that stands in an `except` or a `finally` of the client hears of it before the next start."""


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
        for name in ('positions', 'cash', 'orders', 'quote', 'place', 'cancel'):
            setattr(self, name, fuse.wrap(getattr(broker, name)))
