import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { logout } from '../../api/client.ts'
import { closedDatesQuery } from '../../api/queries.ts'
import { marketClock } from '../../market/clock.ts'
import { marketOfSegment, type ShownMarket, shownMarkets } from '../../market/market-context.tsx'
import { RunIndicator } from '../../quant/backtest-run-indicator.tsx'
import { useAuth } from '../../state/auth.ts'
import { type Density, type Theme, usePreferences } from '../../state/preferences.ts'
import { useSite } from '../../state/site.ts'
import { Segmented } from '../../ui/controls.tsx'
import { Icon, Logo } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageNavLink } from '../../ui/page-link.tsx'

export function Header() {
  const site = useSite()
  return (
    <header className="header">
      <Link className="brand" to="/">
        <Logo />
        {site.name}
      </Link>
      <nav className="main-menu" aria-label="主导航">
        {Object.values(shownMarkets).map((market) => (
          <MarketMenu key={market.kind} market={market} />
        ))}
      </nav>
      <span className="grow" />
      <RunIndicator />
      <Clock />
      <DemoBadge />
      <AccountMenu />
    </header>
  )
}

/** A market's pages: the word leads to the page used last, the arrow to each. */
function MarketMenu({ market }: { market: ShownMarket }) {
  const { pathname } = useLocation()
  const here = pathname.startsWith(market.path)
  const pages = [
    { to: `${market.path}/screen`, label: '实时筛选' },
    { to: `${market.path}/backtest`, label: market.backtestTitle },
  ]
  return (
    <div className={here ? 'main-menu-item current' : 'main-menu-item'}>
      <Link to={market.path} aria-current={here ? 'page' : undefined}>
        {market.title}
      </Link>
      <Menu className="main-menu-arrow" label={`${market.title}的页面`} button={<Icon name="down" size="small" />} hover>
        {(close) =>
          pages.map(({ to, label }) => (
            <PageNavLink key={to} to={to} className="menu-item" onClick={close}>
              {label}
            </PageNavLink>
          ))
        }
      </Menu>
    </div>
  )
}

function Clock() {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  const { data } = useQuery(closedDatesQuery(marketClock(now, null).year))
  const clock = marketClock(now, data ? new Set(data) : null)
  return (
    <div className="clock">
      <i className={clock.open ? 'dot' : 'dot quiet'} />
      {clock.phase} <b>{clock.time}</b>
      <span className="text-3 clock-day">{clock.day}</span>
    </div>
  )
}

/** Each market has its own data; on a market's pages the badge is about that market. */
function DemoBadge() {
  const { data_mode: mode } = useSite()
  const market = marketOfSegment(useLocation().pathname.split('/')[2])
  const demo = market ? mode[market.kind] === 'demo' : mode.cb === 'demo' || mode.stk === 'demo'
  if (!demo) return null
  return (
    <span className="badge demo" title="模拟生成，非真实行情，不能用于交易">
      <Icon name="info" size="middle" />
      演示数据
    </span>
  )
}

const themes: readonly { value: Theme; label: string }[] = [
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
  { value: 'system', label: '跟随系统' },
]
const densities: readonly { value: Density; label: string }[] = [
  { value: 'compact', label: '紧凑' },
  { value: 'standard', label: '标准' },
]

function AccountMenu() {
  const user = useAuth((state) => state.userData)
  const { theme, density, set } = usePreferences()
  const navigate = useNavigate()
  const name = user?.nickname || '我'
  const leave = async () => {
    await logout()
    await navigate('/login')
  }
  return (
    <Menu className="avatar" label={`账户菜单：${name}`} align="right" button={name.slice(0, 1)}>
      {() => (
        <div className="account-menu">
          <div className="account-name">
            <b>{name}</b>
            <span className="text-3">{user?.email_masked ?? user?.mobile_masked ?? ''}</span>
          </div>
          <hr />
          <div className="menu-label">
            主题
            <Segmented label="主题" value={theme} choices={themes} onChange={(value) => set('theme', value)} />
          </div>
          <div className="menu-label">
            表格密度
            <Segmented label="表格密度" value={density} choices={densities} onChange={(value) => set('density', value)} />
          </div>
          <hr />
          <button type="button" className="menu-item" onClick={leave}>
            退出登录
          </button>
        </div>
      )}
    </Menu>
  )
}
