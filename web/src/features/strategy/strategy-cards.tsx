import { markets } from '@convexa/contract/enums/market'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import type { ReactNode } from 'react'
import { shortTime } from '../../base/dates.ts'
import { Value } from '../../ui/cell.tsx'
import { Checkbox } from '../../ui/controls.tsx'
import { type Selection, toggled } from '../../ui/grid/selection.ts'
import { Row } from '../../ui/layout.tsx'
import { interestWords } from '../rule/interest-text.ts'
import { CallRiskCell, DifferenceCell } from './glance-cells.tsx'
import styles from './strategies.module.css'
import { type ColumnsGiven, GlanceCell } from './strategy-columns.tsx'
import { StrategyName } from './strategy-name.tsx'

/** The same strategies as cards: on a phone, elsewhere by choice. */
export function StrategyCards({
  rows,
  selection,
  onSelect,
  menu,
  ...given
}: ColumnsGiven & {
  rows: readonly StrategyListItem[]
  selection: Selection
  onSelect: (selection: Selection) => void
  menu: (strategy: StrategyListItem) => ReactNode
}) {
  const { kind, queue, editing, onEditing, onDifference } = given
  return (
    <ul className="strategy-cards" aria-label="策略">
      {rows.map((row) => {
        const { id, strategy_name: name, glance, tags } = row
        return (
          <li key={id} className={selection.has(id) ? 'ticked' : undefined}>
            <Row gap={8} align="start" className={styles.strategyCardHead}>
              <Checkbox checked={selection.has(id)} label={`选中 ${name}`} onChange={() => onSelect(toggled(selection, id))} />
              <StrategyName kind={kind} strategy={row} editing={editing} onEditing={onEditing} />
              {menu(row)}
            </Row>
            {tags.length > 0 && (
              <Row inline gap={4} align="stretch" wrap>
                {tags.map((tag) => (
                  <span className="tag" key={tag}>
                    {tag}
                  </span>
                ))}
              </Row>
            )}
            <dl>
              <div>
                <dt>近 20 日</dt>
                <dd>
                  <Value kind="return" value={glance?.ret_20d} />
                </dd>
              </div>
              <div>
                <dt>{metricLabel('recent_1y')}</dt>
                <dd>
                  <Value kind="return" value={glance?.ret_1y} />
                  {glance?.left_out_interest !== undefined && <small className="text-3"> {interestWords(glance.left_out_interest)}</small>}
                </dd>
              </div>
              <div>
                <dt>一年内最大回撤</dt>
                <dd>
                  <Value kind="percent" value={glance?.max_drawdown_1y} />
                </dd>
              </div>
            </dl>
            <Row gap={8}>
              <GlanceCell id={id} glance={glance} queue={queue} />
              <span className="grow" />
              <span className="size-12 text-3">名单差异</span>
              <DifferenceCell id={id} name={name} glance={glance} onOpen={() => onDifference(row)} />
            </Row>
            <Row gap={8} className="size-12 text-3">
              {markets[kind].redeemed && glance && glance.call_risk.length > 0 && <CallRiskCell glance={glance} />}
              <span className="grow" />
              更新 {shortTime(row.updated_at)}
            </Row>
          </li>
        )
      })}
    </ul>
  )
}
