import type { MarketId } from '@convexa/contract/enums/market'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { factorsQuery, queries, securitiesQuery, strategyOptionsQuery } from '../../api/queries.ts'
import type { FactorText } from '../../market/factor-examples.ts'
import { toast } from '../../ui/toast.tsx'
import { isNew, sameText, textOf, useFactorDrafts } from './drafts.ts'
import { functionsQuery, saveFactor } from './factor-queries.ts'
import { useCheck } from './use-check.ts'
import type { FactorItems } from './use-factor-items.ts'
import { useFactorRun } from './use-factor-run.ts'
import { noWords, vocabularyOf } from './vocabulary.ts'

const nowhere = 'none'
/** Of names: taken, too long. */
const nameCodes = [21003, 21004]
const isFormulaCode = (code: number) => code >= 22001 && code <= 22099

/** The open factor at work: what is written, whether it is right, what a run said, and saving it. */
export function useWork(kind: MarketId, { metas, item, open }: FactorItems) {
  const id = item?.id ?? nowhere
  const functions = useQuery(functionsQuery)
  const words = useMemo(() => (functions.data && metas.length > 0 ? vocabularyOf(functions.data, metas) : noWords), [functions.data, metas])
  const formula = item?.text.formula ?? ''
  // While it is written, a factor that names itself is one that goes in a circle.
  const key = item?.saved?.factor_key
  const names = useMemo(() => metas.map((meta) => (meta.factor_key === key ? { ...meta, formula } : meta)), [metas, key, formula])
  const verdict = useCheck(formula, names)
  const { data: options } = useQuery(strategyOptionsQuery)
  const range = options?.ranges[kind] ?? null
  const lastDate = range?.end ?? ''
  const [date, setDate] = useState('')
  const [code, setCode] = useSecurity(kind)
  const runs = useFactorRun(kind, id)
  const [saving, setSaving] = useState(false)
  const [said, setSaid] = useState<{ id: string; name: string | null; formula: string | null }>({ id, name: null, formula: null })
  // Id on screen now: a save that ends after the user has gone elsewhere must not navigate back.
  const shown = useRef<string | null>(id)
  useEffect(() => {
    shown.current = id
    return () => {
      shown.current = null
    }
  }, [id])
  const shownDate = date || lastDate
  // A name unknown to the browser does not block a run: the server decides.
  const runnable = formula.trim() !== '' && !(verdict.kind === 'wrong' && verdict.sure) && code !== ''
  const start = (on: { code?: string; date?: string } = {}) => {
    const day = on.date ?? shownDate
    if (!runnable) return
    void runs.start({ formula: formula.trim(), code: on.code ?? code, date: day === lastDate || day === '' ? null : day })
  }
  return {
    metas,
    words,
    verdict,
    runs,
    code,
    date: shownDate,
    range,
    saving,
    left: options ? leftToday(options.limits.daily['factor_running']) : null,
    nameError: said.id === id ? said.name : null,
    refused: runs.refused ?? (said.id === id ? said.formula : null),
    canRun: runnable,
    edit(change: Partial<FactorText>) {
      if (!item) return
      setSaid({ id, name: null, formula: null })
      const text = { ...item.text, ...change }
      const { drop, put } = useFactorDrafts.getState()
      // What is as it was saved is no draft.
      if (item.saved && sameText(text, textOf(item.saved))) drop(kind, id)
      else put(kind, { ...text, id })
    },
    restore() {
      useFactorDrafts.getState().drop(kind, id)
      toast.done('已还原到上次保存的内容')
    },
    run: () => start(),
    setCode(next: string) {
      setCode(next)
      if (runs.run) start({ code: next })
    },
    setDate(next: string) {
      setDate(next)
      if (runs.run) start({ date: next })
    },
    async save() {
      if (!item || saving) return
      if (item.text.name.trim() === '') return setSaid({ id, name: '请填写名称', formula: null })
      if (formula.trim() === '') return setSaid({ id, name: null, formula: '请填写公式' })
      setSaving(true)
      try {
        const saved = await saveFactor(kind, isNew(id) ? null : id, item.text)
        const listed = queries.getQueryData(factorsQuery(kind).queryKey)?.some((meta) => meta.id === saved.id) ?? false
        useFactorDrafts.getState().saved(kind, { ...item.text, id }, saved.id, listed)
        setSaid({ id, name: null, formula: null })
        toast.done(`已保存「${item.text.name.trim()}」${saved.version > 1 ? `，第 ${saved.version} 版` : ''}`)
        if (saved.id !== id && shown.current === id) open(saved.id)
      } catch (error) {
        const { code: failed = 0, kind: how = '' } = error instanceof CallError ? error : {}
        const sentence = sentenceOf(error)
        if (how === 'login') return
        if (nameCodes.includes(failed)) setSaid({ id, name: sentence, formula: null })
        else setSaid({ id, name: null, formula: `保存失败：${sentence}` })
        if (!nameCodes.includes(failed) && !isFormulaCode(failed)) toast.error(`保存失败：${sentence}`)
      } finally {
        setSaving(false)
      }
    },
  }
}

export type Work = ReturnType<typeof useWork>

const leftToday = (daily: { used: number; max: number } | undefined): number | null => (daily ? Math.max(0, daily.max - daily.used) : null)

/** The security of the debugger; at first one that has been listed for long, so that windows have their days. */
function useSecurity(kind: MarketId): [string, (code: string) => void] {
  const [code, setCode] = useState('')
  const { data } = useQuery(securitiesQuery(kind))
  useEffect(() => {
    if (code !== '' || !data) return
    const listed = data.filter(({ status }) => status === 'listed')
    const oldest = [...(listed.length > 0 ? listed : data)].sort((a, b) => (a.list_date ?? '9').localeCompare(b.list_date ?? '9'))[0]
    if (oldest) setCode(oldest.code)
  }, [code, data])
  return [code, setCode]
}
