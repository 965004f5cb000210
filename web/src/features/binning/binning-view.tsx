import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { isLate } from '../../api/messages.ts'
import { queries } from '../../api/queries.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { useMarket } from '../../market/market-context.tsx'
import { type Draft, useStrategies } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { CardState } from '../../ui/card-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.tsx'
import { sendable } from '../rule/draft.ts'
import { formulasChanged, useFactors } from '../rule/factors.ts'
import { useDraft } from '../rule/use-draft.ts'
import { parameterMistakes, settingMistakes } from '../rule/validate.ts'
import styles from './binning.module.css'
import { BinningBar } from './binning-bar.tsx'
import { BinningCharts } from './binning-charts.tsx'
import {
  type BinningForm,
  type CountedForm,
  factorName,
  firstFactor,
  questionOf,
  stepped,
  useBinningForms,
  walkOf,
} from './binning-form.ts'
import { binningRuns } from './binning-run.ts'
import { asFilter, asRank, guardWords, worstCut } from './binning-text.ts'
import { poolSizesQuery, usualBins } from './pool-size.ts'
import { VerdictCard } from './verdict-card.tsx'

/** 分箱分析: does a factor sort what came after, in which part, and for how long. */
export function BinningView({ draft }: { draft: Draft }) {
  const market = useMarket()
  const { id: kind, path } = market
  const { factors } = useFactors(kind)
  const { range, editParameters } = useDraft()
  const chosen = useBinningForms((state) => state.forms[kind])
  const [broken] = parameterMistakes(draft.parameters, market)
  // The default number of bins depends on the size of the pool, which must be known before the analysis is requested.
  const sizes = useMemo(() => poolSizesQuery(kind, sendable(draft.parameters)), [kind, draft.parameters])
  const counts = chosen.bins === null && !broken
  const pool = useQuery({ ...sizes, enabled: counts }).data ?? null
  const form = useMemo(() => countedForm(chosen, pool), [chosen, pool])
  const run = binningRuns[kind]()
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const factor = query.get('factor') ?? firstFactor(draft, kind)
  const { pending, answered: kept, failed, ask, cancel } = run
  // The factor list may load after the answer.
  const answered = kept && { ...kept, question: { ...kept.question, factorName: factorName(factors, kept.question.body.factor) } }
  const question = useMemo(() => questionOf(draft, form, factor, factors), [draft, form, factor, factors])
  const [mistake] = [...(form.filtered && broken ? [broken] : []), ...settingMistakes(draft.settings, range)]
  const setFactor = (next: string) => {
    setQuery(
      (before) => {
        before.set('factor', next)
        return before
      },
      { replace: true },
    )
    // Walking from factor to factor, each is looked at as soon as it is there.
    if (answered && !mistake) ask(questionOf(draft, form, next, factors))
  }
  const start = async () => {
    if (mistake) return
    const known = counts ? await queries.ensureQueryData(sizes).catch(() => null) : null
    ask(questionOf(draft, countedForm(chosen, known), factor, factors))
  }
  const walk = useMemo(() => walkOf(factors), [factors])
  useKeys({
    run: () => void start(),
    back: () => setFactor(stepped(walk, factor, -1)),
    forward: () => setFactor(stepped(walk, factor, 1)),
    ...(pending ? { cancel } : {}),
  })
  const changed =
    answered !== null &&
    (JSON.stringify(answered.question.body) !== JSON.stringify(question.body) ||
      formulasChanged(answered.question.own, question.body, factors))
  const state = stateOf({
    pending: pending !== null,
    there: answered !== null,
    error: failed?.error ?? null,
    cancel,
    again: () => void start(),
  })
  const result = answered?.answer ?? null
  const cut = result && answered ? worstCut(result, answered.question) : null
  const guard = result && guardWords(result)
  const undone = { label: '撤销', act: () => useStrategies.getState().undo(kind) }
  const addRank = () => {
    if (!answered) return
    editParameters((before) => asRank(before, answered.question.body.factor, answered.answer.direction))
    toast.done(`已把「${answered.question.factorName}」加为打分因子`, undone)
  }
  const addCut = () => {
    if (!answered || !cut) return
    editParameters((before) => asFilter(before, cut.filter))
    toast.done(`已加入条件剔除：${answered.question.factorName} ${cut.words}`, undone)
  }
  return (
    <>
      <BinningBar
        draft={draft}
        factor={factor}
        bins={form.bins}
        running={pending !== null}
        seconds={answered?.seconds ?? null}
        mistaken={mistake !== undefined}
        onFactor={setFactor}
        onRun={() => void start()}
      />
      {mistake && (
        <div className="analysis-strip" role="status">
          <Icon name="warn" />
          策略条件有误：{mistake.message}。
          <Button look={['small']} onClick={() => void navigate(`${path}/screen`)}>
            去修改
          </Button>
        </div>
      )}
      {changed && !pending && (
        <div className="analysis-strip" role="status">
          <Icon name="warn" />
          条件已改动，下面是「{answered.question.factorName}」改动前的结果。
        </div>
      )}
      {guard && !pending && (
        <div className="analysis-strip" role="status">
          <Icon name="warn" />
          {guard}；可以减少箱数，或放宽池子的条件。
        </div>
      )}
      {state && (
        <Card title={pending ? `正在计算：${pending.factorName}` : '分箱结果'} state={state}>
          {null}
        </Card>
      )}
      {answered && result && (
        <div className={pending ? `${styles.binning} stale` : styles.binning} aria-busy={pending !== null}>
          <VerdictCard question={answered.question} result={result} cut={cut} onRank={addRank} onCut={addCut} />
          <BinningCharts question={answered.question} result={result} />
        </div>
      )}
      <p className="hidden-text" role="status">
        {pending ? `正在计算 ${pending.factorName}` : result ? `「${answered?.question.factorName}」分箱完成：${result.verdict}` : ''}
      </p>
    </>
  )
}

const countedForm = (form: BinningForm, pool: { all: number; filtered: number } | null): CountedForm => ({
  ...form,
  bins: form.bins ?? usualBins(pool && (form.filtered ? pool.filtered : pool.all)),
})

function stateOf({
  pending,
  there,
  error,
  cancel,
  again,
}: {
  pending: boolean
  there: boolean
  error: unknown
  cancel: () => void
  again: () => void
}): CardState | null {
  if (pending) return there ? { kind: 'refreshing', onCancel: cancel } : { kind: 'loading', chart: 320, onCancel: cancel }
  if (isLate(error))
    return { kind: 'timeout', title: '计算超时（60 秒）', text: '缩短区间、减少箱数或放大调仓间隔后通常几秒完成。', onRetry: again }
  if (error) return { kind: 'error', error, still: '分箱设置都在，可以修改后重试。', onRetry: again }
  return there
    ? null
    : {
        kind: 'empty',
        icon: 'chart',
        title: '选择因子后运行',
        text: '每天把池子里的证券按因子从小到大分成若干箱，看各箱之后的收益是否拉开。',
      }
}
