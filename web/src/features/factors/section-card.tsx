import { dataModes } from '@convexa/contract/enums/data-mode'
import { useMemo, useState } from 'react'
import { count, percent } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import type { CardState } from '../../ui/card-state.tsx'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { type Bin, binsBetween, histogramOption } from '../../ui/chart/kinds/histogram.ts'
import { tip } from '../../ui/chart/tip.ts'
import { Segmented } from '../../ui/controls.tsx'
import { Table } from '../../ui/table/table.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import { written } from './meaning.ts'
import type { FactorRun } from './run-model.ts'
import styles from './section-card.module.css'

/** How the values of a day are spread, and who is at their ends. */
export function SectionCard({
  run,
  state,
  stale,
  demo,
  current,
  onPick,
}: {
  run: FactorRun | null
  state: CardState
  stale: boolean
  demo: boolean
  /** The security in the debugger. */
  current: string
  onPick: (code: string) => void
}) {
  const [end, setEnd] = useState<'bottom' | 'top'>('bottom')
  const known = run?.values.filter(([, value]) => value !== null).length ?? 0
  return (
    <>
      <Card
        title="截面分布"
        note={run ? `${run.probe.trade_date} · ${count(known)} 只` : undefined}
        tools={demo && <DemoBadge />}
        state={state}
        bare
      >
        {run && (
          <div className={stale ? 'stale' : undefined}>
            <Histogram run={run} demo={demo} />
          </div>
        )}
      </Card>
      {run && run.probe.bottom.length > 0 && (
        <Card
          title={end === 'bottom' ? '最低 10 只' : '最高 10 只'}
          bare
          tools={
            <Segmented
              label="两端"
              value={end}
              choices={[
                { value: 'bottom', label: '最低' },
                { value: 'top', label: '最高' },
              ]}
              onChange={setEnd}
            />
          }
        >
          <Table
            dense
            className={`${styles.sectionEnds} ${stale ? 'stale' : ''}`}
            columns={[
              {
                label: '证券',
                cell: ({ code, name }) => (
                  <>
                    <button type="button" className="link" title="在调试器里看它" onClick={() => onPick(code)}>
                      {name}
                    </button>{' '}
                    <span className="mono text-3">{code}</span>
                  </>
                ),
              },
              { label: '因子值', numeric: true, cell: ({ value }) => written(value) },
            ]}
            rows={run.probe[end]}
            rowKey={({ code }) => code}
            rowClass={({ code }) => (code === current ? 'current' : undefined)}
          />
        </Card>
      )}
    </>
  )
}

function Histogram({ run, demo }: { run: FactorRun; demo: boolean }) {
  const look = useChartTheme()
  const { edges, counts } = run.probe.histogram
  const bins = useMemo(() => binsBetween(edges, counts), [counts, edges])
  const at = run.values.find(([code]) => code === run.request.code)?.[1] ?? undefined
  const option = useMemo(() => {
    const format = (value: number) => String(Number(value.toPrecision(3))).replace('-', '−')
    const marks = typeof at === 'number' ? [{ at, label: `${run.request.code} ${written(at)}` }] : []
    const picture = { bins, format, unit: '只', chosen: at, marks, watermark: demo ? dataModes.demo.label : null }
    return histogramOption(picture, look, (index) => {
      const said = wordsOf(bins, index)
      return tip(said?.range ?? '', [{ mark: 'none', name: '证券', value: said?.many ?? '' }])
    })
  }, [bins, at, run.request.code, look, demo])
  if (bins.length === 0) return <p className={`note ${styles.sectionNone}`}>当日没有任何证券有值。</p>
  return (
    <div className={styles.sectionChart}>
      <ChartBox
        option={option}
        shape="factor-histogram"
        label="因子值的分布"
        height={160}
        points={bins.length}
        describe={(index) => {
          const said = wordsOf(bins, index)
          return said ? `${said.range}：${said.many}` : ''
        }}
      />
    </div>
  )
}

function wordsOf(bins: readonly Bin[], index: number) {
  const bin = bins[index]
  const total = bins.reduce((sum, one) => sum + one.count, 0)
  return bin ? { range: `${written(bin.from)} ~ ${written(bin.to)}`, many: `${bin.count} 只，占 ${percent(bin.count / total, 1)}` } : null
}
