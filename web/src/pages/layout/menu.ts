import { shownMarkets } from '../../market/market-context.tsx'

/** A page as the menu and the palette name it. */
export interface MenuPage {
  to: string
  title: string
  /** For the palette: a letter for each character of the title. */
  initials: string
}

/** A word of the header with the pages under it. */
export interface MenuItem {
  title: string
  /** Addresses of its pages begin so. */
  path: string
  pages: readonly MenuPage[]
}

const { cb, stk } = shownMarkets

/** The menu slice of the specification: only pages that are there. */
export const menu: readonly MenuItem[] = [
  {
    title: cb.title,
    path: cb.path,
    pages: [
      { to: `${cb.path}/screen`, title: '实时筛选', initials: 'sssx' },
      { to: `${cb.path}/backtest`, title: cb.backtestTitle, initials: 'gjhc' },
    ],
  },
  {
    title: stk.title,
    path: stk.path,
    pages: [
      { to: `${stk.path}/screen`, title: '实时筛选', initials: 'sssx' },
      { to: `${stk.path}/backtest`, title: stk.backtestTitle, initials: 'hc' },
    ],
  },
]

/** The pages of the account: of the avatar's menu and the phone's 我的. */
export const accountPages: readonly MenuPage[] = []

/** What is said in law: in the footer of every page. */
export const legalPages: readonly { to: string; title: string }[] = []

/** The menu's page that an address belongs to. */
export function placeOf(pathname: string): { item: MenuItem; page: MenuPage } | null {
  for (const item of menu) {
    const page = item.pages.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
    if (page) return { item, page }
  }
  return null
}
