# -*- coding: utf-8 -*-
"""The client inside the big terminal.

All strategies of the terminal share one thread and its functions may be called from there only, so nothing may wait in it. The client runs
in a thread of its own; what it asks of the terminal stands in a line that the terminal's timer serves, a turn every half second.
"""

import threading
import time
import traceback

from .broker import Broker, BrokerAway, NotSent
from .clock import Clock
from .passorder_broker import PassorderBroker, Terminal

try:
    from queue import Empty, Queue
except ImportError:  # pragma: no cover
    raise SystemExit('Python 3.6')

# Seconds: how long the client waits to be served; how long a turn may last; how long it waits for the next question within.
PATIENCE, TURN, PAUSE = 10.0, 0.3, 0.05


class Stopped(BaseException):
    """The strategy was stopped in the terminal."""


class Question(object):
    """A call for the terminal's thread. It is made or given up, never both: an order that was given up is not sent later."""

    def __init__(self, call, given):
        self._call, self._given, self._lock = call, given, threading.Lock()
        self._taken, self._done, self._answer, self._error = False, threading.Event(), None, None

    def serve(self):
        with self._lock:
            if self._taken:
                return
            self._taken = True
        try:
            self._answer = self._call(*self._given)
        except Exception as error:
            self._error = error
        self._done.set()

    def answer(self, patience):
        if not self._done.wait(patience):
            with self._lock:
                given_up = not self._taken
                self._taken = True
            if given_up:
                raise NotSent(u'终端没有轮到本策略')
            if not self._done.wait(patience):
                raise BrokerAway(u'终端没有应答')
        if self._error is not None:
            raise self._error
        return self._answer


class Turns(object):
    def __init__(self, patience=PATIENCE):
        self._line, self._patience, self.stopped = Queue(), patience, threading.Event()

    def ask(self, call, *given):
        if self.stopped.is_set():
            raise Stopped()
        question = Question(call, given)
        self._line.put(question)
        return question.answer(self._patience)

    def serve(self):
        """In the terminal's thread: what is asked now, and what follows at once."""
        until = time.time() + TURN
        while time.time() < until and not self.stopped.is_set():
            try:
                self._line.get(timeout=PAUSE).serve()
            except Empty:
                return


class TurnBroker(Broker):
    """A broker whose every call is made in the terminal's thread."""

    def __init__(self, broker, turns):
        self._broker, self._turns, self.settle = broker, turns, broker.settle

    @property
    def session(self):
        return self._broker.session

    def account(self):
        return self._turns.ask(self._broker.account)

    def positions(self):
        return self._turns.ask(self._broker.positions)

    def trades(self):
        return self._turns.ask(self._broker.trades)

    def index_time(self):
        return self._turns.ask(self._broker.index_time)

    def orders(self):
        return self._turns.ask(self._broker.orders)

    def quote(self, code):
        return self._turns.ask(self._broker.quote, code)

    def place(self, code, side, volume, price, remark):
        return self._turns.ask(self._broker.place, code, side, volume, price, remark)

    def cancel(self, number):
        return self._turns.ask(self._broker.cancel, number)


class StrategyClock(Clock):
    def __init__(self, stopped):
        self._stopped = stopped

    def sleep(self, seconds):
        if self._stopped.wait(max(0.0, seconds)):
            raise Stopped()


class Strategy(object):
    """What run_big.py starts, serves and stops."""

    def __init__(self, folder, account_no, live, work=None):
        self.turns = Turns()
        self.clock = StrategyClock(self.turns.stopped)
        self._folder, self._account, self._live, self._work = folder, account_no, live, work or run_days
        self._thread = None

    def start(self, context, passorder, get_trade_detail_data, cancel):
        terminal = Terminal(passorder, get_trade_detail_data, cancel)

        def broker_of(settings, _options):
            return TurnBroker(PassorderBroker(terminal, context, self._account, settings['account']['type'], self.clock), self.turns)

        self._thread = threading.Thread(target=self._run, args=(broker_of,))
        # The terminal must be able to close; whatever is under way is in the journal.
        self._thread.daemon = True
        self._thread.start()

    def _run(self, broker_of):
        try:
            self._work(self._folder, broker_of, ['--live'] if self._live else [], self.clock)
        except Stopped:
            pass
        except SystemExit as error:
            print(error)
        except Exception:
            print(traceback.format_exc())

    def stop(self):
        self.turns.stopped.set()
        if self._thread:
            self._thread.join(2.0)


def run_days(folder, broker_of, arguments, clock):
    """Day after day, as long as the terminal runs."""
    from .main import main
    while True:
        today = clock.date()
        try:
            main(folder, broker_of, arguments, clock)
        except (Exception, SystemExit) as error:
            # Tomorrow is another day: what stopped this one, a config or a lock, may be gone.
            print(error if isinstance(error, SystemExit) else traceback.format_exc())
        while clock.date() == today:
            clock.sleep(60)
