import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { troubleOf } from './trouble.ts'

it('says in a sentence what an operator can mend, with the place where it is known', async () => {
  const fails = (code: string, path?: string) => Object.assign(new Error(code), { code, ...(path !== undefined && { path }) })
  expect(troubleOf(fails('ENOSPC'))).toBe('磁盘空间不足，请清理后重试；已发布的数据没有改变')
  expect(troubleOf(fails('EROFS', '/data/raw'))).toBe('没有读写权限（/data/raw），请检查 DATA_DIR 的权限后重试；已发布的数据没有改变')
  expect(troubleOf(fails('EIO', '/data/x'))).toContain('（/data/x）')
  expect(troubleOf(fails('28P01'))).toContain('DATABASE_URL')
  // As the system says it.
  const real = await writeFile('/dev/full', 'x').catch((error: unknown) => error)
  if (process.platform === 'linux') expect(troubleOf(real)).toContain('磁盘空间不足')
})

it('leaves alone what is ours', () => {
  for (const error of [new Error('a bug'), null, undefined, 'text', { code: 7 }, Object.assign(new Error(), { code: 'ENOENT' })])
    expect(troubleOf(error)).toBeNull()
})
