/** The shape of the table of commands: `program.ts` builds the command line of it, help, completion and documents read the same rows. */

export interface ArgumentRow {
  /** In Chinese, as help shows it. */
  readonly name: string
  readonly help?: string
  readonly optional?: true
  readonly choices?: readonly string[]
  /** @throws InvalidArgumentError with a Chinese sentence */
  readonly read?: (given: string) => unknown
}

export interface OptionRow {
  /** As commander reads it: `--date <日期>`, `--no-recommended`. */
  readonly flags: string
  readonly help: string
  readonly choices?: readonly string[]
  readonly default?: string
  readonly required?: true
  /** Name of an option, as commander has it, that cannot stand beside this one. */
  readonly conflicts?: string
  /** @throws InvalidArgumentError with a Chinese sentence */
  readonly read?: (given: string) => unknown
}

/** Takes the arguments in their order, `undefined` for one that is left out, then the options. */
type Run = (...given: never[]) => Promise<void> | void

export interface CommandRow {
  /** With its parents: `user create`. */
  readonly name: string
  /** A line for lists. */
  readonly summary: string
  /** Sentences for its own help; absent: the summary. */
  readonly description?: string
  readonly args?: readonly ArgumentRow[]
  readonly options?: readonly OptionRow[]
  /** What follows `./convexa`; absent of a row that only holds others. */
  readonly example?: string
  /** What `--json` prints; absent: one object with the text as `message`. */
  readonly json?: string
  /** Exit codes that mean something else here than in general. */
  readonly exits?: Readonly<Record<number, string>>
  /** What cannot be taken back, as a question to the operator; null: these options do no harm. Without `--yes` it is asked. */
  readonly destroys?: (options: Readonly<Record<string, unknown>>) => string | null
  /** Loads what it does; absent of a row that only holds others. */
  readonly load?: () => Promise<Run>
}

/** Rows whose names begin with the parent's. */
export const within = (parent: string, rows: readonly CommandRow[]): readonly CommandRow[] =>
  rows.map((row) => ({ ...row, name: `${parent} ${row.name}` }))
