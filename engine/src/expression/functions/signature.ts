import type { Tree } from '../ast.ts'
import type { Span } from '../problem.ts'
import type { FunctionArgument, FunctionEntry } from './function.ts'

/** Arguments in the order of the table; the last may repeat, `mp` may follow. */
export function plainLayout({ args, minimum }: FunctionEntry, given: number): readonly FunctionArgument[] | null {
  const least = args.filter((arg) => arg.default === undefined && !arg.repeat).length + (args.some((arg) => arg.repeat) ? 1 : 0)
  if (given < least) return null
  const last = args[args.length - 1]
  if (last?.repeat) return [...args, ...Array<FunctionArgument>(Math.max(0, given - args.length)).fill(last)]
  return given <= args.length + (minimum ? 1 : 0) ? args : null
}

/** What an argument that is not written stands for. */
export function defaultTree({ kind, default: value }: FunctionArgument, { start, end }: Span): Tree {
  if (typeof value === 'number') return { kind: 'number', value, start, end }
  if (kind === 'choice') return { kind: 'text', value: value as string, start, end }
  return { kind: 'name', name: value as string, quoted: false, start, end }
}

/** `ts_mean(x, n, [mp])` */
export function signature(entry: FunctionEntry): string {
  const args = entry.args.map((arg) => (arg.repeat ? `${arg.name}, …` : arg.default === undefined ? arg.name : `[${arg.name}]`))
  return `${entry.name}(${[...args, ...(entry.minimum ? ['[mp]'] : [])].join(', ')})`
}
