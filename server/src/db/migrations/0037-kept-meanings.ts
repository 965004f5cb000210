import { keptName, keptNames } from '@convexa/contract/kept-meaning'
import { type Kysely, sql } from 'kysely'

/**
 * Names of factors got another meaning with engine 0.4.0: what was saved before is written in names that still mean the same, and the
 * row says so until the rule is saved anew (decisions/0116).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['strategy', 'strategy_version', 'custom_factor'])
    await sql`alter table ${sql.table(table)} add column kept_meanings text[] not null default '{}'`.execute(db)

  for (const { id, detail } of await found<{ id: string; detail: unknown }>(db, sql`select id, kind, detail from strategy`, 'detail')) {
    const { value, told } = keptNames('cb', detail)
    await sql`update strategy set detail = ${JSON.stringify(value)}::jsonb, kept_meanings = ${told} where id = ${id}`.execute(db)
  }
  const versions = sql`select v.strategy_id, v.version, v.detail, s.kind from strategy_version v join strategy s on s.id = v.strategy_id`
  for (const row of await found<{ strategy_id: string; version: number; detail: unknown }>(db, versions, 'detail')) {
    const { value, told } = keptNames('cb', row.detail)
    await sql`update strategy_version set detail = ${JSON.stringify(value)}::jsonb, kept_meanings = ${told}
      where strategy_id = ${row.strategy_id} and version = ${row.version}`.execute(db)
  }
  for (const row of await found<Formulas & { id: string }>(
    db,
    sql`select id, kind, formula, canonical, formula || ' ' || canonical as both from custom_factor`,
    'both',
  )) {
    const [formula, canonical] = [keptName('cb', row.formula), keptName('cb', row.canonical)]
    const told = [...new Set([...formula.told, ...canonical.told])]
    await sql`update custom_factor set formula = ${formula.value}, canonical = ${canonical.value}, kept_meanings = ${told}
      where id = ${row.id}`.execute(db)
  }
  const formulas = sql`select v.factor_id, v.version, v.formula, v.canonical, f.kind, v.formula || ' ' || v.canonical as both
    from custom_factor_version v join custom_factor f on f.id = v.factor_id`
  for (const row of await found<Formulas & { factor_id: string; version: number }>(db, formulas, 'both')) {
    await sql`update custom_factor_version
      set formula = ${keptName('cb', row.formula).value}, canonical = ${keptName('cb', row.canonical).value}
      where factor_id = ${row.factor_id} and version = ${row.version}`.execute(db)
  }
  // What was run, or waits to be: told in the words of now, computed as it was meant.
  for (const { id, request } of await found<{ id: string; request: unknown }>(
    db,
    sql`select id, kind, request from backtest_run`,
    'request',
  ))
    await sql`update backtest_run set request = ${JSON.stringify(keptNames('cb', request).value)}::jsonb where id = ${id}`.execute(db)
  for (const table of ['removed_trial', 'grid_trial']) {
    const rows = await found<{ place: string; factors: unknown }>(
      db,
      sql`select ctid::text as place, kind, factors from ${sql.table(table)}`,
      'factors',
    )
    for (const { place, factors } of rows)
      await sql`update ${sql.table(table)} set factors = ${JSON.stringify(keptNames('cb', factors).value)}::jsonb
        where ctid = ${place}::tid`.execute(db)
  }
}

interface Formulas {
  formula: string
  canonical: string
}

/** Rows of bonds in which one of the names stands; the others stay as they are. */
async function found<T>(db: Kysely<unknown>, rows: ReturnType<typeof sql>, column: string): Promise<T[]> {
  const { rows: all } = await sql<T>`select * from (${rows}) as r
    where r.kind = 'cb' and ${sql.ref(`r.${column}`)}::text ~* ${mayStand}`.execute(db)
  return all
}

const mayStand = [
  ...[
    'volatility',
    '年 *化 *波 *动 *率',
    '触 *发',
    'conv_prem',
    '溢 *价 *率',
    'rating_yield',
    '同 *评 *级',
    'pure_value',
    '纯 *债',
    'bond_prem',
    'theory',
  ],
  ...['理 *论', '\\miv\\M', 'iv_hv', '隐 *含', '隐 *波', 'duration', '久 *期', 'convexity', '凸 *性', 'floor_gap', '债 *底'],
].join('|')
