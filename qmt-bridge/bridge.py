# -*- coding: utf-8 -*-
"""行情桥接程序：把本机 miniQMT 的行情（xtdata）推送到自己的网站。

在登录了 miniQMT 的 Windows 电脑上运行：

    set CONVEXA_SITE=https://你的网站
    set CONVEXA_FEED_KEY=与网站环境变量 XTDATA_KEY 相同的密钥
    python bridge.py

盘中每 3 秒推送一次最新价，15:05 之后推送当日日线，终端还没有的一分钟后再取；终端有可转债资料的权限时，
15:05 与 19:45 之后再各推送一次强赎的日期与价格。只推送行情，不读取账户，不下单。
Ctrl-C 停止。需要 Python 3.6 以上与 xtquant，不需要安装别的东西。
"""
from __future__ import print_function

import argparse
import calendar
import datetime
import json
import math
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PUSH_SECONDS = 3
# Daily bars are complete from this time on.
BARS_AT = (15, 5)
# Notices of redemption are published in the evening, so they are fetched a second time.
CALLS_AT = ((15, 5), (19, 45))
SESSIONS = (((9, 15), (11, 31)), ((12, 59), (15, 1)))
# Sectors of each market, and the fewest securities of a complete list: a terminal without sector data returns fewer.
SECTORS = (((u'沪深转债',), 100), ((u'沪深A股', u'京市A股'), 1000))
# Smallest size of a new list as a share of the one it replaces; seconds between attempts.
KEPT, ASKING = 0.95, 60
INDICES = ('000001.SH', '000016.SH', '000300.SH', '000688.SH', '000832.SH', '000852.SH', '000905.SH', '399001.SZ', '399006.SZ')

TICK_FIELDS = ('time', 'lastPrice', 'open', 'high', 'low', 'lastClose', 'amount', 'volume')
BAR_FIELDS = ('open', 'high', 'low', 'close', 'preClose', 'amount', 'volume', 'suspendFlag')
CALL_FIELDS = ('forceRedeemTradeDate', 'forceRedeemConvDate', 'forceRedeemPrice')


class Refused(Exception):
    """The site rejects the push, and a retry would not change that."""


class NotPushed(Exception):
    """With --once the push failed or is incomplete; the reason has been printed."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    # A redirect would send the key to another address.
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def checked_site(site):
    """The site's address without a trailing slash. Requires https, except on this machine, since the key is sent along."""
    parts = urllib.parse.urlsplit(site)
    at_home = parts.hostname in ('127.0.0.1', 'localhost', '::1')
    if not parts.hostname or not (parts.scheme == 'https' or (parts.scheme == 'http' and at_home)):
        raise Refused(u'网站地址需以 https:// 开头')
    return site.rstrip('/')


def push(site, key, body):
    """Sends one push and returns the number of rows kept. Raises Refused when the site rejects it; other errors are temporary."""
    data = json.dumps(body, allow_nan=False).encode('utf-8')
    request = urllib.request.Request(site + '/v1/feed-bridge/xtdata', data=data, method='POST')
    request.add_header('Content-Type', 'application/json')
    request.add_header('X-Api-Key', key)
    try:
        with OPENER.open(request, timeout=15) as answer:
            return json.loads(answer.read().decode('utf-8'))['data']['kept']
    except urllib.error.HTTPError as error:
        told = error.read(65536).decode('utf-8', 'replace')
        try:
            words = json.loads(told)['msg']
        except (ValueError, KeyError, TypeError):
            words = u'HTTP %d' % error.code
        if error.code < 500 and error.code != 429:
            raise Refused(words)
        raise IOError(words)


def number(value):
    """A finite number, or None: JSON has no NaN."""
    try:
        value = float(value)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def row_of(source, fields):
    row = {}
    for field in fields:
        value = number(source.get(field))
        if value is not None:
            row[field] = value
    return row


def say(text):
    """Prints a line; a console without Chinese, or a closed one, must not end the program."""
    try:
        print(text)
        sys.stdout.flush()
    except (UnicodeError, IOError, ValueError):
        pass


def codes_of(xtdata):
    """Codes of all securities; None when the terminal has not loaded its sectors yet."""
    codes = set(INDICES)
    for sectors, least in SECTORS:
        found = set()
        for sector in sectors:
            found.update(xtdata.get_stock_list_in_sector(sector) or ())
        if len(found) < least:
            return None
        codes.update(found)
    return sorted(codes)


class Lists(object):
    """Codes to push: fetched once a day, with retries until complete; a much shorter list never replaces a longer one."""

    def __init__(self, xtdata):
        self._xtdata, self._day, self._next, self.codes = xtdata, None, None, []

    def fetch(self, moment):
        """Current codes; [] while none are known."""
        if self._day == moment.date() or (self._next is not None and moment < self._next):
            return self.codes
        self._next = moment + datetime.timedelta(seconds=ASKING)
        found = codes_of(self._xtdata)
        if found is None:
            # Old versions of xtquant lack this function and download sectors by themselves.
            download = getattr(self._xtdata, 'download_sector_data', None)
            if download:
                download()
            found = codes_of(self._xtdata)
        if found is None or len(found) < KEPT * len(self.codes):
            say(u'证券列表还没有就绪，一分钟后再试%s' % (u'，先用原来的 %d 只' % len(self.codes) if self.codes else u''))
            return self.codes
        self._day, self._next, self.codes = moment.date(), None, found
        say(u'共 %d 只证券' % len(found))
        return found


def ticks(xtdata, codes):
    rows = {}
    for code, tick in xtdata.get_full_tick(codes).items():
        row = row_of(tick, TICK_FIELDS)
        if 'time' in row:
            rows[code] = row
    return {'kind': 'ticks', 'rows': rows}


def bars(xtdata, codes, day):
    compact = day.strftime('%Y%m%d')
    for code in codes:
        xtdata.download_history_data(code, '1d', compact, compact)
    # fill_data would make a suspended day look like a trading day.
    frames = xtdata.get_market_data_ex(
        list(BAR_FIELDS), codes, period='1d', start_time=compact, end_time=compact, dividend_type='none', fill_data=False
    )
    rows = {}
    for code, frame in frames.items():
        records = frame.to_dict('records')
        if records:
            rows[code] = row_of(records[-1], BAR_FIELDS)
    return {'kind': 'bars', 'date': day.isoformat(), 'rows': rows}


def traded_on(rows, day):
    """Codes with volume on a day, from rows of ticks."""
    begin = (calendar.timegm(day.timetuple()) - 8 * 3600) * 1000
    return [code for code, row in rows.items() if begin <= row['time'] < begin + 86400000 and row.get('volume', 0) > 0]


class DayBars(object):
    """Daily bars. Terminals receive history late: missing bars are fetched again until each security that traded has one."""

    def __init__(self, xtdata):
        self._xtdata, self._day, self._next, self._rows, self._pushed = xtdata, None, None, {}, 0
        # Codes that traded and have no bar; None before the first fetch, or when no ticks show whether it is a holiday.
        self.late = None

    def fetch(self, codes, moment):
        """A push with all bars so far; None when there is no new one."""
        if self._day != moment.date():
            self._day, self._next, self._rows, self._pushed, self.late = moment.date(), None, {}, 0, None
        if self.late != [] and (self._next is None or moment >= self._next):
            self._next, before = moment + datetime.timedelta(seconds=ASKING), self.late
            self._rows.update(bars(self._xtdata, self.late or codes, self._day)['rows'])
            newest = ticks(self._xtdata, codes)['rows']
            self.late = [code for code in traded_on(newest, self._day) if code not in self._rows] if newest else None
            if self.late and self.late != before:
                say(u'当日日线还缺 %d 只' % len(self.late))
        if len(self._rows) > self._pushed:
            return {'kind': 'bars', 'date': self._day.isoformat(), 'rows': self._rows}
        return None

    def is_pushed(self):
        self._pushed = len(self._rows)


class Calls(object):
    """Forced redemptions of convertible bonds. Needs an account with access to bond terms; without it the terminal returns none."""

    def __init__(self, xtdata):
        self._xtdata, self._next, self._slot, self._told = xtdata, None, None, None

    def fetch(self, codes, moment, at_once=False):
        """A push; None when it is not due or there is nothing to push."""
        slot = (moment.date(), sum((moment.hour, moment.minute) >= each for each in CALLS_AT))
        is_due = slot[1] > 0 and slot != self._told and (self._next is None or moment >= self._next)
        # Old versions of xtquant lack both functions.
        download, info = getattr(self._xtdata, 'download_cb_data', None), getattr(self._xtdata, 'get_cb_info', None)
        if not (is_due or at_once) or download is None or info is None:
            return None
        # An unreachable terminal or site is retried a minute later.
        self._next, self._slot = moment + datetime.timedelta(seconds=ASKING), slot
        download()
        rows = {}
        for code in codes:
            told = info(code) if code.startswith(('11', '12')) else None
            if told:
                rows[code] = row_of(told, CALL_FIELDS)
        if rows:
            return {'kind': 'calls', 'date': moment.date().isoformat(), 'rows': rows}
        self.is_told()
        return None

    def is_told(self):
        self._next, self._told = None, self._slot


def in_session(now):
    at = (now.hour, now.minute)
    return any(begin <= at < end for begin, end in SESSIONS)


def shanghai_now():
    return datetime.datetime.utcnow() + datetime.timedelta(hours=8)


def run(xtdata, site, key, once=None, now=shanghai_now, sleep=time.sleep):
    """Pushes until interrupted, or once ('ticks', 'bars' or 'calls')."""
    lists, day_bars, calls = Lists(xtdata), DayBars(xtdata), Calls(xtdata)
    while True:
        moment = now()
        try:
            codes = lists.fetch(moment)
            if once and not codes:
                raise IOError(u'证券列表还没有就绪')
            if codes and (once == 'ticks' or (once is None and in_session(moment))):
                body = ticks(xtdata, codes)
                say(u'%s 推送最新价 %d 只' % (moment.strftime('%H:%M:%S'), push(site, key, body)))
            if codes and (once == 'bars' or (once is None and (moment.hour, moment.minute) >= BARS_AT)):
                body = day_bars.fetch(codes, moment)
                # A day without a bar and without a trade is a holiday: nothing to push.
                if body:
                    say(u'%s 推送日线 %d 只' % (moment.strftime('%H:%M:%S'), push(site, key, body)))
                    day_bars.is_pushed()
                if once and day_bars.late != []:
                    raise IOError(u'当日日线还没有就绪')
            if codes and once in (None, 'calls'):
                body = calls.fetch(codes, moment, once == 'calls')
                if body:
                    try:
                        say(u'%s 推送强赎数据 %d 只' % (moment.strftime('%H:%M:%S'), push(site, key, body)))
                    except Refused as refused:
                        # An older site rejects this kind of push but accepts the others.
                        if once:
                            raise
                        say(u'强赎数据没有推送：%s' % refused)
                    calls.is_told()
                elif once:
                    raise IOError(u'终端没有可转债资料，或账户没有权限')
        except Refused:
            raise
        except Exception as error:
            # A network error, or the daily restart of the terminal; xtquant raises exceptions of any type.
            if once:
                say(u'推送没有成功：%s' % error)
                raise NotPushed()
            say(u'推送没有成功，稍后再试：%s' % error)
        if once:
            return
        sleep(PUSH_SECONDS if in_session(moment) else 20)


def main():
    parser = argparse.ArgumentParser(description=u'把本机 miniQMT 的行情推送到自己的网站')
    parser.add_argument('--once', choices=('ticks', 'bars', 'calls'), help=u'只推送一次')
    given = parser.parse_args()
    try:
        site = checked_site(os.environ.get('CONVEXA_SITE', ''))
        key = os.environ.get('CONVEXA_FEED_KEY', '')
        if len(key) < 32:
            raise Refused(u'请设置 CONVEXA_FEED_KEY（至少 32 个字符，与网站的 XTDATA_KEY 相同）')
        try:
            from xtquant import xtdata
        except ImportError:
            raise Refused(u'没有找到 xtquant，请用 miniQMT 自带的 Python 运行')
        run(xtdata, site, key, given.once)
    except Refused as refused:
        say(u'没有推送：%s' % refused)
        return 2
    except NotPushed:
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == '__main__':
    sys.exit(main())
