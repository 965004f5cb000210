/** Rows of one list that say different things of one security: nothing tells which of them holds, least of all their order. */
/** What a row says of a security: some facts by key, others in these groups. */
interface Row {
  readonly terms?: object
  readonly attributes: object
  readonly notices?: Readonly<Record<string, object>>
  readonly couponsFilled?: number
}

/** What a list may say once of a security, by key; of terms, attributes and notices by their own. */
const labels: Readonly<Record<string, string>> = {
  ...{ name: '名称', stockName: '正股名称', listed: '上市日', delisted: '退市日', boardName: '板块', redemptionDay: '赎回日' },
  ...{ isExchangeable: '是否可交换债', issueSize: '发行规模', valueDate: '起息日', conversionStart: '转股起始日' },
  ...{ conversionEnd: '转股截止日', maturityDate: '到期日', maturityPrice: '到期赎回价', coupons: '票面利率', redeem: '强赎条款' },
  ...{ reset: '下修条款', put: '回售条款', industry_1: '行业', area: '地区', orgform: '企业性质' },
  ...{ price: '赎回价', registration: '登记日', redemption: '赎回日', payment: '付款日' },
}
const single = new Set(['name', 'stockName', 'listed', 'delisted', 'boardName', 'redemptionDay', 'isExchangeable'])

/** Facts by the path to each: `listed`, `terms.maturityDate`, `notices.2021-06-01.price`. */
function factsOf(row: Row): [path: string, fact: unknown][] {
  const { terms = {}, attributes, notices = {} } = row
  const within = (path: string, facts: object) => Object.entries(facts).map(([key, fact]): [string, unknown] => [`${path}.${key}`, fact])
  return [
    ...Object.entries(row).filter(([key, fact]) => single.has(key) && fact !== undefined),
    ...within('terms', terms),
    ...within('attributes', attributes),
    ...Object.entries(notices).flatMap(([day, notice]) => within(`notices.${day}`, notice)),
  ]
}

/** The facts of a security in which the rows of a list differ, by path, with what they say. Empty cells say nothing. */
export function contradictionsIn(rows: readonly Row[]): ReadonlyMap<string, string> {
  const said = new Map<string, Set<string>>()
  for (const [path, fact] of rows.flatMap(factsOf)) {
    const known = said.get(path) ?? new Set()
    said.set(path, known.add(textOf(fact)))
  }
  const differing = [...said].filter(([, facts]) => facts.size > 1)
  return new Map(
    differing.map(([path, facts]) => {
      const [key, of] = [path.split('.').at(-1)!, path.startsWith('notices.') ? `${path.split('.')[1]} 公告的` : '']
      const isShort = [...facts].every((fact) => fact.length <= 20 && !fact.startsWith('{') && !fact.startsWith('['))
      return [path, `${of}${labels[key] ?? key}${isShort ? ` ${[...facts].sort().join('、')}` : ''}`]
    }),
  )
}

const textOf = (fact: unknown): string =>
  typeof fact === 'string' ? fact : typeof fact === 'boolean' ? (fact ? '是' : '否') : JSON.stringify(fact)

/** What a list says of a security without the facts in which its rows differ. */
export function withoutFacts<R extends Row>(companion: R, paths: ReadonlyMap<string, string>): R {
  const kept = <T extends object>(path: string, facts: T): T =>
    Object.fromEntries(Object.entries(facts).filter(([key]) => !paths.has(`${path}${key}`))) as T
  const { terms, attributes, notices, couponsFilled, ...rest } = kept('', companion)
  return {
    ...rest,
    ...(terms && { terms: kept('terms.', terms) }),
    ...(couponsFilled !== undefined && !paths.has('terms.coupons') && { couponsFilled }),
    ...(notices && { notices: Object.fromEntries(Object.entries(notices).map(([day, of]) => [day, kept(`notices.${day}.`, of)])) }),
    attributes: kept('attributes.', attributes),
  } as R
}
