import type { FactorDefinition } from '../market/market.ts'
import type { BinaryOperator, Program, Tree } from './ast.ts'
import type { FunctionEntry } from './functions/function.ts'
import { functionsByName } from './functions/index.ts'
import { invert, negate, operate } from './functions/operators.ts'
import { Graph, type Operand } from './graph.ts'
import { limits } from './limits.ts'
import { knownNames, type Meaning, type Names, resolve, withWindow } from './names.ts'
import { parse } from './parse.ts'
import { quoted, Refusal, type Span } from './problem.ts'
import { nearest } from './spelling.ts'

export interface Checked {
  readonly graph: Graph
  readonly root: Operand
}

/**
 * Program → graph, or the first mistake thrown as a Refusal: names known? arguments as many and of the kind the function wants?
 * windows constant, in range, never negative? look-back along any path within the limit? Built-in factors are put in place of
 * their names.
 */
export function check(program: Program, names: Names): Checked {
  const graph = new Graph()
  const checker = new Checker(graph, names, new Map(), null)
  const root = checker.series(checker.program(program), program.result)
  return { graph, root }
}

/** A built-in factor or field by itself. */
export function checkName(name: string, span: Span, names: Names): Checked {
  const graph = new Graph()
  const checker = new Checker(graph, names, new Map(), null)
  const value = checker.named(name, span)
  return { graph, root: checker.series(value, span) }
}

/** What a part of the text stands for. */
type Value =
  | {
      readonly kind: 'series'
      readonly operand: Operand
      /** Trading days read before the day itself, those of built-in factors not counted. */
      readonly lookback: number
      /** Of an enumeration: its values, the cells are indices into them. */
      readonly values: readonly string[] | null
    }
  | { readonly kind: 'text'; readonly text: string }

const plainSeries = (operand: Operand, lookback: number): Value => ({ kind: 'series', operand, lookback, values: null })

/** Where a built-in factor's formula is being read. */
interface Within {
  /** The factors on the way, outermost first. */
  readonly path: readonly string[]
  /** The number that `N` stands for. */
  readonly window: number | null
}

class Checker {
  private readonly graph: Graph
  private readonly names: Names
  /** Built-in factors already in the graph. */
  private readonly inlined: Map<string, Operand>
  /** Null in the user's own text, where windows and look-back are limited. */
  private readonly within: Within | null
  private readonly locals = new Map<string, Value>()

  constructor(graph: Graph, names: Names, inlined: Map<string, Operand>, within: Within | null) {
    this.graph = graph
    this.names = names
    this.inlined = inlined
    this.within = within
    if (within && within.window !== null) this.locals.set('n', plainSeries(graph.constant(within.window), 0))
  }

  program({ locals, result }: Program): Value {
    for (const local of locals) {
      const name = local.name.toLowerCase()
      if (this.locals.has(name)) throw new Refusal(22002, `公式语法错误{place}：名称“${quoted(local.name)}”重复赋值`, local)
      this.locals.set(name, this.value(local.value))
    }
    return this.value(result)
  }

  /** The operand of a value that must be a number. */
  series(value: Value, span: Span): Operand {
    if (value.kind === 'text') throw new Refusal(22002, '公式语法错误{place}：文字只能用 == 或 != 与评级等枚举字段比较', span)
    return value.operand
  }

  named(name: string, span: Span): Value {
    const local = this.locals.get(name.toLowerCase())
    if (local) return local
    const window = this.within?.window ?? null
    const meaning = resolve(window === null ? name : withWindow(name, window), this.names)
    if (!meaning) throw this.unknownName(name, span)
    if (meaning.kind === 'missing') {
      const { key, label } = meaning.field
      throw new Refusal(22009, `未知因子：${quoted(name)}{place}，当前行情数据没有字段“${label}”（${key}）`, span, [quoted(name)], key)
    }
    if (meaning.kind === 'factor') return plainSeries(this.factor(meaning, name, span), 0)
    return { kind: 'series', operand: this.graph.field(meaning.field.key), lookback: 0, values: meaning.field.values ?? null }
  }

  private value(tree: Tree): Value {
    switch (tree.kind) {
      case 'number':
        return plainSeries(this.graph.constant(tree.value), 0)
      case 'text':
        return { kind: 'text', text: tree.value }
      case 'name':
        return this.named(tree.name, tree)
      case 'unary': {
        const of = this.value(tree.of)
        const operand = this.series(of, tree.of)
        if (tree.operator === '+') return plainSeries(operand, lookbackOf(of))
        return plainSeries(tree.operator === '-' ? negate(this.graph, operand) : invert(this.graph, operand), lookbackOf(of))
      }
      case 'binary':
        return this.binary(tree.operator, tree.left, tree.right)
      case 'choice':
        return this.applied(functionsByName.get('if') as FunctionEntry, [tree.test, tree.yes, tree.no], tree)
      case 'call':
        return this.call(tree)
    }
  }

  private binary(operator: BinaryOperator, leftTree: Tree, rightTree: Tree): Value {
    const left = this.value(leftTree)
    const right = this.value(rightTree)
    const lookback = Math.max(lookbackOf(left), lookbackOf(right))
    if (operator === '==' || operator === '!=') {
      if (left.kind === 'series' && right.kind === 'text') {
        return plainSeries(operate(this.graph, operator, left.operand, this.choiceOf(right.text, left, rightTree)), lookback)
      }
      if (left.kind === 'text' && right.kind === 'series') {
        return plainSeries(operate(this.graph, operator, right.operand, this.choiceOf(left.text, right, leftTree)), lookback)
      }
    }
    return plainSeries(operate(this.graph, operator, this.series(left, leftTree), this.series(right, rightTree)), lookback)
  }

  /** The cell value of one text of an enumeration. */
  private choiceOf(text: string, value: Value, span: Span): Operand {
    const values = value.kind === 'series' ? value.values : null
    if (!values) throw new Refusal(22002, '公式语法错误{place}：文字只能用 == 或 != 与评级等枚举字段比较', span)
    const index = values.indexOf(text)
    if (index < 0) throw new Refusal(22002, `公式语法错误{place}：没有取值“${quoted(text)}”，可选：${values.join('、')}`, span)
    return this.graph.constant(index)
  }

  private call(tree: Tree & { kind: 'call' }): Value {
    const entry = functionsByName.get(tree.name.toLowerCase())
    if (!entry) throw this.unknownFunction(tree.name, { start: tree.start, end: tree.nameEnd })
    return this.applied(entry, tree.args, tree)
  }

  private applied(entry: FunctionEntry, args: readonly Tree[], span: Span): Value {
    this.arity(entry, args.length, span)
    const series: Operand[] = []
    const numbers: number[] = []
    let deepest = 0
    args.slice(0, entry.minimum ? entry.args.length : args.length).forEach((tree, i) => {
      const arg = entry.args[Math.min(i, entry.args.length - 1)]
      const value = this.value(tree)
      const operand = this.series(value, tree)
      deepest = Math.max(deepest, lookbackOf(value))
      if (arg.kind === 'series') series.push(operand)
      else numbers.push(arg.kind === 'window' ? this.window(operand, arg.min ?? 1, tree) : this.constant(operand, entry, arg.label, tree))
    })
    for (const arg of entry.args.slice(args.length)) if (arg.default !== undefined) numbers.push(arg.default)
    const minimum = entry.minimum && args.length > entry.args.length ? this.minimum(args[entry.args.length], numbers) : null
    const lookback = deepest + entry.lookback(numbers)
    if (!this.within && lookback > limits.lookback) {
      throw new Refusal(22005, `公式计算量过大{place}：累计回看${lookback}个交易日，最多${limits.lookback}个，请缩短周期`, span)
    }
    return plainSeries(entry.build(this.graph, { series, numbers, minimum }), lookback)
  }

  private arity(entry: FunctionEntry, given: number, span: Span): void {
    const least = entry.args.filter((arg) => arg.default === undefined).length
    const most = entry.args.some((arg) => arg.repeat) ? Number.POSITIVE_INFINITY : entry.args.length + (entry.minimum ? 1 : 0)
    if (given >= least && given <= most) return
    throw new Refusal(22007, `函数${entry.name}的参数个数不正确{place}：应为 ${signature(entry)}，实际有${given}个参数`, span, [entry.name])
  }

  private window(operand: Operand, min: number, span: Span): number {
    const days = this.graph.constantOf(operand)
    if (days === null) throw new Refusal(22008, `周期需为${min}至${limits.window}的整数{place}：不能使用随日期变化的值`, span)
    if (days < 0) throw new Refusal(22008, '不允许使用未来数据{place}：周期不能为负数', span)
    const most = this.within ? Number.MAX_SAFE_INTEGER : limits.window
    if (!Number.isInteger(days) || days < min || days > most) {
      throw new Refusal(22008, `周期需为${min}至${limits.window}的整数{place}`, span)
    }
    return days
  }

  private minimum(tree: Tree, numbers: readonly number[]): number {
    const days = this.graph.constantOf(this.series(this.value(tree), tree))
    const window = numbers[numbers.length - 1]
    if (days === null || !Number.isInteger(days) || days < 1 || days > window) {
      throw new Refusal(22008, `最少有效天数需为1至${window}的整数{place}`, tree)
    }
    return days
  }

  private constant(operand: Operand, entry: FunctionEntry, label: string, span: Span): number {
    const value = this.graph.constantOf(operand)
    if (value !== null && value === value) return value
    throw new Refusal(22007, `函数${entry.name}的参数“${label}”需为固定的数{place}`, span, [entry.name])
  }

  /** A built-in factor's formula in place of its name. */
  private factor(meaning: Meaning & { kind: 'factor' }, name: string, span: Span): Operand {
    const { factor, window } = meaning
    const key = window === null ? factor.key : `${factor.key} ${window}`
    const known = this.inlined.get(key)
    if (known) return known
    const path = [...(this.within?.path ?? []), key]
    if (path.indexOf(key) < path.length - 1) throw new Refusal(22010, `因子存在循环引用{place}：${path.join(' → ')}`, span)
    if (window !== null) this.parameter(factor, window, span)
    const inner = new Checker(this.graph, this.names, this.inlined, { path, window })
    try {
      const program = parse(factor.formula)
      const operand = inner.series(inner.program(program), program.result)
      this.inlined.set(key, operand)
      return operand
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw this.insideFactor(error, factor, name, span)
    }
  }

  private parameter(factor: FactorDefinition, window: number, span: Span): void {
    if (!factor.window || this.within) return
    const { min, max } = factor.window
    if (window < min || window > max) throw new Refusal(22008, `周期需为${min}至${max}的整数{place}：${factor.label}`, span)
  }

  /** A mistake inside a built-in factor is shown at the name that the user wrote. */
  private insideFactor(error: Refusal, factor: FactorDefinition, name: string, span: Span): Refusal {
    if (error.code === 22010) return new Refusal(22010, error.message, span)
    if (error.missing !== null) {
      const field = this.names.missing?.get(error.missing)
      const label = field ? `“${field.label}”（${field.key}）` : error.missing
      return new Refusal(
        22009,
        `未知因子：${quoted(name)}{place}，计算“${factor.label}”所需的字段${label}不在当前行情数据中`,
        span,
        [quoted(name)],
        error.missing,
      )
    }
    return new Refusal(error.code, `因子“${factor.label}”无法计算{place}：${error.message.replace('{place}', '')}`, span, error.places)
  }

  private unknownName(name: string, span: Span): Refusal {
    if (functionsByName.has(name.toLowerCase())) {
      return new Refusal(
        22009,
        `未知因子：${quoted(name)}{place}，它是函数，需要写参数：${signature(functionsByName.get(name.toLowerCase()) as FunctionEntry)}`,
        span,
        [quoted(name)],
      )
    }
    const near = nearest(name, [...this.locals.keys(), ...knownNames(this.names)])
    return new Refusal(22009, `未知因子：${quoted(name)}{place}${near ? `，是否指 ${near}？` : ''}`, span, [quoted(name)])
  }

  private unknownFunction(name: string, span: Span): Refusal {
    if (this.locals.has(name.toLowerCase()) || resolve(name, this.names)) {
      return new Refusal(22006, `未知函数：${quoted(name)}{place}，它是因子，后面不能跟括号`, span, [quoted(name)])
    }
    const near = nearest(name, [...functionsByName.keys()])
    return new Refusal(22006, `未知函数：${quoted(name)}{place}${near ? `，是否指 ${near}？` : ''}`, span, [quoted(name)])
  }
}

function lookbackOf(value: Value): number {
  return value.kind === 'series' ? value.lookback : 0
}

/** `ts_mean(x, n, [mp])` */
function signature(entry: FunctionEntry): string {
  const args = entry.args.map((arg) => (arg.repeat ? `${arg.name}, …` : arg.default === undefined ? arg.name : `[${arg.name}]`))
  return `${entry.name}(${[...args, ...(entry.minimum ? ['[mp]'] : [])].join(', ')})`
}
