// biome lint/suspicious/noImportCycles: no circles
import { hen } from './hen.ts'

export const egg = (): string => hen()
