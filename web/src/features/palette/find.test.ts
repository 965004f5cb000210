import { describe, expect, it } from 'vitest'
import { innerPages, type Page } from '../../routing/page-table.ts'
import { folded } from '../../ui/folded.ts'
import { type Entry, find, indexOf } from './find.ts'
import { pageInitials } from './page-initials.ts'

const bond = (code: string, title: string, initials: string): Entry => ({ id: `cb:${code}`, code, title, initials, to: `/${code}` })
const entries = [
  bond('113050.SH', '南银转债', 'nyzz'),
  bond('127056.SZ', '中特转债', 'ztzz'),
  bond('900056.DM', '演示转债56', 'yszz56'),
  bond('110059.SH', '浦发转债', 'pfzz'),
  { id: 'page:/rotation/stock/screen', title: '股票实时筛选', initials: 'gpsssx', to: '/rotation/stock/screen' },
]
const index = indexOf(entries)
const titles = (typed: string) => find(index, typed, 8).map(({ entry }) => entry.title)

describe('what was typed finds', () => {
  it.each([
    ['1130', ['南银转债']],
    ['南银', ['南银转债']],
    ['nyzz', ['南银转债']],
    ['NYZZ', ['南银转债']],
    ['ＮＹ', ['南银转债']],
    ['１１３０５０', ['南银转债']],
    ['zz', ['南银转债', '中特转债', '演示转债56', '浦发转债']],
    ['.sh', ['南银转债', '浦发转债']],
    ['56', ['中特转债', '演示转债56']],
    ['gpss', ['股票实时筛选']],
    ['转债 56', ['演示转债56']],
    ['没有', []],
  ])('%s: %j', (typed, expected) => expect(titles(typed)).toEqual(expected))

  it('what begins so comes first, and what is so before all', () => {
    const index = indexOf([bond('1', '大中', 'dz'), bond('2', '中大', 'zd'), bond('3', '中', 'z')])
    expect(find(index, '中', 3).map(({ entry }) => entry.title)).toEqual(['中', '中大', '大中'])
  })

  it('everything in its order while nothing is typed, and never more than asked for', () => {
    expect(find(index, ' ', 2).map(({ entry }) => entry.title)).toEqual(['南银转债', '中特转债'])
  })

  it('names that an exchange pads with blanks and writes full width, as they are typed', () => {
    const padded = indexOf([bond('000858.SZ', '五 粮 液', 'wly'), bond('000002.SZ', '万  科Ａ', 'wka')])
    const named = (typed: string) => find(padded, typed, 8).map(({ entry, title }) => [entry.title, title])
    expect(named('五粮')).toEqual([['五 粮 液', [0, 3]]])
    expect(named('万科A')).toEqual([['万  科Ａ', [0, 5]]])
    expect(named('科ａ')).toEqual([['万  科Ａ', [3, 5]]])
  })

  it('marks the characters that the letters stand for', () => {
    expect(find(index, 'zz', 1)[0]).toMatchObject({ title: [2, 4], code: null })
    expect(find(index, '113', 1)[0]).toMatchObject({ title: null, code: [0, 3] })
    expect(folded('ＡＢ１')).toBe('ab1')
  })

  it('needs less than a frame for each key on 7,000 securities', () => {
    const many = indexOf(Array.from({ length: 7_000 }, (_, i) => bond(`${600_000 + i}.SH`, `证券${i}号股份`, `zq${i}hgf`)))
    const words = ['6', '60', 'zq1', '股份', 'gf', '没有这个', '6069']
    const rounds = Array.from({ length: 8 }, () => {
      const from = performance.now()
      for (const word of words) find(many, word, 8)
      return (performance.now() - from) / words.length
    })
    // The fastest: what the machine does besides falls away.
    expect(Math.min(...rounds)).toBeLessThan(16)
  })
})

describe('pages are found by initials', () => {
  const all = (pages: readonly Page[]): readonly Page[] => pages.flatMap((page) => [page, ...all(page.children ?? [])])
  it.each(
    all(innerPages)
      .filter(({ path, byLink }) => !byLink && !path.includes(':'))
      .map(({ title }) => [title]),
  )('%s', (title) => expect(pageInitials[title]).toMatch(new RegExp(`^[a-z]{${title.length}}$`)))
})
