import type { DataSheet } from '@convexa/contract/data-sheet'
import { adjustments } from '@convexa/contract/enums/adjust'
import { dataModes, isSynthetic } from '@convexa/contract/enums/data-mode'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import { labelOf } from '@convexa/contract/enums/table'
import { dateTime } from '../../base/dates.ts'
import { missing, percent } from '../../base/format.ts'
import { KeyValues } from '../../ui/key-values.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { Term } from '../help/term.tsx'
import type { Factors } from '../rule/factors.ts'
import { type DataStatus, lackingCodes } from './data-status.ts'
import styles from './data-status-badge.module.css'
import { shortened } from './source-text.ts'

const stepWords = { day: '最近一次入库', import: '导入时' } as const
/** Files of an import that are named. */
const named = 3

/** All that is known of a market's data: of when, from where, who is in them, what the rule's factors lack. */
export function DataPanel({
  kind,
  sheet,
  lamp,
  factors,
  error,
  onRetry,
}: {
  kind: MarketId
  sheet: DataSheet | null
  lamp: DataStatus
  factors: Factors
  error: Error | null
  onRetry: () => void
}) {
  if (!sheet) return error ? <ErrorBlock error={error} onRetry={onRetry} /> : <p className="text-2">正在读取…</p>
  const { quarantined, quotes, lost, open_parts: open } = sheet
  const lacking = factors.list.filter(({ available }) => !available)
  return (
    <>
      <div className={`${styles.lampWhy} ${lamp.look}`}>
        {lamp.whys.length === 0 ? <p>数据是最新的，规则用到的因子都有值。</p> : lamp.whys.map((why) => <p key={why}>{why}</p>)}
      </div>
      <h3>
        {markets[kind].securityNoun}数据 · {labelOf(dataModes, sheet.data_mode)}
      </h3>
      <KeyValues
        rows={[
          ['来源', everySource(sheet)],
          ['时间', `${sheet.first_date} ~ ${sheet.trade_date} 收盘`],
          ['版本', sheet.data_version],
          ['发布', dateTime(sheet.published_at)],
          ['价格', labelOf(adjustments, sheet.adjust)],
          ['标的', `在市 ${sheet.listed} 只，另含已退市 ${sheet.delisted} 只`],
          ...(quotes ? [['实时行情', `${quotes.source} · ${dateTime(quotes.quoted_at)}`] as const] : []),
          ...(isSynthetic(sheet.data_mode)
            ? []
            : [
                [
                  '隔离',
                  quarantined.rows === 0
                    ? `${stepWords[quarantined.of]}没有`
                    : `${stepWords[quarantined.of]} ${quarantined.rows} 行${reasonWords(quarantined.reasons)}`,
                ] as const,
              ]),
        ]}
      />
      {open.length > 0 && (
        <>
          <h3>{sheet.trade_date} 未到齐的数据</h3>
          <KeyValues rows={open.map((part) => [part.label, openWords(part)])} />
        </>
      )}
      {lost.length > 0 && (
        <>
          <h3>中断的数据源</h3>
          <KeyValues
            rows={lost.map(({ label, need, answered_at: last, instead }) => [
              `${label} · ${need}`,
              `${last ? `最近一次成功 ${dateTime(last)}` : '还没有成功过'}，${instead === null ? '没有其他来源代替' : `由${instead}代替`}`,
            ])}
          />
        </>
      )}
      {sheet.factors.length > 0 && (
        <>
          <h3>
            规则用到的因子 · <Term k="coverage">覆盖率</Term>
          </h3>
          <ul className={styles.lampFactors}>
            {sheet.factors.map(({ factor, values, coverage, reason }) => (
              <li key={factor}>
                <span title={factor}>{factors.nameOf(factor)}</span>
                {reason !== null ? (
                  <em>{lacking.find(({ factor_key: key }) => key === factor)?.reason ?? reason}</em>
                ) : (
                  <b>
                    {coverage === null ? (sheet.counting ? '统计中…' : missing) : percent(coverage, coverage === 1 ? 0 : 1)}
                    {values !== null && (
                      <small>
                        {values}/{sheet.listed} 只
                      </small>
                    )}
                  </b>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {lacking.length > 0 && (
        <details className={styles.lampLacking}>
          <summary>
            当前数据没有的因子 {lacking.length} 个（共 {factors.list.length} 个）
          </summary>
          <ul>
            {lacking.map(({ factor_key: key, factor_name: name, reason }) => (
              <li key={key}>
                {name}
                <em>{reason ?? '当前数据不支持'}</em>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function everySource({ sources }: DataSheet): string {
  const words = sources.map(({ label, last }) => (last ? `${label}（至 ${last}）` : label))
  return words.length === 0 ? missing : shortened(words, named)
}

const reasonWords = (reasons: DataSheet['quarantined']['reasons']): string =>
  reasons.length === 0 ? '' : `：${reasons.map(({ text, count }) => `${text} ${count}`).join('，')}`

/** `有 115/120，缺 920101.BJ、920102.BJ`. */
function openWords(part: DataSheet['open_parts'][number]): string {
  const { expected, found, codes } = part
  return `${found === 0 ? '还没有' : `有 ${found}/${expected}`}${codes.length > 0 ? `，缺 ${lackingCodes(part)}` : ''}，到齐后自动更新`
}
