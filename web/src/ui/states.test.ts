import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { CallError } from '../api/messages.ts'
import { ErrorBlock } from './states.tsx'

const shown = (error: unknown) =>
  renderToStaticMarkup(createElement(ErrorBlock, { error, still: '条件还在。', onRetry: () => {} })).replace(/<[^>]+>/g, ' ')

describe('a failure in the place of what it was about', () => {
  it.each<[string, unknown, readonly string[]]>([
    [
      'says what the server said',
      new CallError('response', '名称已存在', 20003, 'r-1'),
      ['名称已存在', '条件还在。', '重试', '错误编号 r-1'],
    ],
    ['has no number where there was no answer', new CallError('network', '网络连接失败，请检查网络'), ['网络连接失败，请检查网络', '重试']],
    ['has a sentence for anything thrown', new TypeError('x is undefined'), ['请求出错', '重试']],
  ])('%s', (_, error, words) => {
    const text = shown(error)
    for (const word of words) expect(text).toContain(word)
    expect(text.includes('错误编号')).toBe(words.some((word) => word.startsWith('错误编号')))
    expect(text).not.toContain('undefined')
  })

  it('is silent about a login that is over: the warning says it', () =>
    expect(shown(new CallError('login', '请先登录', 11001, 'r-1', 401))).toBe(''))
})
