import { dataModes } from '@convexa/contract/enums/data-mode'
import { useMemo, useState } from 'react'
import { useIsDemo } from '../../api/site.ts'
import { dayAfter } from '../../base/dates.ts'
import { signed, signedPercent, tone } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import { usePreferences } from '../../state/preferences.ts'
import { CardGrid } from '../../ui/card.tsx'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { linesOption } from '../../ui/chart/kinds/lines.ts'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { tip } from '../../ui/chart/tip.ts'
import { Segmented } from '../../ui/controls.tsx'
import { Table } from '../../ui/table/table.tsx'
import { chartFiles } from '../report/chart-files.ts'
import { asPercent } from '../report/files.ts'
import { boxesOf, type HistoryDay, type Horizon, horizonWords } from './after.ts'
import { BoxPlot } from './box-plot.tsx'
import styles from './history.module.css'

/** What happened after a day: the way of the list beside that of its pool, and how the members' returns lie. */
export function AfterCards({ day, horizon }: { day: HistoryDay; horizon: Horizon }) {
  return (
    <CardGrid className={styles.afterCards}>
      <PathCard day={day} />
      <SpreadCard day={day} horizon={horizon} />
    </CardGrid>
  )
}

function PathCard({ day }: { day: HistoryDay }) {
  const { id: kind } = useMarket()
  const [length, setLength] = useState<20 | 60>(20)
  const look = useChartTheme()
  const patterns = usePreferences((state) => state.patterns)
  const demo = useIsDemo(kind)
  const { list, pool } = useMemo(() => {
    const cut = (values: readonly (number | null)[] | undefined) =>
      [0, ...(values ?? []).slice(0, length)].map((value) => (value === null ? null : value * 100))
    return { list: cut(day.path?.list), pool: cut(day.path?.pool) }
  }, [day, length])
  // The axis counts trading days; days of the calendar stand in for its ticks, one each.
  const places = useMemo(() => list.map((_, i) => dayAfter('2000-01-01', i)), [list])
  const option = useMemo(() => {
    const made = linesOption(
      {
        ...{
          dates: places,
          format: (value: number) => signed(value, 1),
          unit: '%',
          base: 0,
          watermark: demo ? dataModes.demo.label : null,
          patterns,
        },
        lines: [
          { name: '名单', role: 'strategy', values: list },
          { name: '全池', role: 'bench', values: pool },
        ],
      },
      look,
      (index) =>
        tip(index === 0 ? `${day.trade_date} 收盘` : `后 ${index} 个交易日`, [
          { mark: '', name: '名单', value: `${signed(list[index])}%` },
          { mark: 'bench', name: '全池等权', value: `${signed(pool[index])}%` },
        ]),
    )
    const xAxis = made['xAxis'] as { axisLabel: object }
    const day0 = Date.parse('2000-01-01')
    return {
      ...made,
      xAxis: {
        ...xAxis,
        minInterval: 86_400_000,
        axisLabel: { ...xAxis.axisLabel, formatter: (time: number) => String(Math.round((time - day0) / 86_400_000)) },
      },
    }
  }, [places, list, pool, demo, patterns, look, day.trade_date])
  const describe = (index: number) => `第 ${index} 个交易日，名单 ${signed(list[index])}%，全池 ${signed(pool[index])}%`
  return (
    <ChartCard
      title="后续走势"
      {...chartFiles({ name: `${day.trade_date} 名单`, title: '后续走势', terms: ['名单等权，不计成本'], demo }, () => [
        ['之后(交易日)', '名单(%)', '全池等权(%)'],
        ...list.map((value, i) => [i, value, pool[i]]),
      ])}
      legend={[
        { name: '名单', mark: '' },
        { name: '全池等权', mark: 'bench' },
      ]}
      tools={
        <Segmented
          label="走势长度"
          value={length}
          choices={[
            { value: 20, label: '20日' },
            { value: 60, label: '60日' },
          ]}
          onChange={setLength}
        />
      }
      foot="事后数据：一天的名单后来涨跌多少，偶然成分很大；多看几天再下判断。"
      table={() => (
        <ScrollBox label="后续走势表" className={styles.pathTable}>
          <Table
            dense
            columns={[
              { label: '之后', cell: (_, i) => <>{i} 日</> },
              { label: '名单', numeric: true, look: (_, i) => tone(list[i], 2), cell: (_, i) => <>{signed(list[i])}%</> },
              { label: '全池', numeric: true, look: (_, i) => tone(pool[i], 2), cell: (_, i) => <>{signed(pool[i])}%</> },
            ]}
            rows={places}
            rowKey={(place) => place}
          />
        </ScrollBox>
      )}
    >
      <div className="body">
        {list.length > 1 ? (
          <ChartBox
            option={option}
            shape="history-path"
            label={`名单与全池后续走势，共 ${list.length - 1} 个交易日，${describe(list.length - 1)}`}
            height={232}
            points={list.length}
            describe={describe}
          />
        ) : (
          <p className="note">这是数据的最后一天，之后的走势还没有发生。</p>
        )}
      </div>
    </ChartCard>
  )
}

function SpreadCard({ day, horizon }: { day: HistoryDay; horizon: Horizon }) {
  const { id: kind } = useMarket()
  const demo = useIsDemo(kind)
  const boxes = useMemo(() => boxesOf(day, horizon), [day, horizon])
  const members = [...boxes.list].sort((a, b) => b.value - a.value)
  return (
    <ChartCard
      title="后续收益分布"
      {...chartFiles({ name: `${day.trade_date} 名单`, title: '后续收益分布', terms: [horizonWords[horizon]], demo }, () => [
        ['证券', `${horizonWords[horizon]}收益(%)`],
        ...members.map(({ name, value }) => [name, asPercent(value)]),
      ])}
      note={`${horizonWords[horizon]} · 每只一个点，箱为四分位`}
      foot="名单的箱高过全池、也更窄，才像是规则在起作用；只靠一两只拉高不算。"
      table={() => (
        <ScrollBox label="后续收益表" className={styles.pathTable}>
          <Table
            dense
            columns={[
              { label: '名单里的证券', cell: ({ name }) => name },
              {
                label: `${horizonWords[horizon]}收益`,
                numeric: true,
                look: ({ value }) => tone(value),
                cell: ({ value }) => signedPercent(value),
              },
            ]}
            rows={members}
            rowKey={({ name }) => name}
          />
        </ScrollBox>
      )}
    >
      <div className="body">
        {boxes.poolBox ? <BoxPlot boxes={boxes} demo={demo} /> : <p className="note">这段时间的数据还没有，换一个更短的期限看。</p>}
      </div>
    </ChartCard>
  )
}
