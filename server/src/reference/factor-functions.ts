import type { FactorFunction } from '@convexa/contract'
import { type FunctionArgument, formulaLimits, functionTable } from '@convexa/engine'

type Argument = FactorFunction['args'][number]

const minimum: Argument = { name: 'mp', type: 'window', desc: '最少有效天数', optional: true, min: 1, max: formulaLimits.window }

/** The engine's table of functions as an editor shows it. */
export const factorFunctions: FactorFunction[] = functionTable.map((entry) => ({
  name: entry.name,
  aliases: [...entry.aliases],
  label: entry.label,
  category: entry.category,
  args: [...entry.args.map((arg) => argumentOf(arg)), ...(entry.minimum ? [minimum] : [])],
  returns: 'number',
  example: entry.example,
  description: entry.doc,
  is_cross_section: entry.isCrossSection,
  lookback: entry.args.some(({ kind }) => kind === 'window' || kind === 'number') ? null : entry.lookback([], []),
}))

function argumentOf(arg: FunctionArgument): Argument {
  const isWindow = arg.kind === 'window'
  const low = isWindow ? (arg.min ?? 1) : arg.least
  const high = isWindow ? formulaLimits.window : arg.most
  return {
    name: arg.name,
    type: arg.kind,
    desc: arg.label,
    optional: arg.default !== undefined,
    // NaN stands for an absent value, which is what an editor may leave out.
    ...(arg.default !== undefined && !Number.isNaN(arg.default) && { default: arg.default }),
    ...(low !== undefined && { min: low }),
    ...(high !== undefined && { max: high }),
    ...(arg.choices && { choices: [...arg.choices] }),
    ...(arg.repeat && { repeat: true }),
  }
}
