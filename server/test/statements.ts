import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { parse } from 'libpg-query'
import type { Recorded } from '../src/db/record.ts'
import type { Database } from '../src/db/tables.ts'
import { reasons } from './statement-reasons.ts'

// The second wall behind authorization in the query (reliability.md 2.2): every statement that the product sends on a table of users names
// the user, or stands in `reasons`.

/** Column by which a row is a user's: of `app_user` its id, of all else `user_id`. */
const keyOf = (table: string): string => (table === 'app_user' ? 'id' : 'user_id')

export interface Finding {
  readonly place: string
  /** `select strategy` */
  readonly what: string
  readonly text: string
}

/**
 * What reads or changes rows of users without naming the user. A row is named where its key equals a value, or the key of a row that is named,
 * in the conditions of the statement that reads it; of alternatives each must do so.
 * @param tables names of all tables with a column `user_id`, and `app_user`
 */
export async function unnamedIn({ text, place }: Recorded, tables: ReadonlySet<string>): Promise<Finding[]> {
  if (![...tables].some((table) => text.includes(table))) return []
  const { stmts = [] } = (await parse(text)) as { stmts?: { stmt: Node }[] }
  // A migration: of everybody's rows, and not asked for by anybody.
  if (stmts.some(({ stmt }) => 'CreateStmt' in stmt || 'AlterTableStmt' in stmt || 'CreateFunctionStmt' in stmt)) return []
  const found = new Set<string>()
  for (const { stmt } of stmts) look(stmt, tables, new Set(), (what) => found.add(what))
  return [...found].map((what) => ({ place, what, text }))
}

/** All of a run of the suite that no reason excuses, as sentences. `folder`: where its processes wrote what they sent. */
export async function judgeStatements(folder: string, db: Kysely<Database>): Promise<string[]> {
  const tables = await tablesOfUsers(db)
  const recorded = new Map<string, Recorded>()
  for (const file of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const one = JSON.parse(line) as Recorded
      recorded.set(`${one.place} ${one.text}`, one)
    }
  }
  const found = (await Promise.all([...recorded.values()].map((one) => unnamedIn(one, tables)))).flat()
  return withoutReason(found).map(({ place, what, text }) => `${place}: ${what}\n  ${text.replace(/\s+/g, ' ').slice(0, 400)}`)
}

/** Those that no reason excuses. */
const withoutReason = (findings: readonly Finding[]): Finding[] => findings.filter(({ place, what }) => !reasons.has(`${place}: ${what}`))

async function tablesOfUsers(db: Kysely<Database>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ table: string }>`
    select table_name as table from information_schema.columns
    where table_schema = 'public' and (column_name = 'user_id' or table_name = 'app_user')`.execute(db)
  return new Set(rows.map(({ table }) => table))
}

type Node = { readonly [kind: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const list = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : [])
const verbs: Readonly<Record<string, string>> = { SelectStmt: 'select', UpdateStmt: 'update', DeleteStmt: 'delete' }

/** Goes through all queries of a statement, each with the names that common table expressions give around it. */
function look(node: unknown, tables: ReadonlySet<string>, given: ReadonlySet<string>, tell: (what: string) => void): void {
  if (Array.isArray(node)) for (const one of node) look(one, tables, given, tell)
  if (Array.isArray(node) || !isNode(node)) return
  for (const [kind, value] of Object.entries(node)) {
    const verb = verbs[kind]
    if (!isNode(value) && !Array.isArray(value)) continue
    const ctes = isNode(value) && isNode(value['withClause']) ? list(value['withClause']['ctes']) : []
    const names = new Set([...given, ...ctes.map(({ CommonTableExpr: cte }) => String((cte as Node)['ctename']))])
    if (verb && isNode(value)) for (const table of unnamed(value, tables, names)) tell(`${verb} ${table}`)
    look(value, tables, names, tell)
  }
}

interface Source {
  readonly table: string
  readonly alias: string
}

/** Tables of users that one query reads or changes without naming the user. */
function unnamed(query: Node, tables: ReadonlySet<string>, ctes: ReadonlySet<string>): string[] {
  const conditions: Node[] = isNode(query['whereClause']) ? [query['whereClause']] : []
  const sources: Source[] = []
  const from = (node: Node): void => {
    const { RangeVar: range, JoinExpr: join } = node as { RangeVar?: Node; JoinExpr?: Node }
    if (join) {
      if (isNode(join['quals'])) conditions.push(join['quals'])
      for (const side of [join['larg'], join['rarg']]) if (isNode(side)) from(side)
    }
    if (range) {
      const table = String(range['relname'])
      const alias = isNode(range['alias']) ? String(range['alias']['aliasname']) : table
      if (tables.has(table) && !ctes.has(table)) sources.push({ table, alias })
    }
  }
  for (const node of [...list(query['fromClause']), ...list(query['usingClause'])]) from(node)
  if (isNode(query['relation'])) from({ RangeVar: query['relation'] })
  const equal = conditions.flatMap((node) => equalities(node, sources))
  const named = new Set<Source>()
  for (let before = -1; before < named.size; ) {
    before = named.size
    for (const { key, by } of equal) if (by === 'value' || named.has(by)) named.add(key)
  }
  return sources.filter((source) => !named.has(source)).map(({ table }) => table)
}

/** A key that equals a value, or another key of the same query. */
interface Equality {
  readonly key: Source
  readonly by: Source | 'value'
}

function equalities(node: Node, sources: readonly Source[]): Equality[] {
  const { BoolExpr: bool, A_Expr: expr, SubLink: link } = node as { BoolExpr?: Node; A_Expr?: Node; SubLink?: Node }
  if (bool?.['boolop'] === 'AND_EXPR') return list(bool['args']).flatMap((one) => equalities(one, sources))
  if (bool?.['boolop'] === 'OR_EXPR') {
    const [first = [], ...others] = list(bool['args']).map((one) => equalities(one, sources).filter(({ by }) => by === 'value'))
    return first.filter(({ key }) => others.every((each) => each.some((one) => one.key === key)))
  }
  if (link?.['subLinkType'] === 'ANY_SUBLINK' && isNode(link['testexpr'])) {
    const key = keyIn(link['testexpr'], sources) ?? sameRowIn(link, sources)
    return key ? [{ key, by: 'value' }] : []
  }
  const name = list(expr?.['name'])[0] as { String?: { sval?: string } } | undefined
  if (!expr || name?.String?.sval !== '=') return []
  const sides = [expr['lexpr'], expr['rexpr']].filter(isNode)
  const [left, right] = sides.map((side) => keyIn(side, sources))
  const of = (key: Source | null | undefined, other: Source | null | undefined, side: Node | undefined): Equality[] =>
    !key ? [] : other ? [{ key, by: other }] : side && reads(side, sources) ? [] : [{ key, by: 'value' }]
  return [...of(left, right, sides[1]), ...of(right, left, sides[0])]
}

/** `id in (select id from …)` of one table: its rows are judged where they are chosen. */
function sameRowIn(link: Node, sources: readonly Source[]): Source | null {
  const fields = fieldsOf(link['testexpr'] as Node)
  const query = (link['subselect'] as { SelectStmt?: Node } | undefined)?.SelectStmt
  const [range, ...others] = list(query?.['fromClause']).map(({ RangeVar: each }) => each as Node | undefined)
  if (fields?.at(-1) !== 'id' || !range || others.length > 0) return null
  return sources.find(({ table, alias }) => table === range['relname'] && (fields.length === 1 || alias === fields.at(-2))) ?? null
}

/** The table of users whose key an expression is. */
function keyIn(node: Node, sources: readonly Source[]): Source | null {
  const { TypeCast: cast } = node as { TypeCast?: Node }
  if (cast && isNode(cast['arg'])) return keyIn(cast['arg'], sources)
  const fields = fieldsOf(node)
  if (!fields) return null
  const [column, alias] = [fields.at(-1), fields.length > 1 ? fields.at(-2) : undefined]
  const fitting = sources.filter((one) => (alias === undefined || one.alias === alias) && keyOf(one.table) === column)
  return fitting.length === 1 ? fitting[0]! : null
}

/** Whether an expression is a column of one of the tables of users: of a row that may be anybody's. */
function reads(node: Node, sources: readonly Source[]): boolean {
  const fields = fieldsOf(node)
  return fields !== null && fields.length > 1 && sources.some(({ alias }) => alias === fields.at(-2))
}

const fieldsOf = (node: Node): string[] | null => {
  const { ColumnRef: column } = node as { ColumnRef?: Node }
  return column ? list(column['fields']).map((field) => String((field as { String?: { sval?: string } }).String?.sval)) : null
}
