import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../test/components/axe.ts'
import { type Tab, Tabs } from './tabs.tsx'

type Key = 'list' | 'trades' | 'excluded' | 'reserve'
const all: readonly Tab<Key>[] = [
  { key: 'list', label: '名单', count: 10 },
  { key: 'trades', label: '成交', disabled: true },
  { key: 'reserve', label: '候补', count: 1_204 },
  { key: 'excluded', label: '被剔除' },
]

function Result({ tabs = all }: { tabs?: readonly Tab<Key>[] }) {
  const [chosen, setChosen] = useState<Key>('list')
  return (
    <Tabs label="结果" tabs={tabs} value={chosen} onChange={setChosen}>
      <label>
        {chosen} <input aria-label="搜索" />
      </label>
    </Tabs>
  )
}
const tab = (name: string | RegExp) => page.getByRole('tab', { name })

it('are one tab stop; arrows choose, wrap around and skip what is disabled, Home and End jump', async () => {
  await render(<Result />)
  await userEvent.tab()
  await expect.element(tab(/名单/)).toHaveFocus()
  for (const [key, name] of [
    ['ArrowLeft', '被剔除'],
    ['ArrowRight', /名单/],
    ['ArrowRight', /候补/],
    ['End', '被剔除'],
    ['Home', /名单/],
    ['ArrowRight', /候补/],
  ] as const) {
    await userEvent.keyboard(`{${key}}`)
    await expect.element(tab(name)).toHaveFocus()
    await expect.element(tab(name)).toHaveAttribute('aria-selected', 'true')
  }
  await expect.element(page.getByRole('tabpanel', { name: /候补/ })).toHaveTextContent('reserve')
  await userEvent.tab()
  await expect.element(page.getByRole('textbox', { name: '搜索' })).toHaveFocus()
})

it('say how many there are, are chosen by a press, and axe finds nothing', async () => {
  await render(<Result />)
  await expect.element(tab(/候补/)).toHaveTextContent('候补1,204')
  await expect.element(tab('成交')).toBeDisabled()
  await tab('被剔除').click()
  await expect.element(tab('被剔除')).toHaveAttribute('aria-selected', 'true')
  await expect.element(tab(/名单/)).toHaveAttribute('aria-selected', 'false')
  expect(await axeFaults()).toEqual([])
})

it('one alone is no choice; what its panel holds stays when more come', async () => {
  const { rerender } = await render(<Result tabs={all.slice(0, 1)} />)
  await expect.element(page.getByRole('tablist')).not.toBeInTheDocument()
  await page.getByRole('textbox', { name: '搜索' }).fill('双低')
  await rerender(<Result />)
  await expect.element(page.getByRole('tablist', { name: '结果' })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: '搜索' })).toHaveValue('双低')
})

it('more than fit scroll in themselves on a phone, and the chosen one is as high as a finger needs', async () => {
  await page.viewport(320, 640)
  const many = Array.from({ length: 9 }, (_, i) => ({ key: `${i}`, label: `第 ${i + 1} 组名单` }))
  await render(
    <Tabs label="结果" tabs={many} value="0" onChange={() => {}}>
      名单
    </Tabs>,
  )
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  expect(tab('第 1 组名单').element().getBoundingClientRect().height).toBeGreaterThanOrEqual(40)
})
