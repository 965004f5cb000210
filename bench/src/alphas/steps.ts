import { alphas, textOfAlpha } from '../../../engine/test/fixtures/alphas.ts'
import type { Formula } from '../../../engine/test/fixtures/formula.ts'
import { formulaOf } from '../../../engine/test/fixtures/formula-of-text.ts'

/** One calculation of a program for a peer: `args` are places of earlier steps. */
export interface Step {
  readonly do: string
  readonly args: readonly number[]
  readonly numbers: readonly number[]
  /** Of a field or a group. */
  readonly key?: string
}

/** An alpha as steps, each once: the peers too compute what occurs twice only once, as a careful writer of such programs would. */
export function stepsOf(alpha: number, unit = 1): Step[] {
  const [, formula] = alphas.find(([each]) => each === alpha)!
  return stepsOfFormula(formulaOf(textOfAlpha(formula, unit)))
}

function stepsOfFormula(whole: Formula): Step[] {
  const steps: Step[] = []
  const known = new Map<string, number>()
  const add = (step: Step): number => {
    const name = JSON.stringify(step)
    const place = known.get(name) ?? steps.push(step) - 1
    known.set(name, place)
    return place
  }
  const visit = (formula: Formula): number => {
    if (formula.kind === 'number') return add({ do: 'number', args: [], numbers: [formula.value] })
    if (formula.kind === 'field') return add({ do: 'field', args: [], numbers: [], key: formula.key })
    if (formula.kind === 'key') return add({ do: 'group', args: [], numbers: [], key: formula.key })
    if (formula.kind === 'item') throw new Error(`no peer knows statements: ${formula.key}`)
    return add({ do: formula.name, args: formula.args.map(visit), numbers: formula.numbers ?? [] })
  }
  visit(whole)
  return steps
}
