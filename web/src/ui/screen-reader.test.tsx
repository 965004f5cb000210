import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Walk } from '../../test/components/screen-reader.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Calendar } from './form/calendar-month.tsx'
import { Combobox } from './form/combobox.tsx'
import { FormRow } from './form/form-row.tsx'
import { Menu } from './menu.tsx'
import { Toasts, toast } from './toast.tsx'

// What a screen reader says of the parts that open, word for word. README.md of this folder compares it with the patterns of the ARIA APG.

const press = (keys: string) => () => userEvent.keyboard(keys)

const bonds = [
  { value: '900012', label: '演示转债12', note: '900012.DM', words: 'yszz12' },
  { value: '900207', label: '演示转债207', note: '900207.DM', words: 'yszz207' },
  { value: '901200', label: '示范转债', note: '901200.DM', words: 'sfzz' },
]
function Bond() {
  const [value, setValue] = useState<string | null>('900207')
  return (
    <FormRow label="证券" hint="可按代码、名称或拼音首字母查找">
      {(control) => <Combobox {...control} value={value} options={bonds} onChange={setValue} />}
    </FormRow>
  )
}

it('a combobox', async () => {
  await render(<Bond />)
  const field = page.getByRole('combobox', { name: '证券' })
  const option = (name: RegExp) => page.getByRole('option', { name })
  await expect.element(field).toHaveValue('演示转债207')
  const walk = new Walk()
  await walk.step(
    'Tab',
    () => userEvent.tab(),
    () => expect.element(field).toHaveFocus(),
  )
  await walk.tree()
  await walk.step('ArrowDown', press('{ArrowDown}'), () => expect.element(option(/^演示转债207/)).toBeVisible())
  await walk.tree()
  await walk.step('ArrowDown', press('{ArrowDown}'), () => expect.element(option(/^示范转债/)).toHaveAttribute('data-highlighted'))
  await walk.step(
    'types yszz',
    () => field.fill('yszz'),
    () => expect.element(option(/^示范转债/)).not.toBeInTheDocument(),
  )
  await walk.step(
    'types 没有',
    () => field.fill('没有'),
    () => expect.element(page.getByText('没有符合的选项')).toBeVisible(),
  )
  await walk.tree()
  await walk.step(
    'types 示范',
    () => field.fill('示范'),
    () => expect.element(option(/^示范转债/)).toBeVisible(),
  )
  await walk.step('Enter', press('{Enter}'), () => expect.element(option(/^示范转债/)).not.toBeInTheDocument())
  await walk.step('Esc', press('{Escape}'), () => expect.element(field).toHaveValue('示范转债'))
  await expect(walk.text).toMatchFileSnapshot('screen-reader/combobox.txt')
})

it('a menu', async () => {
  await render(
    <Menu
      button="导出"
      choices={[
        { label: '保存为 CSV', run: () => {} },
        { label: 'QMT 篮子文件', off: true },
      ]}
      end={[{ label: '删除', run: () => {}, danger: true }]}
    />,
  )
  const button = page.getByRole('button', { name: '导出' })
  const item = (name: string) => page.getByRole('menuitem', { name })
  const walk = new Walk()
  await walk.step(
    'Tab',
    () => userEvent.tab(),
    () => expect.element(button).toHaveFocus(),
  )
  await walk.tree()
  await walk.step('Enter', press('{Enter}'), () => expect.element(item('保存为 CSV')).toHaveFocus())
  await walk.tree()
  await walk.step('ArrowDown', press('{ArrowDown}'), () => expect.element(item('QMT 篮子文件')).toHaveFocus())
  await walk.step('End', press('{End}'), () => expect.element(item('删除')).toHaveFocus())
  await walk.step('Esc', press('{Escape}'), () => expect.element(button).toHaveFocus())
  await expect(walk.text).toMatchFileSnapshot('screen-reader/menu.txt')
})

it('toasts above a dialog', async () => {
  await render(
    <>
      <Toasts />
      <Dialog
        title="持仓"
        onClose={() => {}}
        footer={
          <>
            <Button onClick={() => toast.done('已导入 3 行', { label: '撤销', act: () => toast.info('已撤销') })}>导入</Button>
            <Button onClick={() => toast.error('没有导入：第 2 行的数量不是整数')}>再次导入</Button>
          </>
        }
      >
        三行
      </Dialog>
    </>,
  )
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await expect.element(button('导入')).toBeVisible()
  const walk = new Walk()
  await walk.step(
    'opens',
    async () => button('导入').element().focus(),
    () => expect.element(button('导入')).toHaveFocus(),
  )
  await walk.step('Enter', press('{Enter}'), () => expect.element(button('撤销')).toBeVisible())
  await walk.tree()
  await walk.step('F6', press('{F6}'), () => expect.poll(() => document.activeElement?.closest('.toasts') !== null).toBe(true))
  await walk.step(
    'Tab',
    () => userEvent.tab(),
    () => expect.poll(() => document.activeElement?.matches('.toast')).toBe(true),
  )
  await walk.step(
    'Tab',
    () => userEvent.tab(),
    () => expect.element(button('撤销')).toHaveFocus(),
  )
  await walk.step('Enter', press('{Enter}'), () => expect.element(page.getByText('已撤销').last()).toBeVisible())
  await walk.step(
    'on 再次导入',
    async () => button('再次导入').element().focus(),
    () => expect.element(button('再次导入')).toHaveFocus(),
  )
  await walk.step('Enter', press('{Enter}'), () => expect.element(page.getByText('没有导入', { exact: false }).first()).toBeVisible())
  await walk.tree()
  await walk.step('F6', press('{F6}'), () => expect.element(page.getByRole('region', { name: '通知' })).toHaveFocus())
  await walk.step('Shift+Tab', press('{Shift>}{Tab}{/Shift}'), () => expect.element(button('再次导入')).toHaveFocus())
  await expect(walk.text).toMatchFileSnapshot('screen-reader/toast.txt')
})

it('a calendar', async () => {
  const closed = (date: string) =>
    (date >= '2026-10-01' && date <= '2026-10-08') || [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())
  const Days = () => {
    const [chosen, setChosen] = useState(['2026-10-09'])
    return <Calendar chosen={chosen} min="2024-01-02" max="2026-11-20" closed={closed} onPick={(date) => setChosen([date])} />
  }
  await render(<Days />)
  const day = (date: string) => page.getByRole('button', { name: new RegExp(`^${date}`) })
  const walk = new Walk()
  await walk.step(
    'opens',
    async () => {},
    () => expect.element(day('2026年10月9日')).toHaveFocus(),
  )
  await walk.tree()
  await walk.step('ArrowLeft', press('{ArrowLeft}'), () => expect.element(day('2026年10月8日')).toHaveFocus())
  await walk.step('ArrowDown', press('{ArrowDown}'), () => expect.element(day('2026年10月15日')).toHaveFocus())
  await walk.step('Enter', press('{Enter}'), () => expect.element(page.getByRole('gridcell', { selected: true })).toHaveTextContent('15'))
  await walk.step('PageDown', press('{PageDown}'), () => expect.element(day('2026年11月15日')).toHaveFocus())
  const before = page.getByRole('button', { name: '上个月' })
  await walk.step(
    'on 上个月',
    async () => before.element().focus(),
    () => expect.element(before).toHaveFocus(),
  )
  await walk.step('Enter', press('{Enter}'), () => expect.element(day('2026年10月15日')).toBeVisible())
  await expect(walk.text).toMatchFileSnapshot('screen-reader/calendar.txt')
})
