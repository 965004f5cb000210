import type { Locator, Page } from 'playwright-core'
import { jump, untilLate } from '../later.ts'
import { untilThere } from '../until-there.ts'
import { failure, faultsOn } from './faults.ts'
import type { Row } from './matrix.ts'

/** Of a row, in the order in which they are met. */
export const states = ['loading', 'error', 'timeout', 'empty'] as const
export type State = (typeof states)[number]

/** As the pages' own rule has it: from here down a page has fewer parts side by side. */
const widestPhone = 768

/** What a screen says where its content would be, when nothing came in time. */
const noAnswer = '网络连接失败，请检查网络'

/**
 * Takes a fresh page with an installed clock through the states of a row: loading, error, timeout after a retry, and after another retry the
 * empty state or the content. `seen` is called with each state while the page shows it. @throws where a state is not what the row says
 */
export async function walk(page: Page, row: Row, seen: (state: State) => Promise<unknown> = async () => undefined): Promise<void> {
  const faults = await faultsOn(page)
  const named = { name: row.part ?? '', exact: true }
  const part = row.part
    ? page.getByRole('region', named).or(page.getByRole('complementary', named)).or(page.getByRole('dialog', named)).first()
    : page.locator('#main')
  const again = () => part.getByRole('button', { name: '重试' }).first().click()

  await faults.set(row.call, 'silence')
  await page.goto(row.path)
  if ((page.viewportSize()?.width ?? 0) <= widestPhone) await row.onPhone?.(page)
  await row.ask?.(page)
  await part
    .locator(row.waiting ?? '.skeleton:visible')
    .first()
    .waitFor()
  await jump(page, 3_200)
  await seen('loading')

  await faults.set(row.call, 'failure')
  const alert = part.getByRole('alert').first()
  for (const words of [failure.msg, row.still]) await alert.getByText(words).waitFor()
  await part.getByText(`错误编号 ${failure.requestId}`).first().waitFor()
  if ((await roomBelow(alert)) < 4) throw new Error('what can be done about it stands on the frame')
  await seen('error')

  await faults.startLimits()
  await faults.set(row.call, 'silence')
  await again()
  await untilLate(part.getByText(row.late ?? noAnswer).first(), row.call.timeout)
  await seen('timeout')

  const { none, there } = row
  await faults.set(row.call, none ? { change: none.change } : null)
  if (!none && !there) return
  await again()
  if (there) await untilThere(part, there)
  if (!none) return
  await untilThere(part, none.says)
  if (none.offers) await part.getByText(none.offers, { exact: true }).first().waitFor()
  if ((await part.locator('.button.primary:visible').count()) > 1)
    throw new Error('where there is nothing, more than one thing is to be pressed first')
  await seen('empty')
}

/** From the lowest button of a block to its lower edge, in px. */
const roomBelow = (block: Locator) =>
  block.evaluate((box) => {
    const ends = [...box.querySelectorAll('button')].map((button) => button.getBoundingClientRect().bottom)
    return box.getBoundingClientRect().bottom - Math.max(...ends)
  })
