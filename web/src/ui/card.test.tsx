import { type ReactNode, useState } from 'react'
import { MemoryRouter } from 'react-router'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../test/components/axe.ts'
import { CallError } from '../api/messages.ts'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import type { CardState } from './card-state.tsx'

const acts: string[] = []
const act = (name: string) => () => void acts.push(name)
beforeEach(() => {
  acts.length = 0
  // A card waits by the clock: what is quick shows no waiting at all.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
})
/** Draws a part and lets the time pass after which a card says that it waits. */
async function renderLate(part: ReactNode) {
  await render(part)
  vi.advanceTimersByTime(3_400)
}

const List = ({ state, children = <p>演示转债437</p> }: { state?: CardState; children?: ReactNode }) => (
  <Card title="名单" note="2026-10-12" foot="得分相同时按代码。" tools={<Button>导出</Button>} {...(state && { state })}>
    {children}
  </Card>
)
const card = () => page.getByRole('region', { name: '名单' })
const columns = [{ head: '代码' }, { head: '现价(元)', numeric: true, width: 80 }]
const failure = new CallError('response', '读取数据异常', 50000, 'E-70231')

/** Each state with what it says, the buttons that it has of its own and whether the content of before stays. */
const states: { state: CardState; says: string[]; presses: string[]; keeps: boolean; busy?: boolean }[] = [
  { state: { kind: 'ready' }, says: [], presses: [], keeps: true },
  {
    state: {
      kind: 'empty',
      title: '没有符合条件的证券',
      text: '放宽一条再试。',
      action: { label: '放宽', act: act('放宽') },
      link: { label: '看被剔除的', act: act('看被剔除的') },
    },
    says: ['没有符合条件的证券', '放宽一条再试。'],
    presses: ['放宽', '看被剔除的'],
    keeps: false,
  },
  {
    state: { kind: 'error', error: failure, still: '上次的名单没有丢失。', onRetry: act('重试') },
    says: ['读取数据异常', '上次的名单没有丢失。', '错误编号 E-70231'],
    presses: ['重试'],
    keeps: false,
  },
  {
    state: {
      kind: 'timeout',
      title: '计算超时（60 秒），已保留本地预览',
      text: '减少组数会快一些。',
      onRetry: act('重试'),
      other: { label: '减少组数', act: act('减少组数') },
    },
    says: ['计算超时（60 秒），已保留本地预览', '减少组数会快一些。'],
    presses: ['重试', '减少组数'],
    keeps: true,
  },
  {
    state: { kind: 'stale', words: '行情停在 14:21:40', onRefresh: act('刷新') },
    says: ['行情停在 14:21:40'],
    presses: ['刷新'],
    keeps: true,
  },
  {
    state: { kind: 'refreshing', words: '正在重新筛选…', onCancel: act('取消') },
    says: ['正在重新筛选…'],
    presses: ['取消'],
    keeps: true,
    busy: true,
  },
  { state: { kind: 'loading', columns, rows: 3, onCancel: act('取消') }, says: ['正在计算…'], presses: ['取消'], keeps: false, busy: true },
]

describe.each(states)('$state.kind', ({ state, says, presses, keeps, busy = false }) => {
  it('says what there is to say and does what can be done, by the keyboard alone, with its title, tools and foot around it', async () => {
    await renderLate(<List state={state} />)
    await expect.element(card()).toHaveAttribute('aria-busy', String(busy))
    for (const words of says) await expect.element(card().getByText(words, { exact: true })).toBeVisible()
    for (const words of ['名单', '得分相同时按代码。']) await expect.element(card().getByText(words, { exact: true })).toBeVisible()
    if (keeps) await expect.element(card().getByText('演示转债437')).toBeVisible()
    else await expect.element(card().getByText('演示转债437')).not.toBeInTheDocument()
    await userEvent.tab()
    await expect.element(page.getByRole('button', { name: '导出' })).toHaveFocus()
    for (const name of presses) {
      await userEvent.tab()
      await expect.element(page.getByRole('button', { name })).toHaveFocus()
      await userEvent.keyboard('{Enter}')
    }
    expect(acts).toEqual(presses)
  })

  it('has no fault that axe finds, and fits a phone', async () => {
    await page.viewport(360, 640)
    // What is old is faded on purpose, under a stamp in full contrast that says so: nothing in it is asked for its contrast.
    await renderLate(<List state={state}>{state.kind === 'stale' || state.kind === 'refreshing' ? null : <p>演示转债437</p>}</List>)
    for (const words of says) await expect.element(card().getByText(words, { exact: true })).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    vi.useRealTimers()
    expect(await axeFaults()).toEqual([])
  })
})

it('an answer that comes at once is never preceded by a skeleton', async () => {
  function Quick() {
    const [state, setState] = useState<CardState>({ kind: 'loading', columns })
    return (
      <>
        <Button onClick={() => setState({ kind: 'ready' })}>到了</Button>
        <List state={state} />
      </>
    )
  }
  await render(<Quick />)
  await expect.element(page.getByText('现价(元)')).not.toBeVisible()
  await page.getByRole('button', { name: '到了' }).click()
  await expect.element(card().getByText('演示转债437')).toBeVisible()
})

it('waiting that takes long says for how long', async () => {
  await render(<List state={{ kind: 'loading', chart: 120, words: '正在筛选…' }} />)
  await expect.element(card().getByText(/^正在筛选…/)).not.toBeInTheDocument()
  vi.advanceTimersByTime(3_400)
  await expect.element(card().getByText('正在筛选… 3.4 秒')).toBeVisible()
})

it('nothing is said twice of a login that is over: it has its own warning', async () => {
  await render(<List state={{ kind: 'error', error: new CallError('login', '请先登录'), onRetry: vi.fn() }} />)
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

it('a refusal that a membership would lift leads to the plans', async () => {
  const refused = '组合数不能超过 200；当前 400；会员可提升额度（网格组合数）'
  await render(
    <MemoryRouter>
      <List state={{ kind: 'error', error: new CallError('response', refused) }} />
    </MemoryRouter>,
  )
  await expect.element(page.getByRole('alert').getByText(refused)).toBeVisible()
  await expect.element(page.getByRole('link', { name: '查看会员方案' })).toBeVisible()
})

it('folds by the keyboard, says so, and is as it was left when it comes again', async () => {
  const Folding = () => (
    <Card title="名单" fold="test.card" foot="脚注">
      演示转债437
    </Card>
  )
  const { unmount } = await render(<Folding />)
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: '收起名单', expanded: true })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('演示转债437')).not.toBeInTheDocument()
  await expect.element(page.getByText('脚注')).not.toBeInTheDocument()
  await unmount()
  await render(<Folding />)
  const opener = page.getByRole('button', { name: '展开名单' })
  await expect.element(opener).toHaveAttribute('aria-expanded', 'false')
  await page.viewport(360, 640)
  const sizeOf = (part: string) => {
    const { width, height } = document.querySelector(part)!.getBoundingClientRect()
    return [Math.round(width), height]
  }
  // As a finger needs, in a head that is no higher for it.
  await expect.poll(() => sizeOf('.card > header button')).toEqual([44, 44])
  expect(sizeOf('.card > header')[1]).toBe(44)
  await opener.click()
  await expect.element(page.getByText('演示转债437')).toBeVisible()
})
