import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Security } from '@convexa/engine'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readStatements, statementsNote } from './statements.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convexa-statements-'))
  await writeFile(join(folder, 'market.csv'), '')
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  await rm(join(folder, 'statements'), { recursive: true, force: true })
  await mkdir(join(folder, 'statements'))
})

const securities = [{ code: '600001.SH' } as Security]
/** A row of 600001 of the first quarter of 2022, published on 29 April: report type, correction, revenue and profit in 亿. */
type Line = readonly [type: string, flag: string, revenue: number | string, profit?: number]
const csv = (lines: readonly Line[]) =>
  [
    'ts_code,ann_date,f_ann_date,end_date,report_type,update_flag,revenue,n_income_attr_p',
    ...lines.map(
      ([type, flag, revenue, profit = 1]) =>
        `600001.SH,20220429,20220429,20220331,${type},${flag},${typeof revenue === 'number' ? revenue * 1e8 : revenue},${profit * 1e8}`,
    ),
  ].join('\n')

async function readFrom(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'statements', name), text)
  const read = (await readStatements('stk', [join(folder, 'market.csv')], securities, new Map()))!
  const numbers = (item: string) => [...(read.book?.items.get(item) ?? [])]
  return { revenue: numbers('revenue'), profit: numbers('np_parent'), note: statementsNote(read) }
}

const corrected: Line = ['1', '1', 3]
const first: Line = ['1', '0', 2]
const unadjusted: Line = ['5', '1', 1]

describe('of the rows of one publication holds', () => {
  const cases: readonly { what: string; rows: readonly Line[]; revenue: number }[] = [
    { what: 'the correction', rows: [corrected, first], revenue: 3 },
    { what: 'not what stood before an adjustment, whatever its mark', rows: [corrected, unadjusted], revenue: 3 },
    { what: 'the adjusted one without a mark, too', rows: [first, unadjusted], revenue: 2 },
    { what: 'what stood before an adjustment where nothing else is said', rows: [unadjusted], revenue: 1 },
    { what: 'an adjusted statement like any other', rows: [['4', '1', 3], unadjusted, first], revenue: 3 },
    { what: 'one number that is said twice', rows: [first, first], revenue: 2 },
    { what: 'the correction, over two first ones that differ', rows: [first, corrected, ['1', '0', 4]], revenue: 3 },
    {
      what: 'a mark however it is written',
      rows: [
        ['1', '1.0', 3],
        ['1', '0.0', 2],
      ],
      revenue: 3,
    },
    { what: 'a mark that is a word', rows: [['1', 'TRUE', 3], first], revenue: 3 },
  ]
  it.each(cases)('$what', async ({ rows, revenue }) => {
    expect((await readFrom({ 'a.csv': csv(rows) })).revenue).toEqual([revenue])
    expect((await readFrom({ 'a.csv': csv(rows.toReversed()) })).revenue).toEqual([revenue])
  })

  it.each([
    ['a.csv', 'b.csv'],
    ['b.csv', 'a.csv'],
  ])('the correction, whichever file it stands in: %s', async (one, other) => {
    const { revenue, note } = await readFrom({ [one]: csv([corrected]), [other]: csv([first, unadjusted]) })
    expect(revenue).toEqual([3])
    expect(note).not.toContain('未使用')
  })
})

describe('two different numbers, of which nothing says which is the newer,', () => {
  const told = '1 项数字在同一次公告里有不同的写法，分不出先后，未使用（600001.SH 2022-03-31（2022-04-29 公告）revenue：2、4）'
  it('are both left out and told, in any order of rows; what the rows agree on stays', async () => {
    for (const rows of [
      [first, ['1', '0', 4]],
      [['1', '0', 4], first],
    ] as Line[][]) {
      const { revenue, profit, note } = await readFrom({ 'a.csv': csv(rows) })
      expect([revenue, profit]).toEqual([[], [1]])
      expect(note).toContain(told)
    }
  })

  it('and in any order of files', async () => {
    for (const [one, other] of [
      ['a.csv', 'b.csv'],
      ['b.csv', 'a.csv'],
    ] as const) {
      const { revenue, note } = await readFrom({ [one]: csv([first]), [other]: csv([['1', '0', 4]]) })
      expect(revenue).toEqual([])
      expect(note).toContain(told)
    }
  })
})

describe('the type of a statement', () => {
  it.each(['1', '1.0', '１', '01', ''])('is a number however it is written: %j', async (type) => {
    expect((await readFrom({ 'a.csv': csv([[type, '0', 2]]) })).revenue).toEqual([2])
  })

  it('of a quarter alone or a parent company is told', async () => {
    const { revenue, note } = await readFrom({ 'a.csv': csv([first, ['2', '0', 7], ['6.0', '0', 8]]) })
    expect(revenue).toEqual([2])
    expect(note).toContain('已读入财务报表 1 行（a.csv）')
    expect(note).toContain('2 行不是合并报表（report_type），未使用')
  })

  it.each([
    ['合并', '0', 'report_type 列：“合并”'],
    ['1', '更正', 'update_flag 列：“更正”'],
  ])('that cannot be read leaves its row out, as does a mark: %s %s', async (type, flag, place) => {
    const { revenue, note } = await readFrom({ 'a.csv': csv([first, [type, flag, 7]]) })
    expect(revenue).toEqual([2])
    expect(note).toContain(`1 行的日期或数字无法识别，未使用（a.csv 第 2 条 ${place}）`)
  })
})

it('a day of publication beyond the calendar is none', async () => {
  const { revenue, note } = await readFrom({ 'a.csv': `${csv([first])}\n600001.SH,20220429,20990101,20220331,1,1,9e8,1e8\n` })
  expect(revenue).toEqual([2])
  expect(note).toContain('1 行的日期或数字无法识别，未使用（a.csv 第 2 条 f_ann_date 列：“20990101”）')
})
