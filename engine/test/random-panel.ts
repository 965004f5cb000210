import { carryForward, type Panel, type Security } from '../src/panel/panel.ts'
import { type Chance, chance } from './chance.ts'

export interface RandomPanel {
  readonly days?: number
  readonly securities?: number
}

const security = (code: string): Security => ({
  code,
  name: code,
  pinyin: '',
  board: 'CHINEXT',
  listed: null,
  delisted: null,
  lastDay: null,
  lastDayKnown: null,
  redemptionPrice: null,
  issuer: code,
  attributes: {},
})

/**
 * A small market with what hurts: late listings, early ends, suspensions (prices carried, volume 0), runs of absent values, ties,
 * zeros and negative numbers. Fields: close, open (prices), conv_prem (signed, with gaps), vol (whole numbers), rating (0–18).
 */
export function randomPanel(seed: number, { days = 48, securities = 9 }: RandomPanel = {}): Panel {
  const luck = chance(seed)
  const stride = securities + 2
  const column = () => new Float64Array(days * stride).fill(Number.NaN)
  const columns = { close: column(), open: column(), conv_prem: column(), vol: column(), rating: column() }
  const listed = new Uint8Array(days * stride)
  const traded = new Uint8Array(days * stride)
  for (let i = 0; i < securities; i++) {
    const first = luck.next() < 0.5 ? 0 : luck.below(days)
    const last = luck.next() < 0.7 ? days - 1 : first + luck.below(days - first)
    let price = 80 + luck.next() * 60
    let absent = 0
    let suspended = 0
    for (let t = first; t <= last; t++) {
      const at = t * stride + i
      listed[at] = 1
      if (suspended > 0 || luck.next() < 0.03) {
        suspended = suspended > 0 ? suspended - 1 : luck.below(8)
        columns.vol[at] = 0
        continue
      }
      traded[at] = 1
      price = Math.round(price * (0.97 + luck.next() * 0.06) * 1000) / 1000
      columns.close[at] = price
      columns.open[at] = luck.next() < 0.2 ? price : Math.round(price * (0.99 + luck.next() * 0.02) * 1000) / 1000
      columns.vol[at] = luck.below(12)
      columns.rating[at] = luck.below(4)
      if (absent > 0) absent--
      else if (luck.next() < 0.04) absent = luck.below(10)
      else columns.conv_prem[at] = premium(luck)
    }
  }
  carryForward(columns.close, listed, days, stride)
  return {
    kind: 'cb',
    dates: Array.from({ length: days }, (_, t) => `2024-01-${String(t).padStart(3, '0')}`),
    securities: Array.from({ length: securities }, (_, i) => security(`12300${i}.SZ`)),
    stride,
    columns: new Map(Object.entries(columns)),
    listed,
    traded,
    benchmarks: new Map(),
    dataMode: 'demo',
    dataVersion: `random ${seed}`,
  }
}

function premium(luck: Chance): number {
  return luck.next() < 0.1 ? 0 : luck.next() - 0.3
}

/** The same market from a later day on. */
export function laterPart(panel: Panel, from: number): Panel {
  const cut = from * panel.stride
  return {
    ...panel,
    dates: panel.dates.slice(from),
    columns: new Map([...panel.columns].map(([key, column]) => [key, column.slice(cut)])),
    listed: panel.listed.slice(cut),
    traded: panel.traded.slice(cut),
  }
}
