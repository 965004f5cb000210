import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// Where the program's files lie. It runs from its sources, or from the bundle that `scripts/prepare.mjs` makes of them: a folder
// `server/dist/{hash}` with a file for each entry and the chunks that they share. A bundle starts in a third of the time, since Node finds and
// links some thirty files in place of fifteen hundred (decisions/0225).

/** Entries of the program, below `server/src`. */
export const entries = {
  main: 'main.ts',
  convexa: 'cli/main.ts',
  'child-main': 'compute/child-main.ts',
  'thread-main': 'compute/thread-main.ts',
  'demo-main': 'market/demo/demo-main.ts',
} as const

const here = dirname(fileURLToPath(import.meta.url))
const isBundled = import.meta.url.endsWith('.mjs')

/** The package's folder, `server`. */
export const serverFolder = join(here, '..', '..')

/** The folder of the bundle that runs, or that tests want to be started from their sources' processes; null: all runs from sources. */
export const bundleFolder: string | null = isBundled ? here : process.env['SERVER_BUNDLE'] || null

/** The file to start for an entry. */
export const entryFile = (entry: keyof typeof entries): string =>
  bundleFolder === null ? sourceFile(entries[entry]) : join(bundleFolder, `${entry}.mjs`)

/** A file below `server/src`: what is read, not run. */
export const sourceFile = (path: string): string => join(serverFolder, 'src', path)

/** A migration that is a program, as an address for `import()`. `path`: the source file. */
export const migrationProgram = (path: string): string =>
  pathToFileURL(isBundled ? join(here, 'migrations', basename(path).replace(/\.ts$/, '.mjs')) : path).href
