import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { FileDrop } from './file-drop-field.tsx'

const csv = (name: string, bytes = 10) => new File(['x'.repeat(bytes)], name, { type: 'text/csv' })

async function show(given: { disabled?: boolean } = {}) {
  const taken = vi.fn<(file: File | null) => void>()
  const Field = () => {
    const [file, setFile] = useState<File | null>(null)
    const change = (next: File | null) => {
      taken(next)
      setFile(next)
    }
    return <FileDrop label="持仓文件" file={file} onChange={change} endings={['.csv', '.xlsx']} most={1_000} {...given} />
  }
  const { container } = await render(<Field />)
  const place = container.querySelector('.file-drop')!
  const drag = (type: string, files: readonly File[]) => {
    const dataTransfer = new DataTransfer()
    for (const file of files) dataTransfer.items.add(file)
    place.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }
  return { taken, place, drag, input: container.querySelector('input')!, drop: (...files: File[]) => drag('drop', files) }
}
const names = ({ mock }: { mock: { calls: [File | null][] } }) => mock.calls.map(([file]) => file?.name ?? null)

it('a dropped file is taken, shown with its size, and removed again', async () => {
  const { taken, place, drag, drop } = await show()
  drag('dragenter', [csv('持仓.csv')])
  await expect.poll(() => place.className).toContain('over')
  drop(csv('持仓.CSV', 900))
  await expect.element(page.getByText('持仓.CSV')).toBeVisible()
  await expect.element(page.getByText('1 KB', { exact: true })).toBeVisible()
  expect(place.className).not.toContain('over')
  await page.getByRole('button', { name: '移除' }).click()
  await expect.element(page.getByRole('button', { name: '选择文件' })).toBeVisible()
  expect(names(taken)).toEqual(['持仓.CSV', null])
})

it('another kind, too large a file, and several at once are refused in words; the next right one is taken', async () => {
  const { taken, drop } = await show()
  drop(new File(['x'], '持仓.pdf', { type: 'application/pdf' }))
  await expect.element(page.getByText('只接受 .csv、.xlsx 文件')).toBeVisible()
  drop(csv('持仓.csv', 2_000))
  await expect.element(page.getByText('文件不能大于 1 KB')).toBeVisible()
  drop(csv('一.csv'), csv('二.csv'))
  await expect.element(page.getByText('一次只能选择一个文件')).toBeVisible()
  expect(taken).not.toHaveBeenCalled()
  drop(csv('三.csv'))
  await expect.element(page.getByText('三.csv')).toBeVisible()
  await expect.element(page.getByText('一次只能选择一个文件')).not.toBeInTheDocument()
})

it('a file is chosen by keyboard, and the same one again after it was removed', async () => {
  const { taken, input } = await show()
  const opened = vi.spyOn(input, 'click')
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: '选择文件' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(opened).toHaveBeenCalledOnce()
  for (let times = 0; times < 2; times++) {
    await userEvent.upload(input, csv('持仓.csv'))
    await page.getByRole('button', { name: '移除' }).click()
  }
  expect(names(taken)).toEqual(['持仓.csv', null, '持仓.csv', null])
})

it('takes nothing while it is disabled', async () => {
  const { taken, drop } = await show({ disabled: true })
  drop(csv('持仓.csv'))
  await expect.element(page.getByRole('button', { name: '选择文件' })).toBeDisabled()
  expect(taken).not.toHaveBeenCalled()
})
