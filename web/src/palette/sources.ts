import type { Kind, SecurityOption } from '@convexa/contract/market'
import { queries, securitiesQuery } from '../api/queries.ts'
import { shownMarkets } from '../market/market-context.tsx'
import { innerPages, type Page, shownChildren } from '../pages/page-table.ts'
import { type Entry, indexOf } from './find.ts'
import { pageInitials } from './page-initials.ts'

/** A kind of thing the palette finds. Strategies and factors are lines to come. */
export interface Source {
  group: string
  /** How many of it are shown at once. */
  most: number
  /** Shown before anything is typed. */
  offered: boolean
  entries: () => Promise<Entry[]>
}

export const sources: readonly Source[] = [
  { group: '页面', most: 5, offered: true, entries: async () => pageEntries() },
  { group: '可转债', most: 8, offered: false, entries: () => securityEntries('cb') },
  { group: '股票', most: 8, offered: false, entries: () => securityEntries('stk') },
]

/** A source with its words made ready once. */
export const loadSource = async (source: Source) => ({ ...source, index: indexOf(await source.entries()) })
export type LoadedSource = Awaited<ReturnType<typeof loadSource>>

/** The open pages under the layout, each with the frame it is in: 可转债轮动 · 实时筛选. */
function pageEntries(pages: readonly Page[] = shownChildren(root), frames: readonly string[] = []): Entry[] {
  return pages.flatMap((page) => {
    const titles = page.path === '/rotation' ? frames : [...frames, page.title]
    const inside = pageEntries(shownChildren(page), titles)
    if (page.leads || !page.code) return inside
    const initials = titles.map((title) => pageInitials[title] ?? title).join(' · ')
    return [{ id: `page:${page.path}`, title: titles.join(' · '), initials, to: page.path }, ...inside]
  })
}
const root: Page = { path: '', title: '', children: innerPages }

const states: Record<SecurityOption['status'], string | undefined> = { listed: undefined, suspended: '停牌', delisted: '已退市' }

async function securityEntries(kind: Kind): Promise<Entry[]> {
  const list = await queries.fetchQuery(securitiesQuery(kind))
  // Who still trades comes before who does not.
  return [...list]
    .sort((a, b) => Number(a.status === 'delisted') - Number(b.status === 'delisted'))
    .map(({ code, name, pinyin, status }) => ({
      id: `${kind}:${code}`,
      title: name,
      code,
      initials: pinyin,
      ...(states[status] ? { note: states[status] } : {}),
      to: `${shownMarkets[kind].path}/screen?code=${encodeURIComponent(code)}`,
    }))
}
