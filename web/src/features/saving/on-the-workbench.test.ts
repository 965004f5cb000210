// isolated: stubs globals
import { markets } from '@convexa/contract/enums/market'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { beforeEach, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'
import type { Draft } from '../../state/drafts.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
let arrive = () => {}
const fetched = vi.fn(async () => {
  await new Promise<void>((done) => {
    arrive = done
  })
  return Response.json({ code: 0, msg: '', data: detail })
})
vi.stubGlobal('fetch', fetched)
const { queries, strategyOptionsQuery } = await import('../../api/queries.ts')
const { MarketProvider } = await import('../../market/market-context.tsx')
const { useStrategies } = await import('../../state/drafts.ts')
const { blankParameters } = await import('../rule/draft.ts')
const { useOpenStrategy } = await import('./use-open-strategy.ts')
const { useSaving } = await import('./use-saving.ts')

/** What a hook gives on the workbench of convertible bonds. */
function given<T>(use: () => T): T {
  const told: T[] = []
  const Probe = () => {
    told.push(use())
    return null
  }
  const inMarket = MarketProvider({ market: markets.cb, children: createElement(Probe) })
  renderToString(createElement(QueryClientProvider, { client: queries }, inMarket))
  return told[0] as T
}

const draft = (name: string) => ({ name, edited: false, parameters: blankParameters('cb'), settings: {}, range: null }) as unknown as Draft
const detail = { id: 'a', version: 1, strategy_name: '存过的', detail: blankParameters('cb'), settings: {} }
const name = () => useStrategies.getState().drafts.cb?.name

beforeEach(() => {
  queries.clear()
  fetched.mockClear()
  queries.setQueryData(strategyOptionsQuery.queryKey, {} as never)
  useStrategies.getState().set('cb', draft('原来的'))
})

it('a saved strategy takes the place of the draft when it is here', async () => {
  const opened = given(useOpenStrategy)('a')
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled(), { timeout: 15_000 })
  arrive()
  expect([await opened, name()]).toEqual([true, '存过的'])
})

it('a template that is chosen while a saved strategy is on its way stays', async () => {
  const opened = given(useOpenStrategy)('a')
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled(), { timeout: 15_000 })
  useStrategies.getState().set('cb', draft('模板'))
  arrive()
  expect([await opened, name()]).toEqual([false, '模板'])
})

it('what is wrong with a draft is said to who saves it under another name, and nothing is sent', async () => {
  const wrong = draft('错的')
  wrong.parameters.hold_days = Number.NaN
  wrong.parameters.filter_factors = [{ enable: true, factor_key: '', operation: 'gt', value: Number.NaN }] as never
  await expect(given(() => useSaving(wrong)).saveAs({ name: '新', remark: '', tags: [] })).rejects.toThrow('条件有误，还不能保存')
  expect(fetched).not.toHaveBeenCalled()
})
