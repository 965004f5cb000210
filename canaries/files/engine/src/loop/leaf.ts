// biome lint/suspicious/noImportCycles: no circles, of types neither
import type { Root } from './root.ts'

export interface Leaf {
  root: Root
}
