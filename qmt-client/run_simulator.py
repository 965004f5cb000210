# -*- coding: utf-8 -*-
"""没有终端、不在交易时间，也能走一遍：目标来自网站，成交与时间都在内存里模拟。python run_simulator.py"""

import os

from convexa_qmt.clock import TrialClock
from convexa_qmt.main import main, settings_of
from convexa_qmt.server import Refused, Rehearsal, ServerAway
from convexa_qmt.simulator import Simulator


def run(folder):
    settings = settings_of(folder)
    try:
        targets = Rehearsal(settings).targets(None)
    except (Refused, ServerAway) as error:
        raise SystemExit(u'没有取到目标：%s' % error)
    prices = dict((item['code'], item['ref_price']) for item in targets['items'])
    clock = TrialClock(targets['date'], settings['trading']['start_time'])
    main(folder, lambda _settings, _options: Simulator(prices, settings['capital'] * 10000.0), ['--now'], clock, 'simulated', Rehearsal)


if __name__ == '__main__':
    run(os.path.dirname(os.path.abspath(__file__)))
