# -*- coding: utf-8 -*-
"""没有终端也能走一遍：目标来自网站，成交在内存里模拟。python run_simulator.py --now"""

import os

from convexa_qmt.clock import Clock
from convexa_qmt.main import main
from convexa_qmt.server import Server
from convexa_qmt.simulator import Simulator


def broker_of(settings, _options):
    targets = Server(settings).targets(Clock().date())
    prices = dict((item['code'], item['ref_price']) for item in targets['items'])
    return Simulator(prices, settings['capital'] * 10000.0)


if __name__ == '__main__':
    main(os.path.dirname(os.path.abspath(__file__)), broker_of)
