import type { TradingConfig } from '@convexa/contract/qmt'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import type { List } from '../../../api/lists.ts'
import { Switch } from '../../../ui/form/choices.tsx'
import { FormRow } from '../../../ui/form/form-row.tsx'
import type { Form } from '../../../ui/form/use-form.ts'
import { PageLink } from '../../../ui/page-link.tsx'
import { Empty, ErrorBlock } from '../../../ui/states.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { Picks } from './picks.tsx'
import type { ConfigValues } from './run-config.ts'

type Listed = Pick<TradingConfig, 'id' | 'name' | 'start_time' | 'end_time' | 'dry_run'>

/** ③ How it is traded, and whether it is at all. */
export function TradingStep({ form, list }: { form: Form<ConfigValues>; list: List<Listed> }) {
  if (list.error) return <ErrorBlock error={list.error} still="其余步骤不受影响。" onRetry={list.retry} />
  if (!list.loading && list.items.length === 0)
    return (
      <Empty
        icon="calendar"
        title="还没有交易参数"
        actions={
          <PageLink className="button primary" to="/qmt/trade-config?id=new">
            去新建交易参数
          </PageLink>
        }
      >
        交易参数告诉客户端什么时候、用什么价、以多大的单笔去成交目标。
      </Empty>
    )
  return (
    <>
      <FormRow label={qmtLabels.trading_config_id} message={form.message('trading_config_id')} group required>
        {(control) => (
          <Picks
            {...control}
            {...form.bind('trading_config_id')}
            choices={list.items.map((one) => ({
              value: one.id,
              title: one.name,
              note: `${one.start_time} – ${one.end_time}`,
              mark: <Badge look={one.dry_run ? 'plain' : 'warn'}>{one.dry_run ? '只演练' : '真实委托'}</Badge>,
            }))}
          />
        )}
      </FormRow>
      <FormRow label="启用" hint="停用的配置仍可演练与导出，客户端拉取时不会交易。">
        {(control) => (
          <Switch {...control} {...form.bind('enabled')}>
            {form.values.enabled ? '启用' : '停用'}
          </Switch>
        )}
      </FormRow>
    </>
  )
}
