import { defaultMarketId, markets } from '@convexa/contract/enums/market'
import { useLocation } from 'react-router'
import { useSite } from '../../api/site.ts'
import { LateLamp } from '../../features/data-status/late-lamp.tsx'
import { OpenQuestions } from '../../features/qmt/questions/open-questions.tsx'
import { RunIndicator } from '../../features/run/backtest-run-indicator.tsx'
import { marketOfSegment } from '../../market/market-context.tsx'
import { accountPages, menu } from '../../routing/menu.ts'
import { chainAt, pageAt, titleAt } from '../../routing/page-at.ts'
import { isOpen, type Page, shownChildren } from '../../routing/page-table.ts'
import { lastChild } from '../../state/last-pages.ts'
import { Icon, Logo } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { DataBadge, HelpButton } from './header.tsx'
import { showOverlay } from './overlay.ts'
import './phone.css'

/** The phone's head: back or the mark, where one is, what the data are, search. */
export function PhoneBar() {
  const { pathname } = useLocation()
  const site = useSite()
  const chain = chainAt(pathname)
  const page = chain.at(-1)
  const frame = chain.findLast((one) => one !== page && one.code !== undefined)
  const above = aboveOf(page, pathname)
  const market = pathname.startsWith('/rotation/') ? marketOfSegment(pathname.split('/')[2]) : null
  return (
    <Row as="header" className="phone-bar">
      {above ? (
        <PageLink className="phone-tap" to={above} aria-label={`返回${titleAt(above)}`}>
          <Icon name="left" />
        </PageLink>
      ) : (
        <PageLink className="phone-tap" to="/" aria-label={`${site.name}首页`}>
          <Logo size={24} />
        </PageLink>
      )}
      <PlaceMenu title={page?.title ?? site.name} frame={frame?.title ?? ''} />
      <span className="grow" />
      <RunIndicator />
      {/* The lamp says what the badge does, and more. */}
      {market ? <LateLamp kind={market.id} withRule={!pathname.includes('/backtest/')} phone /> : <DataBadge short />}
      <HelpButton className="phone-tap" />
      <button type="button" className="phone-tap" aria-label="搜索证券与页面" onClick={() => showOverlay('palette')}>
        <Icon name="search" />
      </button>
    </Row>
  )
}

/** Something particular is inside the page that lists its like; the account's pages are listed by the first of them. */
function aboveOf(page: Page | undefined, pathname: string): string | null {
  if (page?.path.includes(':')) return pathname.split('/').slice(0, -1).join('/')
  return page && accountPages.indexOf(page) > 0 ? (accountPages[0]?.path ?? null) : null
}

/** The page's name opens all that the menu has: the phone has no room for it. */
function PlaceMenu({ title, frame }: { title: string; frame: string }) {
  return (
    <Menu
      className="phone-place"
      button={
        <>
          <span>
            <b>{title}</b>
            <small>{frame}</small>
          </span>
          <span className="hidden-text">换一个页面</span>
          <Icon name="down" size="small" />
        </>
      }
      choices={menu.flatMap((page) => {
        const children = shownChildren(page)
        return (children.length > 0 ? children : [page]).map((child) => ({
          label: child.title,
          to: child.path,
          ...(children.length > 0 && { group: page.title }),
          ...(child.path === '/qmt/config' && { mark: <OpenQuestions asks={false} /> }),
        }))
      })}
    />
  )
}

/** The phone's tabs; the market is the one that was used last. */
export function PhoneTabs() {
  const { pathname } = useLocation()
  const market = marketOfSegment(pathname.split('/')[2])?.path ?? lastChild('/rotation') ?? markets[defaultMarketId].path
  const tabs = [
    { to: '/', label: '工作台', icon: 'home' },
    { to: `${market}/screen`, label: '筛选', icon: 'filter' },
    { to: `${market}/backtest`, label: '回测', icon: 'chart' },
    { to: '/personal', label: '我的', icon: 'person' },
  ] as const
  const open = tabs.filter(({ to }) => isOpen(pageAt(to) ?? { path: to, title: '' }))
  return (
    <nav className="phone-tabs" aria-label="主导航">
      {open.map(({ to, label, icon }) => (
        <PageLink key={to} to={to} aria-current={(to === '/' ? pathname === to : pathname.startsWith(to)) ? 'page' : undefined}>
          <Icon name={icon} />
          {label}
        </PageLink>
      ))}
    </nav>
  )
}
