import type { MarketId } from '@convexa/contract/enums/market'
import { readRule } from '../saving/read-rule.ts'
import type { SharedRule } from '../saving/shared-draft.ts'

// Fetched when something is imported: the schemas stay out of the page.

export interface ReadStrategy extends SharedRule {
  remark: string
  tags: string[]
}

export type ReadStrategies = { ok: true; strategies: ReadStrategy[] } | { ok: false; mistakes: string[] }

/** As many as one file may hold: an evening's work, not a flood. */
const most = 100

/**
 * Strategies out of a text: one, or a list of them as 导出 JSON writes it. One that is wrong refuses all, with its place in the list:
 * half of a list that is imported is harder to put right than none.
 */
export function readStrategies(text: string, kind: MarketId): ReadStrategies {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return asOne(text, kind)
  }
  if (!Array.isArray(given)) return asOne(text, kind)
  if (given.length === 0) return { ok: false, mistakes: ['列表里没有策略'] }
  if (given.length > most) return { ok: false, mistakes: [`一次最多导入 ${most} 个，这里有 ${given.length} 个`] }
  const read = given.map((one: unknown) => asOne(JSON.stringify(one), kind))
  const mistakes = read.flatMap((one, i) => (one.ok ? [] : one.mistakes.map((mistake) => `第 ${i + 1} 个：${mistake}`)))
  if (mistakes.length > 0) return { ok: false, mistakes: mistakes.slice(0, 8) }
  return { ok: true, strategies: read.flatMap((one) => (one.ok ? one.strategies : [])) }
}

function asOne(text: string, kind: MarketId): ReadStrategies {
  const read = readRule(text, kind)
  if (!read.ok) return read
  const { remark, tags } = JSON.parse(text) as { remark?: unknown; tags?: unknown }
  const words = Array.isArray(tags)
    ? tags.filter((tag): tag is string => typeof tag === 'string' && tag.length > 0 && tag.length <= 20)
    : []
  return {
    ok: true,
    strategies: [{ ...read.rule, remark: typeof remark === 'string' ? remark.slice(0, 200) : '', tags: words.slice(0, 10) }],
  }
}

/** A name that is free: 双低10, 双低10（2）; what it takes is taken for those after it. */
export function freeName(name: string, taken: Set<string>): string {
  const base = [...name].slice(0, 46).join('')
  for (let i = 1; ; i++) {
    const free = i === 1 ? name : `${base}（${i}）`
    if (taken.has(free.toLowerCase())) continue
    taken.add(free.toLowerCase())
    return free
  }
}
