import { dataModes } from '@convexa/contract/enums/data-mode'
import { useMemo, useState } from 'react'
import { dayWords } from '../../../base/dates.ts'
import { fixed, signedPercent } from '../../../base/format.ts'
import { ChartBox } from '../../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../../ui/chart/chart-theme.ts'
import { lineFacts } from '../../../ui/chart/facts.ts'
import { tip } from '../../../ui/chart/tip.ts'
import { Segmented } from '../../../ui/controls.tsx'
import { Row } from '../../../ui/layout.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { chartFiles } from '../../report/chart-files.ts'
import { relative, underwater } from '../../report/series.ts'
import type { OnRange } from './common-range.ts'
import styles from './compare.module.css'
import { LineMark } from './line-mark.tsx'
import { type OverlayLine, overlayOption } from './overlay-option.ts'

const height = 420

/** 净值叠加: every run from 1 on the days that all of them have, and their falls below. */
export function OverlayCard({
  lines,
  benchName,
  demo,
}: {
  lines: readonly { name: string; place: number; range: OnRange }[]
  /** null: they have no benchmark in common. */
  benchName: string | null
  demo: boolean
}) {
  const [scale, setScale] = useState<'linear' | 'log'>('linear')
  const [view, setView] = useState<'absolute' | 'excess'>('absolute')
  const look = useChartTheme()
  const dates = lines[0]?.range.dates ?? []
  const excess = view === 'excess' && benchName !== null
  const drawn = useMemo(() => {
    const own = lines.map(({ name, place, range: { nav, bench, drawdown } }): OverlayLine => {
      if (!excess) return { short: String(place + 1), name, place, values: nav, drawdown }
      const ratio = relative(nav, bench)
      return { short: String(place + 1), name, place, values: ratio, drawdown: underwater(ratio) }
    })
    const bench = lines[0]?.range.bench
    return excess || benchName === null || !bench
      ? own
      : [...own, { short: '基准', name: benchName, place: null, values: bench, drawdown: underwater(bench) }]
  }, [lines, excess, benchName])
  const format = (value: number) => fixed(value, 3)
  const log = scale === 'log'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are made of the lines
  const option = useMemo(
    () =>
      overlayOption({ dates, lines: drawn, log, base: 1, watermark: demo ? dataModes.demo.label : null, format }, look, (i) =>
        tip(
          dayWords(dates[i] ?? ''),
          drawn.map(({ name, values, drawdown }) => ({
            mark: 'none',
            name,
            value: `${fixed(values[i], 3)}（${signedPercent(drawdown[i], 1)}）`,
          })),
        ),
      ),
    [dates, drawn, log, demo, look],
  )
  return (
    <ChartCard
      title="净值叠加"
      note={`共同起点 = 1.00 · 已扣成本 · 括号内为回撤${excess ? ' · 净值 ÷ 基准' : ''}`}
      tools={
        <>
          <Segmented
            label="纵轴"
            value={scale}
            choices={[
              { value: 'linear', label: '线性' },
              { value: 'log', label: '对数' },
            ]}
            onChange={setScale}
          />
          <Segmented
            label="口径"
            value={excess ? 'excess' : 'absolute'}
            choices={[
              { value: 'absolute', label: '绝对' },
              { value: 'excess', label: '超额', disabled: benchName === null },
            ]}
            onChange={setView}
          />
        </>
      }
      {...chartFiles({ name: '策略对比', title: '净值叠加', terms: ['共同起点 = 1.00', '已扣成本'], demo }, () => [
        ['日期', ...drawn.map(({ name }) => name)],
        ...dates.map((date, i) => [date, ...drawn.map(({ values }) => values[i])]),
      ])}
      table={() => (
        <DataTable
          label="净值叠加表"
          columns={[
            { key: 'date', label: '日期', width: 84, cell: (i: number) => dates[i] },
            ...drawn.map((line, at) => ({
              key: `${at}`,
              label: line.name,
              width: 80,
              numeric: true,
              cell: (i: number) => fixed(line.values[i], 4),
            })),
          ]}
          rows={dates
            .map((_, i) => i)
            .slice(-60)
            .reverse()}
          rowKey={String}
          height={height}
        />
      )}
      foot={
        <Row as="span" align="stretch" wrap className={styles.overlayLegend}>
          {drawn.map(({ name, place, short }) => (
            <span key={short}>
              <LineMark place={place} />
              {place === null ? name : `${short} ${name}`}
            </span>
          ))}
        </Row>
      }
    >
      <div className="body">
        <ChartBox
          option={option}
          shape={`${drawn.length} ${log} ${excess}`}
          label={drawn.map(({ name, values }) => lineFacts(name, dates, values, format)).join('；')}
          height={height}
          points={dates.length}
          describe={(i) => `${dates[i]}，${drawn.map(({ name, values }) => `${name} ${fixed(values[i], 3)}`).join('，')}`}
        />
      </div>
    </ChartCard>
  )
}
