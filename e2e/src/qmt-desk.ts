// What stands between a strategy and a terminal, made through the API, and how one opens its dialogs.

import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import type { Page } from 'playwright-core'
import type { Asking } from './asking.ts'
import { untilThere } from './until-there.ts'

export interface QmtDesk {
  /** Makes a config of a strategy. @returns its id */
  add(kind: MarketId, name: string, strategyId: string): Promise<string>
}

/** An account and trading rules for the last minutes of the day, that only rehearse. */
export async function qmtDesk(ask: Asking): Promise<QmtDesk> {
  const account = await ask(calls.qmt.addAccount, {
    body: {
      ...{ alias: '主账户', broker: '试验证券', account_no: '70010001', account_type: 'STOCK', client_type: 'mini' },
      ...{ initial_capital: 10, report_status: 0, is_enabled: true },
    },
  })
  const trading = await ask(calls.qmt.addTradingConfig, {
    body: {
      ...{ name: '尾盘', start_time: '14:50:00', end_time: '14:56:30', interval: 30, duration: 300, wait: 24 },
      ...{ price_mode: 1, price_offset: 0.0001, price_guard: 0.03, order_min: 3_000, order_max: 30_000, day_max: 200 },
      ...{ max_daily_turnover: 1, hold_rank: null, buy_rank: null, sell_first: true, limit_up_skip: true, only_own: true },
      ...{ take_profit: null, ignore_codes: [], heartbeat: '09:15', dry_run: true },
    },
  })
  return {
    add: async (kind, name, id) => {
      const made = await ask(calls.qmt.addConfig, {
        body: {
          ...{ name, kind, account_id: account.id, source: { type: 'strategy', id }, capital: 10, hold_weight_type: 1 },
          ...{ trading_config_id: trading.id, enabled: true },
        },
      })
      return made.id
    },
  }
}

/** On a strategy's page: the basket of its list, or why there is none. */
export async function openBasket(page: Page): Promise<void> {
  await page.getByRole('button', { name: '导出篮子' }).click()
  const basket = page.getByRole('dialog', { name: '导出篮子文件' })
  await untilThere(basket, basket.locator('.empty, tbody tr:not(:has(.skeleton)), .table-cards li').first())
}

/** On the page of configs: the dry run of the first, of nothing held. */
export async function openDryRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^演练/ }).first().click()
  const drawer = page.locator('[role=dialog][data-modal]')
  await drawer.getByText('空仓', { exact: true }).click()
  await drawer.getByRole('button', { name: '演练', exact: true }).click()
  await drawer.getByText('未用现金').waitFor()
}

/** On the page of configs: the export of the first; on a phone, which exports nothing, the config itself. */
export async function openExport(page: Page): Promise<void> {
  const phone = (page.viewportSize()?.width ?? 0) <= 768
  const opening = phone ? page.getByRole('list', { name: '运行配置' }).getByRole('button') : page.getByRole('button', { name: /^导出/ })
  await opening.first().click()
}

/** On the page of configs: 委托与成交 of the first. */
export async function openFills(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /的更多操作$/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: '委托与成交' }).click()
}
