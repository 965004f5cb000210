// biome lint/suspicious/noImportCycles: no circles, of types neither
import type { Leaf } from './leaf.ts'

export interface Root {
  leaf: Leaf | null
}
