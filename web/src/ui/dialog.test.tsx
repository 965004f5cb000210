import { useState } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../test/components/axe.ts'
import { expectInsideWindow, lowButtons, pressBeside } from '../../test/components/places.ts'
import { useKeyboard, useKeys } from '../keys/use-keys.ts'
import { Button } from './button.tsx'
import { confirm } from './confirm.tsx'
import { Dialog, Drawer, Sheet } from './dialog.tsx'
import { Toasts } from './toast.tsx'

type Close = { onClose: () => void }

const SaveTemplate = ({ onClose }: Close) => (
  <Dialog title="保存为模板" onClose={onClose} footer={<Button onClick={onClose}>保存</Button>}>
    <label>
      名称 <input aria-label="名称" />
    </label>
  </Dialog>
)
const Notice = ({ onClose }: Close) => (
  <Dialog title="已有更新" role="alertdialog" width={300} onClose={onClose} footer={<Button data-focus>刷新</Button>}>
    刷新后使用新的版本。
  </Dialog>
)
const Bond = ({ onClose }: Close) => (
  <Drawer title="演示转债3" note="900003.DM" onClose={onClose} steps={{ place: '3 / 5', onPrevious: null, onNext: () => {} }}>
    <p>剩余 4.74 年</p>
    <label>
      备注 <input aria-label="备注" />
    </label>
  </Drawer>
)
const Account = ({ onClose }: Close) => (
  <Drawer title="新建账户" focus="field" onClose={onClose} footer={<Button>保存</Button>}>
    <label>
      账号 <input aria-label="账号" />
    </label>
  </Drawer>
)
const Places = ({ onClose }: Close) => (
  <Sheet title="全部页面" onClose={onClose}>
    <a href="#one">选债</a>
  </Sheet>
)

/** A button that opens what is shown, and another one behind it. */
function Opener({ Part }: { Part: (props: Close) => React.ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>打开</Button>
      <Button>别处</Button>
      {open && <Part onClose={() => setOpen(false)} />}
    </>
  )
}

const parts = [
  { name: '保存为模板', Part: SaveTemplate, role: 'dialog', focused: () => page.getByRole('textbox', { name: '名称' }) },
  { name: '已有更新', Part: Notice, role: 'alertdialog', focused: () => page.getByRole('button', { name: '刷新' }) },
  { name: '演示转债3', Part: Bond, role: 'dialog', focused: () => page.getByRole('region', { name: '演示转债3' }) },
  { name: '新建账户', Part: Account, role: 'dialog', focused: () => page.getByRole('textbox', { name: '账号' }) },
  { name: '全部页面', Part: Places, role: 'dialog', focused: () => page.getByRole('button', { name: '关闭' }) },
] as const

const opener = () => page.getByRole('button', { name: '打开' })

describe.each(parts)('$name', ({ name, Part, role, focused }) => {
  const shown = () => page.getByRole(role, { name })

  it('opens by Enter with the focus where its work begins, keeps it, closes by Esc and gives it back', async () => {
    await render(<Opener Part={Part} />)
    opener().element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(focused()).toHaveFocus()
    for (let i = 0; i < 6; i++) {
      await userEvent.tab()
      const { activeElement } = document
      expect(activeElement === document.body || shown().element().contains(activeElement) || isGuard(activeElement)).toBe(true)
    }
    await userEvent.keyboard('{Escape}')
    await expect.element(shown()).not.toBeInTheDocument()
    await expect.element(opener()).toHaveFocus()
  })

  it('is named, leaves nothing behind it to press and has no fault that axe finds', async () => {
    await render(<Opener Part={Part} />)
    await opener().click()
    await expect.element(shown()).toBeVisible()
    await expect.element(page.getByRole('heading', { name })).toBeVisible()
    const { left, top, width, height } = page.getByText('别处').element().getBoundingClientRect()
    expect(document.elementFromPoint(left + width / 2, top + height / 2)?.textContent).not.toBe('别处')
    // Nor to read.
    await expect.element(page.getByRole('button', { name: '别处' })).not.toBeInTheDocument()
    expect(await axeFaults()).toEqual([])
  })

  it('stands inside the window of a phone, its buttons as high as a finger needs', async () => {
    await page.viewport(360, 640)
    await render(<Opener Part={Part} />)
    await opener().click()
    await expectInsideWindow(shown())
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    expect(lowButtons(shown())).toEqual([])
  })
})

/** What a focus trap puts before and behind its part to lead the focus back into it. */
const isGuard = (element: Element | null) => element?.hasAttribute('data-base-ui-focus-guard') ?? false

it('a section that the reader was led to has the focus again when the dialog closes', async () => {
  const Page = () => {
    const [open, setOpen] = useState(false)
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: stands for a page whose keys open a dialog
      <div onKeyDown={(event) => event.key === 'd' && setOpen(true)}>
        <section tabIndex={-1} aria-label="强赎">
          <a href="#rule">规则</a>
        </section>
        {open && <SaveTemplate onClose={() => setOpen(false)} />}
      </div>
    )
  }
  await render(<Page />)
  const section = page.getByRole('region', { name: '强赎' })
  section.element().focus()
  await userEvent.keyboard('d')
  await expect.element(page.getByRole('textbox', { name: '名称' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(section).toHaveFocus()
})

it('stands in the middle of the window, above whatever layer the page uses', async () => {
  const root = document.createElement('div')
  root.className = 'root'
  document.body.append(root)
  onTestFinished(() => root.remove())
  const Page = () => (
    <>
      <div style={{ position: 'fixed', inset: 0, zIndex: 9_999 }}>条件</div>
      <SaveTemplate onClose={() => {}} />
    </>
  )
  await render(<Page />, { container: root })
  const field = page.getByRole('textbox', { name: '名称' })
  await expect.element(field).toBeVisible()
  const { left, right, top, bottom } = page.getByRole('dialog').element().getBoundingClientRect()
  expect([left + right, top + bottom].map(Math.round)).toEqual([innerWidth, innerHeight])
  const at = field.element().getBoundingClientRect()
  expect(document.elementFromPoint(at.left + 5, at.top + 5)).toBe(field.element())
})

it('keys of the page are not heard while it is open', async () => {
  const helped = vi.fn()
  const Page = () => {
    useKeyboard()
    useKeys({ help: helped })
    return <Opener Part={Notice} />
  }
  await render(<Page />)
  await userEvent.keyboard('h')
  expect(helped).toHaveBeenCalledTimes(1)
  await opener().click()
  await expect.element(page.getByRole('button', { name: '刷新' })).toHaveFocus()
  await userEvent.keyboard('h{Escape}')
  await expect.element(opener()).toHaveFocus()
  expect(helped).toHaveBeenCalledTimes(1)
})

it('Esc that ends a composition of an input method in its field does not close it', async () => {
  await render(<Opener Part={SaveTemplate} />)
  await opener().click()
  const field = page.getByRole('textbox', { name: '名称' })
  const key = { key: 'Escape', keyCode: 229, bubbles: true, cancelable: true }
  field.element().dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
  field.element().dispatchEvent(new KeyboardEvent('keydown', { ...key, isComposing: true }))
  field.element().dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
  // Safari ends the composition before the key.
  field.element().dispatchEvent(new KeyboardEvent('keydown', key))
  await expect.element(field).toBeVisible()
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(field).not.toBeInTheDocument()
})

it('a press beside closes it, text marked from a field to beyond its edge does not', async () => {
  await render(<Opener Part={SaveTemplate} />)
  await opener().click()
  const dialog = page.getByRole('dialog', { name: '保存为模板' })
  const field = page.getByRole('textbox', { name: '名称' })
  await field.fill('双低')
  const backdrop = () => document.elementFromPoint(5, 5) as HTMLElement
  press('pointerdown', field.element())
  press('pointerup', backdrop())
  backdrop().click()
  await expect.element(dialog).toBeVisible()
  await pressBeside()
  await expect.element(dialog).not.toBeInTheDocument()
})

const press = (type: 'pointerdown' | 'pointerup', target: Element) =>
  target.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, button: 0, pointerType: 'mouse' }))

it('a question above a drawer: Esc and a press beside close only the question, three times, and the focus is right each time', async () => {
  const answers: boolean[] = []
  const Asking = ({ onClose }: Close) => (
    <Drawer
      title="双低"
      onClose={onClose}
      footer={
        <Button onClick={async () => answers.push(await confirm({ title: '删除策略？', text: '不可恢复。', action: '删除' }))}>
          删除策略
        </Button>
      }
    >
      概要
    </Drawer>
  )
  await render(
    <>
      <Opener Part={Asking} />
      <Toasts />
    </>,
  )
  await opener().click()
  const remove = page.getByRole('button', { name: '删除策略' })
  const question = page.getByRole('alertdialog', { name: '删除策略？' })
  for (const round of [1, 2, 3]) {
    remove.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('button', { name: '取消' })).toHaveFocus()
    if (round === 2) await pressBeside()
    else await userEvent.keyboard('{Escape}')
    await expect.element(question).not.toBeInTheDocument()
    await expect.element(page.getByRole('dialog', { name: '双低' })).toBeVisible()
    await expect.element(remove).toHaveFocus()
  }
  remove.element().focus()
  await userEvent.keyboard('{Enter}')
  await page.getByRole('button', { name: '删除', exact: true }).click()
  await vi.waitFor(() => expect(answers).toEqual([false, false, false, true]))
})
