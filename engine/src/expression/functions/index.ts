import { crossSection } from './cross-section.ts'
import { elementwise } from './elementwise.ts'
import type { FunctionEntry } from './function.ts'
import { rolling } from './rolling.ts'

export type { Call, FunctionArgument, FunctionEntry } from './function.ts'

/** Every function of the language, one line each; a new one is a new line in its family's file. */
export const functionTable: readonly FunctionEntry[] = [...elementwise, ...rolling, ...crossSection]

/** By name and alias, lower case. */
export const functionsByName: ReadonlyMap<string, FunctionEntry> = new Map(
  functionTable.flatMap((entry) => [entry.name, ...entry.aliases].map((name) => [name, entry] as const)),
)
