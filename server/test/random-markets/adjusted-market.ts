/** One random market of shares written five times: raw with its factor, and forward- and back-adjusted, with all digits, with and without it. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Panel } from '@convexa/engine'
import type { Random } from '../../src/market/demo/random.ts'
import { type ImportReport, importMarket } from '../../src/market/import.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { marketFolder, snapshotPath } from '../../src/market/snapshot.ts'
import { makeTruth, type Truth } from './truth.ts'
import type { Ground } from './try-import.ts'

export const forms = ['raw', 'qfq with factor', 'hfq with factor', 'qfq', 'hfq'] as const
export type Form = (typeof forms)[number]

export interface FormMarket {
  readonly form: Form
  readonly panel: Panel
  readonly report: ImportReport
}

const prices = ['close', 'open', 'high', 'low', 'pre_close']

export function makeAdjustedTruth(random: Random): Truth {
  return makeTruth(random, {
    kind: 'stk',
    hasIdleRows: random.chance(0.5),
    hasExDays: true,
    endsAfter: 120,
    hasLateStarts: random.chance(0.5),
    hasEnds: false,
    hasPauses: false,
    leastRows: 0,
    factorDigits: 15,
    size: { securities: random.whole(12, 18), days: random.whole(70, 130) },
  })
}

/** What a price of the day is multiplied by in a form; the newest row of the share is the base of forward-adjusted prices. */
function levelOf(form: Form, factor: number, newest: number): number {
  if (form === 'raw') return 1
  return form.startsWith('hfq') ? factor : factor / newest
}

function formText({ days, securities }: Truth, form: Form): string {
  const fields = [...prices, 'vol', 'amount', ...(form.length > 3 || form === 'raw' ? ['adj_factor'] : [])]
  const lines = securities.flatMap(({ code, rows }) => {
    const newest = rows.findLast((row) => row !== null)!.values['adj_factor']!
    return rows.flatMap((row, t) => {
      if (row === null) return []
      const level = levelOf(form, row.values['adj_factor']!, newest)
      const cells = fields.map((field) => String(row.values[field]! * (prices.includes(field) ? level : 1)))
      return [[code, days[t]!, ...cells].join(',')]
    })
  })
  return `${[['code', 'date', ...fields].join(','), ...lines].join('\n')}\n`
}

function mappingOf(form: Form): object {
  const fields = [...prices, 'vol', 'amount', ...(form === 'raw' || form.endsWith('factor') ? ['adj_factor'] : [])]
  return {
    code: 'code',
    date: 'date',
    adjust: form.slice(0, 3),
    fields: Object.fromEntries(fields.map((field) => [field, field])),
  }
}

/** Imports a form of the market. @throws Error with the report where it is refused */
export async function importForm({ db, dataDir }: Ground, truth: Truth, form: Form): Promise<FormMarket> {
  const folder = join(dataDir, 'files')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'market.csv'), formText(truth, form))
  const mapping = join(dataDir, 'mapping.json')
  await writeFile(mapping, JSON.stringify(mappingOf(form)))
  const report = await importMarket({ kind: 'stk', paths: [folder], mapping, dataDir, db })
  try {
    if (!report.ok) throw new Error(`${form} refused: ${report.text.replaceAll('\n', ' ')}`)
    return { form, report, panel: await loadPanel(snapshotPath(dataDir, report.snapshot), null, 'all') }
  } finally {
    await db.deleteFrom('market_snapshot').execute()
    await rm(marketFolder(dataDir), { recursive: true, force: true })
  }
}
