import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request } from '../../test/fixtures/requests.ts'
import { Stop } from './exits.ts'
import { readRequest } from './request-file.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'convexa-requests-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const good = request('cb', { start: '2021-01-04', end: '2021-12-31' })
const { parameters, settings } = good

function read(text: string): unknown {
  const file = join(folder, 'request.json')
  writeFileSync(file, text)
  return readRequest('cb', file)
}

test('a byte order mark is no part of the request', () => {
  expect(read(`\ufeff${JSON.stringify(good)}`)).toEqual({ rule: { parameters }, settings })
})

const changed = (over: object) => JSON.stringify({ parameters: { ...parameters, ...over } })

test.each<[string, string, string]>([
  ['an empty file', '', '不是 JSON：文件是空的'],
  ['half a file', '{"parameters":', '不是 JSON：内容不完整'],
  ['a slip', '{\n  "parameters": {,}\n}', '不是 JSON（第2行第18列）'],
  ['a slip after a byte order mark', '\ufeff{\n "a" 1}', '不是 JSON（第2行第6列）'],
  ['controls', '{"a": "\u001b[2J"}', '不是 JSON（第1行第8列）'],
  ['no parameters', '{}', '缺少 parameters'],
  ['another market', '{"parameters":{},"kind":"\\u001b[2Jstk"}', '这是市场 [2Jstk 的请求，不是 cb 的'],
  ['a member that is missing', changed({ universe: undefined }), 'parameters.universe 缺少'],
  ['a member of another type', changed({ universe: 'all' }), 'parameters.universe 需为对象'],
  ['too small', changed({ hold_days: -1 }), 'parameters.hold_days 过小，最小为 0'],
  ['too big', changed({ hold_days: 999 }), 'parameters.hold_days 过大，最大为 250'],
  ['not one of', changed({ rank_method: 'best' }), 'parameters.rank_method 需为 rank、zscore、percentile 之一'],
  ['too much', changed({ '\u001b[2Jmore': 1 }), 'parameters 有不认识的成员：[2Jmore'],
  ['no value of a choice', changed({ stop_method: { stop_type: 9 } }), 'parameters.stop_method.stop_type 需为 0、1、2、3、4、5 之一'],
  ['no date', JSON.stringify({ parameters, settings: { ...settings, start_date: 'May' } }), 'settings.start_date 格式不对'],
])('%s is told in Chinese', (_name, text, sentence) => {
  let told = ''
  try {
    read(text)
  } catch (error) {
    told = (error as Error).message
  }
  // A mistake in a member names the example to look at.
  const example = /^(parameters|settings)/.test(sentence) ? '；示例：./convexa example request-cb' : ''
  expect(told).toBe(`请求文件 ${join(folder, 'request.json')} 没有被接受：${sentence}${example}`)
})

test('every mistake is told at once', () => {
  const given = JSON.stringify({
    parameters: { ...parameters, version: 2, hold_days: -1, filter_factors: [{ factor_key: 3 }] },
    settings: { ...settings, capital: 'all' },
  })
  const stop = stopOf(() => read(given))
  const paths = ['parameters.version', 'parameters.filter_factors.0.factor_key', 'parameters.hold_days', 'settings.capital']
  expect(stop.issues?.map(({ path }) => path)).toEqual(expect.arrayContaining(paths))
  for (const path of paths) expect(stop.message).toContain(`\n  ${path} 需`.replace('hold_days 需', 'hold_days 过小'))
  expect(stop.message).toContain('示例：./convexa example request-cb')
})

function stopOf(act: () => unknown): Stop {
  try {
    act()
  } catch (error) {
    if (error instanceof Stop) return error
  }
  throw new Error('was not refused')
}

test('a file that is not there', () => {
  expect(() => readRequest('cb', join(folder, 'nobody.json'))).toThrow('无法读取（找不到文件）')
  expect(() => readRequest('cb', folder)).toThrow('无法读取（它是目录）')
})
