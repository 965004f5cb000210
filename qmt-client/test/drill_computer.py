# -*- coding: utf-8 -*-
"""What a config's client of a story has around it: the world as its orders reach it, the site, and the clock of its computer."""

from world import TestClock


class Door(object):
    """The world as one config's client reaches it: its orders are looked at."""

    def __init__(self, world, config):
        self._world, self.place = world, config.place

    def __getattr__(self, name):
        return getattr(self._world, name)


class Doorbell(object):
    """The site, at whose calls a process may die too."""

    def __init__(self, site, fuse):
        self.targets, self.heartbeat, self.fills = site.targets, fuse.wrap(site.heartbeat), fuse.wrap(site.fills)


class ComputerClock(TestClock):
    """The computer's clock: off by seconds, jumping, or standing while the computer sleeps."""

    def __init__(self, config, calm):
        self.config, self.true, self.slept, self.still = config, config.clock, False, 0.0
        drawn = {} if calm else config.drawn
        self.off, self.jump, self.jumps_at = drawn.get('clock_off', 0), drawn.get('clock_jumps', 0), 0.0
        if self.off:
            config.story.mark('clock_off')
        if self.jump:
            self.jumps_at = config.story.in_window(config.chance.randrange(-60, 300))
        self.sleeps_at = 0.0
        if 'asleep' in drawn and config.story.may_sleep():
            self.sleeps_at = config.story.in_window(config.chance.randrange(-60, 280))

    def now(self):
        true = self.true.now()
        if self.jump and true >= self.jumps_at:
            self.config.story.mark('clock_jumps')
            return true + self.off + self.jump
        return true + self.off

    def monotonic(self):
        return self.true.now() - self.still

    def sleep(self, seconds):
        self.true.sleep(seconds)
        if self.sleeps_at and self.true.now() >= self.sleeps_at:
            self.sleeps_at, self.slept = 0.0, True
            before = self.true.now()
            self.config.story.fall_asleep()
            # Some systems count the time of sleep, others do not.
            self.still = (self.true.now() - before) * self.config.chance.choice([0, 1])
