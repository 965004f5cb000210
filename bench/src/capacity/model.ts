/** The load of a site, and what it needs: processors, memory, disk and network, from what one request was measured to cost. */
import { type Kind, kinds, type Measured } from './measured.ts'

/** Users at once that the rates below are of; all else is in proportion. */
export const modelUsers = 10_000
const storedADay = 100_000
const shareOfPeakHour = 0.15
const storedASecond = (storedADay * shareOfPeakHour) / 3_600
const opened = 0.6
const daysPaged = 2

/** Requests a second in the busiest hour. */
export const rates: Readonly<Record<Kind, number>> = {
  screen: modelUsers / 10,
  'quick run': modelUsers / 10,
  'page or list': modelUsers / 5,
  'live refresh': 2_000 / 5,
  'stored run': storedASecond,
  'report opened': storedASecond * opened,
  'day page': storedASecond * opened * daysPaged,
  login: modelUsers / 300,
}

/** Shares of stored runs by plan, and days for which cores and rows are kept (server/src/usage/limits.ts). */
const plans = [
  { share: 0.7, coreDays: 90, rowDays: 365 },
  { share: 0.3, coreDays: 730, rowDays: 1_095 },
] as const

/** Sessions that go past a pooler: an api has one, a worker two, those of its queue and one of the sweeper. */
const sessions = { api: 1, worker: 6 } as const
/** Machines have twice what is needed. */
const spare = 2
const coresOf = { api: 8, worker: 16, database: 16 } as const
const memoryOf = { api: 16, worker: 32, database: 64 } as const
const standbys = 2

export interface Cores {
  readonly api: number
  readonly worker: number
  readonly database: number
}

export interface Capacity {
  readonly users: number
  readonly rows: readonly { readonly kind: Kind; readonly rate: number; readonly cores: number }[]
  readonly cores: Cores & { readonly all: number }
  /** Bytes. */
  readonly written: { readonly rowsADay: number; readonly coresADay: number; readonly walASecond: number }
  readonly kept: { readonly rows: number; readonly cores: number }
  readonly sentASecond: number
  readonly machines: Cores & { readonly standbys: number; readonly sessions: number; readonly memoryGb: number; readonly cores: number }
}

export function capacityOf({ cost, stored }: Measured, users: number): Capacity {
  const scale = users / modelUsers
  const rows = kinds.map((kind) => {
    const rate = rates[kind] * scale
    const { api, worker, database } = cost[kind]
    return { kind, rate, cores: (rate * (api + worker + database)) / 1_000 }
  })
  const sum = (of: keyof Cores) => kinds.reduce((all, kind) => all + (rates[kind] * scale * cost[kind][of]) / 1_000, 0)
  const cores = { api: sum('api'), worker: sum('worker'), database: sum('database') }
  const perDay = storedADay * scale
  const keptOf = (bytes: number, days: 'coreDays' | 'rowDays') =>
    plans.reduce((all, plan) => all + perDay * plan.share * plan[days] * bytes, 0)
  const machines = {
    api: Math.ceil((spare * cores.api) / coresOf.api),
    worker: Math.ceil((spare * cores.worker) / coresOf.worker),
    database: Math.ceil((spare * cores.database) / coresOf.database),
  }
  const sum3 = (of: Cores) => machines.api * of.api + machines.worker * of.worker + (machines.database + standbys) * of.database
  return {
    users,
    rows,
    cores: { ...cores, all: cores.api + cores.worker + cores.database },
    written: { rowsADay: perDay * stored.row, coresADay: perDay * stored.core, walASecond: storedASecond * scale * stored.wal },
    kept: { rows: keptOf(stored.row, 'rowDays'), cores: keptOf(stored.core, 'coreDays') },
    sentASecond: kinds.reduce((all, kind) => all + rates[kind] * scale * cost[kind].bytes, 0),
    machines: {
      ...machines,
      standbys,
      sessions: machines.api * coresOf.api * sessions.api + machines.worker * sessions.worker,
      memoryGb: sum3(memoryOf),
      cores: sum3(coresOf),
    },
  }
}

/** Prices a month that an operator has typed. */
export interface Prices {
  /** Of one core, and of one GB of memory. */
  readonly core: number
  readonly memoryGb: number
  /** Of one GB that is kept, written, and sent to browsers. */
  readonly keptGb: number
  readonly writtenGb: number
  readonly sentGb: number
}

const monthDays = 30
/** A day has as much as so many of its busiest hours. */
const hoursLikePeak = 1 / shareOfPeakHour

/** What a month costs. */
export function costOf({ machines, kept, written, sentASecond, users }: Capacity, prices: Prices): { month: number; user: number } {
  const gb = (bytes: number) => bytes / 1e9
  const month =
    machines.cores * prices.core +
    machines.memoryGb * prices.memoryGb +
    gb(kept.rows + kept.cores) * prices.keptGb +
    gb((written.rowsADay + written.coresADay) * monthDays) * prices.writtenGb +
    gb(sentASecond * 3_600 * hoursLikePeak * monthDays) * prices.sentGb
  return { month, user: month / users }
}
