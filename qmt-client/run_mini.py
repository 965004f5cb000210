# -*- coding: utf-8 -*-
"""miniQMT：在装有 xtquant 的 Python 里运行。python run_mini.py --account 资金账号 --path D:\\QMT\\userdata_mini"""

import os

from convexa_qmt.main import main


def broker_of(settings, options):
    from convexa_qmt.xtquant_broker import XtquantBroker, connector
    if not options.account or not options.path:
        raise SystemExit(u'请用 --account 与 --path 给出资金账号和 userdata_mini 目录')
    return XtquantBroker(connector(options.path, options.account, settings['account']['type']))


if __name__ == '__main__':
    main(os.path.dirname(os.path.abspath(__file__)), broker_of)
