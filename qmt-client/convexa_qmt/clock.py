# -*- coding: utf-8 -*-
"""Time as Shanghai has it, whatever the computer's zone is: UTC+8, no summer time."""

import calendar
import time

OFFSET = 8 * 3600
# Seconds: a trip longer than this tells nothing; a clock further off than that trades nothing; a clock that was set, or a computer that
# slept, by more than this is heard of anew before anything is sent.
LONG_TRIP, WRONG, JUMP = 5.0, 30.0, 2.0


class Clock(object):
    """`date`, `at` and `stamp` follow from `now`."""

    def now(self):
        return time.time()

    def monotonic(self):
        """Seconds that nobody can set."""
        return time.monotonic()

    def sleep(self, seconds):
        time.sleep(max(0.0, seconds))

    def date(self):
        return time.strftime('%Y-%m-%d', time.gmtime(self.now() + OFFSET))

    def at(self, text, date=None):
        """Seconds since 1970 of `14:50:00` on a day, `2026-11-23`; without one today."""
        day = [int(part) for part in (date or self.date()).split('-')]
        time_of_day = [int(part) for part in (text + ':00').split(':')[:3]]
        return float(calendar.timegm(tuple(day + time_of_day)) - OFFSET)

    def stamp(self, at):
        return time.strftime('%Y-%m-%dT%H:%M:%S+08:00', time.gmtime(at + OFFSET))


class SiteClock(Clock):
    """The site's time: each heartbeat tells it, and the monotonic clock carries it on, so that a clock that is set moves nothing. Before
    the first heartbeat it is the computer's own."""

    def __init__(self, own):
        # _heard: [(trip, site's time less monotonic)]; _base: the one that counts; _skew: own time less monotonic when it was last heard.
        self._own, self._heard, self._base, self._skew = own, [], None, 0.0

    def now(self):
        return self._own.now() if self._base is None else self._own.monotonic() + self._base

    def monotonic(self):
        return self._own.monotonic()

    def sleep(self, seconds):
        self._own.sleep(seconds)

    def hear(self, server_ms, asked, answered):
        """A heartbeat's answer: the site's time, and when it was asked and answered by the monotonic clock. Of the last five the shortest
        trip counts: it is wrong by half of it at most."""
        trip = answered - asked
        if not 0 <= trip <= LONG_TRIP:
            return
        if self.jumped:
            self._heard = []
        self._heard = [(trip, server_ms / 1000.0 + trip / 2 - answered)] + self._heard[:4]
        self._base, self._skew = min(self._heard, key=lambda one: one[0])[1], self._own.now() - self._own.monotonic()

    @property
    def offset(self):
        """Seconds by which the site's time is ahead of the computer's."""
        return self.now() - self._own.now()

    @property
    def jumped(self):
        """Whether the computer's clock was set, or slept without the monotonic one, since the site was heard."""
        return self._base is not None and abs(self._own.now() - self._own.monotonic() - self._skew) > JUMP

    @property
    def wrong(self):
        return abs(self.offset) > WRONG


class TrialClock(Clock):
    """A made-up afternoon of a day to come: it moves only when somebody sleeps."""

    def __init__(self, date, text):
        self._now = self.at(text, date)

    def now(self):
        return self._now

    def monotonic(self):
        return self._now

    def sleep(self, seconds):
        self._now += max(0.0, seconds)
