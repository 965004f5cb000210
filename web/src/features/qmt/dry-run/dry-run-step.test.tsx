import { calls } from '@convexa/contract/calls'
import type { ConfigListItem } from '@convexa/contract/qmt'
import type { DryRun, DryRunBody } from '@convexa/contract/qmt-basket'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../../../test/components/app.tsx'
import { scriptedApi } from '../../../../test/components/scripted-api.ts'
import { DryRunStep } from './dry-run-step.tsx'

const config: ConfigListItem = {
  ...{ id: 'c1', name: '双低实盘', kind: 'cb', account_id: 'a1', source: { type: 'strategy', id: 's1', name: '双低' } },
  ...{ capital: 10, hold_weight_type: 1, trading_config_id: 't1', enabled: true, diff_count: null, confirmed_at: null },
  ...{ exported_at: null, last_heartbeat: null, questions: 0, client_note: '', updated_at: '2026-11-20T15:00:00+08:00' },
}
const bought = {
  action: 'buy',
  code: '110001.SH',
  name: '甲转债',
  held: 0,
  target: 80,
  difference: 80,
  price: 100,
  amount: 8_000,
  fee: 8,
} as const
const resultOf = (hash: string): DryRun => ({
  ...{ trade_date: '2026-11-23', signal_date: '2026-11-20', data_mode: 'imported', data_version: 'v', hash, dropped: [], warnings: [] },
  ...{ holdings_from: 'given', holdings_at: null, holdings: [], targets: 1, max_turnover_share: 0.0001 },
  ...{ buy_amount: 8_000, sell_amount: 0, fees: 8, unused_cash: 100 },
  rows: [{ ...bought, turnover_share: null, rank: 1, rank_before: null, reason_text: '新进', warnings: [] }],
})

it('is confirmed as it was looked at: the late answer to one result says nothing of the next', async () => {
  const api = scriptedApi()
  api.says(calls.qmt.dryRun, ({ body }) => resultOf((body as DryRunBody).holdings ? 'of nothing' : 'of a table'))
  let arrive = (): void => {}
  const answered = new Promise<void>((resolve) => (arrive = resolve))
  api.says(calls.qmt.confirm, async () => {
    await answered
    return { confirmed_at: '2026-11-20T16:00:00+08:00' }
  })
  const head = { title: config.name, note: '', width: 960 }
  const nothing = () => {}
  await render(
    <App>
      <DryRunStep config={config} head={head} steps={null} onBack={nothing} onExport={nothing} onClose={nothing} />
    </App>,
  )
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const looked = page.getByRole('checkbox', { name: '我已核对以上 1 笔差异' })
  const confirm = button('确认并启用导出')
  await button('空仓').click()
  await button('演练').click()
  await expect.element(confirm).toBeDisabled()
  await looked.click()
  await confirm.click()
  await expect.poll(() => api.asked(calls.qmt.confirm).map(({ body }) => body)).toEqual([{ hash: 'of nothing' }])
  await button('重新导入').click()
  await button('粘贴或导入').click()
  await page.getByRole('textbox', { name: '持仓表' }).fill('110002.SH 70')
  await button('演练').click()
  await expect.element(looked).not.toBeChecked()
  arrive()
  await expect.element(page.getByText('差异已确认，可以导出')).toBeVisible()
  // It says so of the first alone: the second has to be looked at.
  await expect.element(looked).toBeVisible()
  await expect.element(confirm).toBeDisabled()
  expect(document.body.textContent).not.toMatch(/已于 .+ 确认/)
  await looked.click()
  await confirm.click()
  await expect.element(page.getByText(/^已于 16:00 确认$/)).toBeVisible()
  expect(api.asked(calls.qmt.confirm).map(({ body }) => body)).toEqual([{ hash: 'of nothing' }, { hash: 'of a table' }])
})
