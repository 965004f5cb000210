import { type MarketId, marketIds, markets } from '@convexa/contract/enums/market'
import type { SecurityOption } from '@convexa/contract/market'
import { factorsQuery, queries, securitiesQuery, strategyListQuery } from '../../api/queries.ts'
import { innerPages, type Page, shownChildren } from '../../routing/page-table.ts'
import { groupsQuery } from '../rule/strategy-queries.ts'
import { type Entry, indexOf } from './find.ts'
import { factorEntry, groupEntry, strategyEntry } from './own-entries.ts'
import { pageInitials } from './page-initials.ts'

/** A kind of thing the palette finds. */
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
  { group: '策略', most: 5, offered: false, entries: async () => (await Promise.all(marketIds.map(savedEntries))).flat() },
  ...marketIds.map((id) => ({ group: markets[id].label, most: 8, offered: false, entries: () => securityEntries(id) })),
  { group: '因子', most: 6, offered: false, entries: async () => (await Promise.all(marketIds.map(factorEntries))).flat() },
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

async function savedEntries(kind: MarketId): Promise<Entry[]> {
  const [strategies, groups] = await Promise.all([queries.fetchQuery(strategyListQuery(kind)), queries.fetchQuery(groupsQuery(kind))])
  return [
    ...strategies.list_items.map((strategy) => strategyEntry(kind, strategy)),
    ...groups.list_items.map((group) => groupEntry(kind, group)),
  ]
}

async function factorEntries(kind: MarketId): Promise<Entry[]> {
  const factors = await queries.fetchQuery(factorsQuery(kind))
  return factors.filter(({ available }) => available).map((factor) => factorEntry(kind, factor))
}

const states: Record<SecurityOption['status'], string | undefined> = {
  ...{ listed: undefined, suspended: '停牌', missing: '缺行情', delisted: '已退市' },
}

async function securityEntries(kind: MarketId): Promise<Entry[]> {
  const list = await queries.fetchQuery(securitiesQuery(kind))
  // Listed securities come before delisted ones.
  return [...list]
    .sort((a, b) => Number(a.status === 'delisted') - Number(b.status === 'delisted'))
    .map(({ code, name, pinyin, status }) => ({
      id: `${kind}:${code}`,
      title: name,
      code,
      initials: pinyin,
      ...(states[status] ? { note: states[status] } : {}),
      to: `${markets[kind].path}/screen?code=${encodeURIComponent(code)}`,
    }))
}
