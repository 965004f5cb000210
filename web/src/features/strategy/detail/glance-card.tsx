import { isSynthetic } from '@convexa/contract/enums/data-mode'
import type { MarketId } from '@convexa/contract/enums/market'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { StrategyDetail } from '@convexa/contract/saved-strategy'
import { Suspense, useState } from 'react'
import { shortTime } from '../../../base/dates.ts'
import { percent } from '../../../base/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import type { CardState } from '../../../ui/card-state.tsx'
import { type ValueKind, values } from '../../../ui/cell.tsx'
import { Spark } from '../../../ui/chart/spark.tsx'
import { DataStamp } from '../../../ui/data-stamp.tsx'
import { Row } from '../../../ui/layout.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { DataLine } from '../../data-status/data-line.tsx'
import { interestWords } from '../../rule/interest-text.ts'
import { DifferenceCell } from '../glance-cells.tsx'
import { stateIn } from '../glance-queue.ts'
import { queuedOf, useGlances } from '../glance-refresh.ts'
import { silentHandling, silentWords } from '../glance-text.ts'
import styles from './detail.module.css'
import { WorstYearLine } from './worst-year-line.tsx'

const BasketDialog = lazyDialog(async () => (await import('../../basket/basket-dialog.tsx')).BasketDialog)

/** 概览: how the rule did lately and what it lists; computed when asked for, the rest of the page does not wait for it. */
export function GlanceCard({ kind, strategy, onDifference }: { kind: MarketId; strategy: StrategyDetail; onDifference: () => void }) {
  const { id, strategy_name: name, glance } = strategy
  const { add, cancel, ...queue } = useGlances()
  const [listed, setListed] = useState(false)
  const [basketOpen, setBasketOpen] = useState(false)
  const running = stateIn(queue, id)
  const failed = queue.failed[id]
  const refresh = () => add(queuedOf(kind, [strategy]))
  const silent = silentWords(glance?.silent)
  const state = stateOf()
  const figures: readonly (readonly [label: string, kind: ValueKind, value: number | null | undefined])[] = [
    ['当日', 'return', glance?.ret_1d],
    ['近 20 日', 'return', glance?.ret_20d],
    [metricLabel('recent_1y'), 'return', glance?.ret_1y],
    ['一年内最大回撤', 'percent', glance?.max_drawdown_1y],
  ]
  return (
    <Card
      title="概览"
      note={
        glance
          ? [`计算于 ${shortTime(glance.computed_at)}`, '近三年按规则走的净值，已扣成本', interestWords(glance.left_out_interest)]
              .filter(Boolean)
              .join(' · ')
          : undefined
      }
      tools={
        glance && (
          <>
            <DataStamp
              source={isSynthetic(glance.data_mode) ? 'demo' : 'close'}
              time={glance.computed_at}
              date={glance.as_of}
              realtime={false}
              title={`数据版本 ${glance.data_version}`}
            />
            <Button look={['small']} icon="refresh" disabled={running !== null} onClick={refresh}>
              刷新
            </Button>
          </>
        )
      }
      state={state}
      bare
    >
      {glance && (
        <>
          {failed && !running && <p className={`${styles.glanceFailed} danger`}>概览计算失败：{failed}，其余信息不受影响。</p>}
          <Row gap={24} className={styles.glanceFigures}>
            <dl>
              {figures.map(([label, how, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd className={how === 'return' ? values.return.tone(value) : undefined}>{values[how].text(value)}</dd>
                </div>
              ))}
              <div>
                <dt>最新名单</dt>
                <dd>
                  {glance.list_items.length} <small>只</small>{' '}
                  <DifferenceCell id={id} name={name} glance={glance} none="无变化" onOpen={onDifference} />
                </dd>
              </div>
            </dl>
            <Spark values={glance.sparkline} width={220} height={56} tone="plain" />
          </Row>
          {glance.data_note && <p className={`${styles.glanceFailed} warn`}>{glance.data_note}。</p>}
          {silent && (
            <p className={`${styles.glanceFailed} warn`}>
              持仓中 {silent}：{silentHandling(glance.silent)}。
            </p>
          )}
          <WorstYearLine kind={kind} strategy={strategy} />
          <div className={styles.glanceList}>
            <Button look={['small', 'ghost']} icon={listed ? 'down' : 'right'} aria-expanded={listed} onClick={() => setListed(!listed)}>
              {listed ? '收起名单' : '展开名单'}
            </Button>
            <Button look={['small', 'ghost']} icon="download" disabled={glance.list_items.length === 0} onClick={() => setBasketOpen(true)}>
              导出篮子
            </Button>
            {basketOpen && (
              <Suspense>
                <BasketDialog
                  source={{ kind, name, tradeDate: glance.as_of, items: glance.list_items }}
                  onRefresh={refresh}
                  onClose={() => setBasketOpen(false)}
                />
              </Suspense>
            )}
            {listed && (
              <DataTable
                label="最新名单"
                columns={[
                  { key: 'rank', label: '名次', width: 40, numeric: true, cell: ({ rank }) => rank ?? '—' },
                  { key: 'code', label: '代码', width: 72, cell: ({ code }) => <span className="mono">{code}</span> },
                  { key: 'name', label: '名称', width: 120, card: 'title', cell: (one) => <span className="medium">{one.name}</span> },
                  { key: 'weight', label: '目标权重', width: 64, numeric: true, cell: ({ weight }) => percent(weight) },
                ]}
                rows={glance.list_items}
                rowKey={({ code }) => code}
              />
            )}
          </div>
          <DataLine kind={kind} mode={glance.data_mode} version={glance.data_version} date={glance.as_of} />
        </>
      )}
    </Card>
  )

  function stateOf(): CardState {
    if (running)
      return glance
        ? { kind: 'refreshing', words: '正在计算概览…', onCancel: cancel }
        : { kind: 'loading', words: '正在计算概览…', onCancel: cancel }
    if (glance?.stale) return { kind: 'stale', words: '数据或规则比概览新，下面是旧的', onRefresh: refresh }
    if (glance) return { kind: 'ready' }
    return {
      kind: 'empty',
      icon: failed ? 'warn' : 'chart',
      title: failed ? `概览计算失败：${failed}` : '还没有概览',
      text: failed ? '其余信息不受影响。' : '按保存的规则跑一遍近三年，看近况与今天的名单，约几秒。',
      action: { label: failed ? '重试' : '生成概览', act: refresh },
    }
  }
}
