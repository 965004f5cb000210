import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { isLate } from '../../api/messages.ts'
import { strategyOptionsQuery } from '../../api/queries.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import type { CardState } from '../../ui/card-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.tsx'
import { formulasChanged, ownVersionsIn, useFactors } from '../rule/factors.ts'
import { parameterMistakes, settingMistakes } from '../rule/validate.ts'
import { type AxisChoice, axisChoices, firstAxes } from './axis-choices.ts'
import { CellsCard } from './cells-card.tsx'
import { CurvesCard } from './curves-card.tsx'
import { GridBar } from './grid-bar.tsx'
import { useGridForm } from './grid-form.ts'
import { type GridModel, modelOf, placeOf } from './grid-model.ts'
import { type AxisForm, daysBetween, type GridQuestion, paceOf, planGrid, type ShownAxis, thinned } from './grid-request.ts'
import { useGridRun } from './grid-run.ts'
import styles from './grid-view.module.css'
import { openCell } from './open-cell.ts'
import { type Edge, edgesOf } from './readings.ts'
import { ReadingsCard } from './readings-card.tsx'
import { ScatterCard } from './scatter-card.tsx'
import { widened, writeValues } from './values-text.ts'

/** Curves that can be told apart. */
const mostChosen = 4

/** 参数网格: the same rule with up to three of its numbers varied, and what to make of it. */
export function GridView({ draft }: { draft: Draft }) {
  const market = useMarket()
  const { id: kind, path } = market
  const { factors } = useFactors(kind)
  const { data: options } = useQuery(strategyOptionsQuery)
  const form = useGridForm()
  const run = useGridRun()
  const navigate = useNavigate()
  const choices = useMemo(() => axisChoices(draft, kind, factors), [draft, kind, factors])
  useFirstAxes(choices)
  const plan = useMemo(() => planGrid(draft, choices, form.axes, form.split), [draft, choices, form.axes, form.split])
  const limit = options?.limits.grid_cells ?? 200
  const daily = options?.limits.daily['grid']
  const [mistake] = [...parameterMistakes(draft.parameters, market), ...settingMistakes(draft.settings, options?.ranges[kind] ?? null)]
  const { pending, answered, failed } = run
  const shown = pending ?? answered?.question ?? null
  const changed =
    answered !== null &&
    plan.ok &&
    (JSON.stringify(plan.question.body) !== JSON.stringify(answered.question.body) ||
      formulasChanged(answered.question.own, plan.question.body, factors))
  const model = useMemo(() => (answered ? modelOf(answered.answer, answered.question.axes, answered.question.body) : null), [answered])
  const [chosen, choose] = useChosen(model)
  useEffect(() => {
    if (!answered) return
    const { start_date, end_date } = answered.question.body.settings
    useGridForm.getState().change({ pace: paceOf(answered.seconds, answered.answer.done, daysBetween(start_date, end_date)) })
  }, [answered])

  const start = () =>
    pending === null &&
    plan.ok &&
    form.axes.length > 0 &&
    !mistake &&
    plan.cells <= limit &&
    run.ask({ ...plan.question, own: ownVersionsIn(plan.question.body, factors) })
  useKeys({ run: start, ...(pending ? { cancel: run.cancel } : {}) })
  // What was asked is what the form says; with another rule its ends are not those of the answer.
  const wider = model && !changed && plan.ok ? widerAxes(form.axes, choices, plan.question.axes, edgesOf(model)) : null
  const widen = () => {
    if (!wider) return
    form.change({ axes: wider })
    const next = planGrid(draft, choices, wider, form.split)
    if (next.ok && next.cells <= limit) void run.ask({ ...next.question, own: ownVersionsIn(next.question.body, factors) })
  }
  const open = (key: string) => {
    if (!answered) return
    toast.done(openCell(kind, answered.question, placeOf(key)))
    void navigate(`${path}/backtest`)
  }
  const thinner = thinned(form.axes, choices)
  const state = stateOf({ pending, failed, cancel: run.cancel, again: start })
  return (
    <>
      <GridBar
        draft={draft}
        choices={choices}
        plan={mistake ? { ok: false, mistakes: [], cells: plan.cells } : plan}
        limit={limit}
        left={daily ? daily.max - daily.used : null}
        running={pending !== null}
        seconds={answered?.seconds ?? null}
        again={changed}
        onRun={start}
      />
      {mistake && (
        <Strip>
          策略条件有误：{mistake.message}。
          <Button look={['small']} onClick={() => void navigate(`${path}/screen`)}>
            去修改
          </Button>
        </Strip>
      )}
      {state?.kind === 'timeout' && plan.cells !== null && (
        <Strip>
          计算超时（60 秒）。组合过多，请减少到 {Math.max(1, Math.floor(plan.cells / 2))} 组以内。
          <Button look={['small']} onClick={start}>
            重试
          </Button>
          {thinner && (
            <Button
              look={['small']}
              onClick={() =>
                form.change({ axes: form.axes.map((axis, i) => (i === thinner.index ? { ...axis, text: thinner.text } : axis)) })
              }
            >
              改为 {thinner.text}
            </Button>
          )}
        </Strip>
      )}
      {answered?.answer.partial && !pending && (
        <Strip>
          一分钟内算完 {answered.answer.done} / {answered.answer.total} 组，其余以斜纹表示；结论只对算完的部分成立。
        </Strip>
      )}
      {changed && !pending && <Strip>条件或取值已改动，下面是改动前的结果。</Strip>}
      <div className={styles.columns}>
        <CellsCard
          question={shown ?? (plan.ok ? plan.question : null)}
          model={pending ? null : model}
          state={state}
          chosen={chosen}
          onChoose={(key) => choose(toggledPlace(chosen, key))}
          onOpen={open}
        />
        {model && answered && !pending && <ReadingsCard model={model} onWiden={wider && widen} />}
        {model && answered && !pending && (
          <>
            <CurvesCard
              model={model}
              question={answered.question}
              chosen={chosen}
              onOpen={open}
              onChoose={(key) => choose(toggledPlace(chosen, key))}
            />
            {model.hasOutside && <ScatterCard model={model} chosen={chosen} onChoose={(key) => choose(toggledPlace(chosen, key))} />}
          </>
        )}
      </div>
      <p className="hidden-text" role="status">
        {pending ? '正在计算网格' : answered ? `网格已算完 ${answered.answer.done} 组` : ''}
      </p>
    </>
  )
}

const Strip = ({ children }: { children: React.ReactNode }) => (
  <div className="analysis-strip" role="status">
    <Icon name="warn" />
    {children}
  </div>
)

/** Axes of a first visit: how many are held, and how often they are looked at. */
function useFirstAxes(choices: ReturnType<typeof axisChoices>) {
  useEffect(() => {
    const { axes, change } = useGridForm.getState()
    if (axes.length > 0) return
    const first = choices.filter(({ key }) => firstAxes.some((one) => one === key))
    change({ axes: first.map(({ key, suggest }) => ({ key, text: suggest })) })
  }, [choices])
}

/** Cells with their curves drawn. A new answer resets them to the draft's own cell or the best: places differ between grids. */
function useChosen(model: GridModel | null) {
  const [state, set] = useState<{ of: GridModel | null; keys: readonly string[] }>({ of: null, keys: [] })
  const first = model && (model.current ?? model.best)
  const keys = state.of === model ? state.keys : first === null ? [] : [first]
  return [keys, (next: readonly string[]) => set({ of: model, keys: next })] as const
}

function toggledPlace(chosen: readonly string[], key: string): readonly string[] {
  if (chosen.includes(key)) return chosen.length > 1 ? chosen.filter((one) => one !== key) : chosen
  return [key, ...chosen].slice(0, mostChosen)
}

function stateOf({
  pending,
  failed,
  cancel,
  again,
}: {
  pending: GridQuestion | null
  failed: { error: unknown } | null
  cancel: () => void
  again: () => void
}): CardState | null {
  if (pending) return { kind: 'loading', onCancel: cancel }
  if (!failed) return null
  const { error } = failed
  return isLate(error)
    ? { kind: 'timeout', title: '计算超时（60 秒）', text: '组合较多时更容易超时，减少取值后通常几秒完成。', onRetry: again }
    : { kind: 'error', error, still: '策略与网格设置都在，可以修改后重试。', onRetry: again }
}

/** The axes with values beyond the ends at which the best cell stands; null where the bounds allow none. */
function widerAxes(
  forms: readonly AxisForm[],
  choices: readonly AxisChoice[],
  shown: readonly ShownAxis[],
  edges: readonly Edge[],
): readonly AxisForm[] | null {
  let any = false
  const axes = forms.map((form, axis) => {
    const edge = edges.find((one) => one.axis === axis)
    const choice = choices.find(({ key }) => key === form.key)
    const values = shown[axis]?.values
    if (!edge || !choice || !values) return form
    const more = widened(values, edge.end, choice)
    if (more.length > values.length) any = true
    return { ...form, text: writeValues(more) }
  })
  return any ? axes : null
}
