import { quoted } from '../base/problem.ts'
import type { Tree } from './ast.ts'
import { dateKey, dateLabels, securityDates } from './attributes.ts'
import type { FunctionArgument, FunctionEntry } from './functions/function.ts'
import { plainLayout, signature } from './functions/signature.ts'
import { limits } from './limits.ts'
import type { Names } from './names.ts'
import { FormulaError, type Span } from './problem.ts'

// What is written as an argument against what the function's table wants: how many, which fixed numbers, which words.

/** The arguments that so many written ones stand for, those with a default included. @throws Refusal 22007 */
export function layoutOf(entry: FunctionEntry, given: number, span: Span): readonly FunctionArgument[] {
  const layout = entry.layout ? entry.layout(given) : plainLayout(entry, given)
  if (layout) return layout
  const wanted = entry.args.length === 0 ? `${entry.name}()` : signature(entry)
  throw new FormulaError(22007, `函数${entry.name}的参数个数不正确{place}：应为 ${wanted}，实际有${given}个参数`, span, [entry.name])
}

/** A number of trading days; `fixed` is null where it changes with the day. @throws Refusal 22008 */
export function windowIn(fixed: number | null, least: number, most: number, span: Span): number {
  if (fixed === null) throw new FormulaError(22008, `周期需为${least}至${limits.window}的整数{place}：不能使用随日期变化的值`, span)
  if (fixed < 0) throw new FormulaError(22008, '不允许使用未来数据{place}：周期不能为负数', span)
  if (Number.isInteger(fixed) && fixed >= least && fixed <= most) return fixed
  throw new FormulaError(22008, `周期需为${least}至${limits.window}的整数{place}`, span)
}

/** How many days of a window must have a value. @throws Refusal 22008 */
export function minimumIn(fixed: number | null, window: number, span: Span): number {
  if (fixed !== null && Number.isInteger(fixed) && fixed >= 1 && fixed <= window) return fixed
  throw new FormulaError(22008, `最少有效天数需为1至${window}的整数{place}`, span)
}

/** A fixed number in its range; `before`: the numbers of the call that stand before it. @throws Refusal 22007 */
export function numberIn(
  fixed: number | null,
  entry: FunctionEntry,
  { label, least: ownLeast, most: ownMost, from, upTo, whole }: FunctionArgument,
  span: Span,
  before: readonly number[],
): number {
  if (fixed === null || fixed !== fixed) {
    throw new FormulaError(22007, `函数${entry.name}的参数“${label}”需为固定的数{place}`, span, [entry.name])
  }
  const least = from === undefined ? ownLeast : before[from]
  const most = upTo === undefined ? ownMost : before[upTo]
  const low = least ?? Number.NEGATIVE_INFINITY
  const high = most ?? Number.POSITIVE_INFINITY
  if (fixed >= low && fixed <= high && (!whole || Number.isInteger(fixed))) return fixed
  const range = `${least === undefined ? '' : most === undefined ? `不小于${least}` : `${least}至${most}`}${whole ? '的整数' : ''}`
  throw new FormulaError(22007, `函数${entry.name}的参数“${label}”需为${range}{place}`, span, [entry.name])
}

/** A fixed text: one of a few, a date of securities, the code of a market series. @throws Refusal 22007, 22009 a series or date that the data lack */
export function wordIn(
  entry: FunctionEntry,
  arg: FunctionArgument,
  tree: Tree,
  { benchmarks, stated }: Pick<Names, 'benchmarks' | 'stated'>,
): string {
  const written = tree.kind === 'text' ? tree.value : tree.kind === 'name' ? tree.name : tree.kind === 'number' ? String(tree.value) : null
  const known = arg.kind === 'date' ? Object.keys(securityDates) : arg.choices
  const word = arg.kind === 'benchmark' ? written : (known?.find((each) => each === written?.toLowerCase()) ?? null)
  if (word === null) throw wrongArgument(entry, arg, `可选：${(known ?? []).join('、')}`, tree)
  if (arg.kind === 'benchmark' && benchmarks && !benchmarks.has(word)) {
    const loaded = [...benchmarks].join('、')
    throw new FormulaError(22009, `当前行情数据没有指数 ${quoted(word)}{place}，现有：${loaded || '（无）'}`, tree, [quoted(word)])
  }
  if (arg.kind === 'date' && stated && !stated.has(dateKey(word))) {
    throw new FormulaError(22009, `当前行情数据没有“${dateLabels[word]}”（${word}）{place}`, tree, [word])
  }
  return word
}

export function wrongArgument(entry: FunctionEntry, arg: FunctionArgument, wanted: string, span: Span): FormulaError {
  return new FormulaError(22007, `函数${entry.name}的参数“${arg.label}”不正确{place}：${wanted}`, span, [entry.name])
}
