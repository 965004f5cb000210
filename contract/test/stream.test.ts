import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorLine, heartbeat, readLine, successLine } from '../src/stream.ts'

/** What a reader of server-sent events passes on: the text behind `data:`. */
const dataOf = (line: string) => /^data:(.*)\n\n$/s.exec(line)?.[1] ?? ''

test('any event comes back as it was sent, in one line', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (event) => {
      const line = successLine(event)
      expect(line.split('\n')).toHaveLength(3)
      const read = readLine(dataOf(line))
      expect(read?.kind === 'success' && JSON.parse(read.payload)).toEqual(JSON.parse(JSON.stringify(event)))
    }),
  )
})

test('any error comes back with its sentence and code', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 99_999 }), (message, code) => {
      const line = errorLine(message, code)
      expect(line.split('\n')).toHaveLength(3)
      expect(readLine(dataOf(line))).toMatchObject({ kind: 'error', code })
    }),
  )
  expect(readLine(dataOf(errorLine('行情数据更新中，请稍后重试', 21008)))).toEqual({
    kind: 'error',
    message: '行情数据更新中，请稍后重试',
    code: 21008,
  })
})

test.each([
  ['success={"a":"b=c"}', { kind: 'success', payload: '{"a":"b=c"}' }],
  ['error=没有代码', { kind: 'error', message: '没有代码', code: 0 }],
  ['error=[1] 在前[23020]', { kind: 'error', message: '[1] 在前', code: 23020 }],
  ['later=what is not known yet', { kind: 'other', payload: 'what is not known yet' }],
  ['nothing to separate', null],
  ['=no kind', null],
  ['', null],
])('%s', (data, read) => {
  expect(readLine(data)).toEqual(read)
})

test('a heartbeat is a comment', () => {
  expect(heartbeat).toBe(': ping\n\n')
})

test('an error line has no control characters', () => {
  expect(errorLine('a\u0000b\r\nc\u001b[2Jd\u0085\u2028e\ud800', 22002)).toBe('data: error=a b c [2Jd e [22002]\n\n')
})
