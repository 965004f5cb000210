import type { FactorMeta } from '@convexa/contract/factor'
import { type Program, partsOf, type Tree } from '@convexa/engine/expression/editing'
import { shownAs } from '../rule/factors.ts'

/** A remark on a part of a formula that is right by its grammar and probably not what was meant. */
export interface Remark {
  start: number
  end: number
  message: string
  /** The formula as the remark would have it. */
  press?: { label: string; formula: string }
}

/** What a part's number counts: a unit of the data, a fraction (`ratio`), a fraction made into per cent, a plain number, or nobody knows. */
type Unit = { kind: 'unit'; unit: string; of: string } | { kind: 'ratio'; of: string } | { kind: 'percent' } | { kind: 'plain' } | null

/** Functions whose result counts what their first argument counts. */
const keeps = new Set(
  `abs ref delay ts_mean ma ts_median ts_min ts_max ts_sum ts_quantile ts_ffill ema sma ts_decay wma delta fill_na clip round floor ceil
   cs_mean cs_median cs_min cs_max cs_quantile cs_demean cs_winsor cs_mad cs_sigma cs_fill gp_mean gp_median gp_min gp_max gp_demean gp_fill
   max min fmax fmin coalesce avg_of value_when where ts_std std`.split(/\s+/),
)
/** A ratio compared with a number beyond this is probably meant in per cent. */
const muchOfAWhole = 5

/** Fractions added to prices, and fractions compared with per cents. `unitOf` is the factor behind a name. */
export function unitRemarks({ locals, result }: Program, metaOf: (name: string) => FactorMeta | null): Remark[] {
  const remarks: Remark[] = []
  const known = new Map<string, Unit>()
  const unitOf = (tree: Tree): Unit => {
    switch (tree.kind) {
      case 'number':
        return { kind: 'plain' }
      case 'text':
        return null
      case 'name':
        return known.get(tree.name.toLowerCase()) ?? unitOfName(metaOf(tree.name))
      case 'unary': {
        const of = unitOf(tree.of)
        return tree.operator === 'not' ? { kind: 'plain' } : of
      }
      case 'binary':
        return ofBinary(tree)
      case 'choice': {
        const [, yes, no] = partsOf(tree).map(unitOf)
        return yes ?? no ?? null
      }
      case 'call': {
        const [first] = tree.args.map(unitOf)
        return keeps.has(tree.name.toLowerCase()) ? (first ?? null) : null
      }
    }
  }
  const ofBinary = (tree: Tree & { kind: 'binary' }): Unit => {
    const { operator } = tree
    const [left, right] = [unitOf(tree.left), unitOf(tree.right)]
    if (operator === '*') return scaled(left, tree.right) ?? scaled(right, tree.left)
    if (operator === '/') return scaled(left, tree.right)
    if (operator === '+' || operator === '-') {
      const message = mixed(left, right)
      if (message) remarks.push({ start: tree.start, end: tree.end, message })
      return left?.kind === 'plain' ? right : (left ?? right)
    }
    if (compares.has(operator)) {
      const message = comparedWith(left, tree.right) ?? comparedWith(right, tree.left)
      if (message) remarks.push({ start: tree.start, end: tree.end, message })
      return { kind: 'plain' }
    }
    return null
  }
  for (const local of locals) known.set(local.name.toLowerCase(), unitOf(local.value))
  unitOf(result)
  return remarks
}

const compares = new Set(['<', '<=', '>', '>=', '==', '!='])

function unitOfName(meta: FactorMeta | null): Unit {
  if (!meta || meta.values) return null
  const { percent, unit } = shownAs(meta)
  if (percent) return { kind: 'ratio', of: meta.factor_name }
  return unit ? { kind: 'unit', unit, of: meta.factor_name } : null
}

/** A part times or divided by a number: a fraction times 100 is per cent, a price times 2 is a price. */
function scaled(unit: Unit, by: Tree): Unit {
  if (by.kind !== 'number' || !unit) return null
  return unit.kind === 'ratio' && by.value >= 10 ? { kind: 'percent' } : unit
}

function mixed(left: Unit, right: Unit): string | null {
  if (!left || !right) return null
  const [ratio, other] = left.kind === 'ratio' ? [left, right] : [right, left]
  if (ratio.kind === 'ratio' && other.kind === 'unit')
    return `「${ratio.of}」是小数（12.4% 写作 0.124），与「${other.of}」（${other.unit}）相加减前通常需要 ×100`
  if (left.kind === 'unit' && right.kind === 'unit' && left.unit !== right.unit)
    return `「${left.of}」的单位是${left.unit}，「${right.of}」的单位是${right.unit}，直接相加减没有意义，可以先用 cs_rank 换成名次`
  return null
}

function comparedWith(unit: Unit, number: Tree): string | null {
  const value = number.kind === 'number' ? number.value : null
  if (unit?.kind !== 'ratio' || value === null || Math.abs(value) < muchOfAWhole) return null
  return `「${unit.of}」是小数，${value} 相当于 ${value * 100}%；如果指 ${value}%，请写 ${Number((value / 100).toPrecision(6))}`
}
