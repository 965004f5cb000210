import { metricLabel } from '@convexa/contract/enums/metric'
import { useMemo } from 'react'
import { fixed, percent, signed, signedPercent, tone } from '../../base/format.ts'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { barFacts } from '../../ui/chart/facts.ts'
import { barsOption } from '../../ui/chart/kinds/bars.ts'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { tip } from '../../ui/chart/tip.ts'
import { Table } from '../../ui/table/table.tsx'
import { chartFiles } from '../report/chart-files.ts'
import { asPercent } from '../report/files.ts'
import { useBenchName } from '../rule/bench-name.ts'
import styles from './binning.module.css'
import type { BinningPart } from './binning-part.ts'
import { shadesOf } from './binning-text.ts'
import { useFiguresOf } from './factor-figures.ts'

/** What each bin earned beyond the pool, and its numbers below. */
export function BinsCard({ question, result, watermark }: BinningPart) {
  const look = useChartTheme()
  const { bins, band } = result
  const benchName = useBenchName(question.body.settings.benchmark)
  const figuresOf = useFiguresOf()
  const figures = figuresOf(question.body.factor)
  const means = bins[0]?.means ?? []
  const names = useMemo(() => bins.map(({ label }) => label), [bins])
  const values = useMemo(() => bins.map(({ excess_annual }) => (excess_annual === null ? null : excess_annual * 100)), [bins])
  const shades = shadesOf(look.brand, look.surface, bins.length)
  const option = useMemo(
    () =>
      barsOption(
        {
          names,
          values,
          format: (value) => signed(value, bins.length > 10 ? 0 : 2),
          tick: (value) => signed(value, Number.isInteger(value) ? 0 : 1),
          unit: '%',
          signed: true,
          labels: bins.length <= 10,
          watermark,
        },
        look,
        (index) =>
          tip(bins[index]?.label ?? '', [
            { mark: 'none', name: '年化超额', value: signedPercent(bins[index]?.excess_annual) },
            { mark: 'none', name: metricLabel('annual_return'), value: signedPercent(bins[index]?.annual_return) },
            { mark: 'none', name: `后 ${question.body.forward_days[0]} 日平均`, value: signedPercent(bins[index]?.mean_forward) },
            { mark: 'none', name: '胜率', value: percent(bins[index]?.win_rate, 1) },
            { mark: 'none', name: '平均只数', value: fixed(bins[index]?.avg_count, 1) },
            ...(band ? [{ mark: 'none' as const, name: '换起点年化', value: bandWords(band.annual_return[index]) }] : []),
          ]),
      ),
    [names, values, bins, band, look, watermark, question],
  )
  const table = () => (
    <ScrollBox label="各箱数据表" className="table-frame">
      <Table
        dense
        columns={[
          { label: '箱' },
          { label: '因子范围', numeric: true },
          { label: '因子均值', numeric: true },
          ...means.map(({ label }) => ({ label: `平均${label}`, numeric: true })),
          { label: '平均只数', numeric: true },
          { label: '后期均值', numeric: true },
          { label: '后期中位', numeric: true },
          { label: '胜率', numeric: true },
          { label: '年化超额', numeric: true },
          { label: metricLabel('volatility'), numeric: true },
          ...(band ? [{ label: '换起点年化', numeric: true }] : []),
        ]}
      >
        {bins.map((bin) => (
          <tr key={bin.bin}>
            <td>{bin.label}</td>
            <td className="number">
              {figures(bin.range[0])} ~ {figures(bin.range[1])}
            </td>
            <td className="number">{figures(bin.mean_factor)}</td>
            {bin.means.map(({ factor_key, mean }) => (
              <td key={factor_key} className="number">
                {figuresOf(factor_key)(mean)}
              </td>
            ))}
            <td className="number">{fixed(bin.avg_count, 1)}</td>
            <td className={`number ${tone(bin.mean_forward)}`}>{signedPercent(bin.mean_forward)}</td>
            <td className={`number ${tone(bin.median_forward)}`}>{signedPercent(bin.median_forward)}</td>
            <td className="number">{percent(bin.win_rate, 1)}</td>
            <td className={`number ${tone(bin.excess_annual)}`}>{signedPercent(bin.excess_annual)}</td>
            <td className="number">{percent(bin.volatility, 1)}</td>
            {band && <td className="number">{bandWords(band.annual_return[bins.indexOf(bin)])}</td>}
          </tr>
        ))}
      </Table>
    </ScrollBox>
  )
  return (
    <ChartCard
      title="各箱年化超额"
      note={`相对${benchName} · %`}
      {...chartFiles({ name: question.factorName, title: '各箱年化超额', terms: [`相对${benchName}`], demo: watermark !== null }, () => [
        [
          ...['箱', '因子下限', '因子上限', '因子均值', ...means.map(({ label }) => `平均${label}`), '平均只数'],
          ...['年化超额(%)', '年化收益(%)', '年化波动(%)', '夏普', '最大回撤(%)', '每期换手(%)'],
        ],
        ...bins.map((bin, i) => [
          ...[bin.label, ...bin.range, bin.mean_factor, ...bin.means.map(({ mean }) => mean), bin.avg_count, values[i]],
          ...[asPercent(bin.annual_return), asPercent(bin.volatility), bin.sharpe, asPercent(bin.max_drawdown), asPercent(bin.turnover)],
        ]),
      ])}
      table={table}
      {...(band && bins[0] && band.annual_return[0]?.[0] !== null
        ? { foot: `换 ${band.offsets.length} 个起点再分一遍，${bins[0].label} 年化在 ${bandWords(band.annual_return[0])} 之间。` }
        : {})}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape={`bins ${bins.length}`}
          label={`各箱年化超额，${barFacts(names, values, (value) => `${signed(value)}%`)}`}
          height={220}
          points={bins.length}
          describe={(index) => `${bins[index]?.label}，年化超额 ${signedPercent(bins[index]?.excess_annual)}`}
        />
      </div>
      <div className={`table-frame ${styles.bins}`}>
        <Table
          dense
          columns={[
            {
              label: '箱',
              cell: (bin, i) => (
                <>
                  <i className={styles.shade} style={{ background: shades[i] }} />
                  {bin.label}
                </>
              ),
            },
            { label: '年化', numeric: true, look: (bin) => tone(bin.annual_return), cell: (bin) => signedPercent(bin.annual_return) },
            { label: '夏普', numeric: true, cell: (bin) => fixed(bin.sharpe) },
            { label: metricLabel('max_drawdown'), numeric: true, cell: (bin) => signedPercent(bin.max_drawdown, 1) },
            { label: '每期换手', numeric: true, cell: (bin) => percent(bin.turnover, 0) },
          ]}
          rows={bins}
          rowKey={(bin) => bin.bin}
        />
      </div>
    </ChartCard>
  )
}

/** From the worst first day to the best. */
const bandWords = (band: readonly [number | null, number | null] | undefined): string =>
  band && band[0] !== null ? `${signedPercent(band[0], 1)} ~ ${signedPercent(band[1], 1)}` : '—'
