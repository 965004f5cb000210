# -*- coding: utf-8 -*-
"""The client of an exported archive, in a simulator, against a site whose day is given: `journey.py FOLDER DATE`. Asked by the server's tests."""

import os
import sys

folder, date = sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
# The modules of the archive, not of the repository.
sys.path[:0] = [folder, HERE]

from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.main import settings_of  # noqa: E402
from convexa_qmt.server import Server  # noqa: E402
from convexa_qmt.simulator import Simulator  # noqa: E402
from convexa_qmt.trader import Trader  # noqa: E402
from world import TestClock  # noqa: E402

settings = settings_of(folder)
server = Server(settings)
items = server.targets(date)['items']
broker = Simulator(dict((item['code'], item['ref_price']) for item in items), settings['capital'] * 10000.0)
journal = Journal(os.path.join(folder, 'journal-dry.jsonl'))
print(Trader(settings, server, broker, journal, TestClock(date), print, dry_run=True).run())
