import { callStatuses } from '@convexa/contract/enums/call-status'
import { isIn, labelOf } from '@convexa/contract/enums/table'
import type { SecurityFactors } from '@convexa/contract/factor'
import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { useQuery } from '@tanstack/react-query'
import { strategyListQuery } from '../../api/queries.ts'
import { useSite } from '../../api/site.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { strategyPath } from '../rule/addresses.ts'
import { type Factors, valueText } from '../rule/factors.ts'
import { previewMoment } from '../screen/screen-run.ts'
import styles from './security-drawer.module.css'

/** Factor categories of a bond's clauses, in reading order. */
const shelves = ['条款', '强赎', '下修', '回售'] as const

/** Factor that has a value when the clause is known, and the text shown when it has none. Bonds of banks have no put. */
const clauseNeeds: Partial<Record<(typeof shelves)[number], readonly [need: string, unknown: string]>> = {
  强赎: ['redeem_need', '条款未知'],
  下修: ['reset_need', '条款未知'],
  回售: ['put_need', '没有条款或条款未知'],
}

/** What was agreed when the bond was issued, and how near its clauses are. */
export function ClauseFacts({ values, factors }: { values: SecurityFactors['values']; factors: Factors }) {
  const groups = shelves.flatMap((shelf) => {
    const rows = values.filter(({ factor_key: ref, value }) => value !== null && factors.of(ref)?.category === shelf)
    const [need, words] = clauseNeeds[shelf] ?? []
    const unknown = values.some(({ factor_key: ref, value }) => ref === need && value === null) ? words : undefined
    return rows.length > 0 || unknown ? [{ shelf, rows, unknown }] : []
  })
  if (groups.length === 0) return null
  return (
    <>
      <h3>条款</h3>
      {groups.map(({ shelf, rows, unknown }) => (
        <dl className={styles.clauseFacts} key={shelf}>
          {unknown && (
            <div>
              <dt>{shelf}条款</dt>
              <dd>{unknown}</dd>
            </div>
          )}
          {rows.map(({ factor_key: ref, value }) => (
            <div key={ref} title={factors.of(ref)?.description}>
              <dt>{factors.nameOf(ref)}</dt>
              <dd>{factText(ref, value, factors)}</dd>
            </div>
          ))}
        </dl>
      ))}
    </>
  )
}

/** Why the factors that are made of the bond floor are absent. */
export function DefaultPriced({ values }: { values: SecurityFactors['values'] }) {
  if (!values.some(({ factor_key: ref, value }) => ref === 'default_priced' && value === 1)) return null
  return (
    <p className="note" role="note">
      现价隐含的到期收益率高于当日收益率表的最低一档评级：市场按违约定价。因此纯债价值、纯债溢价率、理论价值、理论偏离度等因子缺失，不参与按它们的排名。
    </p>
  )
}

/** Where every listed company and issuer must publish: the site that the regulator named for it, searched by code. */
const announcementsOf = (code: string) =>
  `https://www.cninfo.com.cn/new/fulltextSearch?keyWord=${encodeURIComponent(code.split('.')[0] ?? code)}`

/** A way to the announcements themselves: clauses and dates above are what data say of them. An invented security has none. */
export function Announcements({ code, name, demo }: { code: string; name: string; demo: boolean }) {
  return (
    <>
      <h3>
        公告 <span>以发行人披露为准</span>
      </h3>
      {demo ? (
        <p className="note">演示证券并不存在，没有公告。用真实行情时，这里通向法定信息披露网站。</p>
      ) : (
        <p className="note">
          <a className="link" href={announcementsOf(code)} target="_blank" rel="noopener noreferrer">
            在巨潮资讯网查看「{name}」的公告
          </a>
          （新窗口，法定信息披露网站）
        </p>
      )}
    </>
  )
}

/** A yes or a no, by its name or its key. */
const isFlag = (ref: string, factors: Factors) => factors.nameOf(ref).startsWith('是否') || flags.has(ref)
const flags = new Set(['redeem_short_size'])

/** Text for a start that has passed, in place of the days since. */
const started: Readonly<Record<string, string>> = { left_conv_start_days: '已进入转股期', left_put_days: '已进入回售期' }

/** Codes, flags and starts that have passed in words. */
function factText(ref: string, value: number | string | null, factors: Factors): string {
  if (ref === 'call_status' && isIn(callStatuses, value)) return labelOf(callStatuses, value)
  const past = started[ref]
  if (past && typeof value === 'number' && value <= 0) return past
  if (isFlag(ref, factors)) return value === 1 ? '是' : '否'
  return valueText(factors.of(ref), value)
}

/** Why it is not in the pool: every rule against it, the first one first. */
export function RulesAgainst({
  row,
  result,
  parameters,
  factors,
}: {
  row: Pick<ScreenRow, 'code'>
  result: ScreenResult
  parameters: Parameters
  factors: Factors
}) {
  const { id: kind } = useMarket()
  const version = useSite().data_version[kind]
  const of = previewMoment(result, factors)
  const { data: rules } = useQuery({
    queryKey: ['rules-against', kind, version, of, parameters, row.code],
    queryFn: async () => {
      const { previewOf } = await import('../preview/preview.ts')
      return previewOf(kind, version ?? '')
        .of(of)
        .why(parameters, row.code, factors.nameOf)
    },
    // While prices move: those of the moment before stay until the next are there, of the same rule.
    placeholderData: (before, query) => (query?.queryKey[4] === parameters && query.queryKey[5] === row.code ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (!rules || rules.length === 0) return null
  return (
    <>
      <h3>
        触发的规则 <span>{rules.length} 条；排在前面的先生效</span>
      </h3>
      <ul className={styles.rulesAgainst}>
        {rules.map((rule, index) => (
          <li key={rule} className={index === 0 ? styles.first : undefined}>
            <Icon name="cross" size="small" />
            {rule}
          </li>
        ))}
      </ul>
    </>
  )
}

/** The user's own strategies whose newest list has it, as far as their glances know. */
export function InMyStrategies({ code }: { code: string }) {
  const { id: kind } = useMarket()
  const { data } = useQuery(strategyListQuery(kind))
  const mine = (data?.list_items ?? []).filter(({ glance }) => glance?.list_items.some((one) => one.code === code))
  if (mine.length === 0) return null
  return (
    <>
      <h3>
        在我的策略里 <span>按各策略最近一次概览</span>
      </h3>
      <ul className={styles.inStrategies}>
        {mine.map(({ id, strategy_name: name, glance }) => (
          <li key={id}>
            <PageLink to={strategyPath(kind, id)}>{name}</PageLink>
            <span className="text-3">
              名次 {glance?.list_items.find((one) => one.code === code)?.rank ?? '—'} · {glance?.as_of}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
