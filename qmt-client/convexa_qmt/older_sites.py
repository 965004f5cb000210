# -*- coding: utf-8 -*-
"""Reports as older sites know them: a site refuses a body with a field that it does not know, and is then told less."""

from .broker import OPEN

# The site's refusal of a body that is not as its contract says.
BAD_BODY = 40000
# 2.0.0 as it is; without the orders beside the holdings and without what tells of the process; as clients before 2.0.0 told.
WHOLE, WITHOUT_ORDERS, BEFORE_2 = 0, 1, 2
OF_BEFORE_2 = ('client_version', 'dry_run', 'fresh', 'holdings')
NEW_OF_BEATS = ('fills', 'may_order')
NEW_OF_JOURNALS = ('start', 'starts')
NEW_OF_FILLS = ('limit', 'seq', 'proof')
# Why a security rests, in words that the first sites of 2.0.0 have too.
OLDER_WHYS = {'unproven': 'less', 'record': 'less'}


def beat_as(form, told):
    """A heartbeat in one of the forms."""
    if form == BEFORE_2:
        return dict((key, told[key]) for key in OF_BEFORE_2)
    if form == WHOLE:
        return told
    less = dict((key, value) for key, value in told.items() if key not in NEW_OF_BEATS)
    if 'resting' in less:
        less['resting'] = [dict(one, why=OLDER_WHYS.get(one['why'], one['why'])) for one in less['resting']]
    if 'journal' in less:
        less['journal'] = dict((key, value) for key, value in less['journal'].items() if key not in NEW_OF_JOURNALS)
    return less


def fills_as(form, fills):
    """Orders in one of the forms; a site before 2.0.0 has no word for an order in question."""
    if form != BEFORE_2:
        return fills
    less = [dict((key, value) for key, value in one.items() if key not in NEW_OF_FILLS) for one in fills]
    return [dict(one, status=OPEN if one['status'] == 'unsure' else one['status']) for one in less]
