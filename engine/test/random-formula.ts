import { type FunctionArgument, type FunctionEntry, functionTable } from '../src/expression/index.ts'
import type { Chance } from './chance.ts'
import type { Formula } from './formula.ts'

const fields = ['close', 'open', 'conv_prem', 'vol']
const constants = [0, 1, 2, 0.5, 3, 100, 0.07, 1.5, 20]
const binary = ['+', '-', '*', '/', '%', '^', '<', '<=', '>', '>=', '==', '!=', 'and', 'or']

/** Texts that occur in random panels, by key. */
const textsOfKeys: Record<string, readonly string[]> = {
  rating: ['AAA', 'AA+', 'AA', 'AA-', 'BBB'],
  market: ['创业板', '科创板', '沪市主板'],
  industry_1: ['银行', '医药', '电子', '煤炭'],
  area: ['浙江', '广东', '上海'],
}
const keys = Object.keys(textsOfKeys)

/** Items that random panels have statements of. */
const items = ['revenue', 'np_parent', 'equity_parent']

/** What is made of report items alone. */
function randomReport(luck: Chance, depth: number, table: readonly FunctionEntry[]): Formula {
  const kind = luck.next()
  const inner = () => randomReport(luck, depth - 1, table)
  if (depth === 0 || kind < 0.4) return { kind: 'item', key: luck.pick(items) }
  if (kind < 0.6) {
    const other = luck.next() < 0.3 ? ({ kind: 'number', value: luck.pick(constants) } as const) : inner()
    return { kind: 'call', name: luck.pick(['+', '-', '*', '/']), args: luck.next() < 0.5 ? [inner(), other] : [other, inner()] }
  }
  if (kind < 0.7) return { kind: 'call', name: luck.pick(['negative', 'abs']), args: [inner()] }
  return randomCall(luck, luck.pick(table.filter(({ category }) => category === '财报')), inner, inner)
}

/** A formula of the whole language, from a seed. */
export function randomFormula(luck: Chance, depth: number, table: readonly FunctionEntry[] = functionTable): Formula {
  if (depth === 0 || luck.next() < 0.12) return leaf(luck)
  const inner = () => randomFormula(luck, depth - 1, table)
  const kind = luck.next()
  const usable = table.filter((entry) => entry.name !== 'limit_streak')
  if (kind < 0.25) return { kind: 'call', name: luck.pick(binary), args: [inner(), inner()] }
  if (kind < 0.3) return { kind: 'call', name: luck.pick(['negative', 'not']), args: [inner()] }
  if (kind < 0.33) return { kind: 'call', name: '?:', args: [inner(), inner(), inner()] }
  return randomCall(luck, luck.pick(usable), inner, () => randomReport(luck, 2, functionTable))
}

/** A call of the function with arguments of the kinds that it wants. */
function randomCall(luck: Chance, entry: FunctionEntry, inner: () => Formula, report: () => Formula = inner): Formula {
  const args: Formula[] = []
  const numbers: number[] = []
  const texts: string[] = []
  let key = 'rating'
  let window = 0
  const layout = layoutOf(luck, entry)
  const needed = layout.filter((arg) => arg.default === undefined).length
  const written = luck.next() < 0.3 ? needed : layout.length
  for (const [place, arg] of layout.entries()) {
    if (place >= written) standIn(arg, args, numbers, texts)
    else if (arg.kind === 'series') args.push(inner())
    else if (arg.kind === 'report') args.push(report())
    else if (arg.kind === 'enumeration') args.push({ kind: 'field', key: 'rating' })
    else if (arg.kind === 'key' || (arg.kind === 'group' && luck.next() < 0.7)) {
      key = luck.pick(keys)
      args.push({ kind: 'key', key })
    } else if (arg.kind === 'group') args.push({ kind: 'call', name: 'cs_bin', args: [inner()], numbers: [2 + luck.below(3)] })
    else if (arg.kind === 'window') {
      const least = arg.min ?? 1
      numbers.push(Math.max(least, luck.next() < 0.15 ? luck.pick([1, 4, 16, 21]) : least + luck.below(12)))
      if (window === 0) window = numbers[numbers.length - 1]
    } else if (arg.kind === 'number') numbers.push(randomConstant(luck, arg, numbers))
    else if (arg.kind === 'text') texts.push(luck.pick(textsOfKeys[key]))
    else if (arg.kind === 'choice') texts.push(luck.pick((arg.choices ?? []).filter((choice) => !withoutTwin.includes(choice))))
    else if (arg.kind === 'date') texts.push(luck.pick(['list_date', 'maturity_date']))
    else texts.push(luck.pick(['000300', 'cb_ew']))
  }
  const minimum = entry.minimum && written === layout.length && luck.next() < 0.3 ? { minimum: 1 + luck.below(window) } : {}
  return { kind: 'call', name: entry.name, args, numbers, texts, written, ...minimum }
}

/** What depends on the exchange's rules has stories of its own, no twin. */
const withoutTwin = ['limit_up', 'limit_down', 'new']

/** The default of an argument that is not written. */
function standIn({ kind, default: value }: FunctionArgument, args: Formula[], numbers: number[], texts: string[]): void {
  if (kind === 'window' || kind === 'number') numbers.push(value as number)
  else if (kind === 'choice') texts.push(value as string)
  else if (typeof value === 'number') args.push({ kind: 'number', value })
  else args.push({ kind: kind === 'group' ? 'key' : 'field', key: value as string })
}

/** Sometimes with more of what may be repeated. */
function layoutOf(luck: Chance, entry: FunctionEntry): readonly FunctionArgument[] {
  const { args, layout } = entry
  if (layout) {
    for (;;) {
      const found = layout(1 + luck.below(7))
      if (found) return found
    }
  }
  const last = args[args.length - 1]
  const more: FunctionArgument[] = []
  if (last?.repeat) while (luck.next() < 0.3 && more.length < 4) more.push(last)
  return [...args, ...more]
}

function randomConstant(
  luck: Chance,
  { least: ownLeast = 0, most: ownMost = 5, from, upTo, whole }: FunctionArgument,
  before: readonly number[],
): number {
  const least = from === undefined ? ownLeast : before[from]
  const most = upTo === undefined ? ownMost : before[upTo]
  const among = [-1, 0, 0.025, 0.25, 0.5, 0.9, 1, 2, 3, 1.5, 5].filter((value) => value >= least && value <= most)
  return luck.pick(whole ? among.filter(Number.isInteger) : among)
}

function leaf(luck: Chance): Formula {
  return luck.next() < 0.75 ? { kind: 'field', key: luck.pick(fields) } : { kind: 'number', value: luck.pick(constants) }
}

const labels: Record<string, readonly string[]> = {
  close: ['close', 'CLOSE', '收盘价', '`收盘价`', 'Close'],
  open: ['open', '开盘价', '`open`'],
  conv_prem: ['conv_prem', '转股溢价率', 'Conv_Prem'],
  vol: ['vol', '成交量', 'VOL'],
  industry_1: ['industry_1', '一级行业', '`一级行业`'],
  area: ['area', '地区', 'AREA'],
  np_parent: ['np_parent', '归母净利润', 'NP_Parent'],
}
const signs: Record<string, readonly string[]> = {
  '*': ['*', '×', '＊'],
  '/': ['/', '÷'],
  '^': ['^', '**'],
  '<=': ['<=', '≤'],
  '>=': ['>=', '≥'],
  '==': ['==', '='],
  '!=': ['!=', '<>', '≠'],
  '>': ['>', '＞'],
  '<': ['<', '＜'],
  '+': ['+', '＋'],
  and: ['and', '&&', 'AND'],
  or: ['or', '||', 'Or'],
}

/** One of the many texts of a formula: aliases, labels, cases, full-width signs, needless brackets, spaces and comments. */
export function textOf(formula: Formula, luck: Chance): string {
  const brackets = luck.pick([
    ['(', ')'],
    ['（', '）'],
  ])
  const inBrackets = (text: string) => `${brackets[0]}${text}${brackets[1]}`
  const gap = () => luck.pick(['', '', ' ', '  ', '\n', ' # 注释\n', '　'])
  if (formula.kind === 'number') return String(formula.value)
  if (formula.kind === 'field' || formula.kind === 'key' || formula.kind === 'item') return luck.pick(labels[formula.key] ?? [formula.key])
  const { name, args, numbers = [], texts = [], written: many, minimum } = formula
  const inner = args.map((arg) => textOf(arg, luck))
  if (name === 'negative') return inBrackets(`-${gap()}${inBrackets(inner[0])}`)
  if (name === 'not') return inBrackets(`${luck.pick(['not ', '!'])}${inBrackets(inner[0])}`)
  if (name === '?:') return inBrackets(`${inner[0]}${gap()} ? ${inner[1]} : ${inner[2]}`)
  if (binary.includes(name)) {
    const sign = luck.pick(signs[name] ?? [name])
    return inBrackets(`${inner[0]}${gap()} ${sign} ${gap()}${inner[1]}`)
  }
  const entry = functionTable.find((candidate) => candidate.name === name) as FunctionEntry
  const other = functionTable.some((candidate) => candidate.name === name.toUpperCase()) ? name : name.toUpperCase()
  const written = luck.pick([name, other, ...entry.aliases])
  const comma = luck.pick([',', ', ', '，'])
  const given = inner.length + numbers.length + texts.length
  const layout = entry.layout?.(given) ?? [...entry.args, ...Array<FunctionArgument>(given).fill(entry.args[entry.args.length - 1])]
  const lists = { inner: [...inner], numbers: numbers.map(String), texts: texts.map((text) => luck.pick([`'${text}'`, `"${text}"`])) }
  const parts = layout.slice(0, many ?? given).map((arg) => (lists[listOf(arg)].shift() as string) ?? '')
  if (minimum !== undefined) parts.push(String(minimum))
  return `${written}${brackets[0]}${gap()}${parts.join(comma)}${gap()}${brackets[1]}`
}

function listOf({ kind }: FunctionArgument): 'inner' | 'numbers' | 'texts' {
  if (kind === 'window' || kind === 'number') return 'numbers'
  return kind === 'text' || kind === 'choice' || kind === 'date' || kind === 'benchmark' ? 'texts' : 'inner'
}
