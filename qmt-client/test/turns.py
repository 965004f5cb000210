# -*- coding: utf-8 -*-
"""Several clients at one clock: one at a time, and whichever sleeps lets the others go on until its time has come."""

import threading

from world import TestClock


class Ended(BaseException):
    """Another of them has failed: this one ends where it stands."""


class SharedClock(TestClock):
    turns = None

    def sleep(self, seconds):
        if self.turns:
            self.turns.sleep(max(0.0, seconds))
        else:
            TestClock.sleep(self, seconds)


class Turns(object):
    def __init__(self, clock, calls):
        self._clock, self._calls = clock, calls
        self._wake = dict((i, clock.now()) for i in range(len(calls)))
        self._go = [threading.Event() for _ in calls]
        self._back, self._current, self._error = threading.Event(), 0, None

    def run(self):
        """Runs all calls to their ends. Raises the first error of one."""
        self._clock.turns = self
        threads = [threading.Thread(target=self._call, args=(i,)) for i in range(len(self._calls))]
        for thread in threads:
            thread.daemon = True
            thread.start()
        while self._wake:
            self._current = min(self._wake, key=lambda i: (self._wake[i], i))
            self._clock.seconds = max(self._clock.seconds, self._wake[self._current])
            self._go[self._current].set()
            self._back.wait()
            self._back.clear()
        for thread in threads:
            thread.join()
        self._clock.turns = None
        if self._error is not None:
            raise self._error

    def _call(self, i):
        self._go[i].wait()
        self._go[i].clear()
        try:
            if self._error is None:
                self._calls[i]()
        except Ended:
            pass
        except BaseException as error:
            self._error = self._error or error
        del self._wake[i]
        self._back.set()

    def sleep(self, seconds):
        i = self._current
        self._wake[i] = self._clock.now() + seconds
        self._back.set()
        self._go[i].wait()
        self._go[i].clear()
        if self._error is not None:
            raise Ended()
