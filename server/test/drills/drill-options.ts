import { parseArgs } from 'node:util'

/** Of a number that a drill can be told: what it is for the whole drill, and with `--quick` (under three minutes). */
export interface Sizes {
  readonly whole: number
  readonly quick: number
}

/**
 * Reads `--quick` and `--<name> <number>` of the command line: `readDrillOptions({ kills: { whole: 200, quick: 20 } }).kills`. Ends the process with a
 * sentence and status 2 where something else was given; with `words` true also words may be, as names to choose by.
 */
export function readDrillOptions<Name extends string>(
  sizes: Readonly<Record<Name, Sizes>>,
  { words = false, args = process.argv.slice(2) }: { words?: boolean; args?: readonly string[] } = {},
): Record<Name, number> & { readonly quick: boolean; readonly words: readonly string[] } {
  const names = Object.keys(sizes) as Name[]
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: words,
      options: {
        quick: { type: 'boolean', default: false },
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      },
    })
    const quick = values['quick'] === true
    const chosen = names.map((name): [Name, number] => {
      const given = (values as Record<string, unknown>)[name]
      const value = given === undefined ? sizes[name][quick ? 'quick' : 'whole'] : Number(given)
      if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} is not a whole number: ${given}`)
      return [name, value]
    })
    return { ...(Object.fromEntries(chosen) as Record<Name, number>), quick, words: positionals }
  } catch (error) {
    console.error(
      `${(error as Error).message}\nknown: --quick${words ? ' word …' : ''} ${names.map((name) => `--${name} ${sizes[name].whole}`).join(' ')}`,
    )
    process.exit(2)
  }
}

/** A drill that cannot be run here: says why in one sentence and ends with status 0; `npm run test:long` counts it as skipped. */
export function skipDrill(why: string): never {
  console.log(`未运行：${why}`)
  process.exit(0)
}
