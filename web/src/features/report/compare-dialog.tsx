import type { ReportCore } from '@convexa/contract/report'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { dateTime } from '../../base/dates.ts'
import { signedPercent } from '../../base/format.ts'
import { Button } from '../../ui/button.tsx'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { Checkbox } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { Table } from '../../ui/table/table.tsx'
import { type Compared, comparePath, mostCompared } from '../rule/addresses.ts'
import { runsQuery } from '../rule/strategy-queries.ts'
import styles from './share/share.module.css'

/** Finished runs are numbered so on the wire. */
const finished = 2

/** Which other runs stand beside this one; the newest first, never the best. */
export function CompareDialog({ report, onClose }: { report: ReportCore; onClose: () => void }) {
  const { kind, backtest_id: own, strategy_id: strategy } = report
  const { data, error, refetch } = useQuery(runsQuery({ kind, status: finished, limit: 20 }))
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [withStrategy, setWithStrategy] = useState(false)
  const navigate = useNavigate()
  const others = data?.list_items.filter((run) => run.backtest_id !== own) ?? []
  const count = 1 + ticked.length + (withStrategy ? 1 : 0)
  const go = () => {
    const run = (id: string): Compared => ({ type: 'run', kind, id })
    const items = [run(own), ...(withStrategy && strategy ? [{ type: 'strategy' as const, kind, id: strategy }] : []), ...ticked.map(run)]
    onClose()
    void navigate(comparePath(items))
  }
  return (
    <Dialog
      title="和哪些回测对比"
      width={560}
      onClose={onClose}
      footer={
        <>
          <span className="text-3 size-12">连同这一次，最多 {mostCompared} 项</span>
          <span className="grow" />
          <Button onClick={onClose}>取消</Button>
          <Button look={['primary']} disabled={count < 2} onClick={go}>
            对比 {count} 项
          </Button>
        </>
      }
    >
      {!data && !error && (
        <p className="text-2" role="status">
          <span className="spinner" /> 正在读取回测历史…
        </p>
      )}
      {error && <ErrorBlock error={error} onRetry={() => void refetch()} />}
      {strategy && (
        <Checkbox checked={withStrategy} disabled={!withStrategy && count >= mostCompared} onChange={setWithStrategy}>
          它所属策略的当前版本
        </Checkbox>
      )}
      {data && others.length === 0 && <p className="text-2">还没有别的已完成的回测。改一个条件再跑一次，就能放在一起看。</p>}
      {others.length > 0 && (
        <ScrollBox label="已完成的回测" className={styles.compareRuns}>
          <Table dense columns={[{ label: '回测' }, { label: '区间' }, { label: '年化', numeric: true }, { label: '完成时间' }]}>
            {others.map((run) => {
              const on = ticked.includes(run.backtest_id)
              return (
                <tr key={run.backtest_id}>
                  <td>
                    <Checkbox
                      checked={on}
                      disabled={!on && count >= mostCompared}
                      onChange={() => setTicked(on ? ticked.filter((id) => id !== run.backtest_id) : [...ticked, run.backtest_id])}
                    >
                      {run.strategy_name ?? run.group_name ?? '未保存的规则'}
                      {run.note && <span className="text-3"> {run.note}</span>}
                    </Checkbox>
                  </td>
                  <td>
                    {run.settings.start_date.slice(2)} ~ {run.settings.end_date.slice(2)}
                  </td>
                  <td className="number">{signedPercent(run.metrics?.annual_return)}</td>
                  <td className="text-2">{dateTime(run.finished_at ?? run.created_at)}</td>
                </tr>
              )
            })}
          </Table>
        </ScrollBox>
      )}
    </Dialog>
  )
}
