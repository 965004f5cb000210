import { dataModes } from '@convexa/contract/enums/data-mode'
import { metricLabel } from '@convexa/contract/enums/metric'
import { useMemo } from 'react'
import { useIsDemo } from '../../api/site.ts'
import { dayWords } from '../../base/dates.ts'
import { fixed, percent, signedPercent, tone } from '../../base/format.ts'
import { usePreferences } from '../../state/preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { type Line, linesOption } from '../../ui/chart/kinds/lines.ts'
import { tip } from '../../ui/chart/tip.ts'
import { Icon } from '../../ui/icon.tsx'
import { Table } from '../../ui/table/table.tsx'
import { useBenchName } from '../rule/bench-name.ts'
import { cellName, cellShort, type GridModel, placeOf } from './grid-model.ts'
import type { GridQuestion } from './grid-request.ts'
import styles from './grid-view.module.css'

/** The curves of the chosen cells over one another, and their numbers beside. */
export function CurvesCard({
  model,
  question,
  chosen,
  onChoose,
  onOpen,
}: {
  model: GridModel
  question: GridQuestion
  chosen: readonly string[]
  onChoose: (key: string) => void
  onOpen: (key: string) => void
}) {
  const look = useChartTheme()
  const patterns = usePreferences((state) => state.patterns)
  const demo = useIsDemo('cb')
  const { result, axes, cells, best, oosStart } = model
  const keys = useMemo(() => (best === null || chosen.includes(best) ? chosen : [...chosen, best]), [chosen, best])
  const dates = result.dates ?? noDates
  const benchName = useBenchName(question.body.settings.benchmark)
  const lines = useMemo(() => {
    const own = keys.flatMap((key, i): Line[] => {
      const nav = cells.get(key)?.nav
      if (!nav) return []
      const name = nameOf(key, model)
      return [{ name, values: nav, ...(i === 0 ? { role: 'strategy' as const } : {}) }]
    })
    return result.bench && own.length > 0 ? [...own, { name: benchName, role: 'bench' as const, values: result.bench }] : own
  }, [keys, cells, model, result.bench, benchName])
  const option = useMemo(
    () =>
      linesOption(
        { dates, lines, format: (value) => fixed(value), base: 1, oosStart, watermark: demo ? dataModes.demo.label : null, patterns },
        look,
        (index) =>
          tip(
            dayWords(dates[index] ?? ''),
            lines.map(({ name, role, values }, i) => ({
              mark: role === 'bench' ? ('bench' as const) : i === 0 ? ('' as const) : ('none' as const),
              name,
              value: fixed(values[index], 3),
            })),
          ),
      ),
    [dates, lines, oosStart, demo, patterns, look],
  )
  const first = chosen[0]
  const describe = (index: number) => [dates[index], ...lines.map(({ name, values }) => `${name} ${fixed(values[index], 3)}`)].join('，')
  return (
    <Card
      className={styles.curves}
      title={`所选格：${first === undefined ? '—' : cellName(axes, placeOf(first))}`}
      label="所选格的净值"
      note="点击格子叠加，最多 4 条；样本外以紫色底标出"
      tools={
        first !== undefined && (
          <Button look={['small']} onClick={() => onOpen(first)}>
            用这组参数打开高级回测
            <Icon name="right" size="small" />
          </Button>
        )
      }
      bare
    >
      <div className={styles.curvesBody}>
        <div className="body">
          {lines.length > 0 && dates.length > 1 ? (
            <ChartBox
              option={option}
              shape={`grid ${lines.length}`}
              label={`${question.name}，${keys.length} 组参数的净值曲线`}
              height={232}
              points={dates.length}
              describe={describe}
            />
          ) : (
            <p className="note">
              {result.cells.length > 200 ? '超过 200 组时不返回净值曲线' : '刷新页面后不再保留净值曲线'}
              ；用这组参数打开高级回测可以看到完整曲线。
            </p>
          )}
        </div>
        <CurveNumbers model={model} keys={keys} onChoose={onChoose} chosen={chosen} />
      </div>
    </Card>
  )
}

const noDates: readonly string[] = []

function nameOf(key: string, { axes, best, current }: GridModel): string {
  const short = cellShort(axes, placeOf(key))
  return key === current ? '当前' : key === best ? '最高' : short
}

export function CurveNumbers({
  model,
  keys,
  chosen,
  onChoose,
}: {
  model: GridModel
  keys: readonly string[]
  chosen: readonly string[]
  onChoose: (key: string) => void
}) {
  const shown = keys.flatMap((key) => {
    const cell = model.cells.get(key)
    return cell ? [{ key, cell }] : []
  })
  return (
    <div className="table-frame">
      <Table
        columns={[
          { label: model.hasOutside ? '指标 · 样本内' : '指标' },
          ...shown.map(({ key }) => ({
            label: nameOf(key, model),
            head: (
              <>
                {nameOf(key, model)}
                {chosen.includes(key) && chosen.length > 1 && (
                  <button type="button" className={styles.drop} aria-label={`移除曲线 ${nameOf(key, model)}`} onClick={() => onChoose(key)}>
                    <Icon name="cross" size="small" />
                  </button>
                )}
              </>
            ),
            numeric: true,
          })),
        ]}
      >
        <tr>
          <td>{metricLabel('annual_return')}</td>
          {shown.map(({ key, cell }) => (
            <td key={key} className={`number ${tone(cell.metrics.annual_return)}`}>
              {signedPercent(cell.metrics.annual_return, 1)}
            </td>
          ))}
        </tr>
        <tr>
          <td>{metricLabel('max_drawdown')}</td>
          {shown.map(({ key, cell }) => (
            <td key={key} className="number">
              {signedPercent(cell.metrics.max_drawdown, 1)}
            </td>
          ))}
        </tr>
        <tr>
          <td>{model.hasOutside ? '夏普 内 / 外' : '夏普'}</td>
          {shown.map(({ key, cell }) => (
            <td key={key} className="number">
              {fixed(cell.metrics.sharpe)}
              {cell.oos_metrics && ` / ${fixed(cell.oos_metrics.sharpe)}`}
            </td>
          ))}
        </tr>
        <tr>
          <td>{metricLabel('turnover_annual')}</td>
          {shown.map(({ key, cell }) => (
            <td key={key} className="number">
              {cell.metrics.turnover === null ? '—' : `${fixed(cell.metrics.turnover * 242, 1)} 倍`}
            </td>
          ))}
        </tr>
        <tr>
          <td>与邻格的差别</td>
          {shown.map(({ key }) => (
            <td key={key} className="number">
              {percent(model.spread.get(key), 1)}
            </td>
          ))}
        </tr>
      </Table>
    </div>
  )
}
