/** Index files from a seed: series in random writings, imported at once and one after the other. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tradingDays } from '../../src/market/calendar.ts'
import { Random } from '../../src/market/demo/random.ts'
import { type ImportReport, importMarket } from '../../src/market/import.ts'
import { readManifest } from '../../src/market/manifest.ts'
import { readColumn, readDates, readSecurities } from '../../src/market/read-store.ts'
import { marketFolder, snapshotPath } from '../../src/market/snapshot.ts'
import { withCommas } from './cell-writings.ts'
import { dateNumbers, dateTexts } from './date-writings.ts'
import { csvBytes } from './encode.ts'
import type { Ground, Outcome } from './try-import.ts'

const one = <T>(random: Random, list: readonly T[]): T => list[random.whole(0, list.length - 1)]!

/** How files write the number of an index (data.md 3.1). */
const writings: readonly ((number: string, exchange: string) => string)[] = [
  (number) => number,
  (number, exchange) => `${number}.${exchange}`,
  (number, exchange) => `${number}.${exchange === 'SH' ? 'XSHG' : 'XSHE'}`,
  (number, exchange) => `${exchange.toLowerCase()}${number}`,
  (number, exchange) => `${exchange.toLowerCase()}.${number}`,
  (number, exchange) => `${exchange}${number}`,
  (number, exchange) => `${exchange === 'SH' ? 1 : 0}.${number}`,
  (number) => String(Number(number)),
]
const indexes = [
  ['000300', 'SH'],
  ['000905', 'SH'],
  ['000852', 'SH'],
  ['399006', 'SZ'],
  ['399001', 'SZ'],
] as const

interface Series {
  readonly number: string
  readonly exchange: string
  /** By day; NaN where it has no row. */
  readonly closes: readonly number[]
}

export async function tryIndexes({ db, dataDir }: Ground, seed: number): Promise<Outcome> {
  const random = new Random(seed, 'random indexes')
  const all = tradingDays('2016-01-01', '2026-10-30')
  const start = random.whole(0, all.length - 40)
  const days = all.slice(start, start + random.whole(5, 30))
  const series = indexes
    .filter((_, k) => k === 0 || random.chance(0.6))
    .map(([number, exchange]): Series => {
      let close = random.between(800, 8_000)
      const first = random.chance(0.3) ? random.whole(0, days.length - 2) : 0
      return {
        ...{ number, exchange },
        closes: days.map((_, t) => {
          close = Number((close * (1 + random.normal() * 0.01)).toFixed(4))
          return t < first || (t > first && random.chance(0.05)) ? Number.NaN : close
        }),
      }
    })
  const [date, write] = [one(random, random.chance(0.8) ? dateTexts : dateNumbers), one(random, writings)]
  const hasCommas = random.chance(0.3)
  const bytes = (some: readonly Series[]) => {
    const rows = some.flatMap(({ number, exchange, closes }) =>
      closes.flatMap((close, t) => {
        const text = close.toFixed(4)
        return close === close ? [[write(number, exchange), date.text(days[t]!), hasCommas ? withCommas(text) : text]] : []
      }),
    )
    if (random.chance(0.5)) rows.reverse()
    return csvBytes(['指数', '日期', '收盘'], rows, { encoding: 'utf-8', lineEnd: '\n', isQuoted: false, endsWithLineEnd: true })
  }
  const outcome = (faults: readonly string[], isCut: boolean): Outcome => {
    const text = `indexes ${write('000300', 'SH')}; dates ${date.name}; ${series.length} of ${days.length} days`
    return { seed, text, verdict: 'read', faults, isCut, hasStack: false }
  }
  const importAll = async (files: readonly (readonly Series[])[]): Promise<ImportReport> => {
    const folder = join(dataDir, 'indexes')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    for (const [k, some] of files.entries()) await writeFile(join(folder, `${k}.csv`), bytes(some))
    const mapping = join(dataDir, 'indexes.json')
    await writeFile(mapping, JSON.stringify({ code: '指数', date: '日期', fields: { close: '收盘' } }))
    return importMarket({ kind: 'index', paths: [folder], mapping, dataDir, db })
  }
  const clear = async () => {
    await db.deleteFrom('market_snapshot').execute()
    await rm(marketFolder(dataDir), { recursive: true, force: true })
  }
  try {
    const whole = await importAll(random.chance(0.5) ? [series] : series.map((each) => [each]))
    if (!whole.ok) return outcome([`refused what must be read: ${whole.text.split('\n')[0]}`], false)
    const faults = await indexFaults(dataDir, whole, days, series)
    await clear()
    // Whatever is imported later takes the place of its own series alone; one of them is imported once more.
    let last: ImportReport = whole
    for (const each of [...series, one(random, series)]) last = await importAll([[each]])
    faults.push(...(await indexFaults(dataDir, last, days, series)).map((fault) => `one after the other: ${fault}`))
    if (last.ok && last.snapshot.dataVersion !== whole.snapshot.dataVersion) faults.push('one after the other they are other data')
    return outcome(faults, true)
  } finally {
    await clear()
  }
}

async function indexFaults(dataDir: string, report: ImportReport, days: readonly string[], series: readonly Series[]): Promise<string[]> {
  if (!report.ok) return [`refused: ${report.text.split('\n')[0]}`]
  const folder = snapshotPath(dataDir, report.snapshot)
  const manifest = await readManifest(folder)
  const [dates, securities] = [await readDates(folder, manifest), await readSecurities(folder, manifest)]
  const close = await readColumn(folder, manifest, manifest.fields.find(({ key }) => key === 'close')!)
  const [codes, wanted] = [
    securities.map(({ code }) => code).join(' '),
    series
      .map(({ number }) => number)
      .sort()
      .join(' '),
  ]
  if (codes !== wanted) return [`indexes ${codes}, not ${wanted}`]
  const there = days.filter((_, t) => series.some(({ closes }) => closes[t] === closes[t]))
  if (dates.join() !== there.join()) return [`${dates.length} days from ${dates[0]}, not ${there.length} from ${there[0]}`]
  return series.flatMap(({ number, closes }) => {
    const place = securities.findIndex(({ code }) => code === number)
    const wrong = dates.find((day, t) => !Object.is(close[t * manifest.stride + place], closes[days.indexOf(day)]))
    return wrong === undefined ? [] : [`${number} on ${wrong} is ${close[dates.indexOf(wrong) * manifest.stride + place]}`]
  })
}
