# -*- coding: utf-8 -*-
"""Exchange with the site: heartbeats with the book, the orders that made it, the questions and the journal.

Book and orders go in one report: the site's record of them must fit together, since it may have to take the place of a lost journal.
"""

from . import VERSION
from .broker import OPEN
from .journal import ENDED, PREPARED, UNSURE
from .older_sites import BAD_BODY, BEFORE_2, WHOLE, beat_as, fills_as
from .server import Refused, ServerAway

MOST_FILLS = 200
# Processes of the journal that are named to the site: it knows the last one reported.
MOST_STARTS = 50
# Days in which a change of the book is reported.
TOLD_CHANGES = 21


def line_of(text):
    """A terminal's words as one line: its messages come with line breaks and zero bytes, which the site refuses."""
    return u' '.join(u''.join(one if one.isprintable() and one <= u'\uffff' else u' ' for one in text or '').split())


def take_record(journal, date, opening, log):
    """The site's record, as a heartbeat's answer has it, in place of a journal that was lost, damaged or old: the user asked for it there."""
    book = dict((one['code'], one['volume']) for one in opening['book'])
    orders = [dict(one, id=one['order_id'], date=one['trade_date']) for one in opening['orders']]
    journal.open_with(date, opening['token'], book, orders, opening.get('seq', 0))
    log(u'已按网站记录重建：持有 %d 只，待核对委托 %d 笔' % (len(book), len(orders)))


class SiteTalk(object):
    def __init__(self, day, view):
        """day: the Trader whose site, journal and clock these are; view: of its account."""
        self.day, self.view, self.journal, self.clock = day, view, day.journal, day.clock
        # The last day with orders too: the site may have been away when it ended.
        self.untold = set(one['id'] for one in self.journal.of_day(day.date) + self.journal.of_day(self.journal.last_day(day.date)))
        self.untold |= set(one['id'] for one in self.journal.without_end())
        # What positions or the user have ended, which may be long after its day: the process may have died before it told.
        self.untold |= set(one['id'] for one in self.journal.orders.values() if one['by'] in ('positions', 'user') and self.journal.is_lately(one['date'], day.date))
        # The site's word why nothing is traded, which it may take back, and when it was heard last.
        self.halt, self.heard = '', self.clock.now()
        # When it was last taken back; 0 = never.
        self.lifted = 0.0
        # The user's words on books, as they were heard last.
        self.books = []
        # The journal's count that it heard last: of two processes of a config it halts the one that has not read the other's lines.
        self._told_n = 0
        self._clock_said = False
        # How much this site knows of a report.
        self._form = WHOLE

    def hello(self):
        """A heartbeat: its answer carries a stop, the time, and the user's answers. Raises Refused, ServerAway."""
        asked, count, ids = self.clock.monotonic(), self.journal.n, self._to_tell()
        told = self._told()
        if ids:
            told['fills'] = [self._fill(self.journal.orders[one]) for one in ids]
        answer = self._heartbeat(told)
        self._told_n = count
        if self._form == WHOLE and not answer['halt']:
            # Of a client that is halted the site keeps neither orders nor holdings.
            self.untold.difference_update(ids)
        if answer['server_ms'] is not None:
            self.clock.hear(answer['server_ms'], asked, self.clock.monotonic())
            self._say_clock()
        self.heard = self.clock.now()
        heard = answer['halt_reason'] if answer['halt'] else ''
        if heard != self.halt:
            self.day.log(u'收到停止：%s' % heard if heard else u'停止已解除')
        if self.halt and not heard:
            self.lifted = self.clock.now()
            # Reports that arrived while another journal counted had no effect.
            self.untold |= set(one['id'] for one in self.journal.of_day(self.day.date) + self.journal.without_end())
        self.halt, self.books = heard, answer['books']
        if answer['opening'] is not None:
            self._open(answer['opening'])
        self.view.words.hear(answer['settled'], answer['books'])

    def _heartbeat(self, told):
        """The answer to a heartbeat, in the fullest form that this site knows."""
        first = None
        for form in range(self._form, BEFORE_2 + 1):
            try:
                answer = self.day.server.heartbeat(beat_as(form, told))
            except Refused as error:
                if error.code != BAD_BODY:
                    raise
                first = first or error
                continue
            if form == BEFORE_2 and answer['server_ms'] is not None:
                # Such a site knows the whole form: it was the report that was wrong.
                break
            if form != self._form:
                self.day.log(u'网站的版本较旧，不认识客户端的部分上报，改用旧格式上报：%s' % first)
                self._form = form
            return answer
        raise first

    def has_heard_plan(self):
        """Whether the site has heard of this process, and of its plan of the day where it has one, and halts neither."""
        plan = self.journal.plans.get(self.day.date, {})
        return self._told_n >= max(self.journal.started['n'], plan.get('n', 0))

    def _told(self):
        journal = self.journal
        told = {'client_version': VERSION, 'dry_run': self.day.dry_run, 'fresh': not journal.plans and not journal.opening,
                'holdings': [{'code': code, 'volume': volume} for code, volume in sorted(journal.holdings().items())][:500],
                'resting': self.view.resting()[:500], 'offset_ms': int(max(-9e9, min(9e9, self.clock.offset * 1000))),
                'session': self.day.broker.session,
                # Until a process has told that it is done, orders of its plan may be unknown to the site, however long ago that was.
                'may_order': self.day.date in journal.plans and not self.day.is_done}
        since = self.clock.stamp(self.clock.now() - TOLD_CHANGES * 86400)[:10]
        told['changes'], told['words'] = journal.changes(since)[-100:], sorted(journal.words)[-100:]
        # What keeps the terminal from trading, besides what the site knows itself.
        note = self.view.trouble or self.day.desk.trouble
        if note:
            told['note'] = line_of(note)[:200]
        if journal.id:
            told['journal'] = dict({'id': journal.id, 'n': journal.n, 'start': journal.started, 'starts': journal.starts[-MOST_STARTS:]},
                                   **({'opening': journal.opening} if journal.opening else {}))
        return told

    def _say_clock(self):
        if self.clock.wrong and not self._clock_said:
            self.day.log(u'本机时钟与网站相差 %.1f 分钟，校准前不下单' % abs(self.clock.offset / 60))
        elif self._clock_said and not self.clock.wrong:
            self.day.log(u'本机时钟已与网站一致')
        self._clock_said = self.clock.wrong

    def _open(self, opening):
        if self.journal.opening == opening['token']:
            return
        take_record(self.journal, self.day.date, opening, self.day.log)
        # Earlier reports are the site's own record.
        self.untold = set(one['id'] for one in self.journal.without_end())

    def beat(self):
        """A heartbeat with the news of orders; what goes wrong is only said."""
        try:
            self.hello()
            if self._form != WHOLE:
                self._tell_apart()
            elif not self.halt and (self.journal.n > self._told_n or self._to_tell()):
                # What was heard has changed the book.
                self.hello()
        except ServerAway as error:
            self.day.log(u'心跳没有送达：%s' % error)
        except Refused as error:
            self.day.say(u'心跳没有送达：%s' % error)

    def _to_tell(self):
        """Ids of orders with news, as many as one report may have. What the site's own record has ended is none."""
        orders = self.journal.orders
        return sorted(one for one in self.untold if orders[one]['state'] != PREPARED and orders[one]['by'] != 'record')[:MOST_FILLS]

    def _tell_apart(self):
        """Orders in a call of their own, as older sites know it."""
        ids = self._to_tell()
        if ids:
            self.day.server.fills(fills_as(self._form, [self._fill(self.journal.orders[one]) for one in ids]))
            self.untold.difference_update(ids)

    def _fill(self, one):
        status = one['status'] if one['state'] == ENDED else 'unsure' if one['state'] == UNSURE else OPEN
        note = line_of(one['note'])[:200]
        made = {'order_id': one['id'], 'trade_date': one['date'], 'code': one['code'], 'side': one['side'], 'volume': one['volume'],
                'filled': one['filled'], 'price': one['mean'] or None, 'limit': one['price'], 'status': status, 'note': note,
                'dry_run': self.day.dry_run, 'ordered_at': self.clock.stamp(one['at'] or self.day.at('09:30:00', one['date'])), 'seq': one['n']}
        if one['by']:
            made['proof'] = one['by']
        return made
