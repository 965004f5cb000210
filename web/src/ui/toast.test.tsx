import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../test/components/axe.ts'
import { expectInsideWindow } from '../../test/components/places.ts'
import { Button } from './button.tsx'
import { Dialog, Drawer } from './dialog.tsx'
import { Toasts, toast } from './toast.tsx'

const texts = () => [...document.querySelectorAll('.toast')].map((one) => one.textContent)
const shown = () => expect.poll(texts)

afterEach(() => shown().toEqual([]))

it('says what was done, three at most, the same words once, each for three seconds', async () => {
  await render(<Toasts />)
  toast.done('已保存')
  toast.info('刷新完成')
  toast.error('改名失败')
  await shown().toEqual(['已保存', '刷新完成', '改名失败'])
  toast.info('刷新完成')
  toast.done('已复制')
  await shown().toEqual(['刷新完成', '改名失败', '已复制'])
  expect(await axeFaults()).toEqual([])
})

it('its action is done once and it goes', async () => {
  const undone = vi.fn()
  await render(<Toasts />)
  toast.done('已移出名单', { label: '撤销', act: undone })
  await page.getByRole('button', { name: '撤销' }).click()
  expect(undone).toHaveBeenCalledTimes(1)
  await shown().toEqual([])
})

it('above an open dialog it can be pressed and reached by the keyboard, and the dialog stays', async () => {
  const undone = vi.fn()
  const Page = () => {
    const [open, setOpen] = useState(true)
    return (
      <>
        <Toasts />
        {open && (
          <Dialog
            title="持仓"
            onClose={() => setOpen(false)}
            footer={<Button onClick={() => toast.done('已导入', { label: '撤销', act: undone })}>导入</Button>}
          >
            三行
          </Dialog>
        )}
      </>
    )
  }
  await render(<Page />)
  await page.getByRole('button', { name: '导入' }).click()
  await page.getByRole('button', { name: '撤销' }).click()
  expect(undone).toHaveBeenCalledTimes(1)
  await page.getByRole('button', { name: '导入' }).click()
  const undo = page.getByRole('button', { name: '撤销' })
  await expect.element(undo).toBeVisible()
  undo.element().focus()
  await userEvent.keyboard('{Enter}')
  expect(undone).toHaveBeenCalledTimes(2)
  await expect.element(page.getByRole('dialog', { name: '持仓' })).toBeVisible()
})

it('beside an open drawer it stands at the left, so that it covers no button of the drawer', async () => {
  await render(
    <>
      <Toasts />
      <Drawer title="演示转债3" onClose={() => {}}>
        三行
      </Drawer>
    </>,
  )
  const drawer = page.getByRole('dialog', { name: '演示转债3' })
  await expect.element(drawer).toBeVisible()
  toast.info('刷新完成')
  await shown().toHaveLength(1)
  const edge = drawer.element().getBoundingClientRect().left
  expect(document.querySelector('.toast')?.getBoundingClientRect().right).toBeLessThan(edge)
})

it('F6 leads to it from inside a dialog; when its action is done the focus is back in the dialog', async () => {
  const undone = vi.fn()
  await render(
    <>
      <Toasts />
      <Dialog
        title="持仓"
        onClose={() => {}}
        footer={<Button onClick={() => toast.done('已导入', { label: '撤销', act: undone })}>导入</Button>}
      >
        三行
      </Dialog>
    </>,
  )
  const opener = page.getByRole('button', { name: '导入' })
  await expect.element(opener).toBeVisible()
  opener.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('button', { name: '撤销' })).toBeVisible()
  await userEvent.keyboard('{F6}{Tab}{Tab}{Enter}')
  expect(undone).toHaveBeenCalledTimes(1)
  await expect.element(opener).toHaveFocus()
})

it('stands inside the window of a phone, however long its words are', async () => {
  await page.viewport(360, 640)
  await render(<Toasts />)
  toast.error('没有打开：页面资源加载失败，请检查网络后刷新页面，或稍后再试')
  await expectInsideWindow(page.getByText('没有打开', { exact: false }).first())
  expect(await axeFaults()).toEqual([])
})

/** What the last event led to is done with. */
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

it('they stay while one reads them under the mouse or has reached one by the keyboard, and go three seconds after', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  await render(
    <>
      <p>别处</p>
      <Toasts />
    </>,
  )
  toast.done('已保存', { label: '撤销', act: () => {} })
  toast.info('刷新完成')
  await shown().toHaveLength(2)
  await page.getByText('刷新完成').hover()
  await drawn()
  vi.advanceTimersByTime(9_000)
  await shown().toHaveLength(2)
  await page.getByText('别处').hover()
  const undo = page.getByRole('button', { name: '撤销' })
  undo.element().focus()
  await drawn()
  vi.advanceTimersByTime(9_000)
  await expect.element(undo).toHaveFocus()
  undo.element().blur()
  await drawn()
  vi.advanceTimersByTime(3_100)
  await shown().toEqual([])
})
