# -*- coding: utf-8 -*-
"""What the client remembers: lines of JSON that are only ever added, each on disk before the next step is taken.

An order is written down before it is sent. Whatever moment the computer dies at, the next start reads what it may have sent and looks it
up among the broker's orders; a line that was cut off is none.
"""

import io
import json
import os

from .broker import FINAL, OPEN


class Journal(object):
    def __init__(self, path):
        self.path = path
        self.orders = {}
        self.plans = {}
        self.profits = {}
        self.stops = {}
        whole = self._read()
        self._file = io.open(path, 'ab')
        if whole is not None and whole < os.path.getsize(path):
            self._file.truncate(whole)

    def _read(self):
        if not os.path.exists(self.path):
            return None
        whole = 0
        with io.open(self.path, 'rb') as lines:
            for line in lines:
                if not line.endswith(b'\n'):
                    break
                self._take(json.loads(line.decode('utf-8')))
                whole += len(line)
        return whole

    def _take(self, line):
        if line['kind'] == 'plan':
            self.plans[line['date']] = line
        elif line['kind'] == 'profit':
            self.profits.setdefault(line['date'], {})[line['code']] = line['keep']
        elif line['kind'] == 'stop':
            self.stops[line['date']] = line['why']
        else:
            self.orders.setdefault(line['id'], {}).update(line)

    def _write(self, line):
        self._file.write((json.dumps(line, ensure_ascii=False, sort_keys=True) + '\n').encode('utf-8'))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._take(line)

    def close(self):
        self._file.close()

    def keep_plan(self, date, checksum, rows):
        self._write({'kind': 'plan', 'date': date, 'checksum': checksum, 'rows': rows})

    def take_profit(self, date, code, keep):
        """Of a security no more than `keep` is held for the rest of the day."""
        self._write({'kind': 'profit', 'date': date, 'code': code, 'keep': keep})

    def stop(self, date, why):
        """Nothing more is traded on this day."""
        self._write({'kind': 'stop', 'date': date, 'why': why})

    def intend(self, order_id, date, at, code, side, volume, price):
        self._write({'kind': 'intent', 'id': order_id, 'date': date, 'at': at, 'code': code, 'side': side, 'volume': volume,
                     'price': price, 'filled': 0, 'mean': None, 'status': OPEN, 'note': '', 'seen': False})

    def learn(self, order_id, filled, mean, status, note, seen=True):
        """Notes news of an order. True when they are news. What was filled never falls."""
        known = self.orders[order_id]
        filled = max(filled, known['filled'])
        if (known['filled'], known['status'], known['seen']) == (filled, status, seen):
            return False
        self._write({'kind': 'news', 'id': order_id, 'filled': filled, 'mean': mean, 'status': status, 'note': note, 'seen': seen})
        return True

    def of_day(self, date):
        return [one for one in self.orders.values() if one['date'] == date]

    def last_day(self, before):
        """The newest day with orders before a date; '' = none."""
        return max([one['date'] for one in self.orders.values() if one['date'] < before] or [''])

    def unsettled(self, date):
        return [one for one in self.of_day(date) if one['status'] not in FINAL]

    def unseen(self, date):
        """Orders that were given up since the broker never listed them."""
        return [one for one in self.of_day(date) if one['status'] in FINAL and not one['seen']]

    def holdings(self, before=None):
        """{code: volume} of what these orders have bought and not sold; those of days before `before` only."""
        held = {}
        for one in self.orders.values():
            if before is not None and one['date'] >= before:
                continue
            sign = 1 if one['side'] == 'buy' else -1
            held[one['code']] = held.get(one['code'], 0) + sign * one['filled']
        return dict((code, volume) for code, volume in held.items() if volume > 0)

    def next_leg(self, date, code, side):
        return sum(1 for one in self.of_day(date) if one['code'] == code and one['side'] == side)
