import { expect, test } from 'vitest'
import { openLog } from './log.ts'

test('of an error the log keeps what and where, never what it carries', () => {
  const lines: string[] = []
  const log = openLog({ logLevel: 'warn' }, 'api', { write: (line) => void lines.push(line) })
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (account)=(canary@x.cn)',
    client: { password: 'canary' },
  })
  log.warn({ err: error }, 'database')
  log.info('not at this level')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toMatchObject({
    role: 'api',
    msg: 'database',
    err: { type: 'Error', message: 'duplicate key', code: '23505' },
  })
  expect(lines.join()).not.toContain('canary')
})
