import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { markets } from '@convexa/contract/enums/market'
import { labelOf } from '@convexa/contract/enums/table'
import type { ConfigListItem } from '@convexa/contract/qmt'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import { useQuery } from '@tanstack/react-query'
import { useList } from '../../../api/lists.ts'
import { dateTime } from '../../../base/dates.ts'
import { plain } from '../../../base/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { KeyValues } from '../../../ui/key-values.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { killSwitchQuery, qmtAccountsQuery, tradingConfigsQuery } from '../qmt-queries.ts'
import { type Around, statusOf } from './config-status.ts'
import { ReadOnlyNote } from './read-only-note.tsx'

/** A config to be read on a phone. `config` null: a new one, which is made on a computer. */
export function ConfigSheet({ config, onDryRun, onClose }: { config: ConfigListItem | null; onDryRun: () => void; onClose: () => void }) {
  const accounts = useList(qmtAccountsQuery)
  const tradingConfigs = useList(tradingConfigsQuery)
  const { data: killSwitch } = useQuery(killSwitchQuery)
  const account = accounts.items.find(({ id }) => id === config?.account_id)
  const trading = tradingConfigs.items.find(({ id }) => id === config?.trading_config_id)
  return (
    <Drawer
      title={config ? config.name : '新建运行配置'}
      note={config ? qmtLabels.config_id : undefined}
      onClose={onClose}
      footer={
        config ? (
          <Button look={['primary']} onClick={onDryRun}>
            模拟演练
          </Button>
        ) : (
          <Button onClick={onClose}>关闭</Button>
        )
      }
    >
      {config ? (
        <KeyValues
          rows={[
            ['状态', <Status key="status" config={config} around={{ account, trading, stopped: killSwitch?.on }} />],
            ['账户', account && `${account.alias} ${account.account_masked}`],
            ['市场', markets[config.kind].label],
            [config.source.type === 'group' ? '策略组' : '策略', config.source.name],
            ['资金', `${plain(config.capital)} 万元`],
            ['持仓权重方式', labelOf(holdWeights, config.hold_weight_type, config.kind)],
            [qmtLabels.trading_config_id, trading && `${trading.name} ${trading.start_time.slice(0, 5)}–${trading.end_time.slice(0, 5)}`],
            ['委托', trading && (trading.dry_run ? '只演练' : '真实委托')],
            ['确认时间', moment(config.confirmed_at)],
            ['上次导出', moment(config.exported_at)],
            ['最近心跳', moment(config.last_heartbeat)],
          ]}
        />
      ) : (
        <Empty icon="page" title="请在电脑上新建运行配置" />
      )}
      <ReadOnlyNote />
    </Drawer>
  )
}

function Status({ config, around }: { config: ConfigListItem; around: Around }) {
  const { words, look } = statusOf(config, around)
  return <Badge look={look}>{words}</Badge>
}

const moment = (at: string | null) => at && dateTime(at).slice(0, 16)
