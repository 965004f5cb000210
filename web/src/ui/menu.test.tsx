import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../test/components/axe.ts'
import { expectInsideWindow } from '../../test/components/places.ts'
import { Icon } from './icon.tsx'
import { Menu, MenuChoices } from './menu.tsx'

const done: string[] = []
const choices = [
  { label: '保存为 CSV', run: () => done.push('csv'), shortcut: 'E' },
  { label: '复制表格', run: () => done.push('copy') },
  { label: 'QMT 篮子文件', run: () => done.push('basket'), off: true },
  { label: '删除', run: () => done.push('remove'), danger: true },
]
const Export = () => (
  <Menu className="button" button={<Icon name="more" />} label="导出" align="right">
    {(close) => <MenuChoices choices={choices} close={close} />}
  </Menu>
)
const trigger = () => page.getByRole('button', { name: '导出' })
const item = (name: RegExp) => page.getByRole('button', { name })

it('opens by Enter, is walked by arrows past what is disabled, does what is chosen and gives the focus back', async () => {
  done.length = 0
  await render(<Export />)
  await expect.element(trigger()).toHaveAttribute('aria-expanded', 'false')
  trigger().element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(trigger()).toHaveAttribute('aria-expanded', 'true')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(item(/^保存为 CSV/)).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(item(/^删除/)).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}{Enter}')
  await expect.element(item(/^复制表格/)).not.toBeInTheDocument()
  await expect.element(trigger()).toHaveFocus()
  expect(done).toEqual(['copy'])
})

it('closes by Esc, by a second press and by a press elsewhere, and has done nothing', async () => {
  done.length = 0
  await render(
    <>
      <p>别处的文字</p>
      <Export />
    </>,
  )
  const csv = item(/^保存为 CSV/)
  for (const close of [() => userEvent.keyboard('{Escape}'), () => trigger().click(), () => page.getByText('别处的文字').click()]) {
    await trigger().click()
    await expect.element(csv).toBeVisible()
    await close()
    await expect.element(csv).not.toBeInTheDocument()
  }
  expect(done).toEqual([])
})

it.each([320, 360, 412, 1280])(
  'stands inside a window of %i px where its button is at the right lower edge, and axe finds nothing',
  async (width) => {
    await page.viewport(width, 480)
    await render(
      <div style={{ position: 'fixed', right: 4, bottom: 4 }}>
        <Export />
      </div>,
    )
    await trigger().click()
    for (const label of [/^保存为 CSV/, /^删除/]) await expectInsideWindow(item(label))
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    if (width === 360) expect(await axeFaults()).toEqual([])
  },
)
