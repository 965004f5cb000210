# -*- coding: utf-8 -*-
"""Dry run: quotes of a real broker, orders that are only written down and filled at once on paper."""

from .simulator import Simulator


class Paper(Simulator):
    def __init__(self, quotes, cash):
        Simulator.__init__(self, {}, cash)
        self._quotes = quotes

    def quote(self, code):
        return self._quotes.quote(code)

    def index_time(self):
        return self._quotes.index_time()

    def renew(self):
        self._quotes.renew()
