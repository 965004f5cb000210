import { bonds } from './bonds.ts'
import { conditional } from './conditional.ts'
import { crossSection } from './cross-section.ts'
import { elementwise } from './elementwise.ts'
import type { FunctionEntry } from './function.ts'
import { groups } from './groups.ts'
import { indicators } from './indicators.ts'
import { pairs } from './pairs.ts'
import { peers } from './peers.ts'
import { pricing } from './pricing.ts'
import { quarterly } from './quarterly.ts'
import { recursive } from './recursive.ts'
import { rolling } from './rolling.ts'

export type { FunctionArgument, FunctionEntry } from './function.ts'

/** Every function of the language, one line each; a new one is a new line in its family's file. */
export const functionTable: readonly FunctionEntry[] = [
  ...elementwise,
  ...pricing,
  ...bonds,
  ...conditional,
  ...rolling,
  ...pairs,
  ...recursive,
  ...indicators,
  ...crossSection,
  ...peers,
  ...groups,
  ...quarterly,
]

/** By name and alias, as the table writes them. */
export const functionsByName: ReadonlyMap<string, FunctionEntry> = new Map(
  functionTable.flatMap((entry) => [entry.name, ...entry.aliases].map((name) => [name, entry] as const)),
)

/** Letters' case does not matter, except for `STD`, which is another function than `std`. */
export function functionNamed(written: string): FunctionEntry | undefined {
  return functionsByName.get(written) ?? functionsByName.get(written.toLowerCase())
}
