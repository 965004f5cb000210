# -*- coding: utf-8 -*-
"""The user's words on orders whose end is not known, and on books that are in question."""

from .book import PASSING
from .journal import ENDED, ended_as


class UserWords(object):
    def __init__(self, view):
        """view: of the account that the words are about."""
        self.view, self.day, self.journal, self.clock = view, view.day, view.journal, view.clock

    def hear(self, settled, books):
        """Words as the site tells them again until they are answered: on orders, and on books."""
        self._on_orders(settled)
        self._on_books(books)

    def _on_orders(self, settled):
        for word in settled:
            one = self.journal.orders.get(word['order_id'])
            if one is None or (one['state'] == ENDED and one['by'] in ('list', 'record')):
                continue
            if one['word'] == word['word']:
                # Taken already; a question that was asked again waits for another word.
                if one['state'] == ENDED:
                    self.day.news(one['id'])
                continue
            if word['filled'] > one['volume']:
                self.day.say(u'%s 的委托 %s：回答的数量 %d 超过委托数量，不采用' % (one['code'], one['id'], word['filled']))
                continue
            if word['filled'] < one['volume'] and not self._is_over(one['date']):
                # The order may still be alive: less than the whole counts after the close of its day.
                continue
            self.journal.end(one['id'], word['filled'], ended_as(word['filled'], one['volume']), 'user', word=word['word'])
            self.day.log(u'%s 的委托 %s：按你的回答，成交 %d' % (one['code'], one['id'], word['filled']))
            self.day.news(one['id'])

    def _on_books(self, books):
        for word in books:
            # Not more than the account has, and beside what the other configs told: without a reading or facts the word waits.
            if word['word'] in self.journal.words or self.view.reading is None or self.day.facts is None:
                continue
            code, volume, held = word['code'], word['volume'], self.journal.holdings().get(word['code'], 0)
            account = self.view.reading.position(code).volume
            # An event that is waited for is asked after some days, also where this process has not compared yet.
            if code not in self.journal.rests and code not in self.view.expected and not self.view.due(code)[0] and self.view.code_now(code) == code:
                # The question has answered itself since it was asked: the word was said of another day.
                self.journal.adjust(self.day.date, code, 0, self.journal.bases.get(code), 'user', word['word'])
                continue
            # Where the terminal's list is what is in question the user may know of more than it has.
            most = max(account, held) if self.journal.rests.get(code, {}).get('why') == 'unproven' else account
            if volume > most:
                self.day.say(u'%s 回答的持有 %d 超过账户的 %d，请重新回答' % (code, volume, most))
                continue
            base, settles = max(0, account - volume), self._settled_by_word(code)
            self.journal.adjust(self.day.date, code, volume - held, base, 'user', word['word'], self.view.lacking(code, base), settles)
            self.journal.wake(code)
            self.day.log(u'%s 账本按你的回答改为 %d（原 %d）' % (code, volume, held))

    def _settled_by_word(self, code):
        """The day up to which the user's word on a book covers events, '' = none: those that it was asked for. An event of today is younger
        than the question."""
        if self.journal.rests.get(code, {'why': 'event'})['why'] not in PASSING:
            return ''
        days = [event['day'] for event in self.view.events(code, None)] + [self.journal.ex_signs.get(code, '')]
        return max([day for day in days if day < self.day.date] or [''])

    def _is_over(self, date):
        return date < self.day.date or self.clock.now() >= self.day.at('15:05:00')
