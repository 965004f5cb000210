import { compile, evaluate, functionTable, type Names } from '../../src/expression/index.ts'
import { type Chance, chance } from '../fixtures/chance.ts'
import { randomFormula, textOf } from '../fixtures/random-formula.ts'
import { randomPanel } from '../fixtures/random-panel.ts'
import { names as known } from './compare-formulas.ts'

const own = {
  custom_A: 'ts_mean(close, 5) / open',
  custom_B: 'custom_A + custom_A',
  custom_C: 'custom_B * 2',
  custom_D: 'custom_C - 1',
  custom_loop: '`custom_pool` + 1',
  custom_pool: 'custom_loop / 2',
  custom_bad: 'close +',
}
const names: Names = { ...known, custom: new Map(Object.entries(own).map(([key, formula]) => [key, { key, label: key, formula }])) }

const pieces = [
  ...functionTable.flatMap((entry) => [entry.name, ...entry.aliases]),
  ...['close', '收盘价', 'conv_prem', 'rating', '`转股溢价率`', 'clsoe', 'ytm', '双低', 'x', 'bias_20', 'N', 'area', '一级行业'],
  ...Object.keys(own),
  ...['1', '20', '500', '501', '-1', '0', '1e400', '.5', '3.', '1.2.3', '20日', '9007199254740993'],
  ...['(', ')', '(', ')', ',', ',', '，', ';', ':=', '?', ':', '+', '-', '*', '/', '%', '^', '**', '<', '<=', '==', '=', '!=', '!'],
  ...['and', 'or', 'not', '"AA"', "'AA+'", '"', '`', '# x', '//', '\n', ' ', '　', '@', '\u{1F600}', '\u0000', '\uFEFF', '}', '['],
]

/** Every code of a refusal. */
export const everyRefusal = [22001, 22002, 22003, 22004, 22005, 22006, 22007, 22008, 22009, 22010]

export interface TextFigures {
  texts: number
  accepted: number
  /** By code. */
  readonly refusals: Map<number, number>
  /** Milliseconds of the processor that the slowest compilation took. */
  slowest: number
  slowestText: string
}

/** Random texts are compiled (one in eight accepted ones evaluated too); a refusal without a sentence or with a wrong place throws. */
export function compileRandomTexts(seed: number, count: number): TextFigures {
  const luck = chance(seed)
  const panel = randomPanel(1, { days: 12, securities: 3 })
  const figures: TextFigures = { texts: count, accepted: 0, refusals: new Map(), slowest: 0, slowestText: '' }
  for (let k = 0; k < count; k++) {
    const text = anyText(luck)
    const result = compile(text, names)
    const took = quickest(text)
    if (took > figures.slowest) Object.assign(figures, { slowest: took, slowestText: text })
    if (result.ok) {
      figures.accepted++
      if (k % 8 === 0) evaluate(result.expression, panel)
      continue
    }
    const { code, message, pos } = result.problem
    figures.refusals.set(code, (figures.refusals.get(code) ?? 0) + 1)
    const isPlaced = !pos || (pos.start >= 0 && pos.end <= text.length + 1 && text.slice(0, pos.start).split('\n').length === pos.line)
    if (message.length < 5 || message.includes('{') || !isPlaced) throw new Error(`a poor refusal: ${code} ${message}\n${text}`)
  }
  return figures
}

/** Milliseconds of the processor to compile. A pause of the machine is no property of the text: what takes long is tried again. */
function quickest(text: string): number {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 4 && best > 20; tries++) {
    const before = process.threadCpuUsage()
    compile(text, names)
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

/** Soup of tokens, a good formula with some damage, or a good one grown too large. */
function anyText(luck: Chance): string {
  const kind = luck.next()
  if (kind < 0.35) return Array.from({ length: luck.below(14) }, () => luck.pick(pieces)).join(luck.pick(['', ' ']))
  const good = textOf(randomFormula(luck, 3), luck)
  if (kind < 0.8) return damaged(good, luck)
  if (kind < 0.84) return Array.from({ length: 1 + luck.below(400) }, () => luck.pick(['close', '1'])).join(' + ')
  if (kind < 0.88) return `${'('.repeat(luck.below(80))}${good}${')'.repeat(luck.below(80))}`
  if (kind < 0.9) return Array.from({ length: luck.below(5) }, () => '').reduce((text) => `ref(${text}, ${400 + luck.below(110)})`, 'close')
  if (kind < 0.92) return `${good} ${'+ 1 '.repeat(luck.below(600))}`
  if (kind < 0.93) return `${luck.pick(Object.keys(own))} + ${luck.pick(Object.keys(own))}`
  if (kind < 0.94) return manyWindows(luck)
  return good
}

/** As much as fits into a formula: long windows of many series. */
function manyWindows(luck: Chance): string {
  const heavy = [
    'ts_rank_corr(close, open * K, 500)',
    'ts_kurt(close + K, 500)',
    'macd(open + K, 250, 500, 100)',
    'ts_corr(open, vol + K, 499)',
  ]
  return Array.from({ length: 1 + luck.below(24) }, (_, k) => luck.pick(heavy).replace('K', String(k))).join(' + ')
}

function damaged(text: string, luck: Chance): string {
  let result = text
  for (let k = luck.below(3); k >= 0; k--) {
    const at = luck.below(result.length + 1)
    const cut = luck.below(3)
    result = result.slice(0, at) + (luck.next() < 0.5 ? luck.pick(pieces) : '') + result.slice(at + cut)
  }
  return result
}
