import { calls } from '@convexa/contract/calls'
import type { ConfigListItem, ConfigOptions } from '@convexa/contract/qmt'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import { useMemo, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form/form-row.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { Steps } from '../../../ui/steps.tsx'
import { toast } from '../../../ui/toast.tsx'
import { FormError } from '../../account/form-error.tsx'
import { Behind } from '../behind.tsx'
import { DryRunStep } from '../dry-run/dry-run-step.tsx'
import { qmtAccountsQuery, qmtChanged, tradingConfigsQuery } from '../qmt-queries.ts'
import { useFollowed } from '../use-followed.ts'
import { AccountStep } from './account-step.tsx'
import styles from './run-config.module.css'
import { bodyOf, configRules, fieldsOf, type StepKey, steps, valuesOf, wrongStep } from './run-config.ts'
import { SourceStep } from './source-step.tsx'
import { stepWords } from './step-text.ts'
import { TradingStep } from './trading-step.tsx'

const formId = 'qmt-config'

/** The four steps of a config. The first three are one form; the fourth looks at what is saved. `config` null: a new one. */
export function ConfigDrawer({
  config,
  options,
  requestedSource,
  step,
  onStep,
  onExport,
  onClose,
}: {
  config: ConfigListItem | null
  /** `strategy:ID` or `group:ID`: what a new one is to trade. */
  requestedSource: string | null
  options: ConfigOptions
  step: StepKey
  /** Of a saved config its step; a new one has no id before it is saved. */
  onStep: (id: string, step: StepKey) => void
  onExport: (config: ConfigListItem) => void
  onClose: () => void
}) {
  const [first] = useState(() => valuesOf(config, options, requestedSource))
  const stored = useMemo(() => (config ? valuesOf(config, options) : first), [config, options, first])
  const after = useRef<'look' | 'close'>('look')
  const accounts = useList(qmtAccountsQuery)
  const tradingConfigs = useList(tradingConfigsQuery)
  const form = useForm({
    first,
    rules: configRules,
    submit: async (values) => {
      const body = bodyOf(values)
      const saved = config
        ? await call(calls.qmt.changeConfig, { params: { id: config.id }, body }).then(() => config)
        : await call(calls.qmt.addConfig, { body })
      await qmtChanged()
      if (after.current === 'look') return onStep(saved.id, 'dry-run')
      toast.done('运行配置已保存')
      onClose()
    },
    places: { 21003: 'name', 21004: 'name' },
  })
  const { values, busy } = form
  const { changed: typed, behind, takeOver } = useFollowed(form, stored, bodyOf)
  const changed = config === null || typed
  // What is rehearsed is what is saved: what is not saved is looked at before.
  const shown: StepKey = step === 'dry-run' && (changed || wrongStep(values) !== null) ? (wrongStep(values) ?? 'trading') : step
  const at = steps.indexOf(shown)
  const go = (next: StepKey) => onStep(config?.id ?? 'new', next)
  const before = steps[at - 1]
  const forward = () => {
    if (!fieldsOf[shown].every((field) => form.check(field))) return
    const next = steps[at + 1]
    if (next && next !== 'dry-run') return go(next)
    if (config && !changed) return go('dry-run')
    save('look')
  }
  const save = (then: 'look' | 'close') => {
    after.current = then
    const wrong = wrongStep(values)
    if (wrong && wrong !== shown) go(wrong)
    // A step that is shown now has its fields in the next frame: the form takes the first mistake's.
    requestAnimationFrame(() => form.props.ref.current?.requestSubmit())
  }
  const leave = async () => {
    const meant =
      !typed ||
      (await confirm({ title: '放弃未保存的修改？', text: '刚才的修改还没有保存，关闭后不能恢复。', action: '放弃修改', icon: 'undo' }))
    if (meant) onClose()
  }
  const words = stepWords(values, { options, accounts: accounts.items, tradingConfigs: tradingConfigs.items })
  const head = {
    title: config ? '编辑运行配置' : '新建运行配置',
    note: config ? [config.name, words.account, words.trading].filter(Boolean).join(' · ') : '账户、策略与资金、交易参数，最后演练一次',
    width: 1024,
  }
  const stepRow = (
    <div className={styles.qmtSteps}>
      <Steps
        label="配置步骤"
        now={at}
        onGo={(index) => go(steps[index] ?? 'account')}
        steps={[
          { key: 'account', title: '账户', note: words.account },
          { key: 'source', title: '策略与资金', note: words.source },
          { key: 'trading', title: qmtLabels.trading_config_id, note: words.trading },
          { key: 'dry-run', title: '模拟演练', note: '核对差异后启用' },
        ]}
      />
    </div>
  )
  if (shown === 'dry-run' && config)
    return (
      <DryRunStep
        key={config.id}
        config={config}
        head={head}
        steps={stepRow}
        onBack={() => go('trading')}
        onExport={() => onExport(config)}
        onClose={onClose}
      />
    )
  return (
    <Drawer
      {...head}
      onClose={() => void leave()}
      footer={
        <>
          <span className="grow" />
          {before && <Button onClick={() => go(before)}>上一步</Button>}
          <Button disabled={busy || (config !== null && !changed)} onClick={() => save('close')}>
            仅保存
          </Button>
          <Button look={['primary']} disabled={busy} onClick={forward}>
            {busy ? '正在保存…' : shown !== 'trading' ? '下一步' : changed ? '保存并演练' : '演练'}
          </Button>
        </>
      }
    >
      {stepRow}
      <Form {...form.props} id={formId} look="above" className={`form above ${styles.qmtConfigForm}`} aria-label={qmtLabels.config_id}>
        <FormError error={form.refusal} />
        {behind && <Behind onTakeOver={takeOver} />}
        {shown === 'account' && <AccountStep form={form} list={accounts} />}
        {shown === 'source' && <SourceStep form={form} options={options} />}
        {shown === 'trading' && <TradingStep form={form} list={tradingConfigs} />}
      </Form>
    </Drawer>
  )
}
