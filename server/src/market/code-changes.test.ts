import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { readChanges } from './code-change-file.ts'
import { shippedChanges } from './code-change-rows.ts'
import { addChanges, type CodeChange, changeFaults, forgetChange, keptChanges } from './code-changes.ts'

describe('the changes that are shipped', () => {
  const byOld = new Map(shippedChanges.map(([old, now, from]) => [old, [now, from]]))

  it('stand together, and are those of the exchanges', () => {
    expect(changeFaults(shippedChanges)).toEqual([])
    expect([shippedChanges.length, byOld.size]).toEqual([247, 247])
    expect(shippedChanges.every(([old, now]) => old !== now && (!old.endsWith('.BJ') || now.startsWith('920')))).toBe(true)
  })

  it.each([
    ['000022.SZ', '001872.SZ', '2018-12-26'],
    ['430047.BJ', '920047.BJ', '2025-10-09'],
    // Another share had those digits.
    ['833171.BJ', '920571.BJ', '2025-10-09'],
    ['835892.BJ', '920992.BJ', '2025-10-09'],
    // One of the six pilots.
    ['834682.BJ', '920682.BJ', '2025-05-06'],
  ])('%s became %s', (old, now, from) => expect(byOld.get(old)).toEqual([now, from]))

  // No second source says what became of them.
  it.each(['830879.BJ', '831834.BJ', '835305.BJ', '839680.BJ'])('%s is left out', (old) => expect(byOld.has(old)).toBe(false))
})

describe('a file of changes', () => {
  it('has one a line, in any writing of codes', () => {
    expect(readChanges('\ufeff# 北交所\n430999 920999 2025-10-09\r\n\nbj431000,920100.BJ，2025-10-09\n')).toEqual({
      ok: true,
      changes: [
        ['430999.BJ', '920999.BJ', '2025-10-09'],
        ['431000.BJ', '920100.BJ', '2025-10-09'],
      ],
    })
  })

  it.each([
    ['430999 920999', '第 1 行：要写旧代码、新代码与新代码的首日'],
    ['430999 九二零 2025-10-09', '第 1 行：看不懂代码“九二零”'],
    ['430999 920999 2025-02-30', '第 1 行：看不懂日期“2025-02-30”'],
    ['430999 430999 2025-10-09', '第 1 行：430999.BJ 没有变更'],
    ['430999 920999 2025-10-09\n430999 920998 2025-10-09', '第 2 行：430999.BJ 写了两次'],
    ['# nothing', '没有一行写明代码变更'],
  ])('%j: %s', (text, problem) => {
    expect(readChanges(text)).toEqual({ ok: false, problems: [expect.stringContaining(problem)] })
  })
})

describe('changes that cannot stand together', () => {
  const day = '2025-10-09'
  const cases: [string, CodeChange[], string][] = [
    [
      'two that become one',
      [
        ['1.SZ', '3.SZ', day],
        ['2.SZ', '3.SZ', day],
      ],
      '1.SZ 与 2.SZ 都变更为 3.SZ',
    ],
    ['another exchange', [['1.SZ', '3.SH', day]], '1.SZ 与 3.SH 不是同一个交易所'],
    [
      'one that becomes itself',
      [
        ['1.SZ', '2.SZ', day],
        ['2.SZ', '1.SZ', day],
      ],
      '1.SZ 变更之后又变回自己',
    ],
  ]
  it.each(cases)('%s', (_, changes, fault) => expect(changeFaults(changes)).toContain(fault))
})

describe("the operator's changes", () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.drop())

  it('stand beside the shipped ones and in their place, until they are taken back', async () => {
    const { db } = database
    const of = async (code: string) => (await keptChanges(db)).find(({ change: [old] }) => old === code)
    await addChanges(db, [
      ['430999.BJ', '920999.BJ', '2025-10-09'],
      ['000022.SZ', '001872.SZ', '2018-12-27'],
    ])
    expect(await of('430999.BJ')).toEqual({ change: ['430999.BJ', '920999.BJ', '2025-10-09'], by: 'operator' })
    expect(await of('000022.SZ')).toEqual({ change: ['000022.SZ', '001872.SZ', '2018-12-27'], by: 'operator' })
    expect(await forgetChange(db, '000022.SZ')).toBe(true)
    expect(await forgetChange(db, '000022.SZ')).toBe(false)
    expect(await of('000022.SZ')).toEqual({ change: ['000022.SZ', '001872.SZ', '2018-12-26'], by: 'program' })
  })
})
