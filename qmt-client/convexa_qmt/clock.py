# -*- coding: utf-8 -*-
"""Time as Shanghai has it, whatever the computer's zone is: UTC+8, no summer time."""

import calendar
import time

OFFSET = 8 * 3600


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


class TrialClock(Clock):
    """A made-up afternoon of a day to come: it moves only when somebody sleeps."""

    def __init__(self, date, text):
        self._now = self.at(text, date)

    def now(self):
        return self._now

    def sleep(self, seconds):
        self._now += max(0.0, seconds)
