/** What must be the same of one market in five forms: returns, formulas that are free of levels, and what a realistic run trades. */
import { type DayDetail, Parameters, type Settings } from '@convexa/contract'
import { backtest, type EngineReport, markets, type Panel, securityHistory } from '@convexa/engine'
import { Random } from '../../src/market/demo/random.ts'
import { type FormMarket, forms, importForm, makeAdjustedTruth } from './adjusted-market.ts'
import type { Truth, TruthRow } from './truth.ts'
import type { Ground } from './try-import.ts'

export interface AdjustedOutcome {
  readonly seed: number
  /** Faults by what they are about. */
  readonly imports: readonly string[]
  readonly returns: readonly string[]
  readonly formulas: readonly string[]
  readonly trades: readonly string[]
  readonly positions: readonly string[]
  /** How many trades and positions were compared; `lots`: by how many of their own lots the positions are apart in all. */
  readonly compared: { readonly trades: number; readonly positions: number; readonly lots: number }
}

/** Factors and formulas whose values do not depend on the level of prices. */
const levelFree = [
  ...['formula: adj_close / ref(adj_close, 5) - 1', 'formula: rsi(adj_close, 6)', 'formula: ma(adj_close, 5) / adj_close'],
  ...['formula: kdj_k(9, 3, 3)', 'formula: kdj_d(9, 3, 3)', 'formula: kdj_j(9, 3, 3)', 'formula: cci(14)', 'formula: wr(10)'],
  ...['formula: mfi(14)', 'formula: psy(12)', 'formula: obv()', 'formula: atr(14) / close', 'formula: tr() / close'],
  ...['pct_chg', 'amplitude', 'volatility_20', 'mdd_20', 'max_ret_20', 'rsi_14', 'kdj_k', 'kdj_d', 'kdj_j', 'cci_14', 'wr_10', 'mfi_14'],
  ...['psy_12', 'bias_20', 'ma_ratio_20', 'ema_ratio_20', 'price_pos_60', 'hh_dist_20', 'plrc_12', 'up_days_10', 'trix_12', 'pv_corr_20'],
  ...['illiq_20', 'skew_20', 'formula: vwap_n(5) / ref(vwap_n(5), 1)'],
]
/** What a volume-weighted price needs: traded prices, or a factor. */
const needsFactor = new Set(['formula: vwap_n(5) / ref(vwap_n(5), 1)'])

const near = (a: number, b: number, ease = 1e-9) => (a !== a ? b !== b : Math.abs(a - b) <= ease * Math.max(1, Math.abs(a), Math.abs(b)))

export async function tryAdjusted(deps: Ground, seed: number): Promise<AdjustedOutcome> {
  const random = new Random(seed, 'adjusted markets')
  const truth = makeAdjustedTruth(random)
  const made: FormMarket[] = []
  const imports: string[] = []
  for (const form of forms) {
    await importForm(deps, truth, form).then(
      (market) => void made.push(market),
      (error: Error) => void imports.push(error.message.slice(0, 400)),
    )
  }
  const raw = made.find(({ form }) => form === 'raw')
  const none = { returns: [], formulas: [], trades: [], positions: [], compared: { trades: 0, positions: 0, lots: 0 } }
  if (!raw) return { seed, imports, ...none }
  const others = made.filter((each) => each !== raw)
  for (const each of others) if (each.form.endsWith('factor')) imports.push(...notRaw(raw, each))
  const rule = makeRule(random)
  const ideal = made.map((market) => run(market, rule, settingsOf(random, truth, market, 'ideal')))
  const realSettings = settingsOf(random, truth, raw, 'realistic')
  const real = made.map((market) => run(market, rule, { ...realSettings, adjust: adjustOf(market) }))
  const [idealRaw, realRaw] = [ideal[made.indexOf(raw)]!, real[made.indexOf(raw)]!]
  const returns: string[] = []
  const trades: string[] = []
  const positions: string[] = []
  let [compared, lots] = [0, 0]
  for (const [k, market] of made.entries()) {
    if (market === raw) continue
    returns.push(...sameCurves(idealRaw, ideal[k]!, market.form))
    if (market.form.endsWith('factor')) trades.push(...sameTrades(realRaw, real[k]!, market.form))
    else {
      const seen = withinLots(realRaw, real[k]!, market, raw.panel)
      positions.push(...seen.faults)
      compared += seen.count
      lots += seen.lots
    }
  }
  return {
    seed,
    imports,
    returns,
    formulas: others.flatMap((market) => sameFormulas(raw.panel, market, truth)),
    trades,
    positions,
    compared: { trades: typeof realRaw === 'string' ? 0 : realRaw.report.trades.length, positions: compared, lots },
  }
}

const adjustOf = ({ report }: FormMarket): Settings['adjust'] => (report.ok ? report.quality.adjust : 'raw')

/** An adjusted file with its factor is a raw market: the same cells, factors by their steps alone. */
function notRaw({ panel }: FormMarket, { form, panel: other, report }: FormMarket): string[] {
  if (report.quality.adjust !== 'raw') return [`${form} stays ${report.quality.adjust}`]
  const faults: string[] = []
  for (const key of ['close', 'open', 'high', 'low', 'pre_close', 'vol', 'amount']) {
    const [mine, theirs] = [panel.columns.get(key)!, other.columns.get(key)!]
    const at = mine.findIndex((value, cell) => !near(value, theirs[cell]!, 1e-12))
    if (at >= 0) faults.push(`${form}: ${key} of ${placeOf(panel, at)} is ${theirs[at]}, not ${mine[at]}`)
  }
  return faults
}

const placeOf = ({ securities, dates, stride }: Panel, cell: number) =>
  `${securities[cell % stride]?.code} ${dates[Math.floor(cell / stride)]}`

function makeRule(random: Random): Parameters {
  const factors = ['formula: adj_close / ref(adj_close, 5) - 1', 'volatility_20', 'rsi_14', 'bias_20', 'formula: cci(14)']
  const count = random.whole(2, 5)
  return Parameters.parse({
    version: 1,
    universe: { markets: [], exclude_codes: [] },
    exclude: { call_status: [], st: false, list_days: 0, suspended: true, org_types: [], areas: [], industries: [] },
    filter_factors: [],
    rank_factors: [
      {
        factor_key: factors[random.whole(0, factors.length - 1)],
        prefer: random.chance(0.5) ? 'small' : 'large',
        weight: 1,
        missing_process: 'exclude',
        neutralization: null,
        enable: true,
      },
    ],
    rank_method: 'rank',
    hold_method: {
      hold_range_type: 1,
      hold_range_start: 1,
      hold_range_end: count,
      hold_weight_type: 1,
      hold_max_weight: 1,
      hold_threshold: 0,
      empty_slot: 'next',
    },
    rebalance_method: { rebalance_type: 0, rebalance_value: random.whole(1, 10) },
    stop_method: { stop_type: 0 },
    hold_days: 0,
  })
}

function settingsOf(random: Random, { days }: Truth, market: FormMarket, execution: Settings['execution']): Settings {
  return {
    start_date: days[22]!,
    end_date: days.at(-2)!,
    benchmark: 'stk_ew',
    capital: 100,
    cost: execution === 'ideal' ? { buy_rate: 0.001, sell_rate: 0.001 } : { buy_rate: 0.00025, sell_rate: 0.00025, stamp_tax: 0.0005 },
    execution,
    fill: execution === 'ideal' || random.chance(0.5) ? 'close' : 'next_open',
    call_handling: 't_minus_1_close',
    delisting: 'last_price',
    adjust: adjustOf(market),
  }
}

type Run = { readonly report: EngineReport; readonly days: readonly DayDetail[] } | string

function run({ panel }: FormMarket, parameters: Parameters, settings: Settings): Run {
  const steps = backtest(panel, markets.stk, { parameters, settings })
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value.ok ? step.value : step.value.problem.message
  }
}

/** Net values of all days, to 1e-9. */
function sameCurves(mine: Run, theirs: Run, form: string): string[] {
  if (typeof mine === 'string' || typeof theirs === 'string') return [`${form}: ${typeof theirs === 'string' ? theirs : mine}`]
  const [a, b] = [mine.report.curves.nav, theirs.report.curves.nav]
  const at = a.findIndex((value, k) => !near(value!, b[k]!))
  return at < 0 ? [] : [`${form}: net value of ${mine.report.curves.dates[at]} is ${b[at]}, not ${a[at]}`]
}

/** Every trade as it was: day, security, side, shares, price, and money to a millionth. */
function sameTrades(mine: Run, theirs: Run, form: string): string[] {
  if (typeof mine === 'string' || typeof theirs === 'string') return [`${form}: ${typeof theirs === 'string' ? theirs : mine}`]
  const text = (one: EngineReport['trades'][number]) =>
    `${one.date} ${one.side} ${one.code} ${one.volume.toFixed(4)} × ${one.price.toFixed(4)} = ${one.amount.toFixed(2)}`
  const [a, b] = [mine.report.trades.map(text), theirs.report.trades.map(text)]
  const at = Math.max(a.length, b.length) > 0 ? Array.from({ length: Math.max(a.length, b.length) }).findIndex((_, k) => a[k] !== b[k]) : -1
  return at < 0 ? [] : [`${form}: trade ${at + 1} is ${b[at] ?? 'none'}, not ${a[at] ?? 'none'}`]
}

/**
 * Positions after each rebalance, as shares of the money. Fractions come to their target exactly, lots to less than one of them; what lots
 * leave in cash or take from it goes to or comes from the last position that is bought, so that one may be apart by the lots of all.
 */
function withinLots(mine: Run, theirs: Run, { form }: FormMarket, raw: Panel): Lots {
  const seen = { faults: [] as string[], count: 0, lots: 0 }
  if (typeof mine === 'string' || typeof theirs === 'string')
    return { ...seen, faults: [`${form}: ${typeof theirs === 'string' ? theirs : mine}`] }
  const places = new Map(raw.securities.map(({ code }, i) => [code, i]))
  const close = raw.columns.get('close')!
  for (const [k, day] of mine.days.entries()) {
    const other = theirs.days[k]!
    if (day.bought.length + day.sold.length + other.bought.length + other.sold.length === 0) continue
    const t = raw.dates.indexOf(day.trade_date)
    const [held, twins] = [valuesOf(day), valuesOf(other)]
    const apart = [...new Set([...held.keys(), ...twins.keys()])].map((code) => ({
      code,
      yuan: Math.abs((held.get(code) ?? 0) / worth(day) - (twins.get(code) ?? 0) / worth(other)) * worth(day),
      lot: leastLot(code) * close[t * raw.stride + places.get(code)!]!,
    }))
    seen.count += apart.length
    seen.lots += apart.reduce((sum, { yuan, lot }) => sum + yuan / lot, 0)
    const lots = apart.reduce((sum, { lot }) => sum + lot, 0)
    const far = apart.find(({ yuan }) => yuan > ease * lots)
    if (far && seen.faults.length === 0)
      seen.faults.push(`${form}: ${far.code} on ${day.trade_date} is ${far.yuan.toFixed(0)} yuan apart, all lots are ${lots.toFixed(0)}`)
  }
  return seen
}
/** For fees, and for prices that moved after the fill. */
const ease = 1.05

interface Lots {
  readonly faults: readonly string[]
  readonly count: number
  /** By how many of its own lots the positions are apart, in all. */
  readonly lots: number
}

const valuesOf = ({ positions }: DayDetail) => new Map(positions.map(({ code, market_value }) => [code, market_value]))
const leastLot = (code: string): number => (code.startsWith('688') ? 200 : 100)

const worth = ({ cash, positions }: DayDetail): number => positions.reduce((sum, { market_value }) => sum + market_value, cash)

/** What counts days on which a price rose or fell. */
const countsMoves = /obv|psy|mfi|up_days/

/**
 * Whether on an ex-day a price moved by less than a tick of the raw price: with the factor that is no move (domain.md 4.4), and without it
 * nobody can know.
 */
function movesByLessThanATick({ rows, exDays }: Truth['securities'][number]): boolean {
  const prices = ({ values }: TruthRow) => [values['close']!, (values['close']! + values['high']! + values['low']!) / 3]
  return exDays.some((t) => {
    const [last, row] = [rows[t - 1], rows[t]]
    if (!last || !row) return true
    const step = last.values['adj_factor']! / row.values['adj_factor']!
    return prices(row).some((price, k) => {
      const move = Math.abs(price - prices(last)[k]! * step)
      return move > 1e-12 * price && move < 0.011
    })
  })
}

function sameFormulas(panel: Panel, { form, panel: other }: FormMarket, truth: Truth): string[] {
  const isWithout = !form.endsWith('factor')
  const asked = levelFree.filter((ref) => !(isWithout && needsFactor.has(ref)))
  const faults = new Map<string, string>()
  for (const [i, { code }] of panel.securities.entries()) {
    const isUndecided = isWithout && movesByLessThanATick(truth.securities[i]!)
    for (const ref of asked) {
      if (faults.has(ref) || (isUndecided && countsMoves.test(ref))) continue
      const [mine, theirs] = [panel, other].map((each) => securityHistory(each, markets.stk, code, [ref], 0))
      if (!mine!.ok || !theirs!.ok) faults.set(ref, `${form}: ${ref}: ${!mine!.ok ? mine!.problem.message : 'refused'}`)
      else {
        const [a, b] = [mine!.history.series[ref]!, theirs!.history.series[ref]!]
        const at = a.findIndex((value, t) => !near(value ?? Number.NaN, b[t] ?? Number.NaN))
        if (at >= 0) faults.set(ref, `${form}: ${ref} of ${code} on ${panel.dates[at]} is ${b[at]}, not ${a[at]}`)
      }
    }
  }
  return [...faults.values()]
}
