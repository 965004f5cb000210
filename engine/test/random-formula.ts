import { functionTable } from '../src/expression/index.ts'
import type { Chance } from './chance.ts'
import type { Formula } from './naive-expression.ts'

const fields = ['close', 'open', 'conv_prem', 'vol']
const constants = [0, 1, 2, 0.5, 3, 100, 0.07, 1.5, 20]
const binary = ['+', '-', '*', '/', '%', '^', '<', '<=', '>', '>=', '==', '!=', 'and', 'or']

/** A formula of the whole language, from a seed. */
export function randomFormula(luck: Chance, depth: number): Formula {
  if (depth === 0 || luck.next() < 0.12) return leaf(luck)
  const inner = () => randomFormula(luck, depth - 1)
  const kind = luck.next()
  if (kind < 0.35) return { kind: 'call', name: luck.pick(binary), args: [inner(), inner()] }
  if (kind < 0.42) return { kind: 'call', name: luck.pick(['negative', 'not']), args: [inner()] }
  if (kind < 0.46) return { kind: 'call', name: '?:', args: [inner(), inner(), inner()] }
  const entry = luck.pick(functionTable)
  const args = entry.args.filter((arg) => arg.kind === 'series').map(inner)
  if (entry.args.some((arg) => arg.repeat)) while (luck.next() < 0.3) args.push(inner())
  const windowed = entry.args.find((arg) => arg.kind === 'window')
  if (!windowed) return { kind: 'call', name: entry.name, args }
  const least = windowed.min ?? 1
  const window = Math.max(least, luck.next() < 0.15 ? luck.pick([1, 4, 16, 21]) : least + luck.below(12))
  if (!entry.minimum || luck.next() < 0.7) return { kind: 'call', name: entry.name, args, window }
  return { kind: 'call', name: entry.name, args, window, minimum: 1 + luck.below(window) }
}

function leaf(luck: Chance): Formula {
  return luck.next() < 0.75 ? { kind: 'field', key: luck.pick(fields) } : { kind: 'number', value: luck.pick(constants) }
}

const labels: Record<string, readonly string[]> = {
  close: ['close', 'CLOSE', '收盘价', '`收盘价`', 'Close'],
  open: ['open', '开盘价', '`open`'],
  conv_prem: ['conv_prem', '转股溢价率', 'Conv_Prem'],
  vol: ['vol', '成交量', 'VOL'],
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
  if (formula.kind === 'field') return luck.pick(labels[formula.key] ?? [formula.key])
  const { name, args, window, minimum } = formula
  const inner = args.map((arg) => textOf(arg, luck))
  if (name === 'negative') return inBrackets(`-${gap()}${inBrackets(inner[0])}`)
  if (name === 'not') return inBrackets(`${luck.pick(['not ', '!'])}${inBrackets(inner[0])}`)
  if (name === '?:') return inBrackets(`${inner[0]}${gap()} ? ${inner[1]} : ${inner[2]}`)
  if (binary.includes(name)) {
    const sign = luck.pick(signs[name] ?? [name])
    return inBrackets(`${inner[0]}${gap()} ${sign} ${gap()}${inner[1]}`)
  }
  const entry = functionTable.find((candidate) => candidate.name === name)
  const written = luck.pick([name, name.toUpperCase(), ...(entry?.aliases ?? [])])
  const comma = luck.pick([',', ', ', '，'])
  const numbers = [window, minimum].filter((value) => value !== undefined).map(String)
  return `${written}${brackets[0]}${gap()}${[...inner, ...numbers].join(comma)}${gap()}${brackets[1]}`
}
