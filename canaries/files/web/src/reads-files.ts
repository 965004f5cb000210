// biome lint/correctness/noNodejsModules: a browser has no files
import { readFileSync } from 'node:fs'

export const read = (path: string) => readFileSync(path)
