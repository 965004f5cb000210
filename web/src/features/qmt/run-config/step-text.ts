import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { labelOf } from '@convexa/contract/enums/table'
import type { Account, ConfigOptions, TradingConfig } from '@convexa/contract/qmt'
import { plain } from '../../../base/format.ts'
import { type ConfigValues, sourceKey } from './run-config.ts'

interface Known {
  options: ConfigOptions
  accounts: readonly Account[]
  tradingConfigs: readonly Pick<TradingConfig, 'id' | 'name' | 'start_time' | 'end_time'>[]
}

/** What was chosen in each step, under its title; '' = nothing yet. */
export function stepWords(
  values: ConfigValues,
  { options, accounts, tradingConfigs }: Known,
): Record<'account' | 'source' | 'trading', string> {
  const account = accounts.find(({ id }) => id === values.account_id)
  const source = options.sources.find((one) => sourceKey(one) === values.source)
  const trading = tradingConfigs.find(({ id }) => id === values.trading_config_id)
  return {
    account: account ? `${account.alias} ${account.account_masked}` : '',
    source:
      source && values.capital
        ? `${source.label} · ${plain(values.capital)} 万元 · ${labelOf(holdWeights, values.hold_weight_type, values.kind)}`
        : '',
    trading: trading ? `${trading.name} ${trading.start_time.slice(0, 5)}–${trading.end_time.slice(0, 5)}` : '',
  }
}
