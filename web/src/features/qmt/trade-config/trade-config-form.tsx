import { priceModes } from '@convexa/contract/enums/qmt'
import { stopFields, stopTypes } from '@convexa/contract/enums/stop-type'
import { choicesOf, labelOf } from '@convexa/contract/enums/table'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import type { ReactNode } from 'react'
import { NumberField, Select } from '../../../ui/controls.tsx'
import { Switch } from '../../../ui/form/choices.tsx'
import { Form, FormRow } from '../../../ui/form/form-row.tsx'
import { TextArea, TextField } from '../../../ui/form/text-field.tsx'
import type { Form as FormState } from '../../../ui/form/use-form.ts'
import { Stack } from '../../../ui/layout.tsx'
import { FormError } from '../../account/form-error.tsx'
import styles from './trade-config.module.css'
import type { TradeValues } from './trade-config.ts'

type Numbers = { [K in keyof TradeValues]: TradeValues[K] extends number | null ? K : never }[keyof TradeValues] & string
type Given = { form: FormState<TradeValues> }

export const tradeFormId = 'qmt-trade-config'

/** All that says how the client trades, in the order in which it happens. */
export function TradeConfigForm({ form }: Given) {
  return (
    <Form {...form.props} id={tradeFormId} className="form" aria-label={qmtLabels.trading_config_id}>
      <FormError error={form.refusal} />
      <FormRow label="名称" message={form.message('name')} required>
        {(control) => <TextField {...control} {...form.bind('name')} width={320} />}
      </FormRow>
      <div className={styles.tradeParts}>
        <When form={form} />
        <Price form={form} />
        <HowMuch form={form} />
        <Ranks form={form} />
        <TakeProfit form={form} />
        <Else form={form} />
      </div>
    </Form>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack as="fieldset" gap={8} className={styles.tradePart}>
    <legend>{title}</legend>
    {children}
  </Stack>
)

const When = ({ form }: Given) => (
  <Part title="时间">
    <Time form={form} field="start_time" />
    <Time form={form} field="end_time" hint="须在 9:30–11:30 或 13:00–14:57 之内" />
    <Amount form={form} field="interval" unit="秒" hint="两批委托之间" />
    <Amount form={form} field="duration" unit="秒" hint="从开始时间算起" />
    <Amount form={form} field="wait" unit="秒" hint="等满后撤掉没成交的部分" />
    <Time form={form} field="heartbeat" hint="客户端每天第一次报到" />
  </Part>
)

const Price = ({ form }: Given) => (
  <Part title="价格">
    <FormRow label={qmtLabels.price_mode}>
      {(control) => <Select {...control} {...form.bind('price_mode')} choices={choicesOf(priceModes)} width={120} />}
    </FormRow>
    {priceModes[form.values.price_mode].needsOffset && (
      <Amount form={form} field="price_offset" unit="%" scale={100} hint="买入加价、卖出减价，不超过 2%" />
    )}
    <Amount form={form} field="price_guard" unit="±%" scale={100} hint="最新价离参考价超过它就不下单" />
    <Toggle form={form} field="limit_up_skip" label={qmtLabels.limit_up_skip} words="涨停、跌停时不买不卖" />
  </Part>
)

const HowMuch = ({ form }: Given) => (
  <Part title="数量">
    <Amount form={form} field="order_min" unit="元" width={96} hint="差额比它小的不动" />
    <Amount form={form} field="order_max" unit="元" width={96} hint="更大的拆成几批，最多 50,000 元" />
    <Amount form={form} field="day_max" unit="笔" hint="最多 500 笔" />
    <Amount form={form} field="max_daily_turnover" unit="%" scale={100} hint="买入、卖出各不超过资金的这个比例" />
    <p className={styles.tradeNote}>沪深可转债以 10 张为一手，股票以 100 股为一手，科创板 200 股起。</p>
  </Part>
)

const Ranks = ({ form }: Given) => (
  <Part title="名次与卖出">
    <Amount form={form} field="buy_rank" placeholder="按名单" hint="只买排在它之内的" />
    <Amount form={form} field="hold_rank" placeholder="按名单" hint="没跌出它就继续持有" />
    <Toggle form={form} field="sell_first" label="先后" words={qmtLabels.sell_first} />
    <Toggle form={form} field="only_own" label="范围" words="只卖由这份配置买入的" />
  </Part>
)

const TakeProfit = ({ form }: Given) => (
  <Part title={labelOf(stopTypes, 1)}>
    <Toggle form={form} field="takes_profit" label="止盈" words={form.values.takes_profit ? '写进导出的参数' : '不启用'} />
    {form.values.takes_profit && (
      <>
        <Amount form={form} field="activate" unit="%" scale={100} hint="涨到它才开始看回撤" />
        <Amount form={form} field="drawdown" label={stopFields.drawdown.short} unit="%" scale={100} hint="从最高点回落" />
        <Amount form={form} field="deal" label={qmtLabels.deal} unit="%" scale={100} hint="触发时卖出该只持仓的这个比例，100% 即全部卖出" />
        <p className={styles.tradeNote}>
          涨幅按当日最新价与昨收计算，每只每天最多一次，当天不再买回。卖出数量按整手向上取整：持仓 100 张设 1% 会卖出一手 10
          张。客户端没有运行时不会执行。
        </p>
      </>
    )}
  </Part>
)

const Else = ({ form }: Given) => (
  <Part title="其他">
    <FormRow
      label="方式"
      hint={form.values.dry_run ? '照常计算并写下委托，不发给券商' : '保存时要验证身份；账户须已报告，启动客户端时也要再写明一次'}
    >
      {(control) => (
        <Switch {...control} {...form.bind('dry_run')}>
          {form.values.dry_run ? '只演练' : '真实委托'}
        </Switch>
      )}
    </FormRow>
    <FormRow label="忽略名单" message={form.message('ignored')} hint="不买也不卖，例如 127056.SZ，用逗号或换行隔开">
      {(control) => <TextArea {...control} {...form.bind('ignored')} rows={2} most={2_400} />}
    </FormRow>
    <p className={styles.tradeNote}>报警写在客户端的本地日志里，本站不发送短信或邮件。</p>
  </Part>
)

function Time({ form, field, hint }: Given & { field: 'start_time' | 'end_time' | 'heartbeat'; hint?: string | undefined }) {
  return (
    <FormRow label={qmtLabels[field]} message={form.message(field)} hint={hint}>
      {(control) => <TextField {...control} {...form.bind(field)} width={96} />}
    </FormRow>
  )
}

const amountLabels = { ...qmtLabels, activate: stopFields.activate.label, drawdown: stopFields.drawdown.label }

function Amount({
  form,
  field,
  label = amountLabels[field],
  hint,
  width = 80,
  ...look
}: Given & { field: Numbers; label?: string; hint?: string; unit?: string; scale?: number; placeholder?: string; width?: number }) {
  return (
    <FormRow label={label} message={form.message(field)} hint={hint}>
      {(control) => <NumberField {...control} {...form.bind(field)} {...look} width={width} />}
    </FormRow>
  )
}

type Flags = 'limit_up_skip' | 'sell_first' | 'only_own' | 'takes_profit'
function Toggle({ form, field, label, words }: Given & { field: Flags; label: string; words: string }) {
  return (
    <FormRow label={label}>
      {(control) => (
        <Switch {...control} {...form.bind(field)}>
          {words}
        </Switch>
      )}
    </FormRow>
  )
}
