import { useState } from 'react'
import { expect, it } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../../test/components/axe.ts'
import { expectInsideWindow } from '../../../test/components/places.ts'
import { Dialog } from '../dialog.tsx'
import { Combobox } from './combobox.tsx'
import { FormRow } from './form-row.tsx'
import { MultiSelect } from './multi-select.tsx'

const bonds = [
  { value: '900012', label: '演示转债12', note: '900012.DM', words: 'yszz12' },
  { value: '900207', label: '演示转债207', note: '900207.DM', words: 'yszz207' },
  { value: '901200', label: '示范转债', note: '901200.DM', words: 'sfzz' },
]
const industries = ['电力设备', '电子', '汽车', '银行'].map((label, value) => ({ value, label }))

let chosen: unknown
function Bond({ start = null, message = null, off }: { start?: string | null; message?: string | null; off?: string }) {
  const [value, setValue] = useState<string | null>(start)
  chosen = value
  return (
    <FormRow label="证券" message={message} off={off}>
      {(control) => <Combobox {...control} width={240} value={value} options={bonds} onChange={setValue} />}
    </FormRow>
  )
}
function Industries({ start = [], message = null, off }: { start?: number[]; message?: string | null; off?: string }) {
  const [value, setValue] = useState<readonly number[]>(start)
  chosen = value
  return (
    <FormRow label="行业" message={message} off={off}>
      {(control) => <MultiSelect {...control} width={240} value={value} options={industries} onChange={setValue} />}
    </FormRow>
  )
}
const bond = () => page.getByRole('combobox', { name: '证券' })
const several = () => page.getByRole('combobox', { name: '行业' })
const option = (name: RegExp) => page.getByRole('option', { name })
const options = () => expect.poll(() => [...document.querySelectorAll('[role=option]')].map((one) => one.textContent))

it.each([
  ['900', ['演示转债12900012.DM', '演示转债207900207.DM']],
  ['yszz2', ['演示转债207900207.DM']],
  ['示范', ['示范转债901200.DM']],
] as const)('a combobox finds %s by code, name or initials; Enter takes the first', async (text, found) => {
  await render(<Bond />)
  await bond().fill(text)
  await options().toEqual(found)
  await userEvent.keyboard('{Enter}')
  await expect.element(bond()).toHaveAttribute('aria-expanded', 'false')
  expect(found[0]).toContain(chosen)
})

it('a combobox by keyboard: arrows walk and wrap around, Esc and leaving put back what was chosen', async () => {
  await render(<Bond start="900207" />)
  bond().element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(bond()).toHaveAttribute('aria-expanded', 'true')
  await userEvent.keyboard('{Escape}')
  await expect.element(bond()).toHaveValue('演示转债207')
  await bond().fill('没有')
  await expect.element(page.getByText('没有符合的选项')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(bond()).toHaveValue('演示转债207')
  await bond().fill('示范')
  await userEvent.tab()
  await expect.element(bond()).toHaveValue('演示转债207')
  expect(chosen).toBe('900207')
})

it('while an input method composes nothing is chosen; then the only option, which Enter takes', async () => {
  await render(<Bond />)
  await bond().click()
  const session = cdp() as unknown as { send(method: string, params: object): Promise<unknown> }
  // The list is open with its first row highlighted: an Enter that is not of the input method would take it.
  await bond().fill('演示')
  await expect.element(option(/^演示转债12/)).toHaveAttribute('data-highlighted')
  await session.send('Input.imeSetComposition', { text: 'zhuan', selectionStart: 5, selectionEnd: 5 })
  await expect.element(bond()).toHaveValue('演示zhuan')
  // The Enter that ends a composition has the key code 229: in Chrome before its end, in Safari after it.
  const enter = { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }
  bond()
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { ...enter, isComposing: true }))
  await session.send('Input.insertText', { text: '转债12' })
  bond().element().dispatchEvent(new KeyboardEvent('keydown', enter))
  await options().toEqual(['演示转债12900012.DM'])
  expect(chosen).toBe(null)
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => chosen).toBe('900012')
})

it('a choice of several by keyboard stays open, keeps the order of its list, and Esc closes it', async () => {
  await render(<Industries start={[2]} />)
  await expect.element(several()).toBeVisible()
  several().element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(several()).toHaveAttribute('aria-expanded', 'true')
  await expect.element(option(/汽车/)).toHaveAttribute('aria-selected', 'true')
  // It begins at the first chosen row, as a native list does.
  await expect.element(option(/汽车/)).toHaveFocus()
  await option(/电力设备/).click()
  await expect.poll(() => chosen).toEqual([0, 2])
  await expect.element(option(/银行/)).toBeVisible()
  await option(/汽车/).click()
  await expect.poll(() => chosen).toEqual([0])
  await userEvent.keyboard('{Escape}')
  await expect.element(option(/银行/)).not.toBeInTheDocument()
  await expect.element(several()).toHaveTextContent('电力设备')
})

it.each([
  ['证券', () => <Bond message="请选择证券" />, bond],
  ['行业', () => <Industries message="请选择行业" />, several],
] as const)('%s says what is wrong under itself, and axe finds nothing, open or closed', async (name, Part, field) => {
  await render(<Part />)
  await expect.element(field()).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field()).toHaveAccessibleDescription(`请选择${name}`)
  expect(await axeFaults()).toEqual([])
  await field().click()
  await expect.element(page.getByRole('option').first()).toBeVisible()
  expect(await axeFaults()).toEqual([])
})

it.each([
  ['证券', () => <Bond off="回测运行中" />, bond],
  ['行业', () => <Industries off="回测运行中" />, several],
] as const)('%s cannot be changed while it is off', async (_, Part, field) => {
  await render(<Part />)
  await expect.element(field()).toBeDisabled()
})

it.each([
  [320, () => <Bond />, bond],
  [360, () => <Industries />, several],
] as const)('a list stands inside a window of %i px, its rows as high as a finger needs', async (width, Part, field) => {
  await page.viewport(width, 480)
  await render(
    <div style={{ position: 'fixed', right: 4, bottom: 4 }}>
      <Part />
    </div>,
  )
  await field().click()
  await expectInsideWindow(page.getByRole('listbox'))
  expect(page.getByRole('option').first().element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
})

it('a list brings no style element of its own, which the page policy would refuse', async () => {
  await render(<Industries />)
  // Those of the development server stand for the built style sheets.
  const styles = () => [...document.querySelectorAll('style:not([data-vite-dev-id])')].map(({ textContent }) => textContent)
  await expect.element(several()).toBeVisible()
  const before = styles()
  await several().click()
  await expect.element(option(/银行/)).toBeVisible()
  expect(styles()).toEqual(before)
})

it('a chosen option stays chosen where the caller makes its options anew', async () => {
  const remade = () => <Combobox label="证券" value="900207" options={bonds.map((one) => ({ ...one }))} onChange={() => {}} />
  const { rerender } = await render(remade())
  await bond().click()
  await expect.element(option(/^演示转债207/)).toHaveAttribute('aria-selected', 'true')
  await rerender(remade())
  await expect.element(option(/^演示转债207/)).toHaveAttribute('aria-selected', 'true')
  await bond().fill('演示')
  await expect.element(option(/^示范/)).not.toBeInTheDocument()
  await expect.element(option(/^演示转债207/)).toHaveAttribute('aria-selected', 'true')
})

const leaving = [
  ['Tab', () => userEvent.tab()],
  ['a press elsewhere', () => page.getByText('别处').click()],
] as const
it.each(leaving)('an option that is only walked to is not taken by leaving with %s', async (_, leave) => {
  await render(
    <>
      <Bond start="900207" />
      <p>别处</p>
      <button type="button">后面</button>
    </>,
  )
  await bond().click()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(option(/^示范转债/)).toHaveAttribute('data-highlighted')
  await leave()
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument()
  await expect.element(bond()).toHaveValue('演示转债207')
  expect(chosen).toBe('900207')
})

it('shows what its caller has chosen meanwhile, after it was left by Tab', async () => {
  const Chosen = () => {
    const [value, setValue] = useState<string | null>('900207')
    return (
      <>
        <Combobox label="证券" value={value} options={bonds} onChange={setValue} />
        <button type="button" onClick={() => setValue('901200')}>
          换一只
        </button>
      </>
    )
  }
  await render(<Chosen />)
  await bond().fill('yszz12')
  await expect.element(option(/^演示转债12/)).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(bond()).toHaveValue('演示转债12')
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(bond()).toHaveValue('示范转债')
})

it('in a dialog Esc closes the list, then the dialog, and empties nothing; a press beside closes the list alone', async () => {
  let closed = 0
  await render(
    <Dialog title="调试" onClose={() => (closed += 1)}>
      <Bond start="900207" />
      <Industries />
    </Dialog>,
  )
  const dialog = page.getByRole('dialog', { name: '调试' })
  await several().click()
  await option(/电力设备/).click()
  await expect.element(option(/银行/)).toBeVisible()
  await page.getByRole('heading', { name: '调试', includeHidden: true }).click()
  await expect.element(option(/银行/)).not.toBeInTheDocument()
  await expect.element(dialog).toBeVisible()
  await bond().click()
  await expect.element(option(/^演示转债207/)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(option(/^演示转债207/)).not.toBeInTheDocument()
  expect(closed).toBe(0)
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => closed).toBe(1)
  await expect.element(bond()).toHaveValue('演示转债207')
})
