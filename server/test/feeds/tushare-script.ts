import { transport } from '../../src/feeds/source/transport.ts'
import { tushare } from '../../src/feeds/tushare/tushare.ts'
import { groundAt } from './ground.ts'
import { type Asked, type StandIn, standIn } from './stand-in.ts'

/** Tushare as tests script it: what it is asked, and answers in its shape. */

export const token = 'tok-5f0c-canary'

export type Cell = string | number | null
export interface Call {
  readonly api_name: string
  readonly token: string
  readonly fields: string
  readonly params: Readonly<Record<string, string>>
}
export const callOf = ({ body }: Asked) => JSON.parse(body) as Call
export const answered = (fields: readonly string[], items: readonly (readonly Cell[])[], hasMore = false) =>
  JSON.stringify({ request_id: '1', code: 0, msg: '', data: { fields, items, has_more: hasMore, count: -1 } })
export const refused = (msg: string, code = 40203) => JSON.stringify({ request_id: '1', code, msg, data: null })

/** Tables by api; what is asked of them is answered in another order than asked. */
export function scripted(tables: Readonly<Record<string, readonly Readonly<Record<string, Cell>>[] | string>>) {
  return (asked: Asked): string => {
    const { api_name, fields } = callOf(asked)
    const table = tables[api_name]
    if (typeof table === 'string') return table
    const columns = fields.split(',').toReversed()
    return answered(
      columns,
      (table ?? []).map((row) => columns.map((column) => row[column] ?? null)),
    )
  }
}

export const bar = { open: 10, high: 11, low: 9.5, close: 10.5, pre_close: 10, vol: 1_234.5, amount: 1_290.25 }

/** A stand-in for one file of tests; `fresh` gives it another script and a source that asks it. */
export function tushareStage() {
  let provider: StandIn
  let script: (asked: Asked) => string | Buffer
  return {
    open: async () => {
      provider = await standIn((asked) => script(asked))
    },
    close: () => provider.close(),
    /** What it was asked since. */
    get asked(): Asked[] {
      return provider.asked
    },
    fresh(answer: typeof script, perMinute = 200) {
      script = answer
      provider.asked.length = 0
      const deps = groundAt()
      return { deps, offers: tushare({ url: provider.url, token, perMinute }, transport(deps), deps.now).offers }
    },
  }
}
