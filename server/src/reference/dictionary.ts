import type { Dictionary, DictionaryKey, DictionaryOption, MarketId } from '@convexa/contract'
import { binMethods } from '@convexa/contract/enums/bin-method'
import { boards } from '@convexa/contract/enums/board'
import { callStatuses } from '@convexa/contract/enums/call-status'
import { holdRanges } from '@convexa/contract/enums/hold-range'
import { marketIds } from '@convexa/contract/enums/market'
import { orderStatuses } from '@convexa/contract/enums/order-status'
import { accountTypes, priceModes } from '@convexa/contract/enums/qmt'
import { ratings } from '@convexa/contract/enums/rating'
import { runStatuses } from '@convexa/contract/enums/run-status'
import { choicesOf } from '@convexa/contract/enums/table'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import { markets, textsOf } from '@convexa/engine'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { currentSnapshot } from '../market/current-snapshot.ts'
import { knownMembers } from '../market/known-members.ts'
import { snapshotPath } from '../market/snapshot.ts'
import { enumerations, usualBenchmarks } from './strategy-options.ts'

/** The dictionaries asked for, each once. A dictionary of values in a market's data is empty while the market has none. */
export const dictionaries = (db: Kysely<Database>, dataDir: string, keys: ReadonlySet<DictionaryKey>): Promise<Dictionary[]> =>
  Promise.all(
    [...keys].map(async (key) => {
      const source = sources[key]
      const options = Array.isArray(source) ? source : await attributeValues(db, dataDir, source)
      return { dictionary_key: key, options }
    }),
  )

type Options = DictionaryOption[]
/** A company's attribute in the securities of a market. */
interface Attribute {
  kind: MarketId
  name: 'industry_1' | 'orgform' | 'area' | 'yy_rating'
}

/** What both markets have, each once; two words for one value stand side by side. */
function ofBoth(all: readonly (readonly [value: string, label: string])[]): Options {
  const labels = new Map<string, Set<string>>()
  for (const [value, label] of all) labels.set(value, (labels.get(value) ?? new Set()).add(label))
  return [...labels].map(([value, words]) => ({ value, label: [...words].join('/') }))
}
const of = (kind: MarketId, name: Attribute['name']): Attribute => ({ kind, name })

const sources: Record<DictionaryKey, Options | Attribute> = {
  cb_market: choicesOf(boards),
  cb_call_status: choicesOf(callStatuses),
  cb_rating: choicesOf(ratings),
  cb_yy_rating: of('cb', 'yy_rating'),
  cb_industry_1: of('cb', 'industry_1'),
  cb_org_type: of('cb', 'orgform'),
  cb_area: of('cb', 'area'),
  stk_market: choicesOf(boards),
  stk_industry_1: of('stk', 'industry_1'),
  stk_org_type: of('stk', 'orgform'),
  stk_area: of('stk', 'area'),
  // Indices of shares; those that are computed here (`_ew`) are none.
  stk_index: usualBenchmarks('stk')
    .filter(([code]) => /^\d/.test(code))
    .map(([value, label]) => ({ value, label })),
  rotation_type: marketIds.map((kind) => ({ value: kind, label: `${markets[kind].label}轮动` })),
  rebalance_type: enumerations.rebalance_types,
  hold_weight_type: enumerations.hold_weight_types,
  hold_range_type: choicesOf(holdRanges),
  stop_type: enumerations.stop_types,
  timing_type: choicesOf(timingRules),
  operation: enumerations.operations,
  missing_process: enumerations.missing_process,
  neutralization: ofBoth(enumerations.neutralizations.map(({ value, label }) => [value, label])),
  rank_method: enumerations.rank_methods,
  benchmark: ofBoth(marketIds.flatMap(usualBenchmarks)),
  bin_method: choicesOf(binMethods),
  run_status: choicesOf(runStatuses),
  order_status: choicesOf(orderStatuses),
  qmt_account_type: choicesOf(accountTypes),
  qmt_price_type: choicesOf(priceModes),
  // Of the lists that are shown either way (product.md 2.17).
  view_style: [
    { value: 'cards', label: '卡片' },
    { value: 'table', label: '表格' },
  ],
}

const inChinese = new Intl.Collator('zh-CN')

/** Every value that a security of the newest data has, as the exclusions compare them. */
async function attributeValues(db: Kysely<Database>, dataDir: string, { kind, name }: Attribute): Promise<Options> {
  const snapshot = await currentSnapshot(db, dataDir, kind)
  if (!snapshot) return []
  const members = await knownMembers(snapshotPath(dataDir, snapshot))
  const values = new Set(members.flatMap(({ security }) => textsOf(security, name)))
  return [...values].sort(inChinese.compare).map((value) => ({ value, label: value }))
}
