/**
 * 缺行情: days on which a security was listed and neither a bar nor a suspension of it has come. Such a day is no suspension. Numbers go
 * on over it as over one: prices are carried, trades are 0, nothing is bought or sold. Only what is said of it differs.
 */
import { bears } from './codes.ts'
import type { Panel } from './panel.ts'

type MissingBarsInput = Pick<Panel, 'dates' | 'missingBars'> & {
  readonly securities: readonly Pick<Panel['securities'][number], 'code' | 'formerCodes'>[]
}

/** Whether a security's bar of a day has not come. To be asked of one that is listed and did not trade. */
export function lacksBar({ missingBars, dates, securities }: MissingBarsInput, security: number, day: number): boolean {
  const codes = missingBars?.get(dates[day])
  return codes !== undefined && bears(securities[security], codes)
}

/** What is missing on one day alone; nothing where nothing is. */
export function missingOn({ missingBars, dates }: Pick<Panel, 'dates' | 'missingBars'>, day: number): Pick<Panel, 'missingBars'> {
  const codes = missingBars?.get(dates[day])
  return codes ? { missingBars: new Map([[dates[day], codes]]) } : {}
}

/** The cells of all days, ascending by day. */
export function* missingCells({ missingBars, dates, securities, stride }: MissingBarsInput & Pick<Panel, 'stride'>): Generator<number> {
  if (!missingBars) return
  for (const [day, date] of dates.entries()) {
    const codes = missingBars.get(date)
    if (codes) for (const [i, security] of securities.entries()) if (bears(security, codes)) yield day * stride + i
  }
}
