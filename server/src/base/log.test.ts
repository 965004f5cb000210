import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
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

describe('warnings that repeat', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const opened = () => {
    const lines: Record<string, unknown>[] = []
    const log = openLog({ logLevel: 'info' }, 'api', { write: (line) => void lines.push(JSON.parse(line)) })
    return { log, lines }
  }
  const refused = (n: number) => Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${n}`), { code: 'ECONNREFUSED' })

  test('an outage of three seconds under 500 requests a second is four lines, which count it', () => {
    const { log, lines } = opened()
    for (let n = 0; n < 1_500; n++) {
      log.warn({ req: String(n), err: n % 2 ? refused(n) : new Error('Connection terminated unexpectedly') }, 'database away')
      vi.advanceTimersByTime(2)
    }
    vi.advanceTimersByTime(5_000)
    expect(lines.map(({ repeated }) => repeated ?? 0)).toEqual([0, 499, 500, 500])
    expect(lines.every(({ msg, level }) => msg === 'database away' && level === 40)).toBe(true)
    // No stack: 1.3 KB that tell nothing.
    expect(Math.max(...lines.map((line) => JSON.stringify(line).length))).toBeLessThan(250)
  })

  test('another event, another error and every line of information are written at once', () => {
    const { log, lines } = opened()
    log.error({ err: new Error('a is null') }, 'bug')
    log.error({ err: new TypeError('b is null') }, 'bug')
    log.warn({ key: 1 }, 'call failed')
    for (let n = 0; n < 3; n++) log.info({ req: n }, 'answered')
    expect(lines.map(({ msg }) => msg)).toEqual(['bug', 'bug', 'call failed', 'answered', 'answered', 'answered'])
    expect(lines[0]).toMatchObject({ err: { message: 'a is null', stack: expect.stringContaining('log.test') } })
    vi.advanceTimersByTime(1_000)
    log.error({ err: new Error('a is null') }, 'bug')
    expect(lines).toHaveLength(7)
  })
})
