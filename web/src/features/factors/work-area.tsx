import { dataModes } from '@convexa/contract/enums/data-mode'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { strategyOptionsQuery } from '../../api/queries.ts'
import { useIsDemo } from '../../api/site.ts'
import { useStrategies } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import type { CardState } from '../../ui/card-state.tsx'
import { Stack } from '../../ui/layout.tsx'
import { toast } from '../../ui/toast.tsx'
import { newDraft, newRank } from '../rule/draft.ts'
import { factorsOf, formulaRef } from '../rule/factors.ts'
import { ChecksCard } from './checks-card.tsx'
import styles from './customized-factors.module.css'
import { DebuggerCard } from './debugger-card.tsx'
import type { FactorItem } from './drafts.ts'
import { FormulaCard } from './formula-card.tsx'
import type { FormulaHandle } from './formula-field.tsx'
import { meaningsOf } from './meaning.ts'
import { SectionCard } from './section-card.tsx'
import { timedOut } from './use-factor-run.ts'
import type { Work } from './use-work.ts'
import { VersionsDialog } from './versions-dialog.tsx'

/** The open factor: what is written at the left, what it came to below it, whether it is any good at the right. */
export function WorkArea({ kind, item, work }: { kind: MarketId; item: FactorItem; work: Work }) {
  const pen = useRef<FormulaHandle | null>(null)
  const [versions, setVersions] = useState(false)
  const demo = useIsDemo(kind)
  const { metas, words, verdict, runs } = work
  const { run } = runs
  const factors = useMemo(() => factorsOf(metas), [metas])
  const meanings = useMemo(() => meaningsOf(metas, words), [metas, words])
  const stale = run !== null && run.request.formula !== item.text.formula.trim()
  const state = stateOf(work)
  const beside: CardState = state.kind === 'empty' ? { kind: 'empty', title: '运行后显示' } : state
  return (
    <div className={styles.work}>
      <Stack gap={12}>
        <FormulaCard
          {...{
            kind,
            pen,
            verdict,
            saved: item.saved,
            text: item.text,
            nameError: work.nameError,
            refused: work.refused,
            vocabulary: words,
          }}
          onChange={work.edit}
          onRun={work.run}
          onVersions={() => setVersions(true)}
        />
        <DebuggerCard
          {...{ kind, run, state, stale, meanings, code: work.code, date: work.date, range: work.range }}
          watermark={demo ? dataModes.demo.label : null}
          onCode={work.setCode}
          onDate={work.setDate}
        />
      </Stack>
      <Stack gap={12}>
        <ChecksCard
          {...{ kind, run, stale, state: beside, nameOf: factors.nameOf }}
          remarks={verdict.kind === 'right' ? verdict.remarks.length : 0}
        />
        {run && <SectionCard {...{ run, stale, demo, state: beside, current: work.code }} onPick={work.setCode} />}
        <Uses kind={kind} item={item} right={verdict.kind === 'right'} />
      </Stack>
      {versions && item.saved?.id && (
        <VersionsDialog
          {...{ kind, id: item.saved.id, name: item.text.name }}
          onTake={(formula) => work.edit({ formula })}
          onClose={() => setVersions(false)}
        />
      )}
    </div>
  )
}

/** What the cards show just now. */
function stateOf({ runs, run, canRun }: Work): CardState {
  if (runs.running) return runs.run ? { kind: 'refreshing', onCancel: runs.cancel } : { kind: 'loading', rows: 5, onCancel: runs.cancel }
  if (timedOut(runs.error))
    return { kind: 'timeout', title: '计算超时（60 秒）', text: '公式和草稿都还在。缩短周期或减少嵌套后通常能在几秒内完成。', onRetry: run }
  if (runs.error) return { kind: 'error', error: runs.error, still: '公式和草稿都还在，可以继续编辑。', onRetry: run }
  if (runs.run) return { kind: 'ready' }
  return {
    kind: 'empty',
    icon: 'chart',
    title: canRun ? '还没有运行' : '写好公式后运行',
    text: '运行后，这里列出公式的每一部分在所选证券与日期上的值。',
    ...(canRun ? { action: { label: '运行', act: run } } : {}),
  }
}

/** From the factor to where it is used: a saved one by its key, a draft by its formula. */
function Uses({ kind, item, right }: { kind: MarketId; item: FactorItem; right: boolean }) {
  const navigate = useNavigate()
  const { data: options } = useQuery(strategyOptionsQuery)
  const { path } = markets[kind]
  const ref = item.saved && !item.unsaved ? item.saved.factor_key : formulaRef(item.text.formula)
  const rank = () => {
    const { drafts, set, edit } = useStrategies.getState()
    const row = newRank(ref, item.text.prefer)
    if (!drafts[kind]) {
      if (!options) return
      const blank = newDraft(kind, options, factorsOf([]), null, null)
      set(kind, { ...blank, edited: true, parameters: { ...blank.parameters, rank_factors: [row] } })
    } else
      edit(kind, (draft) => {
        const { rank_factors: rows } = draft.parameters
        if (rows.some(({ factor_key }) => factor_key === ref)) return draft
        return { ...draft, parameters: { ...draft.parameters, rank_factors: [...rows, row] } }
      })
    toast.done(`已把「${item.text.name || '这个因子'}」加入打分`)
    void navigate(`${path}/screen`)
  }
  return (
    <div className={styles.uses}>
      <Button disabled={!right} onClick={() => void navigate(`${path}/binning?factor=${encodeURIComponent(ref)}`)}>
        做分箱
      </Button>
      <Button disabled={!right || !options} onClick={rank}>
        加入打分
      </Button>
    </div>
  )
}
