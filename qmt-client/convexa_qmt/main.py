# -*- coding: utf-8 -*-
"""Reads config.json and trades one day."""

import argparse
import io
import json
import os
import shutil

from . import VERSION
from .broker import CANCELLED, FILLED
from .clock import Clock
from .day import Day
from .journal import Journal
from .journal_file import CannotWrite, Damaged, copy_of, keep_name
from .only_one import only_one
from .paper import Paper
from .server import Refused, Server, ServerAway
from .simulator import Simulator
from .site_talk import take_record
from .trader import Trader


def settings_of(folder):
    # Notepad may have put a mark before the first letter.
    with io.open(os.path.join(folder, 'config.json'), encoding='utf-8-sig') as file:
        settings = json.load(file)
    if settings.get('format') != 1:
        raise SystemExit(u'config.json 的格式不是本客户端能读的，请重新导出')
    # A key may stand in a file of its own, so that config.json can be shown to somebody.
    key = os.path.join(folder, 'api_key.txt')
    if not settings['api_key'] and os.path.exists(key):
        with io.open(key, encoding='utf-8-sig') as file:
            settings['api_key'] = file.read().strip()
    return settings


def logger(folder, clock):
    path = os.path.join(folder, 'log-%s.txt' % clock.date())

    def log(text):
        line = u'%s %s' % (clock.stamp(clock.now())[11:19], text)
        try:
            print(line)
        except (UnicodeError, IOError):
            # A console without Chinese, or none at all.
            pass
        try:
            with io.open(path, 'a', encoding='utf-8') as file:
                file.write(line + u'\n')
        except (IOError, OSError):
            # Held by another program, or a full disk: a word that is lost must not end a day with orders open.
            pass
    return log


def main(folder, broker_of, arguments=None, clock=None, paper='dry', server_of=Server):
    """`broker_of(settings, options)`: the broker to trade at, or to take quotes from in a dry run. `paper`: which journal that has."""
    parser = argparse.ArgumentParser(description=u'凸度量化 QMT 客户端')
    parser.add_argument('--live', action='store_true', help=u'真实委托；缺省为演练，只记录不下单')
    parser.add_argument('--now', action='store_true', help=u'不等执行时段，立即运行一次')
    parser.add_argument('--account', default='', help=u'资金账号，只在本机使用')
    parser.add_argument('--path', default='', help=u'miniQMT 的 userdata_mini 目录')
    options = parser.parse_args(arguments)
    clock, settings = clock or Clock(), settings_of(folder)
    log = logger(folder, clock)
    with place_of(settings['config_id'], None, clock), place_of(settings['config_id'], folder, clock):
        return trade_day(folder, settings, options, broker_of, clock, log, paper, server_of(settings))


def place_of(config_id, folder, clock):
    """A place of which there is one; a client that has just ended may hold it for a moment. Raises SystemExit."""
    for _ in range(5):
        place = only_one(config_id, folder)
        if place:
            return place
        clock.sleep(1)
    raise SystemExit(u'本机已有一个客户端在运行这个配置')


def trade_day(folder, settings, options, broker_of, clock, log, paper, server):
    # Live trading needs two switches: the config on the site, set with the password, and the client's command line.
    live = options.live and not settings['trading']['dry_run']
    if options.live and not live:
        log(u'交易配置仍为演练模式，按演练运行')
    if options.now:
        settings['trading']['start_time'], settings['trading']['end_time'] = '00:00:00', '23:59:59'
    journal = open_journal(os.path.join(folder, 'journal-%s.jsonl' % ('live' if live else paper)), live, server, clock, log)
    if journal is None:
        return None
    broker = broker_of(settings, options)
    if not live:
        broker = on_paper(broker, journal, settings)
    log(u'%s：%s' % (settings['name'], u'真实委托' if live else u'演练，只记录不下单'))
    try:
        trader = Trader(settings, server, broker, journal, clock, log, dry_run=not live)
        return trader.run() if options.now else Day(trader).run()
    except CannotWrite as error:
        log(u'%s，今天不再交易' % error)
        return None
    finally:
        journal.close()


WAYS = u'有三种办法：把备份（目录 journal-copies）或原来的文件复制过来；在网站的运行配置里选择“按网站记录重建”；新建一个运行配置'
PAPER_WAYS = u'有两种办法：把备份（目录 journal-copies）复制过来；把这个文件改名，演练从空仓重新开始'
CLOSED = '15:00:00'


def open_journal(path, live, server, clock, log):
    """The journal, a copy of it kept. Of one that is damaged nothing is traded until the site's record takes its place; None: not today."""
    try:
        journal = Journal(path, clock.date())
    except Damaged as error:
        log(u'%s（%s），修复之前不%s。%s' % (error, os.path.basename(path), u'交易' if live else u'演练', WAYS if live else PAPER_WAYS))
        return rebuilt(path, server, clock, log) if live else None
    except CannotWrite as error:
        log(u'%s，今天不交易' % error)
        return None
    if journal.n:
        copy_of(path, journal.id, os.path.join(os.path.dirname(path), 'journal-copies'))
    return journal


def rebuilt(path, server, clock, log):
    """A journal by the site's record in place of a damaged one, once the user asks for it there. None: not today. The damage is reported
    to the site until the close, and after it until a report has arrived, so that the site can ask the user."""
    today, said = clock.date(), None
    while clock.date() == today:
        try:
            answer = server.heartbeat({'client_version': VERSION, 'dry_run': False, 'fresh': True, 'holdings': [],
                                       'journal': {'id': 'damaged', 'n': 0}})
            if answer['opening'] is not None:
                return replaced(path, answer['opening'], clock, log)
            words = None
        except (Refused, ServerAway) as error:
            words = u'心跳没有送达：%s' % error
        except (CannotWrite, IOError, OSError) as error:
            words = u'委托记录没有重建，一分钟后再试：%s' % error
        if words and words != said:
            log(words)
        said = words
        if words is None and clock.now() >= clock.at(CLOSED, today):
            break
        clock.sleep(60)
    return None


def replaced(path, opening, clock, log):
    """A new journal with the site's record as its first word: by its token the site knows it. At no moment there is none, and the damaged
    one is kept. Raises CannotWrite, IOError, OSError."""
    new, today = path + '.new', clock.date()
    if os.path.exists(new):
        os.remove(new)
    journal = Journal(new, today)
    try:
        take_record(journal, today, opening, log)
    finally:
        journal.close()
    shutil.copyfile(path, '%s.damaged-%s' % (path, clock.stamp(clock.now())[:19].replace(':', '')))
    os.replace(new, path)
    keep_name(path)
    return Journal(path, today)


def on_paper(quotes, journal, settings):
    """A broker on paper that holds the book. What it had open when the last run ended is gone with it."""
    if isinstance(quotes, Simulator):
        paper = quotes
        paper.money = settings['capital'] * 10000.0
    else:
        paper = Paper(quotes, settings['capital'] * 10000.0)
    for one in journal.without_end():
        journal.learn(one['id'], one['filled'], one['mean'], FILLED if one['filled'] >= one['volume'] else CANCELLED, u'')
    for code, volume in journal.holdings().items():
        paper.hold(code, volume)
    return paper
