import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../test/components/app.tsx'
import { expectInsideWindow } from '../../test/components/places.ts'
import { swipe, tap, touchScreen } from '../../test/components/touch.ts'
import { Term } from '../features/help/term.tsx'
import { Dialog, Drawer, Sheet } from './dialog.tsx'
import { Combobox } from './form/combobox.tsx'
import { DateField } from './form/date-field.tsx'
import { FileDrop } from './form/file-drop.tsx'
import { FormRow } from './form/form-row.tsx'
import { MultiSelect } from './form/multi-select.tsx'
import { Menu } from './menu.tsx'
import { Popover } from './popover.tsx'
import { toast } from './toast.tsx'

// Chromium's emulation of a touch screen: fingers come through the DevTools protocol, so the browser itself makes pointer events and presses.

beforeEach(async () => void (await touchScreen(true)))
afterEach(async () => void (await touchScreen(false)))

const bonds = Array.from({ length: 40 }, (_, place) => ({ value: `9000${place}`, label: `演示转债${place}`, note: `9000${place}.DM` }))
const places = [...bonds.keys()]
const industries = ['电力设备', '电子', '汽车', '银行'].map((label, value) => ({ value, label }))
const pressed = vi.fn<(what: string) => void>()
beforeEach(() => pressed.mockClear())

/** A page that is higher than the window, with a button that a press beside something open must not reach. */
const Page = ({ children }: { children: ReactNode }) => (
  <App>
    <div style={{ height: 2_000, padding: 12 }}>
      {children}
      <button type="button" style={{ position: 'fixed', left: 0, bottom: 0, height: 44 }} onClick={() => pressed('后面')}>
        后面
      </button>
    </div>
  </App>
)
const behind = () => page.getByRole('button', { name: '后面', includeHidden: true })
const option = (name: RegExp) => page.getByRole('option', { name })

describe.each([320, 412])('by touch in a window of %i px', (width) => {
  beforeEach(() => page.viewport(width, 640))

  it('a menu opens, stays while a finger scrolls over it, and does what is tapped', async () => {
    await render(
      <Page>
        <Menu button="导出" choices={['复制表格', '保存图片'].map((label) => ({ label, run: () => pressed(label) }))} />
      </Page>,
    )
    await tap(page.getByRole('button', { name: '导出' }))
    await expectInsideWindow(page.getByRole('menu'))
    await swipe(page.getByRole('menuitem', { name: '复制表格' }), { x: 0, y: 60 })
    await expect.element(page.getByRole('menu')).toBeVisible()
    expect(pressed).not.toHaveBeenCalled()
    await tap(page.getByRole('menuitem', { name: '保存图片' }))
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
    await expect.poll(() => pressed.mock.calls).toEqual([['保存图片']])
  })

  it('a second tap of its button closes a menu, and so does one beside it', async () => {
    await render(
      <Page>
        <Menu button="导出" choices={[{ label: '复制表格', run: () => pressed('复制表格') }]} />
      </Page>,
    )
    const button = page.getByRole('button', { name: '导出' })
    for (const beside of [() => tap(button), () => tap({ x: width - 5, y: 500 })]) {
      await tap(button)
      await expect.element(page.getByRole('menu')).toBeVisible()
      await beside()
      await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
    }
    expect(pressed).not.toHaveBeenCalled()
  })

  it('a popover opens, its field can be tapped, and a tap beside closes it', async () => {
    await render(
      <Page>
        <Popover button="口径" label="口径">
          {() => <input aria-label="天数" style={{ height: 44 }} />}
        </Popover>
      </Page>,
    )
    await tap(page.getByRole('button', { name: '口径' }))
    await expectInsideWindow(page.getByRole('dialog', { name: '口径' }))
    await tap(page.getByRole('textbox', { name: '天数' }))
    await expect.element(page.getByRole('textbox', { name: '天数' })).toHaveFocus()
    await tap({ x: width - 5, y: 500 })
    await expect.element(page.getByRole('dialog', { name: '口径' })).not.toBeInTheDocument()
  })

  it('a list of one: a finger scrolls it without choosing, then takes an option', async () => {
    const Field = () => {
      const [value, setValue] = useState<string | null>(null)
      return <FormRow label="证券">{(control) => <Combobox {...control} value={value} options={bonds} onChange={setValue} />}</FormRow>
    }
    await render(
      <Page>
        <Field />
      </Page>,
    )
    const field = page.getByRole('combobox', { name: '证券' })
    await expect.element(field).toBeVisible()
    await tap(field)
    await expect.element(option(/^演示转债2 /)).toBeVisible()
    await swipe(option(/^演示转债2 /), { x: 0, y: -80 })
    await expect.element(page.getByRole('listbox')).toBeVisible()
    await expect.element(field).toHaveValue('')
    await tap(option(/^演示转债4 /))
    await expect.element(page.getByRole('listbox')).not.toBeInTheDocument()
    await expect.element(field).toHaveValue('演示转债4')
  })

  let chosen: readonly number[]
  it('a list of several stays open from tap to tap; one beside it closes it', async () => {
    const Field = () => {
      const [value, setValue] = useState<readonly number[]>([])
      chosen = value
      return (
        <FormRow label="行业">{(control) => <MultiSelect {...control} value={value} options={industries} onChange={setValue} />}</FormRow>
      )
    }
    await render(
      <Page>
        <Field />
      </Page>,
    )
    const field = page.getByRole('combobox', { name: '行业' })
    await expect.element(field).toBeVisible()
    await tap(field)
    await expectInsideWindow(page.getByRole('listbox'))
    for (const name of [/电子/, /汽车/]) {
      await tap(option(name))
      await expect.element(option(name)).toHaveAttribute('aria-selected', 'true')
    }
    await tap({ x: width - 5, y: 600 })
    await expect.element(page.getByRole('listbox')).not.toBeInTheDocument()
    expect(chosen).toEqual([1, 2])
  })

  it('a calendar opens under its field and takes the day that is tapped', async () => {
    const Field = () => {
      const [value, setValue] = useState('2026-10-12')
      return <DateField label="日期" value={value} onChange={(date) => setValue(date)} min="2026-01-01" max="2026-12-31" />
    }
    await render(
      <Page>
        <Field />
      </Page>,
    )
    await tap(page.getByRole('button', { name: '选择日期' }))
    const day = page.getByRole('button', { name: /2026年10月14日/ })
    await expect.element(day).toBeVisible()
    await tap(day)
    await expect.element(page.getByRole('grid')).not.toBeInTheDocument()
    await expect.element(page.getByRole('textbox', { name: '日期' })).toHaveValue('2026-10-14')
  })

  it('a tap on what a toast offers does it, above an open dialog too', async () => {
    await render(
      <Page>
        <Dialog title="调试" onClose={() => pressed('关闭')}>
          <p>内容</p>
        </Dialog>
      </Page>,
    )
    await expect.element(page.getByRole('dialog', { name: '调试' })).toBeVisible()
    toast.done('已删除', { label: '撤销', act: () => pressed('撤销') })
    await expect.element(page.getByRole('button', { name: '撤销' })).toBeVisible()
    await tap(page.getByRole('button', { name: '撤销' }))
    await expect.poll(() => pressed.mock.calls).toEqual([['撤销']])
    await expect.element(page.getByRole('dialog', { name: '调试' })).toBeVisible()
  })

  const modals = [
    [
      'dialog',
      (close: () => void, body: ReactNode) => (
        <Dialog title="对话框" onClose={close}>
          {body}
        </Dialog>
      ),
    ],
    [
      'drawer',
      (close: () => void, body: ReactNode) => (
        <Drawer title="抽屉" onClose={close}>
          {body}
        </Drawer>
      ),
    ],
    [
      'sheet',
      (close: () => void, body: ReactNode) => (
        <Sheet title="页" onClose={close}>
          {body}
        </Sheet>
      ),
    ],
  ] as const
  it.each(modals)('a finger scrolls what a %s holds and nothing behind it; its cross closes it', async (_, part) => {
    const Opened = () => {
      const [open, setOpen] = useState(true)
      const lines = places.map((line) => <p key={line}>第 {line} 行</p>)
      return open ? part(() => setOpen(false), lines) : null
    }
    await render(
      <Page>
        <Opened />
      </Page>,
    )
    const dialog = page.getByRole('dialog')
    const line = page.getByText('第 3 行', { exact: true })
    await expect.element(line).toBeVisible()
    const before = line.element().getBoundingClientRect().top
    await swipe(line, { x: 0, y: -60 })
    await expect.poll(() => line.element().getBoundingClientRect().top).toBeLessThan(before)
    expect(scrollY).toBe(0)
    await expect.element(dialog).toBeVisible()
    await tap(dialog.getByRole('button', { name: '关闭' }))
    await expect.element(dialog).not.toBeInTheDocument()
    await tap(behind())
    await expect.poll(() => pressed.mock.calls).toEqual([['后面']])
  })

  it('a term is pinned by a tap and stays; one beside it closes it', async () => {
    await render(
      <Page>
        <p style={{ marginTop: 80 }}>
          <Term k="sharpe">夏普</Term>
        </p>
      </Page>,
    )
    await tap(page.getByRole('button', { name: '夏普' }))
    const card = page.getByRole('dialog', { name: '名词解释' })
    await expect.element(card.getByText('常见误读')).toBeVisible()
    await expectInsideWindow(card)
    await tap({ x: width - 5, y: 600 })
    await expect.element(card).not.toBeInTheDocument()
  })

  it('a tap on the place for a file asks for one', async () => {
    const { container } = await render(
      <Page>
        <FileDrop label="持仓文件" file={null} onChange={() => {}} endings={['.csv']} most={1_000} />
      </Page>,
    )
    const button = page.getByRole('button', { name: '选择文件' })
    await expect.element(button).toBeVisible()
    const asked = vi.spyOn(container.querySelector<HTMLInputElement>('input[type=file]')!, 'click').mockImplementation(() => {})
    await tap(button)
    await expect.poll(() => asked.mock.calls.length).toBe(1)
  })
})
