# -*- coding: utf-8 -*-
"""The site: targets, heartbeats, fills. A wrong checksum, date or version is refused here."""

import hashlib
import json

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


class ServerAway(Exception):
    """No answer: nothing new is bought while it lasts."""


class Refused(Exception):
    """The site said no, with its sentence."""


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
        return checked_targets(targets, self._settings, date or targets['date'])

    def heartbeat(self, version, dry_run, holdings, fresh):
        """`fresh`: no plan is remembered; the site halts a client that has held more than it knows."""
        rows = [{'code': code, 'volume': volume} for code, volume in sorted(holdings.items())]
        body = {'config_id': self._settings['config_id'], 'client_version': version, 'dry_run': dry_run, 'holdings': rows,
                'fresh': fresh}
        return self._call('POST', '/v1/qmt-client/heartbeat', body)

    def fills(self, fills):
        return self._call('POST', '/v1/qmt-client/fills', {'config_id': self._settings['config_id'], 'fills': fills})

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode('utf-8')
        headers = {'X-Api-Key': self._settings['api_key'], 'Content-Type': 'application/json'}
        request = Request(self._settings['server'].rstrip('/') + path, data=data, headers=headers)
        request.get_method = lambda: method
        try:
            answer = json.loads(OPENER.open(request, timeout=self.timeout).read().decode('utf-8'))
        except HTTPError as error:
            try:
                answer = json.loads(error.read().decode('utf-8'))
            except Exception:
                raise ServerAway(u'HTTP %d' % error.code)
            if error.code >= 500 or error.code == 429:
                raise ServerAway(answer.get('msg', u'HTTP %d' % error.code))
        except Exception as error:
            raise ServerAway(u'%s' % error)
        if answer.get('code') != 0:
            raise Refused(u'%s（%s）' % (answer.get('msg'), answer.get('code')))
        return answer['data']


class Rehearsal(Server):
    """The site for whoever rehearses a day to come: it names none, and gets that one."""

    def targets(self, _date):
        return Server.targets(self, None)


def checked_targets(targets, settings, date):
    if targets['checksum'] != checksum_of(targets):
        raise Refused(u'目标的校验和不符，已停止')
    if targets['config_id'] != settings['config_id'] or targets['date'] != date:
        raise Refused(u'目标不是今天的，已停止')
    if not targets['halt'] and targets['config_version'] != settings['config_version']:
        raise Refused(u'运行配置已在网页上修改，请重新导出')
    return targets


def checksum_of(targets):
    lines = ['%s,%d,%s,%s,%.2f' % (targets['config_id'], targets['config_version'], targets['date'], targets['signal_date'], targets['money'])]
    for item in targets['items']:
        lines.append('%s,%d,%.6f,%.3f,%d,%d' % (item['code'], item['rank'], item['weight'], item['ref_price'], item['lot_min'], item['lot_step']))
    return hashlib.sha256('\n'.join(lines).encode('utf-8')).hexdigest()
