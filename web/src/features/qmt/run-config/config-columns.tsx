import { markets } from '@convexa/contract/enums/market'
import type { Account, ConfigListItem, TradingConfig } from '@convexa/contract/qmt'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import { dateTime } from '../../../base/dates.ts'
import { missing, plain } from '../../../base/format.ts'
import { Row } from '../../../ui/layout.tsx'
import type { TableColumn } from '../../../ui/table/table-props.ts'
import { Badge } from '../../../ui/tag.tsx'
import { needsExport, statusOf } from './config-status.ts'

interface Named {
  accounts: readonly Account[]
  tradingConfigs: readonly Pick<TradingConfig, 'id' | 'name' | 'dry_run'>[]
  stopped: boolean | undefined
}

/** A config says ids of its account and trading config: their names come from the other lists. */
export function configColumns({ accounts, tradingConfigs, stopped }: Named): readonly TableColumn<ConfigListItem>[] {
  const accountOf = ({ account_id: wanted }: ConfigListItem) => accounts.find(({ id }) => id === wanted)
  const tradingOf = ({ trading_config_id: wanted }: ConfigListItem) => tradingConfigs.find(({ id }) => id === wanted)
  return [
    {
      key: 'name',
      label: '名称',
      width: 120,
      card: 'title',
      cell: ({ name }) => (
        <Row as="span" inline gap={8} className="medium">
          {name}
        </Row>
      ),
    },
    {
      key: 'account',
      label: '账户',
      width: 96,
      cell: (config) => {
        const account = accountOf(config)
        return account ? (
          <>
            {account.alias} <span className="mono text-2">{account.account_masked}</span>
          </>
        ) : (
          missing
        )
      },
    },
    {
      key: 'source',
      label: '策略或策略组',
      width: 120,
      cell: ({ kind, source }) => (
        <>
          {source.name}{' '}
          <span className="text-3 size-12">
            {markets[kind].label}
            {source.type === 'group' ? ' · 组' : ''}
          </span>
        </>
      ),
    },
    { key: 'capital', label: '资金(万元)', width: 56, numeric: true, cell: ({ capital }) => plain(capital) },
    {
      key: 'trading',
      label: qmtLabels.trading_config_id,
      width: 104,
      cell: (config) => {
        const trading = tradingOf(config)
        return trading ? (
          <>
            {trading.name} {!trading.dry_run && <Badge look="warn">真实委托</Badge>}
          </>
        ) : (
          missing
        )
      },
    },
    {
      key: 'status',
      label: '状态',
      width: 104,
      card: 'lead',
      cell: (config) => {
        const { words, look, hint } = statusOf(config, { account: accountOf(config), trading: tradingOf(config), stopped })
        return (
          <span title={hint}>
            <Badge look={look}>{words}</Badge>
          </span>
        )
      },
    },
    {
      key: 'exported',
      label: '上次导出',
      width: 112,
      cell: (config) => moment(config.exported_at, needsExport(config) ? '要重新导出' : '当前配置未导出'),
    },
    { key: 'heartbeat', label: '最近心跳', width: 112, cell: ({ last_heartbeat: at }) => moment(at, '没有心跳') },
  ]
}

const moment = (at: string | null, none: string) => (at ? dateTime(at).slice(0, 16) : <span className="text-3">{none}</span>)
