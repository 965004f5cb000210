# -*- coding: utf-8 -*-
"""What a story may draw: habits of the terminal (exchange.py), of the computer, the site, the securities and the user."""

# By name, the values of which one is drawn.
DRAWN = {
    # The terminal: its lists, positions, answers and sessions.
    'late': [5, 20, 40, 90, 300], 'blank': [30, 120], 'short': [0.05, 0.3], 'remark_empty': ['empty'], 'remark_cut': ['cut'], 'remark_late': [20, 40], 'minus_one': [0.2, 1.0],
    'silent': [0.1, 0.5], 'no_row': [True], 'simulated': [True], 'late_fill': [0.5], 'deaf_cancel': [0.5], 'unknown': [True], 'lag': [3, 30],
    'thin': [0.05, 0.4], 'bare': [0.05, 0.4], 'no_value': [True], 'no_cost': [True], 'away': [0.02, 0.15], 'fill_after': [5, 60], 'partial': [0.5],
    'refuse': [0.1], 'still': [1], 'restarts': [1], 'old_list': [60, 400], 'old_positions': [-5, 25], 'undated': [True], 'stale_number': [0.5],
    'numbers_again': [True], 'other_program': [0.3], 'twice': [0.3], 'unsynced': [10, 60, 150], 'renumbered': [20, 90], 'unnumbered': [5, 20, 60],
    # The computer.
    'kills': [1], 'left': [1], 'slept': [1], 'asleep': ['close', 'night'], 'cut_line': [1], 'lost': [1], 'old_copy': [1], 'damaged': [1], 'full_disk': [1],
    'two_computers': ['empty', 'old', 'same'], 'clock_off': [-600, 400], 'clock_jumps': [-3600, -600, -45, 45, 600, 3600],
    # The user, another config of the account.
    'hasty_words': [1], 'hand_sells': [1], 'hand_empties': [1], 'hand_buys': [1], 'hand_holds': [1], 'second_config': [1], 'wrong_words': [1], 'no_words': [1],
    # Securities.
    'bonus': [1], 'split': [1], 'merge': [1], 'end': [1], 'converted': [1], 'renamed': [1], 'cash': [1], 'ex_unknown': [1], 'shares_late': [1, 2],
    # The site and the rules.
    'stops': [1], 'site_away': [0.2], 'wrong_answers': [0.2], 'profits': [1], 'small_orders': [1], 'early_window': [1]}
# What a habit needs beside it to strike.
COMPANIONS = {'stale_number': {'partial': 0.5}, 'thin': {'kills': 1, 'slept': 1}, 'bare': {'kills': 1, 'slept': 1}, 'renamed': {'kills': 1, 'slept': 1},
              'no_row': {'refuse': 0.3}, 'deaf_cancel': {'fill_after': 60}, 'late_fill': {'fill_after': 60}, 'unknown': {'fill_after': 60},
              'slept': {'kills': 1}, 'shares_late': {'bonus': 1}, 'ex_unknown': {'bonus': 1}, 'lag': {'fill_after': 5},
              'wrong_words': {'late': 90, 'partial': 0.5, 'fill_after': 60}, 'no_words': {'kills': 1, 'slept': 1, 'hand_holds': 1},
              'unsynced': {'kills': 1, 'slept': 1}, 'old_positions': {'early_window': 1, 'kills': 1, 'slept': 1, 'no_value': True}, 'hasty_words': {'late': 90, 'fill_after': 60}, 'renumbered': {'fill_after': 60},
              'unnumbered': {'fill_after': 60}, 'hand_empties': {'no_value': True}}
EVENTS = {'bonus': ('shares', 1.0), 'split': ('shares', 4.0), 'merge': ('merge', -0.5), 'end': ('matured', None), 'converted': ('converted', None),
          'renamed': ('renamed', 0.0), 'cash': ('shares', 0.0)}
FOR_SHARES = ('bonus', 'split', 'merge', 'cash', 'ex_unknown', 'shares_late')
FOR_BONDS = ('converted',)
# Habits that the exchange knows by the same name, others that it knows by a moment.
TERMINAL = ('late', 'short', 'remark', 'minus_one', 'silent', 'no_row', 'simulated', 'late_fill', 'deaf_cancel', 'unknown', 'lag', 'thin', 'bare',
            'no_value', 'no_cost', 'away', 'fill_after', 'partial', 'refuse', 'undated', 'stale_number', 'numbers_again', 'other_program', 'twice', 'unnumbered')
# What stays for good: a terminal has it or has it not.
LASTING = ('no_value', 'no_cost', 'undated', 'numbers_again')


# Sleep of a process and deaths of it tell different stories; so do damaged files and a second computer.
EXCLUDE = [('asleep', 'kills'), ('asleep', 'second_config'), ('asleep', 'profits'), ('asleep', 'restarts'), ('converted', 'bonus'), ('converted', 'split'),
           ('converted', 'merge'), ('converted', 'cash'), ('two_computers', 'old_copy'), ('two_computers', 'lost'), ('two_computers', 'second_config'), ('two_computers', 'asleep'), ('asleep', 'lost'), ('asleep', 'old_copy'), ('asleep', 'cut_line'), ('asleep', 'damaged'), ('two_computers', 'damaged'),
           ('renumbered', 'other_program'),
           # A list that lacks a row while the account's value is not told either is a true one for all that can be known.
           ('thin', 'no_value')]


def names_of(chance):
    """Names of the habits that a story draws first."""
    while True:
        names = chance.sample(sorted(DRAWN), chance.choice([0, 1, 2, 3, 4, 5, 6]))
        drawn = set(names)
        for name in names:
            drawn |= set(COMPANIONS.get(name, {}))
        if not any(one in drawn and other in drawn for one, other in EXCLUDE):
            return set(names)


def draw(chance):
    """(habits, kind) of a story."""
    names = sorted(names_of(chance))
    drawn = dict((name, chance.choice(DRAWN[name])) for name in names)
    for name in names:
        for other, value in sorted(COMPANIONS.get(name, {}).items()):
            drawn.setdefault(other, value)
    # A terminal has one way with remarks.
    for name in ('remark_empty', 'remark_cut', 'remark_late'):
        if name in drawn:
            drawn['remark'] = drawn.pop(name)
    if any(name in drawn for name in FOR_BONDS):
        return drawn, 'cb'
    return drawn, 'stk' if any(name in drawn for name in FOR_SHARES) else chance.choice(['cb', 'cb', 'stk'])
