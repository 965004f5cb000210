import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { migrationProgram, sourceFile } from '../base/program-files.ts'

/**
 * expand: only adds, so that programs of the release before go on working on the new tables. contract: takes away what the release `since`
 * and those after it need no more; it may come one release later.
 */
type Phase = { readonly kind: 'expand' } | { readonly kind: 'contract'; readonly since: string }

export interface MigrationFile {
  /** `0059-schema-floor` */
  readonly name: string
  /** null: of before the rule of phases, which begins with 0059. */
  readonly phase: Phase | null
  /** false: one repeatable statement that PostgreSQL runs outside a transaction (`create index concurrently`). */
  readonly inTransaction: boolean
  /** Statements of an `.sql` file; null for a program. */
  readonly text: string | null
  readonly apply: Migration['up']
}

const migrationFolder = pathToFileURL(sourceFile('db/migrations/'))
/** Names from here on say their phase. */
export const firstWithPhase = '0059'

/**
 * Every `NNNN-name.sql` or `.ts` of a folder, by name. The first line of an `.sql` says `-- phase: expand` or
 * `-- phase: contract since 1.3.0`, a second one may say `-- transaction: none`; a `.ts` exports `phase` in the same words.
 * @throws Error for a file whose head says none of this
 */
export async function readMigrations(folder: URL = migrationFolder): Promise<readonly MigrationFile[]> {
  const files = await filesIn(folder)
  return Promise.all(files.map((file) => (file.endsWith('.ts') ? readProgram(folder, file) : readStatements(folder, file))))
}

/** Number of the newest migration of this program, `0059`. */
export const newestMigration = async (): Promise<string> => (await filesIn(migrationFolder)).at(-1)?.slice(0, 4) ?? '0000'

const filesIn = async (folder: URL): Promise<readonly string[]> =>
  (await readdir(folder)).filter((file) => /^\d{4}-[a-z0-9-]+\.(sql|ts)$/.test(file)).sort()

/** A program does what statements cannot. */
async function readProgram(folder: URL, file: string): Promise<MigrationFile> {
  const program = (await import(migrationProgram(fileURLToPath(new URL(file, folder))))) as Migration & { phase?: string }
  const name = nameOf(file)
  return { name, phase: phaseOf(name, program.phase), inTransaction: true, text: null, apply: (db) => program.up(db) }
}

async function readStatements(folder: URL, file: string): Promise<MigrationFile> {
  const text = await readFile(new URL(file, folder), 'utf8')
  const [first = '', second = ''] = text.split('\n')
  const name = nameOf(file)
  return {
    name,
    phase: phaseOf(name, /^-- phase: (.+)$/.exec(first)?.[1]),
    inTransaction: second.trim() !== '-- transaction: none',
    text,
    apply: async (db) => void (await sql.raw(text).execute(db)),
  }
}

const nameOf = (file: string): string => file.replace(/\.\w+$/, '')

function phaseOf(name: string, words: string | undefined): Phase | null {
  if (words === undefined && name < firstWithPhase) return null
  if (words === 'expand') return { kind: 'expand' }
  const since = /^contract since (\d+\.\d+\.\d+)$/.exec(words ?? '')?.[1]
  if (since) return { kind: 'contract', since }
  throw new Error(`migration ${name} says no phase: its first line is "-- phase: expand" or "-- phase: contract since 1.2.3"`)
}
