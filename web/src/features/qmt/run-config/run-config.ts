import { defaultMarketId, marketIds } from '@convexa/contract/enums/market'
import type { ConfigBody, ConfigListItem, ConfigOptions } from '@convexa/contract/qmt'
import { plain } from '../../../base/format.ts'
import type { Rules } from '../../../ui/form/form-state.ts'
import { first, rules } from '../../../ui/form/rules.ts'

export type ConfigValues = {
  name: string
  kind: ConfigBody['kind']
  account_id: string
  /** `strategy:ID` or `group:ID`; '' = none chosen. */
  source: string
  /** 万元 */
  capital: number | null
  hold_weight_type: ConfigBody['hold_weight_type']
  trading_config_id: string
  enabled: boolean
}

export const steps = ['account', 'source', 'trading', 'dry-run'] as const
export type StepKey = (typeof steps)[number]

/** What each step asks for, in the order of its fields. */
export const fieldsOf: Record<StepKey, readonly (keyof ConfigValues)[]> = {
  account: ['account_id'],
  source: ['source', 'capital', 'name'],
  trading: ['trading_config_id'],
  'dry-run': [],
}

export const configRules: Rules<ConfigValues> = {
  account_id: (id) => (id === '' ? '请选择账户' : null),
  source: (source) => (source === '' ? '请选择策略或策略组' : null),
  capital: first<number | null, unknown>(rules.required('资金'), rules.capital),
  name: first<string, unknown>(rules.required('名称'), rules.strategyName()),
  trading_config_id: (id) => (id === '' ? '请选择交易参数' : null),
}

/** The first step with a mistake; null: all is right. */
export function wrongStep(values: ConfigValues): StepKey | null {
  const wrong = (field: keyof ConfigValues) => {
    const rule = configRules[field] as ((value: unknown, all: ConfigValues) => string | null) | undefined
    return rule?.(values[field], values) != null
  }
  return steps.find((step) => fieldsOf[step].some(wrong)) ?? null
}

/** What the editor begins with; of a new one the only account and the only trading config there is, and the source that was `asked` for. */
export function valuesOf(config: ConfigListItem | null, options: ConfigOptions, requestedSource: string | null = null): ConfigValues {
  if (!config) {
    const only = (all: readonly { value: string }[]) => (all.length === 1 ? (all[0]?.value ?? '') : '')
    const kind = marketIds.find((id) => options.sources.some((one) => one.kind === id)) ?? defaultMarketId
    const [account_id, trading_config_id] = [only(options.accounts), only(options.trading_configs)]
    const wanted = options.sources.find((one) => sourceKey(one) === requestedSource)
    const source = wanted
      ? { kind: wanted.kind, source: sourceKey(wanted), name: suggestedName(wanted.label, 10) }
      : { kind, source: '', name: '' }
    return { ...source, account_id, capital: 10, hold_weight_type: 1, trading_config_id, enabled: true }
  }
  const { name, kind, account_id, capital, hold_weight_type, trading_config_id, enabled } = config
  const source = `${config.source.type}:${config.source.id}`
  // A deleted source has to be chosen anew.
  const there = options.sources.some((one) => sourceKey(one) === source)
  return { name, kind, account_id, capital, hold_weight_type, trading_config_id, enabled, source: there ? source : '' }
}

export const sourceKey = ({ type, value }: ConfigOptions['sources'][number]): string => `${type}:${value}`

/** Once the rules have nothing to say. */
export function bodyOf({ source, capital, name, ...rest }: ConfigValues): ConfigBody {
  const [type, id = ''] = source.split(':')
  return { ...rest, name: name.trim(), capital: capital ?? 0, source: { type: type === 'group' ? 'group' : 'strategy', id } }
}

/** As one would call it: 双低10只 10万. */
export const suggestedName = (source: string, capital: number | null): string =>
  source === '' ? '' : `${[...source].slice(0, 40).join('')}${capital ? ` ${plain(capital)}万` : ''}`
