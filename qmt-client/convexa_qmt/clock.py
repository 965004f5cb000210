# -*- coding: utf-8 -*-
"""Time as Shanghai has it, whatever the computer's zone is: UTC+8, no summer time."""

import calendar
import time

OFFSET = 8 * 3600
# Seconds: a trip longer than this tells nothing; a clock further off than that trades nothing.
LONG_TRIP, WRONG = 5.0, 30.0


class Clock(object):
    """`date`, `at` and `stamp` follow from `now`."""

    def now(self):
        return time.time()

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
    """The site's time by this computer's clock: each heartbeat tells how far that is off."""

    def __init__(self, own):
        self._own, self._heard, self.offset = own, [], 0.0

    def now(self):
        return self._own.now() + self.offset

    def own_now(self):
        return self._own.now()

    def sleep(self, seconds):
        self._own.sleep(seconds)

    def hear(self, server_ms, asked, answered):
        """A heartbeat's answer: the site's time, and when it was asked and answered by the own clock. Of the last five the shortest trip
        counts: its offset is wrong by half of it at most."""
        trip = answered - asked
        if not 0 <= trip <= LONG_TRIP:
            return
        self._heard = (self._heard + [(trip, server_ms / 1000.0 + trip / 2 - answered)])[-5:]
        self.offset = min(self._heard)[1]

    @property
    def wrong(self):
        return abs(self.offset) > WRONG


class TrialClock(Clock):
    """A made-up afternoon of a day to come: it moves only when somebody sleeps."""

    def __init__(self, date, text):
        self._now = self.at(text, date)

    def now(self):
        return self._now

    def sleep(self, seconds):
        self._now += max(0.0, seconds)
