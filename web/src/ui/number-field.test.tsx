import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../test/components/axe.ts'
import { Button } from './button.tsx'
import { NumberField } from './controls.tsx'
import { Form, FormRow } from './form/form-row.tsx'

let value: number | null
function MostOfOne({ start = 0.2, message = null, off }: { start?: number | null; message?: string | null; off?: string }) {
  const [now, setNow] = useState<number | null>(start)
  value = now
  return (
    <Form aria-label="持有">
      <FormRow label="单只上限" message={message} off={off}>
        {(control) => (
          <NumberField {...control} unit="%" scale={100} width={112} step={{ by: 5, min: 0, max: 30 }} value={now} onChange={setNow} />
        )}
      </FormRow>
      <Button onClick={() => setNow(0.07)}>使用模板</Button>
    </Form>
  )
}
const field = () => page.getByRole('textbox', { name: '单只上限' })

it.each([
  ['12.5', 0.125, '12.5'],
  ['１２．５', 0.125, '12.5'],
  ['1,200', 12, '1200'],
  ['30%', 0.3, '30'],
  [' 7 ', 0.07, '7'],
  ['－5', -0.05, '-5'],
  ['', null, ''],
] as const)('%j is read as a fraction of one and stands there in its shortest form once it is left', async (typed, read, shown) => {
  await render(<MostOfOne />)
  await field().fill(typed)
  expect(value).toBe(read)
  await userEvent.tab()
  await expect.element(field()).toHaveValue(shown)
  await expect.element(field()).not.toHaveAttribute('aria-invalid')
})

it.each(['十', '1..2', '12 元', '1e'])('%j is no number: it stays as it was typed and is marked until it is mended', async (typed) => {
  await render(<MostOfOne />)
  await field().fill(typed)
  expect(value).toBeNaN()
  await userEvent.tab()
  await expect.element(field()).toHaveValue(typed)
  await expect.element(field()).toHaveAttribute('aria-invalid', 'true')
  await field().fill('8')
  await expect.element(field()).not.toHaveAttribute('aria-invalid')
})

it('by keyboard: one tab stop with its text selected, ↑ and ↓ step it within its bounds', async () => {
  await render(<MostOfOne />)
  await userEvent.tab()
  await expect.element(field()).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(field()).toHaveValue('25')
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  await expect.element(field()).toHaveValue('30')
  expect(value).toBe(0.3)
  await userEvent.tab({ shift: true })
  await userEvent.tab()
  await userEvent.keyboard('4')
  await expect.element(field()).toHaveValue('4')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(field()).toHaveValue('0')
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: '使用模板' })).toHaveFocus()
})

it('follows a value that comes from elsewhere', async () => {
  await render(<MostOfOne start={null} />)
  await expect.element(field()).toHaveValue('')
  await page.getByRole('button', { name: '使用模板' }).click()
  await expect.element(field()).toHaveValue('7')
})

it('says what is wrong under itself, and axe finds nothing', async () => {
  await render(<MostOfOne message="单只上限须在 0%–100% 之间" />)
  await expect.element(field()).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field()).toHaveAccessibleDescription('单只上限须在 0%–100% 之间')
  expect(await axeFaults()).toEqual([])
})

it('cannot be changed while it is off, and says why', async () => {
  await render(<MostOfOne off="回测运行中" />)
  await expect.element(field()).toBeDisabled()
  await expect.element(field()).toHaveAccessibleDescription('回测运行中')
})

it('is as high as a finger needs on a phone', async () => {
  await page.viewport(360, 640)
  await render(<MostOfOne />)
  const { height } = (field().element().parentElement as HTMLElement).getBoundingClientRect()
  expect(height).toBeGreaterThanOrEqual(44)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
})
