import { type MarketRow, markets } from '@convexa/contract/enums/market'
import type { StrategyOptions } from '@convexa/contract/reference'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { strategyOptionsQuery } from '../../api/queries.ts'
import { type Draft, useStrategies } from '../../state/drafts.ts'
import { toast } from '../../ui/toast.tsx'
import { defaultSettings } from '../rule/draft.ts'
import { type Factors, useFactors } from '../rule/factors.ts'
import { type SharedRule, unpacked } from './shared-draft.ts'
import { useOpenStrategy } from './use-open-strategy.ts'

/** A shared rule as the draft; what was there comes back by undo. */
export function takeRule(
  market: MarketRow,
  options: StrategyOptions,
  factors: Factors,
  { kind, name, parameters, settings, kept }: SharedRule,
) {
  const { drafts, set } = useStrategies.getState()
  const before = drafts[kind]
  const own = settings
    ? { settings, range: null }
    : { settings: before?.settings ?? defaultSettings(kind, options, factors), range: before ? before.range : ('default' as const) }
  const draft: Draft = { name, edited: false, parameters, ...own, ...(kept && { kept }) }
  set(market.id, draft)
}

/** An address that brings a rule, `?s=…` a shared one, `?strategy=…` a saved one: it becomes the draft and leaves the address. */
export function useSharedRule(market: MarketRow): void {
  const [query, setQuery] = useSearchParams()
  const { data: options } = useQuery(strategyOptionsQuery)
  const { factors } = useFactors(market.id)
  const open = useOpenStrategy()
  const shared = query.get('s')
  const saved = query.get('strategy')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per address
  useEffect(() => {
    if ((shared === null && saved === null) || !options) return
    setQuery(
      (before) => {
        before.delete('s')
        before.delete('strategy')
        return before
      },
      { replace: true },
    )
    if (saved !== null) {
      void open(saved)
      return
    }
    void readShared(shared ?? '', market).then((rule) => {
      if (!rule) return
      takeRule(market, options, factors, rule)
      toast.done(`已载入分享的参数「${rule.name}」`, { label: '撤销', act: () => useStrategies.getState().undo(market.id) })
    })
  }, [shared, saved, options])
}

async function readShared(text: string, market: MarketRow): Promise<SharedRule | null> {
  const [json, code] = await Promise.all([unpacked(text), import('./read-rule.ts').catch(() => null)])
  if (!code) {
    toast.error('读取分享参数的程序没有加载成功，请检查网络后重新打开链接')
    return null
  }
  const read = json === null ? null : code.readRule(json, market.id)
  if (!read?.ok) {
    toast.error('链接中的参数不完整或已过期，无法载入')
    return null
  }
  if (read.rule.kind !== market.id) {
    toast.error(`这个链接是${markets[read.rule.kind].title}的参数`)
    return null
  }
  return read.rule
}
