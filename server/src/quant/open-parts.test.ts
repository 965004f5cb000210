import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/fixtures/database.ts'
import type { ListPart } from '../db/tables/day-parts.ts'
import { markDamaged } from '../market/damage.ts'
import { newestSnapshot } from '../market/snapshot.ts'
import { newestNote, openPartsNote } from './open-parts.ts'

describe('what a list says of parts that have not come', () => {
  const day = '2026-11-20'
  const note = (at: string, parts: readonly (readonly [ListPart, string[]?, boolean?])[]) =>
    openPartsNote(
      day,
      parts.map(([part, codes = [], closed = false]) => ({ part, codes, closed })),
      new Date(`${at}:00+08:00`),
    )

  test.each<[string, string, (readonly [ListPart, string[]?, boolean?])[], string | null]>([
    ['nothing', '16:40', [], null],
    ['numbers that are made', '16:40', [['valuations']], '11-20 的估值与股本尚未到齐，名单按推算值'],
    ['some of one kind', '16:40', [['factors', ['600101.SH']], ['valuations']], '11-20 的复权因子、估值与股本尚未到齐，名单按推算值'],
    [
      'bars by name',
      '16:40',
      [['bars', ['600101.SH', '600102.SH']]],
      '11-20 的行情（缺 600101.SH、600102.SH）尚未到齐，缺行情的沿用最近收盘价',
    ],
    [
      'many bars',
      '16:40',
      [['bars', ['600101.SH', '600102.SH', '600103.SH', '600104.SH']]],
      '11-20 的行情（缺 600101.SH、600102.SH、600103.SH 等 4 只）尚未到齐，缺行情的沿用最近收盘价',
    ],
    ['an evening that has not come is nothing to tell', '17:59', [['sizes'], ['announcements']], null],
    ['what is due of it', '18:00', [['sizes'], ['announcements']], '11-20 的剩余规模尚未到齐，名单按此前已知的'],
    [
      'kinds one after the other',
      '20:00',
      [['bars', ['113501.SH']], ['announcements'], ['share_valuations']],
      '11-20 的正股估值与股本尚未到齐，名单按推算值；行情（缺 113501.SH）尚未到齐，缺行情的沿用最近收盘价；强赎公告尚未到齐，名单按此前已知的',
    ],
    ['what does not come any more', '20:00', [['valuations', [], true]], '11-20 的估值与股本未到齐，名单按推算值'],
  ])('%s', (_, at, parts, text) => {
    expect(note(`${day}T${at}`, parts)).toBe(text)
  })
})

test('a list of older data in the place of damaged ones says so', async () => {
  const database = await testDatabase()
  const { db } = database
  const publish = (day: string) =>
    db
      .insertInto('market_snapshot')
      .values({
        ...{ id: uuid(), kind: 'cb', data_mode: 'demo', data_version: day, folder: day, manifest_sha256: '' },
        ...{ first_date: '2026-11-02', last_date: day, securities: 1, quality: '{}', published_at: new Date(`${day}T10:00:00Z`) },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  const note = async () => {
    const ground = { db, config: { dataDir: 'none' }, now: () => new Date('2026-11-23T18:00:00+08:00') }
    return newestNote(ground, (await newestSnapshot(db, 'cb'))!)
  }
  await publish('2026-11-20')
  const { id } = await publish('2026-11-23')
  expect(await note()).toBeNull()
  await markDamaged(db, id, 'wrong checksum')
  expect(await note()).toBe('最新数据损坏，正在使用 2026-11-20 的数据')
  await database.drop()
})
