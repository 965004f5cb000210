import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { type ReactNode, useMemo } from 'react'
import { fixed, missing, signedPercent, tone } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Row } from '../../ui/layout.tsx'
import type { Factors } from '../rule/factors.ts'
import { useGrowing } from './growing.tsx'
import styles from './screen-cards.module.css'
import { cellText } from './screen-columns.ts'
import { useCells } from './screen-run.ts'
import { type ListTab, listOf, useScreenColumns } from './screen-table.tsx'

/** The factors that a card shows large. */
const firstLine: readonly string[] = ['close', 'pct_chg']

/** The ranking on a phone: two lines for each security, the strategy's own factors in the second. */
export function ScreenCards({
  result,
  parameters,
  factors,
  tab,
  stale,
  onOpen,
  tail,
}: {
  result: ScreenResult
  parameters: Parameters
  factors: Factors
  tab: ListTab
  stale: boolean
  onOpen: (row: ScreenRow) => void
  /** At the end of the second line: what came after the day. */
  tail?: (row: ScreenRow) => ReactNode
}) {
  const { id: kind, priceDecimals } = useMarket()
  const { shown } = useScreenColumns(parameters, factors)
  // One line has room for three beside the score.
  const most = tail ? 2 : 3
  const second = useMemo(() => shown.filter(({ key }) => !firstLine.includes(key)).slice(0, most), [shown, most])
  const refs = useMemo(() => [...firstLine, ...second.map(({ key }) => key)], [second])
  const cell = useCells(kind, result, refs, factors)
  const rows = listOf(result, tab)
  const { most: grown, more } = useGrowing(rows.length)
  return (
    <>
      <ul className={stale ? 'screen-cards stale' : 'screen-cards'} aria-label="名单">
        {rows.slice(0, grown).map((row) => {
          const change = cell(row, 'pct_chg')
          return (
            <li key={row.code}>
              <button type="button" className={row.selected || tab !== 'all' ? undefined : 'dim'} onClick={() => onOpen(row)}>
                <span className="text-3">{row.rank ?? missing}</span>
                <span className="ellipsis">
                  <b>{row.name}</b> <small className="mono">{row.code}</small>
                </span>
                <Row as="span" gap={8} align="baseline" className={styles.screenCardPrice}>
                  <b>{fixed(cell(row, 'close'), priceDecimals)}</b>
                  <span className={tone(change)}>{signedPercent(change)}</span>
                </Row>
                <Row as="span" align="stretch" wrap className={styles.screenCardFactors}>
                  <span>
                    得分 <em>{fixed(row.score, 1)}</em>
                  </span>
                  {second.map((column) => {
                    const { key, label } = column
                    // 溢价率(%) 5.3 reads 溢价率 5.3% where there is no head.
                    const [, name = label, unit = ''] = /^(.+)\((.+)\)$/.exec(label) ?? []
                    return (
                      <span key={key}>
                        {name}{' '}
                        <em>
                          {cellText(column, cell(row, key))}
                          {column.heat !== 'signed' && unit}
                        </em>
                      </span>
                    )
                  })}
                  {tail?.(row)}
                </Row>
              </button>
            </li>
          )
        })}
      </ul>
      {more}
    </>
  )
}

/** The cards' places while the first answer is on its way. */
export const CardsSkeleton = () => (
  <ul className="screen-cards waiting" aria-hidden="true">
    {[92, 84, 96, 80, 88, 92].map((width, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
      <li key={row}>
        <span className="skeleton" style={{ width: 14 }} />
        <span className="skeleton" style={{ width: width + 56 }} />
        <span className="skeleton" style={{ width: 96 }} />
        <Row as="span" align="stretch" wrap className={styles.screenCardFactors}>
          {[52, 56, 60, 56].map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
            <span key={at} className="skeleton" style={{ width: part }} />
          ))}
        </Row>
      </li>
    ))}
  </ul>
)
