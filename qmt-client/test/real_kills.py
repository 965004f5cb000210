# -*- coding: utf-8 -*-
"""The client in a process of its own that is ended by SIGKILL, against a world that stays in this process.

Everything outside of the client, broker, site, clock and log, is asked over a local connection; its journal is a file of its own.
Run as `real_kills.py ADDRESS KEY` it is the client.
"""

import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Client, Listener

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.broker import Broker, BrokerAway, NotSent  # noqa: E402
from convexa_qmt.day import Day  # noqa: E402
from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.server import Refused, ServerAway  # noqa: E402
from convexa_qmt.trader import Trader  # noqa: E402
from terminals import MAKERS  # noqa: E402
from world import TestClock  # noqa: E402

ERRORS = {'BrokerAway': BrokerAway, 'NotSent': NotSent, 'Refused': Refused, 'ServerAway': ServerAway}
POSSIBLE = os.name == 'posix'


def client(world, path, rules, maker, chance, steps):
    """Runs the client until it ends (its summary) or is killed at the step (None). `world`: {name: object}; `steps` < 0: to its end."""
    key = b'%032x' % chance.getrandbits(128)
    listener = Listener(('127.0.0.1', 0), authkey=key)
    # Before the call, after it and before its answer, or a moment after the answer: while it writes its journal, perhaps.
    moment = chance.choice(['before', 'after', 'later'])
    process = subprocess.Popen([sys.executable, '-W', 'ignore', os.path.abspath(__file__), str(listener.address[1]), key.decode('ascii')])
    asked = None
    try:
        asked = listener.accept()
        asked.send((path, rules, maker, world['clock'].date()))
        while True:
            name, method, given = asked.recv()
            if name == 'done':
                process.wait()
                return given
            steps -= 1
            if steps == 0 and moment == 'before':
                return kill(process)
            answer = answered(getattr(world[name], method), given)
            if steps == 0 and moment == 'after':
                return kill(process)
            asked.send(answer)
            if steps == 0:
                time.sleep(chance.uniform(0, 0.002))
                return kill(process)
    finally:
        if asked:
            asked.close()
        listener.close()
        if process.poll() is None:
            kill(process)


def kill(process):
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    return None


def answered(call, given):
    try:
        return None, call(*given)
    except tuple(ERRORS.values()) as error:
        return type(error).__name__, u'%s' % error


class Outside(object):
    """An object of the other process, by its name."""

    def __init__(self, connection, name):
        self._connection, self._name = connection, name

    def _call(self, method, *given):
        self._connection.send((self._name, method, given))
        error, answer = self._connection.recv()
        if error:
            raise ERRORS[error](answer)
        return answer


def outside(base, methods):
    """A class that has these methods from the other process, the others from `base`."""
    def asking(method):
        return lambda self, *given: self._call(method, *given)
    return type('Outside' + base.__name__, (Outside, base), dict((method, asking(method)) for method in methods))


def main(port, key):
    connection = Client(('127.0.0.1', int(port)), authkey=key.encode('ascii'))
    path, rules, maker, date = connection.recv()
    market = outside(Broker, ['account', 'positions', 'orders', 'trades', 'quote', 'index_time', 'place', 'cancel'])(connection, 'market')
    site = outside(object, ['targets', 'heartbeat', 'fills'])(connection, 'site')
    clock = outside(TestClock, ['now', 'sleep'])(connection, 'clock')
    log = Outside(connection, 'log')
    journal = Journal(path)
    trader = Trader(rules, site, MAKERS[maker](market, clock), journal, clock, lambda line: log._call('append', line), dry_run=False)
    summary = Day(trader).run()
    journal.close()
    connection.send(('done', '', summary))


if __name__ == '__main__':
    main(*sys.argv[1:3])
