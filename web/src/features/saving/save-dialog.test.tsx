import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../../test/components/axe.ts'
import { expectInsideWindow, lowButtons } from '../../../test/components/places.ts'
import { CallError } from '../../api/messages.ts'
import { Button } from '../../ui/button.tsx'
import { SaveDialog } from './save-dialog.tsx'
import type { NewStrategy } from './use-saving.ts'

const suggested: NewStrategy = { name: '双低', remark: '', tags: ['低波'] }
type Save = (strategy: NewStrategy) => Promise<void>

function Saving({ onSave = async () => {}, first = suggested }: { onSave?: Save; first?: NewStrategy }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>另存为</Button>
      {open && <SaveDialog title="保存策略" suggested={first} taken={['高股息']} onSave={onSave} onClose={() => setOpen(false)} />}
    </>
  )
}
const opened = async (given: Parameters<typeof Saving>[0] = {}) => {
  await render(<Saving {...given} />)
  await page.getByRole('button', { name: '另存为' }).click()
}
const dialog = () => page.getByRole('dialog', { name: '保存策略' })
const field = (name: RegExp) => page.getByRole('textbox', { name })
const save = () => page.getByRole('button', { name: '保存', exact: true })
const alert = () => page.getByRole('alert')

it.each([
  [/^策略名称/, '', '请填写策略名称'],
  [/^策略名称/, '   ', '请填写策略名称'],
  [/^策略名称/, ' 高股息 ', '名称已存在'],
  [/^策略名称/, '双'.repeat(51), '名称需为1至50个字符'],
  [/^备注/, '字'.repeat(201), '备注最多 200 字'],
  [/^标签/, Array.from({ length: 11 }, (_, i) => `标签${i}`).join(' '), '标签最多 10 个'],
  [/^标签/, '标'.repeat(21), '每个标签最多 20 字'],
])('%s %j is not sent: %s', async (name, typed, message) => {
  const saved = vi.fn(async () => {})
  await opened({ onSave: saved })
  await field(name).fill(typed)
  await save().click()
  await expect.element(alert()).toHaveTextContent(message)
  await expect.element(field(name)).toHaveFocus()
  await expect.element(field(name)).toHaveAttribute('aria-invalid', 'true')
  expect(saved).not.toHaveBeenCalled()
})

it('by keyboard: name, remark and tags are sent trimmed, each tag once; the dialog closes and gives the focus back', async () => {
  const saved = vi.fn(async () => {})
  await render(<Saving onSave={saved} />)
  page.getByRole('button', { name: '另存为' }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(field(/^策略名称/)).toHaveFocus()
  await expect.element(field(/^策略名称/)).toHaveValue('双低')
  await userEvent.keyboard('{End} 二 ')
  await userEvent.tab()
  await expect.element(field(/^备注/)).toHaveFocus()
  await userEvent.keyboard('盯强赎')
  await userEvent.tab()
  await expect.element(field(/^标签/)).toHaveValue('低波')
  await userEvent.keyboard('{End}，双低、低波{Enter}')
  await vi.waitFor(() => expect(saved).toHaveBeenCalledExactlyOnceWith({ name: '双低 二', remark: '盯强赎', tags: ['低波', '双低'] }))
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: '另存为' })).toHaveFocus()
})

it.each([
  [21003, '名称已存在', true],
  [21004, '名称需为1至50个字符', true],
  [21005, '策略数量已达上限（50 个）', false],
])('what the server refuses by %i is said, at the name where it is about it, and nothing is lost', async (code, message, isName) => {
  await opened({ onSave: () => Promise.reject(new CallError('response', message, code)) })
  await field(/^备注/).fill('盯强赎')
  await save().click()
  await expect.element(alert()).toHaveTextContent(message)
  if (isName) await expect.element(field(/^策略名称/)).toHaveAccessibleDescription(message)
  else await expect.element(field(/^策略名称/)).not.toHaveAttribute('aria-invalid')
  await expect.element(field(/^备注/)).toHaveValue('盯强赎')
  await expect.element(save()).toBeEnabled()
})

it('cannot be sent twice', async () => {
  let done = () => {}
  const saved = vi.fn(() => new Promise<void>((resolve) => (done = resolve)))
  await opened({ onSave: saved })
  await save().click()
  await expect.element(page.getByRole('button', { name: '正在保存…' })).toBeDisabled()
  field(/^策略名称/)
    .element()
    .focus()
  await userEvent.keyboard('{Enter}')
  expect(saved).toHaveBeenCalledTimes(1)
  done()
  await expect.element(dialog()).not.toBeInTheDocument()
})

it('stands inside the window of a phone, its buttons as high as a finger needs, and axe finds nothing with a mistake said', async () => {
  await page.viewport(360, 640)
  await opened({ first: { ...suggested, name: '' } })
  await save().click()
  await expect.element(alert()).toBeVisible()
  await expectInsideWindow(dialog())
  expect(lowButtons(dialog())).toEqual([])
  expect(await axeFaults()).toEqual([])
})
