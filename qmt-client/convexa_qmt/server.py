# -*- coding: utf-8 -*-
"""The site: targets, heartbeats, fills. An answer of a wrong shape counts as none; a wrong checksum, date or version is refused here."""

import calendar
import hashlib
import json
import re

try:
    from urllib.request import HTTPRedirectHandler, Request, build_opener
    from urllib.error import HTTPError
    from urllib.parse import urlencode, urlparse
except ImportError:  # pragma: no cover
    raise SystemExit('需要 Python 3.6 或更高版本')


class NoRedirect(HTTPRedirectHandler):
    # A key is sent where it was meant for and nowhere else.
    def redirect_request(self, *_):
        return None


OPENER = build_opener(NoRedirect)
MOST_BYTES = 8 * 1024 * 1024
# No count, price or time of the site is larger.
MOST = 10 ** 13
CODE, DAY = re.compile(r'\d{6}\.(SH|SZ|BJ)\Z'), re.compile(r'(\d{4})-(\d{2})-(\d{2})\Z')


class ServerAway(Exception):
    """No answer that can be used: nothing new is bought while it lasts."""


class Refused(Exception):
    """The site said no, with its sentence. `code`: of its answer, 0 = it is the client that refuses."""

    def __init__(self, words, code=0):
        Exception.__init__(self, words)
        self.code = code


class Server(object):
    timeout = 20

    def __init__(self, settings):
        self._settings = settings
        address = urlparse(settings['server'])
        if address.scheme != 'https' and address.hostname not in ('127.0.0.1', 'localhost'):
            raise Refused(u'服务器地址须为 https')
        if not settings['api_key']:
            raise Refused(u'config.json 中没有 api_key，请粘贴密钥')

    def targets(self, date):
        """Of today; `date` None: of the next day that is traded, to rehearse it."""
        query = urlencode([('config_id', self._settings['config_id'])] + ([('date', date)] if date else []))
        targets = self._call('GET', '/v1/qmt-client/targets?' + query)
        return checked_targets(targets, self._settings, date)

    def heartbeat(self, told):
        """told: what the heartbeat says besides the config; the checked answer."""
        return checked_beat(self._call('POST', '/v1/qmt-client/heartbeat', dict(told, config_id=self._settings['config_id'])))

    def fills(self, fills):
        return self._call('POST', '/v1/qmt-client/fills', {'config_id': self._settings['config_id'], 'fills': fills})

    def open(self, request):
        """The answer to a request, a file."""
        return OPENER.open(request, timeout=self.timeout)

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode('utf-8')
        headers = {'X-Api-Key': self._settings['api_key'], 'Content-Type': 'application/json'}
        request = Request(self._settings['server'].rstrip('/') + path, data=data, headers=headers)
        request.get_method = lambda: method
        try:
            answer = json.loads(self.open(request).read(MOST_BYTES).decode('utf-8'))
        except HTTPError as error:
            try:
                answer = json.loads(error.read(MOST_BYTES).decode('utf-8'))
            except Exception:
                raise ServerAway(u'HTTP %d' % error.code)
            if error.code >= 500 or error.code == 429:
                raise ServerAway(answer.get('msg') if isinstance(answer, dict) else u'HTTP %d' % error.code)
        except Exception as error:
            raise ServerAway(u'%s' % error)
        return data_of(answer)


class Rehearsal(Server):
    """The site in a rehearsal of a day to come: the request names no day, and the answer is of that one. The clock is simulated, so the site's
    time is ignored."""

    def heartbeat(self, told):
        return dict(Server.heartbeat(self, told), server_ms=None)

    def targets(self, _date):
        return Server.targets(self, None)


def data_of(answer):
    if not isinstance(answer, dict) or isinstance(answer.get('code'), bool) or not isinstance(answer.get('code'), int):
        raise not_whole()
    if answer['code'] != 0:
        raise Refused(u'%s（%s）' % (answer.get('msg'), answer['code']), answer['code'])
    return answer.get('data')


def not_whole():
    return ServerAway(u'网站的回答不完整')


def is_text(value):
    return isinstance(value, str)


def is_number(value, least=-MOST):
    return not isinstance(value, bool) and isinstance(value, (int, float)) and least <= value <= MOST


def is_whole(value, least=0):
    return is_number(value, least) and isinstance(value, int)


def is_code(value):
    return is_text(value) and CODE.match(value) is not None


def is_day(value):
    found = DAY.match(value) if is_text(value) else None
    if not found:
        return False
    year, month, day = [int(part) for part in found.groups()]
    return 1990 <= year <= 2100 and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]


def need(condition):
    if not condition:
        raise not_whole()


def rows_in(value):
    need(isinstance(value, list) and all(isinstance(row, dict) for row in value))
    return value


def checked_beat(answer):
    """A heartbeat's answer with all its members; what an older site does not tell is empty."""
    need(isinstance(answer, dict) and isinstance(answer.get('halt'), bool) and is_text(answer.get('halt_reason')))
    made = {'halt': answer['halt'], 'halt_reason': answer['halt_reason'], 'server_ms': answer.get('server_ms'),
            'settled': rows_in(answer.get('settled', [])), 'books': rows_in(answer.get('books', [])), 'opening': answer.get('opening')}
    need(made['server_ms'] is None or is_number(made['server_ms'], 0))
    for one in made['settled']:
        need(is_text(one.get('order_id')) and is_whole(one.get('filled')) and is_text(one.get('word')))
    for one in made['books']:
        need(is_code(one.get('code')) and is_text(one.get('word')) and is_whole(one.get('volume')))
    if made['opening'] is not None:
        opening = made['opening']
        need(isinstance(opening, dict) and is_text(opening.get('token')) and is_whole(opening.get('seq', 0)))
        for one in rows_in(opening.get('book')):
            need(is_code(one.get('code')) and is_whole(one.get('volume')))
        for one in rows_in(opening.get('orders')):
            need(is_text(one.get('order_id')) and is_day(one.get('trade_date')) and is_code(one.get('code')) and one.get('side') in ('buy', 'sell'))
            need(is_whole(one.get('volume'), 1) and is_whole(one.get('filled')) and one['filled'] <= one['volume'] and is_number(one.get('price'), 0))
    return made


def checked_targets(targets, settings, date):
    """Targets of a day; `date` None: of whatever day they name. Raises ServerAway for a wrong shape, Refused for what may not be traded."""
    need(isinstance(targets, dict) and isinstance(targets.get('halt'), bool) and is_text(targets.get('halt_reason')))
    need(all(is_text(targets.get(key)) for key in ('config_id', 'date', 'signal_date', 'checksum')))
    need(is_whole(targets.get('config_version')) and is_number(targets.get('money'), 0))
    for item in rows_in(targets.get('items')):
        need(is_code(item.get('code')) and is_whole(item.get('rank')) and is_number(item.get('weight'), 0) and item['weight'] <= 1)
        need(is_number(item.get('ref_price')) and item['ref_price'] > 0 and is_whole(item.get('lot_min'), 1) and is_whole(item.get('lot_step'), 1))
    need(len(set(item['code'] for item in targets['items'])) == len(targets['items']))
    if targets['checksum'] != checksum_of(targets):
        raise Refused(u'目标的校验和不符，已停止')
    if targets['config_id'] != settings['config_id'] or targets['date'] != (date or targets['date']):
        raise Refused(u'目标不是今天的，已停止')
    if not targets['halt'] and targets['config_version'] != settings['config_version']:
        raise Refused(u'运行配置已在网页上修改，请重新导出')
    return dict(targets, facts=checked_facts(targets.get('facts')))


def checked_facts(facts):
    """{code: facts} of securities, None: an older site tells none."""
    if facts is None:
        return None
    need(isinstance(facts, dict) and is_text(facts.get('checksum')))
    for row in rows_in(facts.get('rows')):
        need(is_code(row.get('code')) and is_whole(row.get('lot_min'), 1) and is_whole(row.get('lot_step'), 1) and is_whole(row.get('others')))
        need('close' in row and (row['close'] is None or is_number(row['close'], 0)))
        for event in rows_in(row.get('events')):
            need(is_day(event.get('day')) and is_text(event.get('kind')) and is_number(event.get('ratio', 0), -1) and event.get('ratio', 0) > -1)
            need(is_number(event.get('cash', 0)) and (event.get('to') is None or is_code(event['to'])))
    if facts['checksum'] != facts_checksum(facts['rows']):
        raise Refused(u'证券资料的校验和不符，已停止')
    return dict((row['code'], row) for row in facts['rows'])


def checksum_of(targets):
    lines = ['%s,%d,%s,%s,%.2f' % (targets['config_id'], targets['config_version'], targets['date'], targets['signal_date'], targets['money'])]
    for item in targets['items']:
        lines.append('%s,%d,%.6f,%.3f,%d,%d' % (item['code'], item['rank'], item['weight'], item['ref_price'], item['lot_min'], item['lot_step']))
    return sha256_of(lines)


def facts_checksum(rows):
    lines = []
    for row in rows:
        lines.append('%s,%d,%d,%s,%d' % (row['code'], row['lot_min'], row['lot_step'], '' if row['close'] is None else '%.3f' % row['close'], row['others']))
        for event in row['events']:
            lines.append('%s,%s,%.6f,%.6f,%s' % (event['day'], event['kind'], event.get('ratio', 0), event.get('cash', 0), event.get('to') or ''))
    return sha256_of(lines)


def sha256_of(lines):
    return hashlib.sha256('\n'.join(lines).encode('utf-8')).hexdigest()
