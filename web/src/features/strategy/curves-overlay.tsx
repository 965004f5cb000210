import { dataModes } from '@convexa/contract/enums/data-mode'
import type { MarketId } from '@convexa/contract/enums/market'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { useMemo } from 'react'
import { useIsDemo } from '../../api/site.ts'
import { dayWords } from '../../base/dates.ts'
import { fixed } from '../../base/format.ts'
import { usePreferences } from '../../state/preferences.ts'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { linesOption } from '../../ui/chart/kinds/lines.ts'
import { tip } from '../../ui/chart/tip.ts'
import { overlaid } from './overlaid.ts'

/** 近三年走势: the curves of the glances over one another, in the order of the list and never in that of returns. */
export function CurvesOverlay({ kind, strategies }: { kind: MarketId; strategies: readonly StrategyListItem[] }) {
  const look = useChartTheme()
  const patterns = usePreferences((state) => state.patterns)
  const demo = useIsDemo(kind)
  const { dates, lines, without } = useMemo(() => overlaid(strategies), [strategies])
  const option = useMemo(() => {
    const format = (value: number) => fixed(value)
    const picture = { dates, lines, format, base: 1, watermark: demo ? dataModes.demo.label : null, patterns }
    return linesOption(picture, look, (i) =>
      tip(
        dayWords(dates[i] ?? ''),
        lines.flatMap(({ name, values }) => (values[i] == null ? [] : [{ mark: 'none' as const, name, value: fixed(values[i], 3) }])),
      ),
    )
  }, [dates, lines, demo, patterns, look])
  if (lines.length === 0) return without.length > 0 ? <p className="curves-overlay note">刷新概览后，这里叠加近三年走势。</p> : null
  return (
    <section className="curves-overlay" aria-label="近三年走势">
      <h3 className="subhead">
        近三年走势
        <span>
          起点 = 1.00 · 已扣成本 · 截至 {dates.at(-1)}
          {without.length > 0 && ` · ${without.map((name) => `「${name}」`).join('')}刷新概览后显示`}
        </span>
      </h3>
      <ChartBox
        option={option}
        shape={`curves ${lines.length}`}
        label={`${lines.length} 个策略近三年的净值走势`}
        height={168}
        points={dates.length}
        describe={(i) => [dates[i], ...lines.map(({ name, values }) => `${name} ${fixed(values[i], 3)}`)].join('，')}
      />
    </section>
  )
}
