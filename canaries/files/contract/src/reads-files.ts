// biome lint/correctness/noNodejsModules: words read no files
import { readFileSync } from 'node:fs'

export const read = (path: string) => readFileSync(path)
