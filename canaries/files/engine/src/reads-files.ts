// biome lint/correctness/noNodejsModules: no files
import { readFileSync } from 'node:fs'

export const read = (path: string) => readFileSync(path)
