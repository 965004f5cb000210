import { marketIds } from '@convexa/contract/enums/market'
import { matchRoutes, type RouteObject } from 'react-router'
import { lastChild } from '../state/last-pages.ts'
import { type Page, pages, shownChildren } from './page-table.ts'

const shapeOf = (page: Page): RouteObject => ({
  path: page.path,
  handle: page,
  ...(page.children ? { children: page.children.map(shapeOf) } : {}),
})
const shape = pages.map(shapeOf)

/** The pages that an address shows, the frames before what is in them; none where nothing is. */
export function chainAt(path: string): readonly Page[] {
  const matches = matchRoutes(shape, path) ?? []
  const kind = matches.at(-1)?.params['kind']
  if (kind !== undefined && !marketIds.some((one) => one === kind)) return []
  return matches.map(({ route }) => route.handle as Page)
}

export const pageAt = (path: string): Page | undefined => chainAt(path).at(-1)

/** Where the address of a page that shows nothing by itself leads. */
export function destinationOf({ path, leads, children = [] }: Page): string {
  if (leads === 'last') {
    const last = lastChild(path)
    const shown = shownChildren({ path, title: '', children })
    return (shown.find((child) => child.path === last) ?? shown[0] ?? children[0])?.path ?? path
  }
  return leads === 'first' ? (children[0]?.path ?? path) : (leads ?? path)
}

/** The same as `chainAt`, once all that leads on has been followed. */
export function chainOfDestination(path: string): readonly Page[] {
  const chain = chainAt(path)
  const page = chain.at(-1)
  return page?.leads ? [...chain, ...chainOfDestination(destinationOf(page))] : chain
}

/** A page and the frames it is in, the frames first. */
const titlesOf = (chain: readonly Page[]) =>
  chain.filter((page, i) => page.code !== undefined || i === chain.length - 1).map(({ title }) => title)

/** The tab's title, most particular first. */
export const titlesAt = (path: string): readonly string[] => {
  const chain = chainAt(path)
  return chain.length === 0 ? ['页面不存在'] : titlesOf(chain).reverse()
}

/** In one line, where nothing around it says what it belongs to: 可转债轮动 · 实时筛选. */
export const titleAt = (path: string): string => titlesOf(chainAt(path)).join(' · ')
