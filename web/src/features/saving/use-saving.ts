import { calls } from '@convexa/contract/calls'
import type { StrategyDetail } from '@convexa/contract/saved-strategy'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { strategiesChanged } from '../../api/queries.ts'
import { useMarket } from '../../market/market-context.tsx'
import { type Draft, useStrategies } from '../../state/drafts.ts'
import { toast } from '../../ui/toast.tsx'
import { sendable } from '../rule/draft.ts'
import { parameterMistakes } from '../rule/validate.ts'
import { savedAs } from './saved-draft.ts'

/** Somebody else, or another tab, saved in between. */
const changedElsewhere = 40009

export interface NewStrategy {
  name: string
  remark: string
  tags: string[]
}

export interface Saving {
  busy: boolean
  /** What the server has, when it is newer than what the draft began as. */
  conflict: StrategyDetail | null
  /** Writes the next version of the strategy that the draft is an edit of; says so where it has none. */
  save(): Promise<'saved' | 'new' | 'refused'>
  /** Writes over what the server has. */
  overwrite(): Promise<void>
  /** @throws CallError what is wrong with the draft, or what the server refuses: a name that is taken, too many */
  saveAs(strategy: NewStrategy): Promise<void>
  forgetConflict(): void
}

/** Saving the draft of a market: as the next version, over a newer one, or as another strategy. */
export function useSaving(draft: Draft | null): Saving {
  const market = useMarket()
  const { id: kind } = market
  const [busy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<Saving['conflict']>(null)

  const keep = (name: string, saved: { id: string; version: number }, sent: Draft) => {
    useStrategies.getState().restate(kind, (one) => savedAs(one, sent, name, saved))
    void strategiesChanged(kind)
    toast.done(`已保存「${name}」`)
  }
  const put = async (sent: Draft, id: string, version: number) => {
    const body = { detail: sendable(sent.parameters), settings: sent.settings, base_version: version }
    const made = await call(calls[kind].changeStrategy, { params: { id }, body })
    keep(sent.name, { id, version: made.version }, sent)
  }
  const wrong = (sent: Draft): string | null => {
    const [mistake] = parameterMistakes(sent.parameters, market)
    return mistake ? `条件有误，还不能保存：${mistake.message}` : null
  }
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    setBusy(true)
    try {
      return await work()
    } finally {
      setBusy(false)
    }
  }

  return {
    busy,
    conflict,
    forgetConflict: () => setConflict(null),
    async save() {
      if (!draft || busy) return 'refused'
      const mistake = wrong(draft)
      if (mistake !== null) {
        toast.error(mistake)
        return 'refused'
      }
      const { saved } = draft
      if (!saved) return 'new'
      if (!draft.edited) {
        toast.info('没有需要保存的修改')
        return 'refused'
      }
      try {
        await guarded(() => put(draft, saved.id, saved.version))
        return 'saved'
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        // Deleted in between: what is here can still be saved, as another.
        if (error.status === 404) {
          toast.error('该策略已被删除，请另存')
          return 'new'
        }
        if (error.code !== changedElsewhere) {
          toast.error(sentenceOf(error))
          return 'refused'
        }
        try {
          setConflict(await guarded(() => call(calls[kind].strategyDetail, { params: { id: saved.id } })))
        } catch {
          // The conflicting version cannot be loaded: shows the refusal itself.
          toast.error(sentenceOf(error))
        }
        return 'refused'
      }
    },
    async overwrite() {
      if (!draft || !conflict) return
      try {
        await guarded(() => put({ ...draft, name: conflict.strategy_name }, conflict.id, conflict.version))
        setConflict(null)
      } catch (error) {
        toast.error(sentenceOf(error))
      }
    },
    async saveAs({ name, remark, tags }) {
      if (!draft) return
      const mistake = wrong(draft)
      if (mistake !== null) throw new CallError('response', mistake)
      const body = { strategy_name: name, remark, tags, detail: sendable(draft.parameters), settings: draft.settings }
      const { id } = await guarded(() => call(calls[kind].addStrategy, { body }))
      setConflict(null)
      keep(name, { id, version: 1 }, draft)
    },
  }
}
