/**
 * Rows of one list that speak of one security, of imports and of sources alike: what one row leaves out another says, and what they
 * contradict none of them says, in whatever order they come (decision 0179).
 */
import { attributes } from '@convexa/contract/enums/attribute'
import { labelOf } from '@convexa/contract/enums/table'
import { markets } from '@convexa/engine'

export interface AgreedFacts<R> {
  readonly facts: R
  /** By the path to each fact in which the rows differ, `terms.maturityDate`: what they say of it, ascending. */
  readonly differing: ReadonlyMap<string, readonly string[]>
}

interface Shape {
  /** Whether what stands at a path is a group of facts, each of which is compared by itself. */
  isGroup(path: string): boolean
  /** What stands in the place of a fact that is contradicted; without it, or undefined, the fact is left out. */
  absent?(said: unknown): unknown
}

/** What rows agree on. null, NaN, an empty text and an empty list say nothing. */
export function agreedFacts<R extends object>(rows: readonly R[], shape: Shape): AgreedFacts<R> {
  const differing = new Map<string, readonly string[]>()
  const within = (groups: readonly object[], prefix: string): object => {
    const keys = [...new Set(groups.flatMap((group) => Object.keys(group)))].sort()
    const facts = keys.map((key): [string, unknown] => {
      const path = prefix + key
      const all = groups.map((group) => (group as Record<string, unknown>)[key])
      const stated = all.filter(isStated)
      if (shape.isGroup(path)) return [key, within(stated as object[], `${path}.`)]
      const said = [...new Set(stated.map(textOf))].sort()
      if (said.length < 2) return [key, stated[0] ?? all[0]]
      differing.set(path, said)
      return [key, shape.absent?.(stated[0])]
    })
    return Object.fromEntries(facts.filter(([, fact]) => fact !== undefined))
  }
  return { facts: within(rows, '') as R, differing }
}

const isStated = (fact: unknown): boolean =>
  fact !== null && fact !== undefined && fact === fact && fact !== '' && !(Array.isArray(fact) && fact.length === 0)

const textOf = (fact: unknown): string =>
  typeof fact === 'string' ? fact : typeof fact === 'boolean' ? (fact ? '是' : '否') : JSON.stringify(fact)

const fieldLabel = (key: string): string => markets.cb.fields.find((field) => field.key === key)!.label

/** Names of facts, by the last key of their path. */
const labels: Readonly<Record<string, string>> = {
  ...{
    name: '名称',
    stockName: '正股名称',
    stockCode: '正股代码',
    listed: fieldLabel('list_date'),
    delisted: '退市日',
    boardName: '板块',
  },
  ...{ isExchangeable: '是否可交换债', issueSize: fieldLabel('issue_size'), remainSize: fieldLabel('remain_size') },
  ...{ valueDate: fieldLabel('value_date'), maturityDate: fieldLabel('maturity_date') },
  ...{ conversionStart: fieldLabel('conv_start_date'), conversionEnd: fieldLabel('conv_end_date') },
  ...{ conversionPrice: '转股价', firstConversionPrice: '初始转股价' },
  ...{
    maturityPrice: fieldLabel('maturity_price'),
    coupons: '票面利率',
    redeem: '强赎条款',
    reset: '下修条款',
    put: '回售条款',
    rating: '评级',
  },
  ...{
    industry: '行业',
    industry_1: '行业',
    area: labelOf(attributes, 'area'),
    orgform: labelOf(attributes, 'orgform'),
    redemptionDay: '赎回日',
  },
  ...{ price: '赎回价', registration: '登记日', redemption: '赎回日', payment: '付款日' },
}

/** `上市日 2004-01-15、2004-01-16`; of long texts and of lists the name alone. */
export function contradictionText(path: string, said: readonly string[], names: Readonly<Record<string, string>> = labels): string {
  const [key, of] = [path.split('.').at(-1)!, path.startsWith('notices.') ? `${path.split('.')[1]} 公告的` : '']
  const isShort = said.every((fact) => fact.length <= 20 && !fact.startsWith('{') && !fact.startsWith('['))
  return `${of}${names[key] ?? labels[key] ?? key}${isShort ? ` ${said.join('、')}` : ''}`
}
