import { quoted } from '../base/problem.ts'
import type { FactorDefinition } from '../market/market.ts'
import { layoutOf, minimumIn, numberIn, windowIn, wordIn, wrongArgument } from './arguments.ts'
import type { BinaryOperator, Program, Tree } from './ast.ts'
import { fieldSeries } from './attributes.ts'
import type { FunctionArgument, FunctionEntry } from './functions/function.ts'
import { functionNamed, functionsByName } from './functions/index.ts'
import { invert, negate, operate } from './functions/operators.ts'
import { defaultTree } from './functions/signature.ts'
import { Graph, type Operand } from './graph.ts'
import { limits } from './limits.ts'
import { type CustomFactor, type Meaning, type Names, resolve, withWindow } from './names.ts'
import { parse } from './parse.ts'
import { FormulaError, type Span } from './problem.ts'
import { eachQuarter, itemOf } from './quarterly.ts'
import { missingField, unknownFunction, unknownName } from './unknown.ts'
import { groupBy, keyOf, lookbackOf, numberOf, operatedQuarterly, plainSeries, reportOf, textMatches, type Value } from './value.ts'

export interface Checked {
  readonly graph: Graph
  readonly root: Operand
  /** Keys of the user's own factors that it is made of, nested ones too. */
  readonly own: readonly string[]
}

/**
 * Program → graph, or the first mistake thrown as a FormulaError: names known? arguments as many and of the kind the function wants?
 * windows constant, in range, never negative (a window into later days would be look-ahead bias)? look-back along any path within the limit? Built-in factors are put in place of
 * their names.
 */
export function check(program: Program, names: Names): Checked {
  const graph = new Graph()
  const checker = new Checker(graph, names, new Map(), null)
  const root = numberOf(graph, checker.program(program), program.result)
  return { graph, root, own: checker.ownFactors() }
}

/** A built-in factor or field by itself. */
export function checkName(name: string, span: Span, names: Names): Checked {
  const graph = new Graph()
  const checker = new Checker(graph, names, new Map(), null)
  const value = checker.named(name, span)
  return { graph, root: numberOf(graph, value, span), own: checker.ownFactors() }
}

/** Where the formula of a factor is being read. */
interface Within {
  /** The factors on the way, outermost first. */
  readonly path: readonly string[]
  /** The number that `N` stands for. */
  readonly window: number | null
  /** A factor of the user's own: how many stand in each other; 0 in a built-in one, where windows are not limited. */
  readonly ownDepth: number
}

/** A factor that has been read once; a second time it is only looked up. */
interface Inlined {
  readonly value: Value
  /** Own factors that stand in each other, this one included; 0 of a built-in one. */
  readonly ownLayers: number
}

class Checker {
  private readonly graph: Graph
  private readonly names: Names
  /** Factors already in the graph. */
  private readonly inlined: Map<string, Inlined>
  /** Null in the text itself. */
  private readonly within: Within | null
  private readonly locals = new Map<string, Value>()
  /** How many of the user's own factors stand in each other in this text. */
  private ownLayers = 0

  constructor(graph: Graph, names: Names, inlined: Map<string, Inlined>, within: Within | null) {
    this.graph = graph
    this.names = names
    this.inlined = inlined
    this.within = within
    if (within && within.window !== null) this.locals.set('n', plainSeries(graph.constant(within.window), 0))
  }

  program({ locals, result }: Program): Value {
    for (const local of locals) {
      const name = local.name.toLowerCase()
      if (this.locals.has(name)) throw new FormulaError(22002, `公式语法错误{place}：名称“${quoted(local.name)}”重复赋值`, local)
      this.locals.set(name, this.value(local.value))
    }
    return this.value(result)
  }

  ownFactors(): string[] {
    return [...this.inlined.keys()].filter((key) => this.names.custom?.has(key))
  }

  named(name: string, span: Span): Value {
    return this.locals.get(name.toLowerCase()) ?? this.known(name, span)
  }

  /** What the market has by this name: functions mean that, whatever the text calls so. */
  private known(name: string, span: Span): Value {
    const window = this.within?.window ?? null
    const meaning = resolve(window === null ? name : withWindow(name, window), this.names)
    if (!meaning) throw unknownName(name, span, this.names, this.locals)
    if (meaning.kind === 'missing') throw missingField(meaning.field, name, span, this.names)
    if (meaning.kind === 'attribute') return { kind: 'attribute', attribute: meaning.attribute }
    if (meaning.kind === 'item') return { kind: 'report', quarterly: itemOf(meaning.field.key) }
    if (meaning.kind === 'custom') return this.ownFactor(meaning.factor, span)
    if (meaning.kind === 'factor') return this.factor(meaning, name, span)
    return { kind: 'series', operand: fieldSeries(this.graph, meaning.field), lookback: 0, values: meaning.field.values ?? null }
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
        if (of.kind === 'report' && tree.operator !== 'not') {
          return tree.operator === '+'
            ? of
            : reportOf(
                eachQuarter('-', (value) => -value, of.quarterly),
                tree,
              )
        }
        const operand = numberOf(this.graph, of, tree.of)
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
      const [key, text, keyTree, textTree] = right.kind === 'text' ? [left, right, leftTree, rightTree] : [right, left, rightTree, leftTree]
      if (text.kind === 'text' && key.kind !== 'text') {
        const is = textMatches(this.graph, key, text.text, keyTree, textTree)
        return plainSeries(operator === '==' ? is : invert(this.graph, is), lookback)
      }
    }
    const quarterly = operatedQuarterly(this.graph, operator, left, right)
    if (quarterly) return reportOf(quarterly, { start: leftTree.start, end: rightTree.end })
    return plainSeries(
      operate(this.graph, operator, numberOf(this.graph, left, leftTree), numberOf(this.graph, right, rightTree)),
      lookback,
    )
  }

  private call(tree: Tree & { kind: 'call' }): Value {
    const entry = functionNamed(tree.name)
    if (!entry) throw unknownFunction(tree.name, { start: tree.start, end: tree.nameEnd }, this.names, this.locals)
    return this.applied(entry, tree.args, tree)
  }

  private applied(entry: FunctionEntry, args: readonly Tree[], span: Span): Value {
    const layout = layoutOf(entry, args.length, span)
    const series: Operand[] = []
    const numbers: number[] = []
    const texts: string[] = []
    const matches: Operand[] = []
    let deepest = 0
    let window = 0
    let key: { value: Value; tree: Span } | null = null
    const values: Value[] = []
    for (const [i, arg] of layout.entries()) {
      const tree = args[i] ?? defaultTree(arg, span)
      if (arg.kind === 'window' || arg.kind === 'number') {
        const value = this.value(tree)
        const operand = numberOf(this.graph, value, tree)
        const fixed = this.graph.constantOf(operand)
        const most = this.isLimited() ? limits.window : Number.MAX_SAFE_INTEGER
        const number = arg.kind === 'window' ? windowIn(fixed, arg.min ?? 1, most, tree) : numberIn(fixed, entry, arg, tree, numbers)
        if (arg.kind === 'window' && window === 0) window = number
        numbers.push(number)
        values.push(value)
        continue
      }
      if (arg.kind === 'choice' || arg.kind === 'date' || arg.kind === 'benchmark') {
        texts.push(wordIn(entry, arg, tree, this.names))
        continue
      }
      const value = i >= args.length && tree.kind === 'name' ? this.known(tree.name, tree) : this.value(tree)
      values.push(value)
      if (arg.kind === 'report') {
        if (value.kind !== 'report') throw wrongArgument(entry, arg, '需只由财报科目组成，如 revenue、q_ttm(np_parent)', tree)
        continue
      }
      deepest = Math.max(deepest, lookbackOf(value))
      if (arg.kind === 'key') key = { value: keyOf(entry, value, tree), tree }
      else if (arg.kind === 'enumeration') series.push(numberOf(this.graph, keyOf(entry, value, tree), tree))
      else if (arg.kind === 'group') series.push(groupBy(this.graph, entry, value, tree))
      else if (arg.kind === 'text') {
        if (value.kind !== 'text') throw wrongArgument(entry, arg, '需为引号中的文字', tree)
        if (!key) throw new Error(`${entry.name} compares texts before it has a key`)
        matches.push(textMatches(this.graph, key.value, value.text, key.tree, tree))
      } else series.push(numberOf(this.graph, value, tree))
    }
    const reports = values.flatMap((value) => (value.kind === 'report' ? value.quarterly : []))
    if (entry.quarterly && reports.length > 0 && reports.length === values.length - numbers.length) {
      return reportOf(entry.quarterly(reports, numbers), span)
    }
    for (const field of entry.requires ?? []) this.known(field, span)
    for (const field of entry.fields?.(texts, this.names.market) ?? []) series.push(numberOf(this.graph, this.known(field, span), span))
    const minimum = entry.minimum && args.length > layout.length ? this.minimum(args[layout.length], window) : null
    const made: Value = entry.build
      ? plainSeries(
          entry.build(this.graph, { series, numbers, texts, matches, minimum, market: this.names.market }),
          deepest + entry.lookback(numbers, texts),
        )
      : this.written(entry, layout, values, minimum ?? window, span)
    if (this.graph.inputs > limits.inputs) throw new FormulaError(22005, '公式计算量过大{place}，请缩短周期或减少因子', span)
    const lookback = lookbackOf(made)
    if (this.isLimited() && lookback > limits.lookback) {
      throw new FormulaError(22005, `公式计算量过大{place}：累计回看${lookback}个交易日，最多${limits.lookback}个，请缩短周期`, span)
    }
    return made
  }

  /** A function that is a formula: its arguments are local names there. */
  private written(entry: FunctionEntry, layout: readonly FunctionArgument[], values: readonly Value[], minimum: number, span: Span): Value {
    const inner = new Checker(this.graph, this.names, this.inlined, { path: this.within?.path ?? [], window: null, ownDepth: 0 })
    const local = (name: string, value: Value) => inner.locals.set(name, value)
    layout.forEach((arg, i) => {
      local(arg.name, values[i])
    })
    local('mp', plainSeries(this.graph.constant(minimum), 0))
    local('volume_unit', plainSeries(this.graph.constant(this.names.market.volumeUnit), 0))
    const { bars } = this.names.market
    for (const price of entry.bar ?? []) {
      const own = this.known(price, span)
      // Read as a factor: its windows and those of its formula are not the user's.
      local(price, bars.prefix === '' ? own : inner.known(`${bars.prefix}${price}`, span))
    }
    if (bars.factor !== null && entry.adjusted !== undefined) {
      local('factor', inner.known(bars.factor, span))
      local('tick', plainSeries(this.graph.constant(bars.tick), 0))
    }
    const program = parse((bars.factor === null ? null : entry.adjusted) ?? (entry.formula as string))
    try {
      const result = inner.program(program)
      return plainSeries(numberOf(this.graph, result, program.result), lookbackOf(result))
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error
      throw new FormulaError(error.code, error.message, span, error.places, error.missing, error.part)
    }
  }

  private minimum(tree: Tree, window: number): number {
    return minimumIn(this.graph.constantOf(numberOf(this.graph, this.value(tree), tree)), window, tree)
  }

  /** Windows and look-back are limited in what users write, in their own factors too. */
  private isLimited(): boolean {
    return !this.within || this.within.ownDepth > 0
  }

  /** A built-in factor's formula in place of its name. */
  private factor(meaning: Meaning & { kind: 'factor' }, name: string, span: Span): Value {
    const { factor, window } = meaning
    const key = window === null ? factor.key : `${factor.key} ${window}`
    const known = this.inlined.get(key)
    if (known) return known.value
    const path = this.pathTo(key, key, span)
    if (window !== null) this.parameter(factor, window, span)
    const inner = new Checker(this.graph, this.names, this.inlined, { path, window, ownDepth: 0 })
    try {
      const program = parse(factor.formula)
      const result = inner.program(program)
      const value = result.kind === 'report' ? result : plainSeries(numberOf(this.graph, result, program.result), 0)
      this.inlined.set(key, { value, ownLayers: 0 })
      return value
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error
      const { otherwise } = factor
      if (otherwise !== undefined && error.missing !== null) {
        return this.factor({ ...meaning, factor: { ...factor, formula: otherwise, otherwise: undefined } }, name, span)
      }
      throw this.insideFactor(error, factor, name, span)
    }
  }

  /** A factor of the user's own in place of its name: what it looks back counts, and how deep they stand in each other. */
  private ownFactor(factor: CustomFactor, span: Span): Value {
    const path = this.pathTo(factor.key, factor.label, span)
    const around = this.within?.ownDepth ?? 0
    // One that is known may have been read where less stood around it.
    const known = this.inlined.get(factor.key)
    if (around + (known?.ownLayers ?? 1) > limits.ownFactors) {
      throw new FormulaError(22004, `公式嵌套层数过多{place}：自定义因子最多嵌套${limits.ownFactors}层`, span)
    }
    const { value, ownLayers } = known ?? this.readOwnFactor(factor, { path, window: null, ownDepth: around + 1 }, span)
    this.ownLayers = Math.max(this.ownLayers, ownLayers)
    return value
  }

  private readOwnFactor(factor: CustomFactor, within: Within, span: Span): Inlined {
    const inner = new Checker(this.graph, this.names, this.inlined, within)
    try {
      const program = parse(factor.formula)
      const result = inner.program(program)
      const read = { value: plainSeries(numberOf(this.graph, result, program.result), lookbackOf(result)), ownLayers: inner.ownLayers + 1 }
      this.inlined.set(factor.key, read)
      return read
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error
      if (error.code === 22010 || error.code === 22004) throw new FormulaError(error.code, error.message, span, error.places)
      const reason = error.message.replace('{place}', '')
      throw new FormulaError(
        error.code,
        `自定义因子“${quoted(factor.label)}”无法计算{place}：${reason}`,
        span,
        error.places,
        error.missing,
        error.part,
      )
    }
  }

  /** The factors on the way and the next one; factors that name each other are refused. */
  private pathTo(key: string, label: string, span: Span): readonly string[] {
    const before = this.within?.path ?? []
    if (!before.includes(key)) return [...before, key]
    throw new FormulaError(22010, `因子存在循环引用{place}：${[...before, label].join(' → ')}`, span)
  }

  private parameter(factor: FactorDefinition, window: number, span: Span): void {
    if (!factor.window || !this.isLimited()) return
    const { min, max } = factor.window
    if (window < min || window > max) throw new FormulaError(22008, `周期需为${min}至${max}的整数{place}：${factor.label}`, span)
  }

  /** A mistake inside a built-in factor is shown at the name that the user wrote. */
  private insideFactor(error: FormulaError, factor: FactorDefinition, name: string, span: Span): FormulaError {
    if (error.code === 22010) return new FormulaError(22010, error.message, span)
    if (error.missing !== null) {
      // Data may bring the factor itself as a column: then that is what is missing, and what it is made of besides.
      const own = this.names.missing?.get(factor.key)
      if (own) return missingField(own, name, span, this.names, error.missing)
      const field = this.names.missing?.get(error.missing)
      const label = field ? `“${field.label}”（${field.key}）` : error.missing
      return new FormulaError(
        22009,
        `当前行情数据算不出“${factor.label}”{place}：缺少${label}`,
        span,
        [quoted(name)],
        error.missing,
        error.part,
      )
    }
    return new FormulaError(error.code, `因子“${factor.label}”无法计算{place}：${error.message.replace('{place}', '')}`, span, error.places)
  }
}
