import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../../test/components/app.tsx'
import { axeFaults } from '../../../test/components/axe.ts'
import { expectInsideWindow } from '../../../test/components/places.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Term } from './term.tsx'

const Page = () => (
  <App>
    <p>
      <Term k="dblow">双低</Term>从低到高 <Button>后面</Button>
    </p>
    <p>别处的文字</p>
  </App>
)
const word = () => page.getByRole('button', { name: '双低' })
const card = () => page.getByRole('dialog', { name: '名词解释' })
const formula = () => card().getByText('怎么算')
const link = () => card().getByRole('button', { name: '名词表' })

it('opens for the keyboard without taking the focus; Tab leads through its links and back to the page', async () => {
  await render(<Page />)
  await userEvent.tab()
  await expect.element(word()).toHaveFocus()
  await expect.element(formula()).toBeVisible()
  await expect.element(word()).toHaveFocus()
  await expect.element(word()).toHaveAttribute('aria-expanded', 'true')
  expect(await axeFaults()).toEqual([])
  await userEvent.tab()
  await expect.element(card().getByRole('link')).toHaveFocus()
  await userEvent.tab()
  await expect.element(link()).toHaveFocus()
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: '后面' })).toHaveFocus()
  await expect.element(card()).not.toBeInTheDocument()
  await userEvent.tab({ shift: true })
  await expect.element(word()).toHaveFocus()
  await expect.element(formula()).toBeVisible()
})

it('Esc closes it: from its links the focus goes to the word, which does not open it again', async () => {
  await render(<Page />)
  await userEvent.tab()
  await expect.element(formula()).toBeVisible()
  await userEvent.tab()
  await expect.element(card().getByRole('link')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(card()).not.toBeInTheDocument()
  await expect.element(word()).toHaveFocus()
  await expect.element(word()).toHaveAttribute('aria-expanded', 'false')
  await userEvent.keyboard('{Enter}')
  await expect.element(formula()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(card()).not.toBeInTheDocument()
})

it('opens under the mouse, stays while the mouse is in it and goes with it; a press pins it until one elsewhere', async () => {
  await render(<Page />)
  await word().hover()
  await expect.element(formula()).toBeVisible()
  await formula().hover()
  await expect.element(formula()).toBeVisible()
  await page.getByText('别处的文字').hover()
  await expect.element(card()).not.toBeInTheDocument()
  await word().click()
  await page.getByText('别处的文字').hover()
  await expect.element(formula()).toBeVisible()
  await page.getByText('别处的文字').click()
  await expect.element(card()).not.toBeInTheDocument()
})

it('stays closed by a press elsewhere that comes right after the mouse has left', async () => {
  await render(<Page />)
  await word().click()
  await expect.element(formula()).toBeVisible()
  const other = page.getByText('别处的文字').element()
  const mouse = { bubbles: true, pointerType: 'mouse' }
  word()
    .element()
    .parentElement?.dispatchEvent(new PointerEvent('pointerout', { ...mouse, relatedTarget: other }))
  for (const type of ['pointerdown', 'pointerup', 'click']) other.dispatchEvent(new PointerEvent(type, { ...mouse, button: 0 }))
  await expect.element(card()).not.toBeInTheDocument()
  // Longer than the mouse may be away from an open card.
  await new Promise((resolve) => setTimeout(resolve, 400))
  await expect.element(card()).not.toBeInTheDocument()
})

it('Esc while the mouse is over the word leaves the focus where it is', async () => {
  await render(<Page />)
  const behind = page.getByRole('button', { name: '后面' })
  behind.element().focus()
  await word().hover()
  await expect.element(formula()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(card()).not.toBeInTheDocument()
  await expect.element(behind).toHaveFocus()
})

it('in a dialog it lies above it, inside a phone’s window, and Esc closes it alone', async () => {
  await page.viewport(320, 480)
  const onClose = vi.fn()
  await render(
    <App>
      <Dialog title="篮子" onClose={onClose}>
        <Term k="dblow">双低</Term>
      </Dialog>
    </App>,
  )
  await word().click()
  await expect.element(formula()).toBeVisible()
  await expectInsideWindow(card())
  const { left, top } = formula().element().getBoundingClientRect()
  expect(
    card()
      .element()
      .contains(document.elementFromPoint(left + 1, top + 1)),
  ).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.element(card()).not.toBeInTheDocument()
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
})
