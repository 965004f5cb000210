import type { Account, ConfigListItem } from '@convexa/contract/qmt'
import { qmtLabels } from '@convexa/contract/qmt-labels'

export interface Task {
  key: string
  title: string
  done: boolean
  /** Where it is done; the config page's own are left to it. */
  to: string
}

export interface Prepared {
  accounts: readonly Account[]
  tradingConfigs: number
  configs: readonly ConfigListItem[]
}

/** What has to be there before the client trades, in its order. Whether QMT was opened only the user knows: an account says so. */
export function checklistOf({ accounts, tradingConfigs, configs }: Prepared): readonly Task[] {
  const inUse = accounts.filter((one) => one.is_enabled)
  const looked = configs.find((one) => one.confirmed_at === null) ?? configs[0]
  const accountPage = '/qmt/account-management'
  return [
    { key: 'qmt', title: '开通 QMT', done: accounts.length > 0, to: accountPage },
    {
      key: 'report',
      title: qmtLabels.report_status,
      done: inUse.length > 0 && inUse.every((one) => one.report_status === 1),
      to: accountPage,
    },
    { key: 'account', title: '账户', done: inUse.length > 0, to: accountPage },
    { key: 'trading', title: qmtLabels.trading_config_id, done: tradingConfigs > 0, to: '/qmt/trade-config' },
    { key: 'config', title: qmtLabels.config_id, done: configs.length > 0, to: '/qmt/config?id=new' },
    {
      key: 'dry-run',
      title: '模拟演练',
      done: configs.some((one) => one.confirmed_at !== null),
      to: looked ? `/qmt/config?id=${looked.id}&step=dry-run` : '/qmt/config?id=new',
    },
  ]
}
