#coding:gbk
# The client inside the big terminal: paste this file as a new Python strategy, set the three lines below, run it under model trading.
# Only ASCII in here, since the terminal reads GBK. The manual is in the archive.
import sys

FOLDER = r'C:\convexa'  # where the archive was unpacked
ACCOUNT = ''  # empty: the account that the strategy is given in the terminal
LIVE = False  # True: real orders, if the trading config says so too

if FOLDER not in sys.path:
    sys.path.insert(0, FOLDER)

from convexa_qmt.big_terminal import Strategy

running = []


def init(C):
    strategy = Strategy(FOLDER, ACCOUNT or globals().get('account', ''), LIVE)
    running.append(strategy)
    strategy.start(C, passorder, get_trade_detail_data, cancel)
    C.run_time('convexa_turn', '500nMilliSecond', '2020-01-01 00:00:00', 'SH')


def convexa_turn(C):
    running[-1].turns.serve()


def handlebar(C):
    pass


def stop(C):
    running.pop().stop()
