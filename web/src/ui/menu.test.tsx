import { useState } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../test/components/axe.ts'
import { expectInsideWindow } from '../../test/components/places.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import { NavMenu } from './nav-menu.tsx'
import { Popover } from './popover.tsx'
import { pressOpener } from './table/row-opener.tsx'

const done: string[] = []
const choices = [
  { label: '保存为 CSV', run: () => done.push('csv'), shortcut: 'E' },
  { label: 'JSON 报告', run: () => done.push('copy') },
  { label: 'QMT 篮子文件', run: () => done.push('basket'), off: true },
]
const end = [{ label: '删除', run: () => done.push('remove'), danger: true }]
const Export = () => <Menu className="button" button={<Icon name="more" />} label="导出" align="right" choices={choices} end={end} />
const trigger = () => page.getByRole('button', { name: '导出' })
const item = (name: RegExp) => page.getByRole('menuitem', { name })

it('opens by Enter with the focus on its first command, is walked by arrows and letters, does what is chosen and gives the focus back', async () => {
  done.length = 0
  await render(<Export />)
  await expect.element(trigger()).toHaveAttribute('aria-haspopup', 'menu')
  await expect.element(trigger()).toHaveAttribute('aria-expanded', 'false')
  trigger().element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(trigger()).toHaveAttribute('aria-expanded', 'true')
  await expect.element(page.getByRole('menu', { name: '导出' })).toBeVisible()
  await expect.element(item(/^保存为 CSV/)).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(item(/^删除/)).toHaveFocus()
  await userEvent.keyboard('j')
  await expect.element(item(/^JSON 报告/)).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(item(/^JSON 报告/)).not.toBeInTheDocument()
  await expect.element(trigger()).toHaveFocus()
  expect(done).toEqual(['copy'])
})

it('opens by an arrow key; a command that cannot be pressed now says so and does nothing', async () => {
  done.length = 0
  await render(<Export />)
  trigger().element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(item(/^保存为 CSV/)).toHaveFocus()
  await expect.element(item(/^QMT/)).toHaveAttribute('aria-disabled', 'true')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  await expect.element(item(/^QMT/)).toBeVisible()
  expect(done).toEqual([])
})

it('closes by Esc, by a second press of its button and by a press elsewhere, and has done nothing', async () => {
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
    await expect.element(trigger()).toHaveAttribute('aria-expanded', 'false')
  }
  expect(done).toEqual([])
})

it('its links stand below the words of their groups, and mark the page that is shown', async () => {
  const places = [
    { label: '筛选', to: '/screen', group: '可转债' },
    { label: '回测', to: '/backtest', group: '可转债' },
    { label: '我的', to: '/personal' },
  ]
  await render(
    <MemoryRouter initialEntries={['/backtest']}>
      <Menu button="换一个页面" choices={places} />
    </MemoryRouter>,
  )
  await page.getByRole('button', { name: '换一个页面' }).click()
  const group = page.getByRole('group', { name: '可转债' })
  await expect.element(group.getByRole('menuitem', { name: '回测' })).toHaveAttribute('aria-current', 'page')
  await expect.element(group.getByRole('menuitem', { name: '筛选' })).toHaveAttribute('href', '/screen')
  await userEvent.keyboard('{ArrowDown}')
  await page.getByRole('menuitem', { name: '我的' }).click()
  await expect.element(group).not.toBeInTheDocument()
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
    await expectInsideWindow(page.getByRole('menu', { name: '导出' }))
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    if (width === 360) expect(await axeFaults()).toEqual([])
  },
)

it('Tab closes it and leads on from its button; the focus is not lost', async () => {
  await render(
    <>
      <Export />
      <Button>后面</Button>
    </>,
  )
  trigger().element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(item(/^保存为 CSV/)).toHaveFocus()
  await userEvent.tab()
  await expect.element(item(/^保存为 CSV/)).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: '后面' })).toHaveFocus()
})

it('in a row that opens by a press, a press of its commands does not open the row', async () => {
  const opened = vi.fn()
  await render(
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: stands for a row of a table
    <div onClick={pressOpener}>
      <button type="button" className="table-open" onClick={opened}>
        双低
      </button>
      <Export />
    </div>,
  )
  await trigger().click()
  await item(/^JSON 报告/).click()
  await expect.element(item(/^JSON 报告/)).not.toBeInTheDocument()
  expect(opened).not.toHaveBeenCalled()
})

it('pages under a word of the navigation stay inside its landmark', async () => {
  await render(
    <nav aria-label="主导航">
      <NavMenu word="可转债" label="可转债的页面">
        {() => <a href="#screen">筛选</a>}
      </NavMenu>
    </nav>,
  )
  await page.getByRole('button', { name: '可转债的页面' }).click()
  await expect.element(page.getByRole('navigation').getByRole('link', { name: '筛选' })).toBeVisible()
})

it('a dialog that a command opens gives the focus back to the menu’s button', async () => {
  const Renaming = () => {
    const [open, setOpen] = useState(false)
    return (
      <>
        <Menu button="更多" choices={[{ label: '改名', run: () => setOpen(true) }]} />
        {open && (
          <Dialog title="改名" onClose={() => setOpen(false)}>
            <input aria-label="名称" />
          </Dialog>
        )}
      </>
    )
  }
  await render(<Renaming />)
  const more = page.getByRole('button', { name: '更多' })
  for (const choose of [() => item(/改名/).click(), () => userEvent.keyboard('{Enter}')]) {
    more.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(item(/改名/)).toHaveFocus()
    await choose()
    await expect.element(page.getByRole('textbox', { name: '名称' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(more).toHaveFocus()
    // Nothing of the two is left on the page.
    expect([document.body, document.documentElement].map((one) => one.getAttribute('style') ?? '')).toEqual(['', ''])
    expect(document.querySelector('[aria-hidden=true]:not(svg, [data-base-ui-focus-guard])')).toBe(null)
  }
})

const Meaning = () => (
  <Popover className="link" button="年化收益">
    {(close) => (
      <p>
        复利折算到一年。
        <Button onClick={close}>知道了</Button>
      </p>
    )}
  </Popover>
)

it('a popover opens by Enter with the focus inside, closes by its own button, by Esc and by leaving, and gives the focus back', async () => {
  await render(
    <>
      <Meaning />
      <Button>后面</Button>
    </>,
  )
  const button = page.getByRole('button', { name: '年化收益' })
  const panel = page.getByRole('dialog', { name: '年化收益' })
  for (const keys of ['{Enter}', '{Escape}']) {
    button.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('button', { name: '知道了' })).toHaveFocus()
    await userEvent.keyboard(keys)
    await expect.element(panel).not.toBeInTheDocument()
    await expect.element(button).toHaveFocus()
  }
  button.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('button', { name: '知道了' })).toHaveFocus()
  await userEvent.tab()
  await expect.element(panel).not.toBeInTheDocument()
  expect([button.element(), page.getByRole('button', { name: '后面' }).element()]).toContain(document.activeElement)
  await button.click()
  await expect.element(panel).toBeVisible()
  expect(await axeFaults()).toEqual([])
  await button.click()
  await expect.element(panel).not.toBeInTheDocument()
  await button.click()
  await page.getByRole('button', { name: '后面' }).click()
  await expect.element(panel).not.toBeInTheDocument()
  button.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('button', { name: '知道了' })).toHaveFocus()
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: '后面' })).toHaveFocus()
  await expect.element(panel).not.toBeInTheDocument()
})

it('a menu inside a dialog lies above it; Esc closes the menu, then the dialog', async () => {
  let closed = 0
  await render(
    <Dialog title="持仓" onClose={() => (closed += 1)}>
      <Export />
    </Dialog>,
  )
  await trigger().click()
  await expect.element(item(/^JSON 报告/)).toBeVisible()
  const { left, top, width, height } = item(/^JSON 报告/)
    .element()
    .getBoundingClientRect()
  expect(document.elementFromPoint(left + width / 2, top + height / 2)?.textContent).toBe('JSON 报告')
  await userEvent.keyboard('{Escape}')
  await expect.element(item(/^JSON 报告/)).not.toBeInTheDocument()
  expect(closed).toBe(0)
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => closed).toBe(1)
})

it('an open popover adds nothing to the line in which its button stands', async () => {
  const { container } = await render(
    <div>
      <Popover button="口径" label="口径">
        {() => <a href="#a">说明</a>}
      </Popover>
      <button type="button">后面</button>
    </div>,
  )
  const { children } = container.firstElementChild!
  await page.getByRole('button', { name: '口径' }).click()
  await expect.element(page.getByRole('dialog', { name: '口径' })).toBeVisible()
  // The library puts guards of the focus beside the button that it opened from.
  await expect.poll(() => container.querySelectorAll('[data-base-ui-focus-guard]').length).toBeGreaterThan(0)
  expect(children).toHaveLength(2)
})
