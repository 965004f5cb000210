import { marketIds, markets } from '@convexa/contract/enums/market'
import { pageAt } from './page-at.ts'
import { isOpen, type Page, publicPages, shownChildren } from './page-table.ts'

/** The words of the header, in their order; one whose page is still to come waits until it is there. */
const words = ['/', ...marketIds.map((id) => markets[id].path), '/customized-factors', '/qmt']

/** The menu slice of the specification. */
export const menu: readonly Page[] = words.flatMap((path) => pageAt(path) ?? []).filter(isOpen)

/** The pages of the account: in the avatar's menu, as tabs, and as the rows of the phone's 我的. */
export const accountPages: readonly Page[] = shownChildren(pageAt('/personal') ?? { path: '', title: '' })

/** In the footer of every page, under their short names. */
const legalNames: Record<string, string> = { '/legal/terms': '用户协议', '/legal/privacy': '隐私', '/legal/risk': '风险揭示' }
export const legalPages = publicPages.flatMap(({ path }) => (legalNames[path] ? [{ path, name: legalNames[path] }] : []))
