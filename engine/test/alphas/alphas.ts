/**
 * The 101 formulaic alphas (Z. Kakushadze, 2016) in our language. Windows are whole numbers (the paper cuts fractions), sectors,
 * industries and sub-industries are our three levels; the day of an extreme counts from the window's beginning, as there.
 */
export const alphas: readonly (readonly [number: number, formula: string])[] = [
  [1, 'cs_rank((5 - ts_argmax(signed_power(((returns < 0) ? ts_std(returns, 20) : close), 2), 5))) - 0.5'],
  [2, '-1 * ts_corr(cs_rank(delta(log(volume), 2)), cs_rank(((close - open) / open)), 6)'],
  [3, '-1 * ts_corr(cs_rank(open), cs_rank(volume), 10)'],
  [4, '-1 * ts_rank(cs_rank(low), 9)'],
  [5, 'cs_rank((open - (ts_sum(vwap, 10) / 10))) * (-1 * abs(cs_rank((close - vwap))))'],
  [6, '-1 * ts_corr(open, volume, 10)'],
  [7, '(adv20 < volume) ? ((-1 * ts_rank(abs(delta(close, 7)), 60)) * sign(delta(close, 7))) : (-1 * 1)'],
  [8, '-1 * cs_rank(((ts_sum(open, 5) * ts_sum(returns, 5)) - ref((ts_sum(open, 5) * ts_sum(returns, 5)), 10)))'],
  [9, '(0 < ts_min(delta(close, 1), 5)) ? delta(close, 1) : ((ts_max(delta(close, 1), 5) < 0) ? delta(close, 1) : (-1 * delta(close, 1)))'],
  [
    10,
    'cs_rank(((0 < ts_min(delta(close, 1), 4)) ? delta(close, 1) : ((ts_max(delta(close, 1), 4) < 0) ? delta(close, 1) : (-1 * delta(close, 1)))))',
  ],
  [11, '(cs_rank(ts_max((vwap - close), 3)) + cs_rank(ts_min((vwap - close), 3))) * cs_rank(delta(volume, 3))'],
  [12, 'sign(delta(volume, 1)) * (-1 * delta(close, 1))'],
  [13, '-1 * cs_rank(ts_cov(cs_rank(close), cs_rank(volume), 5))'],
  [14, '(-1 * cs_rank(delta(returns, 3))) * ts_corr(open, volume, 10)'],
  [15, '-1 * ts_sum(cs_rank(ts_corr(cs_rank(high), cs_rank(volume), 3)), 3)'],
  [16, '-1 * cs_rank(ts_cov(cs_rank(high), cs_rank(volume), 5))'],
  [17, '((-1 * cs_rank(ts_rank(close, 10))) * cs_rank(delta(delta(close, 1), 1))) * cs_rank(ts_rank((volume / adv20), 5))'],
  [18, '-1 * cs_rank(((ts_std(abs((close - open)), 5) + (close - open)) + ts_corr(close, open, 10)))'],
  [19, '(-1 * sign(((close - ref(close, 7)) + delta(close, 7)))) * (1 + cs_rank((1 + ts_sum(returns, 250))))'],
  [20, '((-1 * cs_rank((open - ref(high, 1)))) * cs_rank((open - ref(close, 1)))) * cs_rank((open - ref(low, 1)))'],
  [
    21,
    '(((ts_sum(close, 8) / 8) + ts_std(close, 8)) < (ts_sum(close, 2) / 2)) ? (-1 * 1) : (((ts_sum(close, 2) / 2) < ((ts_sum(close, 8) / 8) - ts_std(close, 8))) ? 1 : (((1 < (volume / adv20)) or ((volume / adv20) == 1)) ? 1 : (-1 * 1)))',
  ],
  [22, '-1 * (delta(ts_corr(high, volume, 5), 5) * cs_rank(ts_std(close, 20)))'],
  [23, '((ts_sum(high, 20) / 20) < high) ? (-1 * delta(high, 2)) : 0'],
  [
    24,
    '(((delta((ts_sum(close, 100) / 100), 100) / ref(close, 100)) < 0.05) or ((delta((ts_sum(close, 100) / 100), 100) / ref(close, 100)) == 0.05)) ? (-1 * (close - ts_min(close, 100))) : (-1 * delta(close, 3))',
  ],
  [25, 'cs_rank(((((-1 * returns) * adv20) * vwap) * (high - close)))'],
  [26, '-1 * ts_max(ts_corr(ts_rank(volume, 5), ts_rank(high, 5), 5), 3)'],
  [27, '(0.5 < cs_rank((ts_sum(ts_corr(cs_rank(volume), cs_rank(vwap), 6), 2) / 2.0))) ? (-1 * 1) : 1'],
  [28, 'cs_scale(((ts_corr(adv20, low, 5) + ((high + low) / 2)) - close))'],
  [
    29,
    'ts_min(ts_prod(cs_rank(cs_rank(cs_scale(log(ts_sum(ts_min(cs_rank(cs_rank((-1 * cs_rank(delta((close - 1), 5))))), 2), 1))))), 1), 5) + ts_rank(ref((-1 * returns), 6), 5)',
  ],
  [
    30,
    '((1.0 - cs_rank(((sign((close - ref(close, 1))) + sign((ref(close, 1) - ref(close, 2)))) + sign((ref(close, 2) - ref(close, 3)))))) * ts_sum(volume, 5)) / ts_sum(volume, 20)',
  ],
  [
    31,
    '(cs_rank(cs_rank(cs_rank(ts_decay((-1 * cs_rank(cs_rank(delta(close, 10)))), 10)))) + cs_rank((-1 * delta(close, 3)))) + sign(cs_scale(ts_corr(adv20, low, 12)))',
  ],
  [32, 'cs_scale(((ts_sum(close, 7) / 7) - close)) + (20 * cs_scale(ts_corr(vwap, ref(close, 5), 230)))'],
  [33, 'cs_rank((-1 * ((1 - (open / close))^1)))'],
  [34, 'cs_rank(((1 - cs_rank((ts_std(returns, 2) / ts_std(returns, 5)))) + (1 - cs_rank(delta(close, 1)))))'],
  [35, '(ts_rank(volume, 32) * (1 - ts_rank(((close + high) - low), 16))) * (1 - ts_rank(returns, 32))'],
  [
    36,
    '((((2.21 * cs_rank(ts_corr((close - open), ref(volume, 1), 15))) + (0.7 * cs_rank((open - close)))) + (0.73 * cs_rank(ts_rank(ref((-1 * returns), 6), 5)))) + cs_rank(abs(ts_corr(vwap, adv20, 6)))) + (0.6 * cs_rank((((ts_sum(close, 200) / 200) - open) * (close - open))))',
  ],
  [37, 'cs_rank(ts_corr(ref((open - close), 1), close, 200)) + cs_rank((open - close))'],
  [38, '(-1 * cs_rank(ts_rank(close, 10))) * cs_rank((close / open))'],
  [39, '(-1 * cs_rank((delta(close, 7) * (1 - cs_rank(ts_decay((volume / adv20), 9)))))) * (1 + cs_rank(ts_sum(returns, 250)))'],
  [40, '(-1 * cs_rank(ts_std(high, 10))) * ts_corr(high, volume, 10)'],
  [41, '((high * low)^0.5) - vwap'],
  [42, 'cs_rank((vwap - close)) / cs_rank((vwap + close))'],
  [43, 'ts_rank((volume / adv20), 20) * ts_rank((-1 * delta(close, 7)), 8)'],
  [44, '-1 * ts_corr(high, cs_rank(volume), 5)'],
  [
    45,
    '-1 * ((cs_rank((ts_sum(ref(close, 5), 20) / 20)) * ts_corr(close, volume, 2)) * cs_rank(ts_corr(ts_sum(close, 5), ts_sum(close, 20), 2)))',
  ],
  [
    46,
    '(0.25 < (((ref(close, 20) - ref(close, 10)) / 10) - ((ref(close, 10) - close) / 10))) ? (-1 * 1) : (((((ref(close, 20) - ref(close, 10)) / 10) - ((ref(close, 10) - close) / 10)) < 0) ? 1 : ((-1 * 1) * (close - ref(close, 1))))',
  ],
  [
    47,
    '(((cs_rank((1 / close)) * volume) / adv20) * ((high * cs_rank((high - close))) / (ts_sum(high, 5) / 5))) - cs_rank((vwap - ref(vwap, 5)))',
  ],
  [
    48,
    'gp_demean(industry_3, ((ts_corr(delta(close, 1), delta(ref(close, 1), 1), 250) * delta(close, 1)) / close)) / ts_sum(((delta(close, 1) / ref(close, 1))^2), 250)',
  ],
  [
    49,
    '((((ref(close, 20) - ref(close, 10)) / 10) - ((ref(close, 10) - close) / 10)) < (-1 * 0.1)) ? 1 : ((-1 * 1) * (close - ref(close, 1)))',
  ],
  [50, '-1 * ts_max(cs_rank(ts_corr(cs_rank(volume), cs_rank(vwap), 5)), 5)'],
  [
    51,
    '((((ref(close, 20) - ref(close, 10)) / 10) - ((ref(close, 10) - close) / 10)) < (-1 * 0.05)) ? 1 : ((-1 * 1) * (close - ref(close, 1)))',
  ],
  [
    52,
    '(((-1 * ts_min(low, 5)) + ref(ts_min(low, 5), 5)) * cs_rank(((ts_sum(returns, 240) - ts_sum(returns, 20)) / 220))) * ts_rank(volume, 5)',
  ],
  [53, '-1 * delta((((close - low) - (high - close)) / (close - low)), 9)'],
  [54, '(-1 * ((low - close) * (open^5))) / ((low - high) * (close^5))'],
  [55, '-1 * ts_corr(cs_rank(((close - ts_min(low, 12)) / (ts_max(high, 12) - ts_min(low, 12)))), cs_rank(volume), 6)'],
  [56, '0 - (1 * (cs_rank((ts_sum(returns, 10) / ts_sum(ts_sum(returns, 2), 3))) * cs_rank((returns * cap))))'],
  [57, '0 - (1 * ((close - vwap) / ts_decay(cs_rank((30 - ts_argmax(close, 30))), 2)))'],
  [58, '-1 * ts_rank(ts_decay(ts_corr(gp_demean(industry_1, vwap), volume, 3), 7), 5)'],
  [59, '-1 * ts_rank(ts_decay(ts_corr(gp_demean(industry_2, ((vwap * 0.728317) + (vwap * (1 - 0.728317)))), volume, 4), 16), 8)'],
  [
    60,
    '0 - (1 * ((2 * cs_scale(cs_rank(((((close - low) - (high - close)) / (high - low)) * volume)))) - cs_scale(cs_rank((10 - ts_argmax(close, 10))))))',
  ],
  [61, 'cs_rank((vwap - ts_min(vwap, 16))) < cs_rank(ts_corr(vwap, adv180, 17))'],
  [
    62,
    '(cs_rank(ts_corr(vwap, ts_sum(adv20, 22), 9)) < cs_rank(((cs_rank(open) + cs_rank(open)) < (cs_rank(((high + low) / 2)) + cs_rank(high))))) * -1',
  ],
  [
    63,
    '(cs_rank(ts_decay(delta(gp_demean(industry_2, close), 2), 8)) - cs_rank(ts_decay(ts_corr(((vwap * 0.318108) + (open * (1 - 0.318108))), ts_sum(adv180, 37), 13), 12))) * -1',
  ],
  [
    64,
    '(cs_rank(ts_corr(ts_sum(((open * 0.178404) + (low * (1 - 0.178404))), 12), ts_sum(adv120, 12), 16)) < cs_rank(delta(((((high + low) / 2) * 0.178404) + (vwap * (1 - 0.178404))), 3))) * -1',
  ],
  [
    65,
    '(cs_rank(ts_corr(((open * 0.00817205) + (vwap * (1 - 0.00817205))), ts_sum(adv60, 8), 6)) < cs_rank((open - ts_min(open, 13)))) * -1',
  ],
  [
    66,
    '(cs_rank(ts_decay(delta(vwap, 3), 7)) + ts_rank(ts_decay(((((low * 0.96633) + (low * (1 - 0.96633))) - vwap) / (open - ((high + low) / 2))), 11), 6)) * -1',
  ],
  [67, '(cs_rank((high - ts_min(high, 2)))^cs_rank(ts_corr(gp_demean(industry_1, vwap), gp_demean(industry_3, adv20), 6))) * -1'],
  [68, '(ts_rank(ts_corr(cs_rank(high), cs_rank(adv15), 8), 13) < cs_rank(delta(((close * 0.518371) + (low * (1 - 0.518371))), 1))) * -1'],
  [
    69,
    '(cs_rank(ts_max(delta(gp_demean(industry_2, vwap), 2), 4))^ts_rank(ts_corr(((close * 0.490655) + (vwap * (1 - 0.490655))), adv20, 4), 9)) * -1',
  ],
  [70, '(cs_rank(delta(vwap, 1))^ts_rank(ts_corr(gp_demean(industry_2, close), adv50, 17), 17)) * -1'],
  [
    71,
    'max(ts_rank(ts_decay(ts_corr(ts_rank(close, 3), ts_rank(adv180, 12), 18), 4), 15), ts_rank(ts_decay((cs_rank(((low + open) - (vwap + vwap)))^2), 16), 4))',
  ],
  [
    72,
    'cs_rank(ts_decay(ts_corr(((high + low) / 2), adv40, 8), 10)) / cs_rank(ts_decay(ts_corr(ts_rank(vwap, 3), ts_rank(volume, 18), 6), 2))',
  ],
  [
    73,
    'max(cs_rank(ts_decay(delta(vwap, 4), 2)), ts_rank(ts_decay(((delta(((open * 0.147155) + (low * (1 - 0.147155))), 2) / ((open * 0.147155) + (low * (1 - 0.147155)))) * -1), 3), 16)) * -1',
  ],
  [
    74,
    '(cs_rank(ts_corr(close, ts_sum(adv30, 37), 15)) < cs_rank(ts_corr(cs_rank(((high * 0.0261661) + (vwap * (1 - 0.0261661)))), cs_rank(volume), 11))) * -1',
  ],
  [75, 'cs_rank(ts_corr(vwap, volume, 4)) < cs_rank(ts_corr(cs_rank(low), cs_rank(adv50), 12))'],
  [
    76,
    'max(cs_rank(ts_decay(delta(vwap, 1), 11)), ts_rank(ts_decay(ts_rank(ts_corr(gp_demean(industry_1, low), adv81, 8), 19), 17), 19)) * -1',
  ],
  [
    77,
    'min(cs_rank(ts_decay(((((high + low) / 2) + high) - (vwap + high)), 20)), cs_rank(ts_decay(ts_corr(((high + low) / 2), adv40, 3), 5)))',
  ],
  [
    78,
    'cs_rank(ts_corr(ts_sum(((low * 0.352233) + (vwap * (1 - 0.352233))), 19), ts_sum(adv40, 19), 6))^cs_rank(ts_corr(cs_rank(vwap), cs_rank(volume), 5))',
  ],
  [
    79,
    'cs_rank(delta(gp_demean(industry_1, ((close * 0.60733) + (open * (1 - 0.60733)))), 1)) < cs_rank(ts_corr(ts_rank(vwap, 3), ts_rank(adv150, 9), 14))',
  ],
  [
    80,
    '(cs_rank(sign(delta(gp_demean(industry_2, ((open * 0.868128) + (high * (1 - 0.868128)))), 4)))^ts_rank(ts_corr(high, adv10, 5), 5)) * -1',
  ],
  [
    81,
    '(cs_rank(log(ts_prod(cs_rank((cs_rank(ts_corr(vwap, ts_sum(adv10, 49), 8))^4)), 14))) < cs_rank(ts_corr(cs_rank(vwap), cs_rank(volume), 5))) * -1',
  ],
  [
    82,
    'min(cs_rank(ts_decay(delta(open, 1), 14)), ts_rank(ts_decay(ts_corr(gp_demean(industry_1, volume), ((open * 0.634196) + (open * (1 - 0.634196))), 17), 6), 13)) * -1',
  ],
  [
    83,
    '(cs_rank(ref(((high - low) / (ts_sum(close, 5) / 5)), 2)) * cs_rank(cs_rank(volume))) / (((high - low) / (ts_sum(close, 5) / 5)) / (vwap - close))',
  ],
  [84, 'signed_power(ts_rank((vwap - ts_max(vwap, 15)), 20), delta(close, 4))'],
  [
    85,
    'cs_rank(ts_corr(((high * 0.876703) + (close * (1 - 0.876703))), adv30, 9))^cs_rank(ts_corr(ts_rank(((high + low) / 2), 3), ts_rank(volume, 10), 7))',
  ],
  [86, '(ts_rank(ts_corr(close, ts_sum(adv20, 14), 6), 20) < cs_rank(((open + close) - (vwap + open)))) * -1'],
  [
    87,
    'max(cs_rank(ts_decay(delta(((close * 0.369701) + (vwap * (1 - 0.369701))), 1), 2)), ts_rank(ts_decay(abs(ts_corr(gp_demean(industry_2, adv81), close, 13)), 4), 14)) * -1',
  ],
  [
    88,
    'min(cs_rank(ts_decay(((cs_rank(open) + cs_rank(low)) - (cs_rank(high) + cs_rank(close))), 8)), ts_rank(ts_decay(ts_corr(ts_rank(close, 8), ts_rank(adv60, 20), 8), 6), 2))',
  ],
  [
    89,
    'ts_rank(ts_decay(ts_corr(((low * 0.967285) + (low * (1 - 0.967285))), adv10, 6), 5), 3) - ts_rank(ts_decay(delta(gp_demean(industry_2, vwap), 3), 10), 15)',
  ],
  [90, '(cs_rank((close - ts_max(close, 4)))^ts_rank(ts_corr(gp_demean(industry_3, adv40), low, 5), 3)) * -1'],
  [
    91,
    '(ts_rank(ts_decay(ts_decay(ts_corr(gp_demean(industry_2, close), volume, 9), 16), 3), 4) - cs_rank(ts_decay(ts_corr(vwap, adv30, 4), 2))) * -1',
  ],
  [
    92,
    'min(ts_rank(ts_decay(((((high + low) / 2) + close) < (low + open)), 14), 18), ts_rank(ts_decay(ts_corr(cs_rank(low), cs_rank(adv30), 7), 6), 6))',
  ],
  [
    93,
    'ts_rank(ts_decay(ts_corr(gp_demean(industry_2, vwap), adv81, 17), 19), 7) / cs_rank(ts_decay(delta(((close * 0.524434) + (vwap * (1 - 0.524434))), 2), 16))',
  ],
  [94, '(cs_rank((vwap - ts_min(vwap, 11)))^ts_rank(ts_corr(ts_rank(vwap, 19), ts_rank(adv60, 4), 18), 2)) * -1'],
  [95, 'cs_rank((open - ts_min(open, 12))) < ts_rank((cs_rank(ts_corr(ts_sum(((high + low) / 2), 19), ts_sum(adv40, 19), 12))^5), 11)'],
  [
    96,
    'max(ts_rank(ts_decay(ts_corr(cs_rank(vwap), cs_rank(volume), 3), 4), 8), ts_rank(ts_decay((12 - ts_argmax(ts_corr(ts_rank(close, 7), ts_rank(adv60, 4), 3), 12)), 14), 13)) * -1',
  ],
  [
    97,
    '(cs_rank(ts_decay(delta(gp_demean(industry_2, ((low * 0.721001) + (vwap * (1 - 0.721001)))), 3), 20)) - ts_rank(ts_decay(ts_rank(ts_corr(ts_rank(low, 7), ts_rank(adv60, 17), 4), 18), 15), 6)) * -1',
  ],
  [
    98,
    'cs_rank(ts_decay(ts_corr(vwap, ts_sum(adv5, 26), 4), 7)) - cs_rank(ts_decay(ts_rank((8 - ts_argmin(ts_corr(cs_rank(open), cs_rank(adv15), 20), 8)), 6), 8))',
  ],
  [99, '(cs_rank(ts_corr(ts_sum(((high + low) / 2), 19), ts_sum(adv60, 19), 8)) < cs_rank(ts_corr(low, volume, 6))) * -1'],
  [
    100,
    '0 - (1 * (((1.5 * cs_scale(gp_demean(industry_3, gp_demean(industry_3, cs_rank(((((close - low) - (high - close)) / (high - low)) * volume)))))) - cs_scale(gp_demean(industry_3, (ts_corr(close, cs_rank(adv20), 5) - cs_rank((30 - ts_argmin(close, 30))))))) * (volume / adv20)))',
  ],
  [101, '(close - open) / ((high - low) + .001)'],
]

/** What the paper takes as given; amounts are in 万元, `unit` is how many pieces one of `vol` is. */
const givenOf = (unit: number): Readonly<Record<string, string>> => ({
  volume: 'vol',
  cap: 'total_mv',
  vwap: unit === 1 ? 'amount * 10000 / vol' : `amount * 10000 / (vol * ${unit})`,
  returns: 'close / ref(close, 1) - 1',
})

/** The whole text of an alpha: the names that it uses, then its formula. `adv20` is the mean turnover of 20 days. */
export function textOfAlpha(formula: string, unit = 10): string {
  const given = givenOf(unit)
  const days = Array.from({ length: 200 }, (_, n) => n + 1).filter((n) => uses(formula, `adv${n}`))
  const names = Object.keys(given).filter((name) => uses(formula, name))
  const lines = [...names.map((name) => `${name} := ${given[name]};`), ...days.map((n) => `adv${n} := ts_mean(amount, ${n});`)]
  return [...lines, formula].join(' ')
}

const isPartOfName = (char: string | undefined) => char !== undefined && /\w/.test(char)

function uses(formula: string, name: string): boolean {
  for (let at = formula.indexOf(name); at >= 0; at = formula.indexOf(name, at + 1)) {
    if (!isPartOfName(formula[at - 1]) && !isPartOfName(formula[at + name.length])) return true
  }
  return false
}
