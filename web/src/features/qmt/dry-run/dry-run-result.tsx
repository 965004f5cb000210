import { dataModes } from '@convexa/contract/enums/data-mode'
import type { MarketId } from '@convexa/contract/enums/market'
import type { DryRun } from '@convexa/contract/qmt-basket'
import { shanghai } from '../../../base/dates.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Row } from '../../../ui/layout.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { WarnedList } from '../../basket/warned-list.tsx'
import styles from './dry-run.module.css'
import { basisWords, figuresOf, orderedRows, totalsOf } from './dry-run.ts'
import { dryRunColumns } from './dry-run-columns.tsx'

/** The differences between what is held and what is wanted, line by line, with what to know of them. */
export function DryRunResult({
  kind,
  result,
  at,
  onAgain,
  onList,
}: {
  kind: MarketId
  result: DryRun
  at: Date | null
  /** To other holdings. */
  onAgain: () => void
  /** To the list that the targets come from; null of a group. */
  onList: (() => void) | null
}) {
  const made = at && shanghai(at.getTime())
  const rows = orderedRows(result.rows)
  return (
    <div className={styles.dryRun}>
      <Row gap={12} align="end" wrap className={styles.dryHead}>
        <div>
          <h3>演练 {made && <span>{`${made.date} ${made.time}`}</span>}</h3>
          <p className="note">
            {basisWords(result)}
            <button type="button" className="link" onClick={onAgain}>
              重新导入
            </button>
            {onList && (
              <button type="button" className="link" onClick={onList}>
                看名单差异
              </button>
            )}
          </p>
          <p className="size-12 text-3">
            信号 {result.signal_date} 收盘，{result.trade_date} 交易
          </p>
        </div>
        <Row as="dl" align="stretch" className={styles.dryFigures}>
          {figuresOf(result).map(({ name, value, beside }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {value}
                <small>{beside}</small>
              </dd>
            </div>
          ))}
        </Row>
      </Row>
      <div className={styles.dryTable}>
        <DataTable
          label="演练差异"
          columns={dryRunColumns(kind, totalsOf(result))}
          rows={rows}
          rowKey={({ code }) => code}
          rowClass={({ action, code }) =>
            [action, rows.find((one) => one.action === action)?.code === code && 'first'].filter(Boolean).join(' ')
          }
          instead={<p className="note">目标与持仓都是空的，没有要买卖的。</p>}
          density="standard"
          cards
        />
      </div>
      <Remarks kind={kind} result={result} />
    </div>
  )
}

/** What was left out of the plan and why; what keeps it from being traded. */
function Remarks({ kind, result: { rows, dropped, warnings, data_mode: mode, unused_cash: unused } }: { kind: MarketId; result: DryRun }) {
  const others = warnings.filter((one) => !one.startsWith(dataModes.demo.label))
  const warned = rows.filter((row) => row.target > 0 && row.warnings.length > 0)
  return (
    <>
      {dropped.length > 0 && (
        <div className="alert quiet">
          <Icon name="info" />
          <p>
            <b>{dropped.length} 只不在本次买卖计划里：</b>
            {dropped.map(({ code, name, reason }) => `${name || code}（${reason}）`).join('、')}。
          </p>
        </div>
      )}
      <WarnedList kind={kind} title={`成交后持有的证券里有 ${warned.length} 只须留意，请先核对公告与条款：`} warned={warned} />
      {others.map((one) => (
        <div key={one} className="alert warn">
          <Icon name="warn" />
          <p>{one}。</p>
        </div>
      ))}
      {mode === 'demo' && (
        <div className="alert warn" id="dry-demo">
          <Icon name="lock" />
          <p>
            <b>演示数据不能用于交易。</b>
            可以完整核对差异，但确认与导出已停用。导入真实行情后恢复：由管理员按使用说明的“导入真实行情”一节操作。
          </p>
        </div>
      )}
      <p className="note">未用现金约 ¥{Math.round(unused).toLocaleString('zh-CN')}。参考价是信号日收盘价，实际成交价会不同。</p>
    </>
  )
}
