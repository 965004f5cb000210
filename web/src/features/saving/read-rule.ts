import { Settings } from '@convexa/contract/backtest'
import { keptRule } from '@convexa/contract/kept-meaning'
import { namesVersion } from '@convexa/contract/names-version'
import { MarketId } from '@convexa/contract/scalars'
import { Parameters } from '@convexa/contract/strategy'
import type { SharedRule } from './shared-draft.ts'

// Fetched when something is pasted or opened by a link: the schemas stay out of the page.

export type ReadRule = { ok: true; rule: SharedRule } | { ok: false; mistakes: string[] }

/** So many mistakes help; more are noise. */
const mostMistakes = 5

/**
 * A rule out of a text: a whole copied one, or only its parameters, which are then taken for `kind`. Every mistake is said with its place.
 * @example readRule('{"version": 1, "universe": …', 'cb')
 */
export function readRule(text: string, kind: MarketId): ReadRule {
  const read = json(text)
  if (!read.ok) return { ok: false, mistakes: [read.mistake] }
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, mistakes: ['内容不是策略参数：最外层应为 { … }'] }
  // A saved strategy's export says `detail`, a bare rule has no wrapper at all.
  const given: Given = 'parameters' in value ? value : 'detail' in value ? { ...value, parameters: value.detail } : { parameters: value }
  const parameters = Parameters.safeParse(given.parameters)
  const settings = given.settings === undefined ? null : Settings.safeParse(given.settings)
  const market = MarketId.safeParse(given.kind ?? kind)
  if (!parameters.success || settings?.success === false || !market.success) {
    const issues = [
      ...(parameters.error?.issues ?? []),
      ...(settings?.error?.issues ?? []).map((issue) => ({ ...issue, path: ['settings', ...issue.path] })),
    ]
    const mistakes = [...(market.success ? [] : ['kind 只能是 cb、stk']), ...issues.map(sentenceOf)]
    const more = mistakes.length - mostMistakes
    return { ok: false, mistakes: more > 0 ? [...mistakes.slice(0, mostMistakes), `另有 ${more} 处`] : mistakes }
  }
  const written = typeof given.names === 'number' ? given.names : undefined
  const kept = keptRule(market.data, parameters.data, written)
  const name = typeof given.name === 'string' ? given.name : typeof given.strategy_name === 'string' ? given.strategy_name : ''
  return {
    ok: true,
    rule: {
      kind: market.data,
      name: name.trim().slice(0, 50) || '导入的策略',
      names: namesVersion,
      parameters: kept.value,
      ...(kept.told.length > 0 && { kept: kept.told }),
      ...(settings ? { settings: settings.data } : {}),
    },
  }
}

/** What a pasted text may hold; every part is checked by itself. */
interface Given {
  kind?: unknown
  name?: unknown
  strategy_name?: unknown
  names?: unknown
  parameters?: unknown
  settings?: unknown
}

type Issue = NonNullable<ReturnType<typeof Parameters.safeParse>['error']>['issues'][number]

/** What a chat app or a phone's keyboard has made other is put back: quotes, where all of them are curled; spaces; signs that are not seen. */
function uncurled(text: string): string {
  const spaced = text.replace(/\u200b|\u2060|\ufeff/g, '').replace(/[\u00a0\u3000]/g, ' ')
  return spaced.includes('"') ? spaced : spaced.replace(/[“”„＂]/g, '"')
}

type Json = { ok: true; value: unknown } | { ok: false; mistake: string }

/** What is wrong is said of the text as it was pasted. */
function json(text: string): Json {
  const read = parsed(text)
  const again = read.ok ? read : parsed(uncurled(text))
  return again.ok ? again : read
}

function parsed(text: string): Json {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    if (at === undefined) return { ok: false, mistake: 'JSON 不完整或格式有误' }
    const before = text.slice(0, Number(at)).split('\n')
    return { ok: false, mistake: `JSON 格式有误：第 ${before.length} 行第 ${(before.at(-1)?.length ?? 0) + 1} 列` }
  }
}

const kinds: Record<string, string> = {
  number: '数字',
  int: '整数',
  string: '文字',
  boolean: 'true 或 false',
  array: '列表',
  tuple: '列表',
  object: '{ … }',
  record: '{ … }',
}

/** `filter_factors[2].value 缺少`. Names the keys of the JSON itself, which the user finds in the pasted text. */
function sentenceOf(issue: Issue): string {
  const place = placeOf(issue.path)
  switch (issue.code) {
    case 'invalid_type':
      return `${place} ${issue.message.endsWith('received undefined') ? '缺少，' : ''}应为${kinds[issue.expected] ?? issue.expected}`
    case 'unrecognized_keys':
      return `${place} 有不认识的键：${issue.keys.join('、')}`
    case 'invalid_value':
      return `${place} 只能是 ${issue.values.map(String).join('、')}`
    case 'too_small':
      return `${place} 太小：不能小于 ${issue.minimum}`
    case 'too_big':
      return `${place} 太大：不能大于 ${issue.maximum}`
    default:
      return `${place} 不合要求`
  }
}

const placeOf = (path: readonly PropertyKey[]): string => {
  const [first, ...rest] = path
  if (first === undefined) return '内容'
  return rest.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`), String(first))
}
