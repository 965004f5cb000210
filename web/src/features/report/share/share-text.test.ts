import type { SharedReport } from '@convexa/contract/share'
import { describe, expect, it } from 'vitest'
import { changedSince, sharedTitle, wholeLink } from './share-text.ts'

const shared = (data: string | null, engine: string) =>
  ({
    name: '经典双低',
    metrics: { start_date: '2020-01-02', end_date: '2026-11-20', annual_return: 0.22 },
    data_version: 'd1',
    engine_version: 'e1',
    shared: { data_version: data, engine_version: engine, created_at: '', expire_at: '' },
  }) as unknown as SharedReport

describe('a shared report', () => {
  it('is called by name and period, never by its return', () => {
    expect(sharedTitle(shared('d1', 'e1'))).toBe('经典双低 · 2020-01-02 至 2026-11-20')
    expect(sharedTitle(shared('d1', 'e1'))).not.toMatch(/%/)
  })
  it.each([
    ['d1', 'e1', null],
    ['d2', 'e1', '数据版本已更新，重算结果可能不同'],
    ['d1', 'e2', '引擎版本已更新，重算结果可能不同'],
    ['d2', 'e2', '数据版本与引擎版本已更新，重算结果可能不同'],
    [null, 'e1', null],
  ])('data %s and engine %s of now', (data, engine, words) => expect(changedSince(shared(data, engine))).toBe(words))
  it('a link is whole, whether or not the server knows its address', () => {
    expect(wholeLink('/r/abc', 'https://here.example')).toBe('https://here.example/r/abc')
    expect(wholeLink('https://site.example/r/abc', 'https://here.example')).toBe('https://site.example/r/abc')
  })
})
