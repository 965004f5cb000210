import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { bundleFolder, sourceFile } from '../base/program-files.ts'

// For the suite alone: with RECORD_STATEMENTS naming a folder, every statement of a process is written there once, with the file that sent
// it, to be judged by server/test/fixtures/statements.ts.

/** A statement as it was sent, and the file below `server/src` that sent it. */
export interface Recorded {
  readonly text: string
  /** Of a bundle: `file:line:column` of each frame inside it, which the bundle's source maps tell (server/test/fixtures/statements.ts). */
  readonly place: string
  /** Sent on a connection that keeps no state: a pooler may give the next statement to another. */
  readonly stateless: boolean
  /** Prepared under a name. */
  readonly named: boolean
}

const known = new Set<string>()
const here = `${sourceFile('')}/`

/** Watches what a connection of a pool sends, where RECORD_STATEMENTS asks for it. */
export function recordStatements(client: pg.ClientBase, stateless: boolean): void {
  const folder = process.env['RECORD_STATEMENTS']
  if (!folder) return
  const send = client.query.bind(client) as (...given: unknown[]) => unknown
  Object.assign(client, {
    query: (...given: unknown[]) => {
      const [first] = given
      const { text, name } = typeof first === 'string' ? { text: first } : (first as { text?: unknown; name?: unknown })
      note(folder, { text: String(text), stateless, named: name !== undefined })
      return send(...given)
    },
  })
}

function note(folder: string, sent: Omit<Recorded, 'place'>): void {
  const key = `${sent.stateless} ${sent.named} ${sent.text}`
  if (known.has(key)) return
  const place = sender()
  // Tests look where they like; what the product sends with the same words is still to be seen.
  if (place === null) return
  known.add(key)
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ ...sent, place } satisfies Recorded)}\n`)
}

/** The first file on the way here that is neither a library nor this folder; null for a migration, and for a test, also one that sends past Kysely. */
function sender(): string | null {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const stack = String(new Error().stack)
  Error.stackTraceLimit = stackTraceLimit
  const bundled: string[] = []
  for (const line of stack.split('\n').slice(1)) {
    const [, file, at] = /(?:file:\/\/|[\s(])(\/[^\s():?]+\.[mt]?[jt]s)(:\d+:\d+)?/.exec(line) ?? []
    // A migration is of everybody's rows, and not asked for by anybody.
    if (file?.startsWith(`${here}db/migrations/`)) return null
    if (bundleFolder !== null && file?.startsWith(bundleFolder)) bundled.push(`${file}${at}`)
    if (file === undefined || file.includes('/node_modules/') || file.startsWith(`${here}db/`)) continue
    if (file.startsWith(here)) return file.endsWith('.test.ts') ? null : file.slice(here.length)
    if (bundled.length === 0) return null
  }
  return bundled.length > 0 ? bundled.join(' ') : null
}
