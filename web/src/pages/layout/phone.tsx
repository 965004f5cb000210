import { Link, useLocation } from 'react-router'
import { marketOfSegment } from '../../market/market-context.tsx'
import { RunIndicator } from '../../quant/backtest-run-indicator.tsx'
import { usePreferences } from '../../state/preferences.ts'
import { useSite } from '../../state/site.ts'
import { Icon, type IconName, Logo } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageLink, PageNavLink } from '../../ui/page-link.tsx'
import { DataBadge } from './header.tsx'
import { menu, placeOf } from './menu.ts'
import { showOverlay, useOverlay } from './overlay.ts'
import './phone.css'

/** The phone's head: back or the mark, where one is, what the data are, search. */
export function PhoneBar() {
  const { pathname } = useLocation()
  const site = useSite()
  const place = placeOf(pathname)
  const inside = place !== null && pathname !== place.page.to
  return (
    <header className="phone-bar">
      {inside ? (
        <Link className="phone-tap" to={place.page.to} aria-label={`返回${place.page.title}`}>
          <Icon name="left" />
        </Link>
      ) : (
        <Link className="phone-tap" to="/" aria-label={`${site.name}首页`}>
          <Logo size={24} />
        </Link>
      )}
      {place ? <PlaceMenu title={inside ? '回测报告' : place.page.title} market={place.item.title} /> : <b>{site.name}</b>}
      <span className="grow" />
      <RunIndicator />
      <DataBadge />
      <button type="button" className="phone-tap" aria-label="搜索证券与页面" onClick={() => showOverlay('palette')}>
        <Icon name="search" />
      </button>
    </header>
  )
}

/** The page's name opens the pages of all markets: the phone has no main menu. */
function PlaceMenu({ title, market }: { title: string; market: string }) {
  return (
    <Menu
      className="phone-place"
      label={`${market}，${title}：换一个页面`}
      button={
        <>
          <b>{title}</b>
          <small>{market}</small>
          <Icon name="down" size="small" />
        </>
      }
    >
      {(close) =>
        menu.map((item) => (
          <div key={item.path} className="phone-place-group">
            <span>{item.title}</span>
            {item.pages.map((page) => (
              <PageNavLink key={page.to} to={page.to} className="menu-item" onClick={close}>
                {page.title}
              </PageNavLink>
            ))}
          </div>
        ))
      }
    </Menu>
  )
}

/** The phone's tabs; the market is the one that was used last. */
export function PhoneTabs() {
  const { pathname } = useLocation()
  const last = usePreferences((state) => state.lastRotation)
  const shown = useOverlay((state) => state.shown)
  const market = marketOfSegment((pathname.startsWith('/rotation/') ? pathname : last).split('/')[2])
  const path = market?.path ?? '/rotation/convertible-bond'
  const tabs: readonly { to: string; label: string; icon: IconName }[] = [
    { to: `${path}/screen`, label: '筛选', icon: 'filter' },
    { to: `${path}/backtest`, label: '回测', icon: 'chart' },
  ]
  return (
    <nav className="phone-tabs" aria-label="主导航">
      {tabs.map(({ to, label, icon }) => (
        <PageLink key={to} to={to} aria-current={pathname.startsWith(to) && shown !== 'account' ? 'page' : undefined}>
          <Icon name={icon} />
          {label}
        </PageLink>
      ))}
      <button type="button" aria-haspopup="dialog" aria-expanded={shown === 'account'} onClick={() => showOverlay('account')}>
        <Icon name="person" />
        我的
      </button>
    </nav>
  )
}
