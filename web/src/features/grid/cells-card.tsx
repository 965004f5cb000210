import { metricFormulas } from '@convexa/contract/enums/metric-formula'
import { useState } from 'react'
import { useIsDemo } from '../../api/site.ts'
import { fileWord } from '../../base/file-word.ts'
import { usePhone } from '../../base/use-phone.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type CardState, StateBody } from '../../ui/card-state.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { Empty, useElapsed } from '../../ui/states.tsx'
import { saveText } from '../../ui/table/sheet.ts'
import { DemoBadge } from '../../ui/tag.tsx'
import { DataLine } from '../data-status/data-line.tsx'
import { interestMeaning, interestWords } from '../rule/interest-text.ts'
import { costWords } from '../rule/rule-text.ts'
import { valueWords } from './axis-choices.ts'
import { type CellMetric, figureOf, metricOf, type Part, written } from './cell-metrics.ts'
import { CellNumbers } from './cell-numbers.tsx'
import { CellsTable, cellsSheet } from './cells-table.tsx'
import { useGridForm } from './grid-form.ts'
import { GridMap, type MapCell } from './grid-map.tsx'
import { cellName, cellShort, type GridModel, placeKey, placeOf } from './grid-model.ts'
import type { GridQuestion, ShownAxis } from './grid-request.ts'
import { type HeatColors, heatColors } from './heat-colors.ts'
import { ParallelLines } from './parallel-lines.tsx'
import '../../ui/card.css'
import styles from './grid-view.module.css'

const partWords: Record<Part, string> = { inside: '样本内', outside: '样本外', difference: '差值' }

/** Interest that the figures leave out, in words. It differs by cell: the amount is that of the best one. */
function interestOf(model: GridModel | null): string | null {
  const words = interestWords(model?.result.left_out_interest)
  return words?.replace('，约', '，最高格约') ?? null
}

/** All cells of a grid: as a heat map, as a table, or with three axes as lines. */
export function CellsCard({
  question,
  model,
  state,
  chosen,
  onChoose,
  onOpen,
}: {
  /** What is asked, or would be. */
  question: Omit<GridQuestion, 'own'> | null
  model: GridModel | null
  state: CardState | null
  chosen: readonly string[]
  onChoose: (key: string) => void
  onOpen: (key: string) => void
}) {
  const { metric: key, part: wanted, view: look, change } = useGridForm()
  const demo = useIsDemo('cb')
  const axes = question?.axes ?? []
  const metric = metricOf(key)
  const hasOutside = model?.hasOutside ?? false
  const part = hasOutside ? wanted : 'inside'
  const three = axes.length === 3
  const view = look === 'parallel' && !three ? 'heat' : look
  const waiting = state?.kind === 'loading'
  const settings = question?.body.settings
  const interest = interestOf(model)
  const save = () =>
    model &&
    question &&
    saveText(`${fileWord(question.name)}-参数网格${demo ? '-演示数据' : ''}.csv`, cellsSheet(model, question, demo), 'text/csv')
  return (
    <Card
      className={styles.cells}
      title={metric.title}
      label={`${metric.title}网格`}
      note={
        settings && (
          <span title={metricFormulas[metric.shown] + metric.more}>
            {settings.start_date} ~ {settings.end_date} · {costWords(settings, false)}
            {interest && (
              <span title={interestMeaning}>
                {' · '}
                {interest}
              </span>
            )}
          </span>
        )
      }
      badge={demo && <DemoBadge />}
      tools={
        <>
          {hasOutside && view !== 'table' && (
            <Segmented
              label="样本"
              value={part}
              choices={(Object.keys(partWords) as Part[]).map((value) => ({ value, label: partWords[value] }))}
              onChange={(next) => change({ part: next })}
            />
          )}
          <Segmented
            label="看法"
            value={view}
            choices={[
              { value: 'heat', label: '热力' },
              { value: 'table', label: '表格' },
              ...(three ? [{ value: 'parallel' as const, label: '平行坐标' }] : []),
            ]}
            onChange={(next) => change({ view: next })}
          />
          {model && (
            <FileButton
              look={['small', 'ghost', 'square']}
              icon="download"
              title="保存为 CSV"
              aria-label="网格：保存为 CSV"
              onClick={save}
            />
          )}
        </>
      }
      busy={waiting}
      bare
    >
      {state && state.kind !== 'loading' && state.kind !== 'timeout' && <StateBody state={state} />}
      {axes.length === 0 ? (
        <Empty icon="columns" title="选择两个参数后运行">
          横轴与纵轴各选一个参数，填上要比较的取值；每一格都是一次完整的回测。
        </Empty>
      ) : view === 'table' && model ? (
        <CellsTable model={model} onOpen={onOpen} />
      ) : view === 'parallel' && model ? (
        <ParallelLines model={model} metric={metric} part={part} chosen={chosen} onChoose={onChoose} />
      ) : (
        <Heat axes={axes} model={model} metric={metric} part={part} chosen={chosen} onChoose={onChoose} onOpen={onOpen} />
      )}
      {waiting && state.kind === 'loading' && <Computing {...(state.onCancel ? { onCancel: state.onCancel } : {})} />}
      {model && settings && <DataLine kind="cb" version={model.result.data_version} date={settings.end_date} />}
      {!model && !waiting && axes.length > 0 && (
        <p className={styles.hint}>
          <b>选择两个参数后运行</b>　斜纹是还没有算的格子；运行后一次填满。
        </p>
      )}
    </Card>
  )
}

function Computing({ onCancel }: { onCancel?: () => void }) {
  const seconds = useElapsed(true)
  return (
    <div className="card-elapsed">
      <span className="spinner" />
      <span>正在计算… {seconds.toFixed(1)} 秒</span>
      <span className="grow" />
      {onCancel && (
        <Button look={['small']} onClick={onCancel}>
          取消
        </Button>
      )}
    </div>
  )
}

interface HeatGiven {
  axes: readonly ShownAxis[]
  model: GridModel | null
  metric: CellMetric
  part: Part
  chosen: readonly string[]
  onChoose: (key: string) => void
  onOpen: (key: string) => void
}

/** The first axis across, the second down; of a third one value at a time. */
function Heat({ axes, model, metric, part, chosen, onChoose, onOpen }: HeatGiven) {
  const [across, down, behind] = axes
  const [slice, setSlice] = useState<number | null>(null)
  const [sheet, setSheet] = useState<string | null>(null)
  const phone = usePhone()
  if (!across) return null
  // Until one is chosen, the one that the rule itself stands in.
  const own = behind && behind.now !== null ? Math.max(0, behind.values.indexOf(behind.now)) : 0
  const layer = behind ? Math.min(slice ?? own, behind.values.length - 1) : 0
  const keyAt = (row: number, column: number) => placeKey([column, ...(down ? [row] : []), ...(behind ? [layer] : [])])
  const cells = model ? [...model.cells.values()] : []
  const grounds = heatColors(
    cells.map((cell) => figureOf(cell, metric.key, part)),
    metric.signed || part === 'difference',
    (value) => written(metric, part, value),
  )
  const choose = (row: number, column: number) => {
    const key = keyAt(row, column)
    if (!model?.cells.has(key)) return
    onChoose(key)
    if (phone) setSheet(key)
  }
  const open = (row: number, column: number) => model?.cells.has(keyAt(row, column)) && onOpen(keyAt(row, column))
  return (
    <div className="grid-heat">
      {behind && (
        <Row gap={8} wrap className={styles.layers}>
          <span className="text-2">{behind.label}</span>
          <Segmented
            label={behind.label}
            value={layer}
            choices={behind.values.map((value, i) => ({ value: i, label: valueWords(behind, value) }))}
            onChange={setSlice}
          />
        </Row>
      )}
      <GridMap
        label={`${metric.title}${part === 'inside' ? '' : partWords[part]}热力图，横轴${across.label}${down ? `，纵轴${down.label}` : ''}`}
        corner={down?.label ?? metric.title}
        columns={across.values.map((value) => valueWords(across, value))}
        rows={down ? down.values.map((value) => valueWords(down, value)) : [metric.label]}
        cellAt={(row, column) => mapCell(keyAt(row, column), { axes, model, metric, part, chosen }, grounds)}
        tip={(row, column) => model && <CellNumbers model={model} at={keyAt(row, column)} hint={!phone} />}
        onChoose={choose}
        onOpen={open}
        onTap={phone ? choose : undefined}
      />
      <Row as="footer" wrap className={styles.foot}>
        <span>
          {down && `纵轴 ${axisWords(down)} · `}横轴 {axisWords(across)}
        </span>
        <span className="grow" />
        {grounds.legend.map(({ ground, words }) => (
          <span key={ground} className={`chip ${styles.legend}`}>
            <i className={ground} />
            {words}
          </span>
        ))}
        {model && model.plateau.size > 0 && (
          <span className={`chip ${styles.legend}`}>
            <i className={styles.outline} />
            平台区（按夏普）
          </span>
        )}
      </Row>
      {sheet !== null && model && (
        <Sheet title={cellName(axes, placeOf(sheet))} onClose={() => setSheet(null)}>
          <Stack gap={16} className={styles.sheet}>
            <CellNumbers model={model} at={sheet} hint={false} />
            <Button look={['primary', 'wide']} onClick={() => onOpen(sheet)}>
              用这组参数打开高级回测
            </Button>
          </Stack>
        </Sheet>
      )}
    </div>
  )
}

const axisWords = ({ label, unit }: ShownAxis) => (unit ? `${label}(${unit})` : label)

function mapCell(key: string, { axes, model, metric, part, chosen }: Omit<HeatGiven, 'onChoose' | 'onOpen'>, grounds: HeatColors): MapCell {
  const cell = model?.cells.get(key)
  const name = cellShort(axes, placeOf(key))
  if (!cell || !model) return { value: null, ground: '', tags: [], chosen: false, member: false, said: [`${name}：`, '未算出'] }
  const value = figureOf(cell, metric.key, part)
  const outside = part === 'inside' && cell.oos_metrics ? `外 ${metric.write(cell.oos_metrics[metric.key])}` : undefined
  const member = model.plateau.has(key)
  const tags = [...(key === model.current ? ['当前'] : []), ...(key === model.best ? [member ? '最高' : '最高·孤立'] : [])]
  return {
    value: written(metric, part, value),
    second: outside,
    ground: grounds.classOf(value),
    tags,
    chosen: chosen.includes(key),
    member,
    said: [`${name}：${metric.label} `, [member && '，平台区', chosen.includes(key) && '，曲线已画出'].filter(Boolean).join('')],
  }
}
