# -*- coding: utf-8 -*-
import io
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from convexa_qmt.plan import plan_of  # noqa: E402
from convexa_qmt.quantities import lot_of, order_volume  # noqa: E402
from convexa_qmt.server import checked_facts  # noqa: E402


class ThePlan(unittest.TestCase):
    def test_is_that_of_the_server(self):
        with io.open(os.path.join(HERE, 'plan-cases.json'), encoding='utf-8') as file:
            for one in json.load(file):
                held = dict((row['code'], row['volume']) for row in one['holdings'])
                made = plan_of(one['items'], held, one['money'], one['order_min'], one['ignore_codes'], one.get('resting', ()))
                self.assertEqual([list(row) for row in made], one['plan'], one['name'])


class TheVolumeOfAnOrder(unittest.TestCase):
    def test_is_that_of_the_server(self):
        with io.open(os.path.join(HERE, 'volume-cases.json'), encoding='utf-8') as file:
            for one in json.load(file):
                made = order_volume(one['side'], one['gap'], one['saleable'], one['account'], tuple(one['lot']), one['price'],
                                    one.get('order_max'), one.get('money'))
                self.assertEqual(made, one['volume'], one['name'])


class TheLotOfACode(unittest.TestCase):
    def test_is_that_of_the_server(self):
        with io.open(os.path.join(HERE, 'lot-cases.json'), encoding='utf-8') as file:
            for one in json.load(file):
                self.assertEqual(lot_of(one['code'], one['kind']), (one['min'], one['step']), one['code'])


class TheFacts(unittest.TestCase):
    def test_have_the_checksum_of_the_server(self):
        with io.open(os.path.join(HERE, 'facts-case.json'), encoding='utf-8') as file:
            self.assertEqual(len(checked_facts(json.load(file))), 4)


if __name__ == '__main__':
    unittest.main()
