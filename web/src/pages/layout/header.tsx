import { dataModes } from '@convexa/contract/enums/data-mode'
import { marketIds, markets } from '@convexa/contract/enums/market'
import type { DataMode } from '@convexa/contract/market'
import { Link, useLocation } from 'react-router'
import { useSite } from '../../api/site.ts'
import { dayWords } from '../../base/dates.ts'
import { AvatarFace } from '../../features/account/avatar-face.tsx'
import { toggleHelp, useHelp } from '../../features/help/help-store.ts'
import { OpenQuestions } from '../../features/qmt/questions/open-questions.tsx'
import { RunIndicator } from '../../features/run/backtest-run-indicator.tsx'
import { isMac, keyMap, printed } from '../../keys/key-map.ts'
import { marketOfSegment } from '../../market/market-context.tsx'
import { useMarketClock } from '../../market/use-market-clock.ts'
import { menu } from '../../routing/menu.ts'
import { isOpen, type Page, publicPages, shownChildren } from '../../routing/page-table.ts'
import { useAuth } from '../../state/auth.ts'
import { Icon, Logo } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { NavMenu } from '../../ui/nav-menu.tsx'
import { PageLink, PageNavLink } from '../../ui/page-link.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Account, useAccountName } from './account.tsx'
import { showOverlay } from './overlay.ts'

/** Links shown in place of the avatar when nobody is logged in. */
const ways = ['/login', '/register']

export function Header() {
  const site = useSite()
  const known = useAuth(({ tokenData }) => tokenData !== null)
  return (
    <header className="header">
      <Link className="brand" to="/" aria-label={`${site.name}首页`}>
        <Logo />
        <span>{site.name}</span>
      </Link>
      <Row as="nav" gap={4} align="stretch" className="main-menu" aria-label="主导航">
        {menu.map((page) => (
          <MenuWord key={page.path} page={page} />
        ))}
      </Row>
      <span className="grow" />
      <RunIndicator />
      {known && <SearchButton />}
      {known && <Clock />}
      <DataBadge />
      {known && <HelpButton className="header-help" />}
      {known ? (
        <AccountMenu />
      ) : (
        publicPages
          .filter((page) => ways.includes(page.path) && isOpen(page))
          .map(({ path, title }) => (
            <PageLink key={path} className="button small" to={path}>
              {title}
            </PageLink>
          ))
      )}
    </header>
  )
}

/** A word and its pages: the word leads to the page used last, the arrow to each. */
function MenuWord({ page }: { page: Page }) {
  const { pathname } = useLocation()
  const { path, title } = page
  const here = path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`)
  const pages = shownChildren(page)
  const className = here ? 'main-menu-item current' : 'main-menu-item'
  const word = (
    <PageLink to={path} aria-current={here ? (pages.length > 0 ? 'true' : 'page') : undefined}>
      {title}
      {path === '/qmt' && <OpenQuestions asks={false} />}
    </PageLink>
  )
  if (pages.length === 0) return <div className={className}>{word}</div>
  return (
    <div className={className}>
      <NavMenu word={word} label={`${title}的页面`}>
        {(close) =>
          pages.map((child) => (
            <PageNavLink key={child.path} to={child.path} className="menu-item" onClick={close}>
              {child.title}
            </PageNavLink>
          ))
        }
      </NavMenu>
    </div>
  )
}

function SearchButton() {
  return (
    <button
      type="button"
      className="search-button"
      aria-haspopup="dialog"
      aria-keyshortcuts={isMac() ? 'Meta+K' : 'Control+K'}
      onClick={() => showOverlay('palette')}
    >
      <Icon name="search" />
      <span>
        <span className="hidden-text">搜索 </span>代码、名称或拼音
      </span>
      <kbd>{printed(keyMap.palette.press[0], isMac()).join(isMac() ? '' : ' ')}</kbd>
    </button>
  )
}

export function HelpButton({ className }: { className: string }) {
  const open = useHelp(({ view }) => view !== null)
  return (
    <button
      type="button"
      className={className}
      aria-label="帮助"
      title="帮助与名词表"
      aria-expanded={open}
      aria-keyshortcuts="h"
      onClick={toggleHelp}
    >
      <Icon name="help" />
    </button>
  )
}

/** Looked at, never read out by itself: it is no live region. */
function Clock() {
  const { phase, expected, reason, open, time, day, date } = useMarketClock()
  return (
    <div className="clock" title={`北京时间 ${dayWords(date)} ${time}${expected ? '；今年的休市日尚未公布，交易日按工作日推定' : ''}`}>
      <i className={open ? 'dot' : 'dot quiet'} />
      <span>
        {phase}
        {expected && '（推定）'}
        {reason && `（${reason}）`}
      </span>
      <b>{time}</b>
      <span className="text-3 clock-day">{day}</span>
    </div>
  )
}

/** How each market's data came here. */
const badges: Record<DataMode, { word: string; look: string; hint: string }> = {
  demo: { word: dataModes.demo.label, look: 'demo', hint: '模拟生成，非真实行情，不能用于交易' },
  imported: { word: '数据收盘', look: '', hint: '导入的行情，截至日期见数据时间' },
  platform: { word: '数据收盘', look: '', hint: '收盘行情，截至日期见数据时间' },
}

/** What is not made up follows a source of quotes where one is on. */
const followed = { word: '实时行情', look: '', hint: '交易时段随行情源更新，其余时间是收盘数据' }

/** On a market's pages the badge is about that market; elsewhere about both, once where they are alike; `short`: of two only what is demo. */
export function DataBadge({ short = false }: { short?: boolean }) {
  const { data_mode: modes, features } = useSite()
  const badgeOf = (mode: DataMode) => (features.live_quotes && mode !== 'demo' ? followed : badges[mode])
  const market = marketOfSegment(useLocation().pathname.split('/')[2])
  const kinds = market ? [market.id] : marketIds
  const shown = kinds.flatMap((kind) => (modes[kind] ? [{ kind, ...badgeOf(modes[kind]) }] : []))
  const alike = shown.every(({ word }) => word === shown[0]?.word)
  const labelled = alike ? shown.slice(0, 1) : short ? shown.filter(({ look }) => look === 'demo') : shown
  return labelled.map(({ kind, word, look, hint }) => (
    <span key={kind} className={`badge ${look}`} title={hint}>
      {look === 'demo' && <Icon name="info" size="middle" />}
      {alike ? word : `${markets[kind].label} ${word}`}
    </span>
  ))
}

function AccountMenu() {
  const name = useAccountName()
  const url = useAuth((state) => state.userData?.avatar_url)
  return (
    <Popover className="avatar" label={`账户菜单：${name}`} align="right" button={<AvatarFace name={name} url={url} />}>
      {(close) => <Account close={close} />}
    </Popover>
  )
}
