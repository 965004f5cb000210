/**
 * Rows of statements as publications. A table tells one publication in several rows: of its four kinds, before and after a correction, and as
 * it stood before an adjustment. Which of them an item is taken from follows from what the rows say of themselves, over all files together.
 */
import { readVersion } from './cells/version.ts'

/** 合并报表、调整合并报表与调整前合并报表；单季与母公司报表不用。 */
const consolidated: ReadonlySet<number> = new Set([1, 4, 5])
const beforeAdjustment = 5

/** How a row stands among those of its publication. */
export interface Standing {
  /** It stood before an adjustment: all other rows hold against it, whatever their flags. */
  readonly isReplaced: boolean
  /** Of `update_flag`: the greater is the newer. */
  readonly version: number
}

/**
 * How a row stands by its `report_type`, a number however it is written, and its `update_flag`.
 * @returns 'other': of no consolidated statement; null: one of the cells is unreadable
 */
export function standingOf(type: number | null, flag: string | number | null): Standing | 'other' | null {
  const version = readVersion(flag)
  if (type === null || version === null) return null
  if (type === type && !consolidated.has(type)) return 'other'
  return { isReplaced: type === beforeAdjustment, version }
}

const compare = (a: Standing, b: Standing): number => Number(b.isReplaced) - Number(a.isReplaced) || a.version - b.version

/** What a row says of a company's quarter, and when it was published. */
export interface Said {
  readonly code: string
  readonly period: string
  readonly published: string
  readonly items: Readonly<Record<string, number>>
}

export interface Publications {
  /** One a company, quarter and day of publication; those of which no item is sure are left out. */
  readonly publications: readonly Said[]
  /** Items of which rows of equal standing say different numbers, which are left out: which, and the numbers. */
  readonly unsure: readonly string[]
}

interface Item {
  standing: Standing
  numbers: number[]
}

/** Rows as publications, each item by the row that holds. Nothing says which of two rows of equal standing does, least of all their order. */
export function publicationsOf(rows: readonly (Said & { readonly standing: Standing })[]): Publications {
  const found = new Map<string, { readonly said: Omit<Said, 'items'>; readonly items: Map<string, Item> }>()
  for (const { code, period, published, items, standing } of rows) {
    const key = `${code} ${period} ${published}`
    let known = found.get(key)
    if (known === undefined) found.set(key, (known = { said: { code, period, published }, items: new Map() }))
    for (const [item, number] of Object.entries(items)) {
      const before = known.items.get(item)
      const order = before === undefined ? 1 : compare(standing, before.standing)
      if (order > 0) known.items.set(item, { standing, numbers: [number] })
      else if (order === 0 && !before!.numbers.includes(number)) before!.numbers.push(number)
    }
  }
  const unsure: string[] = []
  const publications = [...found.values()].flatMap(({ said, items }): Said[] => {
    const sure: [item: string, number: number][] = []
    for (const [item, { numbers }] of items) {
      if (numbers.length === 1) sure.push([item, numbers[0]!])
      else unsure.push(`${said.code} ${said.period}（${said.published} 公告）${item}：${numbers.sort((a, b) => a - b).join('、')}`)
    }
    return sure.length === 0 ? [] : [{ ...said, items: Object.fromEntries(sure) }]
  })
  return { publications, unsure: unsure.sort() }
}
