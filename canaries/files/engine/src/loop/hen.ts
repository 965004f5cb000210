// biome lint/suspicious/noImportCycles: no circles
import { egg } from './egg.ts'

export const hen = (): string => egg()
