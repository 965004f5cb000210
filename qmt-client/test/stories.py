# -*- coding: utf-8 -*-
"""Random stories of the trading client, days with nights and weekends, against a terminal with habits. `python3 stories.py 300 [seed]`
prints figures as JSON; `npm run drill:client` reads them.

A story draws its broker, its habits (habits.py), the user's hand, deaths, events and the site's; the invariants (drill_config.py) are
asserted from the world's own truth at every call of `place` and at the end of each day and story.
"""

import json
import os
import random
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.quantities import lot_of  # noqa: E402
from drill_config import WEALTH, Broken, Config  # noqa: E402
from exchange import FIRST, USER, Exchange  # noqa: E402
from habits import EVENTS, LASTING, TERMINAL, draw  # noqa: E402
import real_kills  # noqa: E402
from turns import SharedClock, Turns  # noqa: E402
from world import CONFIG, item, memory_folder, targets_of  # noqa: E402

BONDS = ['110901.SH', '123901.SZ', '110902.SH', '123902.SZ', '110903.SH', '123903.SZ', '110904.SH', '123904.SZ']
SHARES = ['600001.SH', '000001.SZ', '688001.SH', '830001.BJ', '600002.SH', '688002.SH', '000002.SZ', '830002.BJ']
# Of a bond that was converted: no config trades it.
CONVERTED_TO = '600999.SH'
# Mondays to Fridays; stories cross the weekend.
DATES = ['2026-11-19', '2026-11-20', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-30', '2026-12-01']
CALM_DAYS = 3
SECOND = '01990000-0000-7000-8000-000000000002'
# Of twenty stories one kills real processes.
REAL_EVERY = 20


class Story(object):
    def __init__(self, seed, figures):
        self.seed, self.figures, self.chance = seed, figures, random.Random(seed)
        chance = self.chance
        self.drawn, self.kind = draw(chance)
        self.is_real = real_kills.POSSIBLE and seed % REAL_EVERY == 0 and figures.get('real', True)
        if self.is_real and not set(self.drawn) & {'restarts', 'full_disk', 'clock_off', 'clock_jumps', 'asleep', 'second_config', 'two_computers', 'damaged'}:
            self.drawn['kills'] = 1
        else:
            self.is_real = False
        self.codes = list(BONDS if self.kind == 'cb' else SHARES)
        # What changed a call or an answer.
        self.struck, self.events, self.orders, self.begun, self.asleep = set(), {}, [], -1, False
        self.clock = SharedClock(DATES[0], 9 * 3600)
        prices = dict((code, round(chance.uniform(60, 200) if self.kind == 'cb' else chance.uniform(5, 40), 2)) for code in self.codes)
        lots = dict((code, lot_of(code, self.kind)) for code in self.codes)
        habits = dict((name, value) for name, value in self.drawn.items() if name in TERMINAL)
        self.world = Exchange(prices, 400000.0, self.clock, 0 if self.kind == 'cb' else 1, seed, lots, **habits)
        self.world.struck = self.struck
        # Codes of two configs that the user has sold from: either config may be charged with the sale.
        self.shared = set()
        self.folder = memory_folder()
        rules = self.rules_of()
        maker = 'xtquant' if 'restarts' in self.drawn else chance.choice(['xtquant', 'passorder', 'simulator'])
        self.configs = [Config(self, FIRST, CONFIG, maker, rules)]
        if 'second_config' in self.drawn:
            self.world.give(self.codes[0], 0, 'second')
            self.configs.append(Config(self, 'second', SECOND, chance.choice(['xtquant', 'passorder', 'simulator']), rules))

    def rules_of(self):
        chance, drawn = self.chance, self.drawn
        rules = dict(price_guard=0.9, order_max=chance.choice([6000, 30000, 50000]) if 'small_orders' in drawn else 50000,
                     day_max=chance.choice([10, 200]), sell_first=chance.random() < 0.7,
                     take_profit={'activate': 0.02, 'drawdown': 0.003, 'deal': 0.5} if 'profits' in drawn else None)
        if 'early_window' in drawn:
            rules.update(start_time='09:20:00', end_time='09:40:00', duration=1200)
        return rules

    # -- what others ask -------------------------------------------------------------------------------------------------------------------

    def mark(self, name):
        self.struck.add(name)

    def all_codes(self):
        return self.codes

    def filled_of(self, order_id):
        return sum(order.filled for order in self.orders + self.world.book if order.remark == order_id and order.owner != USER)

    def in_window(self, seconds):
        """So many seconds after the window has begun."""
        return self.clock.at('09:30:00' if 'early_window' in self.drawn else '14:50:00') + seconds

    def is_wrong(self):
        return self.chance.random() < (0.9 if 'wrong_words' in self.drawn else 0.0)

    def is_silent(self):
        if 'no_words' in self.drawn and self.chance.random() < 0.5:
            self.mark('no_words')
            return True
        return False

    def is_provable(self, config):
        """Whether every order of a day was to be seen by its row: no habit hides rows, and each was answered or has its remark."""
        hides = {'no_row', 'simulated', 'away', 'kills', 'asleep', 'clock_off', 'clock_jumps', 'other_program', 'full_disk', 'two_computers'}
        answered = config.maker != 'passorder' and not {'minus_one', 'stale_number', 'silent'} & set(self.drawn)
        # Numbers of the big terminal are the exchange's own.
        is_marked = self.drawn.get('remark', 'cut') == 'cut'
        return not hides & set(self.drawn) and self.drawn.get('late', 0) < 300 and (is_marked or answered) and ('renumbered' not in self.drawn or (config.maker != 'passorder' and 'unnumbered' not in self.drawn))

    def is_due(self, code):
        """Whether something of an event is still to come."""
        return code in self.events and self.events[code]['due'] is not None

    def rounding(self, code):
        return 1 if code in self.events else 0

    def shared_of(self, code, config):
        """What other configs hold of a security that the user has sold from."""
        return sum(max(0, one.truth(code)) for one in self.configs if one is not config) if code in self.shared else 0

    def is_open_to_choice(self, code, config):
        """Whether the user's own trading, or an event of what he holds too, makes it a matter of choice whose a volume is."""
        has_user = any(one.get(code, 0) for one in self.world.owned.values())
        return bool(self.struck & {'hand_sells', 'hand_empties'}) or (has_user and code in self.events)

    def is_crowded(self):
        """Whether others bind money or places, so that a plan may be missed."""
        return bool(self.struck & {'hand_buys', 'hand_sells', 'hand_empties', 'hand_holds', 'second_config', 'bonus', 'split', 'merge', 'end', 'converted', 'lost', 'old_copy', 'damaged',
                                   'two_computers', 'wrong_words', 'no_words', 'other_program'})

    def forget(self, code, volume, owner):
        if owner == FIRST:
            self.world.give(code, volume, USER)
        else:
            self.world.give(code, -volume, owner)
            self.world.give(code, volume, USER)

    # -- days ------------------------------------------------------------------------------------------------------------------------------

    def run(self):
        try:
            self.days = self.chance.randrange(2, 6)
            for number in range(self.days + CALM_DAYS):
                self.one_day(number, number >= self.days)
            for config in self.configs:
                config.at_end()
        finally:
            shutil.rmtree(self.folder)
        for name in self.struck:
            self.figures['habits'][name] = self.figures['habits'].get(name, 0) + 1

    def calm(self):
        """Quiet days: everything comes to rest."""
        for name in TERMINAL:
            if name not in LASTING:
                self.world.habits[name] = 'whole' if name == 'remark' else 0
        self.world.habits.update(blank_until=0.0, unsynced_until=0.0, still=0.0, old_list_until=0.0, old_positions_until=0.0, renumbered=0.0)
        self.drawn = dict((name, value) for name, value in self.drawn.items() if name in LASTING or name == 'early_window')
        for config in self.configs:
            config.drawn = self.drawn
        self.world.refused_codes.clear()

    def one_day(self, number, calm):
        if self.begun < number:
            if number == self.days:
                self.calm()
            self.begin_day(number)
        if 'left' in self.drawn and self.chance.random() < 0.3:
            self.mark('left')
            return
        if len(self.configs) > 1:
            Turns(self.clock, [lambda config=config: config.run(calm) for config in self.configs]).run()
        elif 'two_computers' in self.drawn and self.chance.random() < 0.5:
            self.two_computers()
        else:
            self.configs[0].run(calm)
        self.figures['days'] += 1

    def begin_day(self, number):
        """Evening and night of the day before, then the morning: at the time at which clients start."""
        chance, world, date = self.chance, self.world, DATES[number]
        self.clock.seconds = max(self.clock.now(), self.clock.at('15:30')) if number else self.clock.now()
        world.close_day()
        self.orders += world.book
        world.new_day(dict((code, round(price * chance.uniform(0.97, 1.03), 2)) for code, price in sorted(world.prices.items())))
        begins = 9 * 3600 + 15 * 60 if 'early_window' in self.drawn else 13 * 3600 if 'profits' in self.drawn else 14 * 3600 + 45 * 60
        self.clock.seconds = self.clock.at('00:00', date) + begins
        self.night(number, date)
        for index, config in enumerate(self.configs):
            self.give_targets(index, config, number, date)
        drawn = self.drawn
        if 'early_window' in drawn:
            self.mark('early_window')
        if 'blank' in drawn:
            world.habits['blank_until'] = self.in_window(5 + drawn['blank'])
        if 'unsynced' in drawn:
            world.habits['unsynced_until'] = self.in_window(drawn['unsynced'])
        if 'still' in drawn:
            world.habits['still'] = self.in_window(60)
        if 'renumbered' in drawn:
            world.habits['renumbered'] = self.in_window(drawn['renumbered'])
        for name in ('old_list', 'old_positions'):
            if name in drawn:
                world.habits[name + '_until'] = self.in_window(drawn[name]) if name == 'old_list' else self.clock.at('09:31:00') + drawn[name]
        self.begun = number

    def night(self, number, date):
        """What happens between days: the user's hand, events, damage."""
        drawn, world, chance = self.drawn, self.world, self.chance
        self.by_hand()
        for name in EVENTS:
            held = [code for code in self.codes if world.volumes.get(code, 0) > 0 and code not in self.events]
            if name in drawn and held and chance.random() < 0.7:
                self.event(number, chance.choice(held), name)
                self.mark(name)
        for code, event in sorted(self.events.items()):
            if event['due'] is not None and event['due'] <= date:
                self.let_come(code, event)
        for config in self.configs:
            if not self.asleep:
                self.damage(config)

    def damage(self, config):
        chance, drawn, path = self.chance, self.drawn, config.path
        if not os.path.exists(path):
            return
        if 'lost' in drawn and chance.random() < 0.3:
            os.remove(path)
            config.damaged = True
            self.mark('lost')
            if not config.site.known and not config.site._open_orders() and not config.site.may_order:
                config.take_record({}, {})
        elif 'old_copy' in drawn:
            copy = path + '.old'
            if os.path.exists(copy) and chance.random() < 0.4:
                shutil.copyfile(copy, path)
                config.damaged, config.is_unreadable = True, False
                self.mark('old_copy')
            elif not config.is_unreadable:
                shutil.copyfile(path, copy)
        if 'cut_line' in drawn and os.path.exists(path) and chance.random() < 0.4:
            # The last line was on its way to the disk: nothing of it had been done.
            with open(path, 'ab') as file:
                file.write(chance.choice([b'{"kind": "news", "id', b'\0' * 50]))
            self.mark('cut_line')
        if 'damaged' in drawn and os.path.exists(path):
            self.spoil(config)

    def spoil(self, config):
        """The disk damages the file, or the user puts the last copy of it in its place."""
        chance, path = self.chance, config.path
        if config.is_unreadable:
            folder, name = os.path.join(self.folder, 'journal-copies'), os.path.splitext(os.path.basename(path))[0]
            copies = sorted(one for one in os.listdir(folder) if one.startswith(name)) if os.path.isdir(folder) else []
            if copies and config.site.word is None and chance.random() < 0.3:
                shutil.copyfile(os.path.join(folder, copies[-1]), path)
                config.is_unreadable = False
            return
        with open(path, 'rb') as file:
            lines = file.read().split(b'\n')[:-1]
        if len(lines) < 6 or chance.random() < 0.6:
            return
        how, place = chance.choice(['cut', 'gone', 'zeros', 'garbage', 'changed']), chance.randrange(len(lines) - 2)
        line = lines[place]
        if how == 'cut':
            # The last line had been on the disk, and is there no more.
            lines[-1] = lines[-1][:len(lines[-1]) // 2]
        elif how == 'changed':
            lines[place] = line[:len(line) // 2] + bytes(bytearray([line[len(line) // 2] ^ 1])) + line[len(line) // 2 + 1:]
        else:
            lines[place:place + 1] = {'gone': [], 'zeros': [b'\0' * len(line)], 'garbage': [bytes(bytearray(chance.randrange(11, 256) for _ in line))]}[how]
        with open(path, 'wb') as file:
            file.write(b'\n'.join(lines) + (b'' if how == 'cut' else b'\n'))
        config.damaged, config.is_unreadable = True, how != 'cut'
        self.mark('damaged')

    def by_hand(self):
        chance, world, drawn = self.chance, self.world, self.drawn
        codes = [code for code in self.codes if code not in self.events or self.events[code]['kind'] == 'shares']
        code = chance.choice(codes)
        if 'hand_buys' in drawn and chance.random() < 0.5:
            world.hold(code, world.lots[code][0] * chance.randrange(1, 4))
            self.mark('hand_buys')
        mine = [one for one in self.codes if world.truth(one) > 0]
        if 'hand_sells' in drawn and mine and chance.random() < 0.5:
            code = chance.choice(mine)
            self.shared.update([code] if any(held.get(code, 0) for owner, held in world.owned.items() if owner != USER) else [])
            world.sell_by_hand(code, chance.choice([world.truth(code), max(1, world.truth(code) // 2)]) + world.hand.get(code, 0))
            self.mark('hand_sells')
        mine = [one for one in self.codes if world.truth(one) > 0]
        if 'hand_empties' in drawn and mine and chance.random() < 0.4:
            for code in [one for one in self.codes if world.volumes.get(one, 0) > 0]:
                self.shared.update([code] if any(held.get(code, 0) for owner, held in world.owned.items() if owner != USER) else [])
                world.sell_by_hand(code, world.volumes[code])
            self.mark('hand_empties')
        if 'hand_holds' in drawn and not world.hand:
            for one in chance.sample(self.codes, 3):
                world.hold(one, world.lots[one][0] * 2)
            self.mark('hand_holds')

    # -- events ----------------------------------------------------------------------------------------------------------------------------

    def event(self, number, code, name):
        """An event whose day has come. `more`: what each holder gets, of what was held on the eve, whenever that comes."""
        world, date = self.world, DATES[number]
        kind, ratio = EVENTS[name]
        if kind == 'matured' and self.kind == 'stk':
            kind = 'delisted'
        late = self.drawn.get('shares_late', 0) if ratio is not None and ratio > 0 else 0
        if late:
            self.mark('shares_late')
        is_known = 'ex_unknown' not in self.drawn or ratio is None or name == 'renamed'
        if not is_known:
            self.mark('ex_unknown')
        close, cash = world.previous[code], round(self.chance.uniform(0.05, 1.5), 2) if name == 'cash' else 0.0
        holders = [('', world.volumes)] + sorted(world.owned.items())
        more = dict((owner, int(held.get(code, 0) * (1 + (ratio or 0))) - held.get(code, 0)) for owner, held in holders)
        self.events[code] = {'day': date, 'kind': kind, 'ratio': ratio or 0.0, 'cash': cash, 'due': DATES[min(number + late, len(DATES) - 1)], 'known': is_known,
                             'close': close, 'more': more}
        if kind == 'renamed':
            self.rename(code)
        elif ratio is None:
            world.halted.add(code)
        else:
            world.prices[code] = max(0.5, round((world.prices[code] - cash) / (1 + ratio), 2))
            world.previous[code] = max(0.5, round((close - cash) / (1 + ratio), 2))
            for config in self.configs:
                config.allowed[code] = int(config.allowed.get(code, 0) * (1 + ratio)) + 1

    def rename(self, code):
        world, new = self.world, '9' + code[1:] if self.kind == 'stk' else code[:3] + '8' + code[4:]
        self.events[code]['to'] = new
        self.codes.append(new)
        for table in [world.prices, world.previous, world.lots, world.costs] + [config.allowed for config in self.configs]:
            if code in table:
                table[new] = table[code]
        for held in [world.volumes] + list(world.owned.values()):
            if code in held:
                held[new] = held.pop(code)
        for config in self.configs:
            if code in config.doubted:
                config.doubted.add(new)
        self.events[new] = dict(self.events[code], kind='was', due=None, known=False)

    def let_come(self, code, event):
        world = self.world
        if event['kind'] in ('matured', 'delisted', 'converted'):
            if event['kind'] == 'converted':
                shares = world.volumes.get(code, 0) * 7
                world.volumes[CONVERTED_TO] = world.volumes.get(CONVERTED_TO, 0) + shares
                world.give(CONVERTED_TO, shares, USER)
            world.multiply(code, 0)
        elif event['kind'] != 'renamed':
            for owner, held in [('', world.volumes)] + sorted(world.owned.items()):
                held[code] = held.get(code, 0) + event['more'].get(owner, 0)
        event['due'] = None

    # -- targets ---------------------------------------------------------------------------------------------------------------------------

    def give_targets(self, index, config, number, date):
        """Targets of a day; remembers what they allow. Their facts are made anew at each pull."""
        chance, world = self.chance, self.world
        gone = set(code for code, event in self.events.items() if event['kind'] in ('matured', 'delisted', 'converted', 'renamed'))
        left = [code for code in self.codes if code not in gone]
        listed = chance.sample(left, min(len(left), chance.randrange(2, 6)))
        places = max(1, min(len(listed), chance.randrange(1, 5)))
        items = [item(code, i + 1, int(1e6 / places) / 1e6 if i < places else 0, world.prices[code], *world.lots[code]) for i, code in enumerate(listed)]
        for code in self.codes:
            config.allowed[code] = max(0, config.truth(code))
        for one in items:
            wanted = WEALTH / places / one['ref_price']
            config.allowed[one['code']] = max(int(wanted) + 1, config.allowed[one['code']])
        config.site.new_day(number, lambda: targets_of(items, date, facts=self.facts_of(config, date), config_id=config.rules['config_id']))

    def facts_of(self, config, date):
        facts = {}
        for code in self.codes:
            event, least = self.events.get(code), self.world.lots[code]
            rows, close = [], self.world.previous[code]
            # An unknown ex-day is in the evening's data.
            if event and event['kind'] != 'was' and (event['known'] or event['day'] < date):
                rows = [dict({'day': event['day'], 'kind': event['kind'], 'ratio': event['ratio'], 'cash': event['cash']},
                             **({'to': event['to']} if 'to' in event else {}))]
            if event and event['day'] == date and event['kind'] not in ('was', 'renamed'):
                close = event['close']
            config.told_others[code] = config.others(code)
            facts[code] = {'lot_min': least[0], 'lot_step': least[1], 'close': close, 'events': rows, 'others': config.others(code)}
            if config.others(code):
                self.mark('second_config')
        return facts

    # -- computers -------------------------------------------------------------------------------------------------------------------------

    def two_computers(self):
        """The same config on another computer, by an empty folder, by an old copy or by a copy of this morning."""
        config, how = self.configs[0], self.drawn['two_computers']
        other = os.path.join(self.folder, 'journal-other.jsonl')
        if os.path.exists(other) and how != 'old':
            os.remove(other)
        if how == 'same' and os.path.exists(config.path):
            shutil.copyfile(config.path, other)
        self.mark('two_computers')
        config.doubled = True
        calls = [lambda: config.attempt(-1, False), lambda: config.attempt(-1, False, other)]
        if self.chance.random() < 0.5:
            calls.reverse()
        Turns(self.clock, calls).run()
        config.doubled = False
        # Whichever of them traded has the record that counts.
        journal = Journal(other, self.clock.date())
        journal.close()
        config.damaged = config.damaged or bool(journal.of_day(self.clock.date()))
        if how == 'old' and os.path.exists(config.path):
            shutil.copyfile(config.path, other)

    def may_sleep(self):
        return self.drawn['asleep'] == 'close' or self.begun < self.days - 1

    def fall_asleep(self):
        """The computer sleeps over the close, or into the window of the next day."""
        self.mark('asleep')
        if self.drawn['asleep'] == 'close':
            self.clock.seconds = self.clock.at('15:40')
            return
        self.asleep = True
        self.begin_day(self.begun + 1)
        self.asleep = False
        self.clock.seconds = self.in_window(self.chance.randrange(-60, 200))


def new_figures(real=True):
    return {'stories': 0, 'days': 0, 'orders': 0, 'kills': 0, 'questions': 0, 'journals': 0, 'resting': 0, 'exact': 0, 'halted': 0, 'real': real, 'broken': [], 'habits': {}}


def story_of(seed, figures):
    """Raises Broken, or whatever the client raised, with the story in `story`."""
    story = Story(seed, figures)
    try:
        story.run()
    except (Exception, Broken) as error:
        error.story = story
        if isinstance(error, Broken):
            error.args = ('story %d: %s' % (seed, error),)
        raise


def main(wanted, seed=1, real=True):
    """Figures of so many stories from a seed on; `broken`: what was said of those in which an invariant did not hold, or the client raised."""
    figures = new_figures(real)
    for one in range(seed, seed + wanted):
        try:
            story_of(one, figures)
        except (Exception, Broken) as error:
            figures['broken'].append(u'%s' % error if isinstance(error, Broken) else u'story %d: %r' % (one, error))
        figures['stories'] += 1
    return figures


if __name__ == '__main__':
    print(json.dumps(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
