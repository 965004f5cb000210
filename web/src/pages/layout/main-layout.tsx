import { type MarketId, marketIds, markets } from '@convexa/contract/enums/market'
import { useIsFetching } from '@tanstack/react-query'
import { type ComponentType, type MouseEvent, Suspense, useEffect, useRef } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { attributeDictionaries, needDictionaries } from '../../api/dictionary.ts'
import { queries, strategyOptionsQuery, userQuery, websiteQuery } from '../../api/queries.ts'
import { useSite } from '../../api/site.ts'
import { usePhone } from '../../base/use-phone.ts'
import { whenIdle } from '../../base/when-idle.ts'
import { adoptPrefs } from '../../features/account/prefs.ts'
import { toggleHelp, useHelp } from '../../features/help/help-store.ts'
import { useChecklistWatch } from '../../features/onboarding/use-watch.ts'
import { useDraftOffers } from '../../features/saving/use-draft-offers.ts'
import type { Action } from '../../keys/key-map.ts'
import { useKeyboard, useKeys } from '../../keys/use-keys.ts'
import { pageAt } from '../../routing/page-at.ts'
import { isOpen } from '../../routing/page-table.ts'
import { isAuthenticated, useAuth } from '../../state/auth.ts'
import { lazyDialog } from '../../ui/lazy-dialog.ts'
import { lazyWithFallback } from '../../ui/lazy-with-fallback.ts'
import { useLater } from '../../ui/states.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { watchLater } from '../../ui/watch-later.ts'
import { BannerSlot } from './banner.tsx'
import { Header } from './header.tsx'
import { type Overlay, showOverlay, useOverlay } from './overlay.ts'
import { PhoneBar, PhoneTabs } from './phone.tsx'
import { useLightPrint } from './print-light.ts'
import './layout.css'
import './print.css'

/** Header and menu around every page that needs a login; on the phone a bar above and tabs below. */
export function MainLayout() {
  useEffect(watchLater, [])
  useAhead()
  useNewData()
  useKeyboard()
  useOwnKeys()
  useLightPrint()
  useChecklistWatch()
  useDraftOffers()
  const phone = usePhone()
  return (
    <div className={phone ? 'layout phone' : 'layout'}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on the page, and takes the focus along */}
      <a className="skip" href="#main" onClick={skip}>
        跳到主要内容
      </a>
      <WaitingLine />
      {phone ? <PhoneBar /> : <Header />}
      <BannerSlot />
      <Outlet />
      {phone && <PhoneTabs />}
      <Overlays />
      <Help />
    </div>
  )
}

/** By the address alone the focus would be nowhere. */
function skip(event: MouseEvent) {
  const main = document.getElementById('main')
  if (!main) return
  event.preventDefault()
  main.scrollIntoView({ block: 'nearest' })
  takeFocus(main)
}

/** What lies above the page is fetched when it is first asked for. */
const overlays: Record<Overlay, ComponentType<{ onClose: () => void }>> = {
  palette: lazyDialog(async () => (await import('../../features/palette/palette.tsx')).Palette),
  sheet: lazyDialog(async () => (await import('../../keys/key-sheet.tsx')).KeySheet),
}

const closeOverlay = () => showOverlay(null)

function Overlays() {
  const { shown } = useOverlay()
  const { key } = useLocation()
  // Whatever led to another page is done.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per page
  useEffect(closeOverlay, [key])
  if (!shown) return null
  const Shown = overlays[shown]
  return (
    <Suspense>
      <Shown onClose={closeOverlay} />
    </Suspense>
  )
}

const HelpPanel = lazyWithFallback(async () => (await import('../../features/help/help-panel.tsx')).HelpPanel)

function Help() {
  const open = useHelp(({ view }) => view !== null)
  if (!open) return null
  return (
    <Suspense>
      <HelpPanel />
    </Suspense>
  )
}

const marketActions: Readonly<Record<MarketId, Action>> = { cb: 'goBonds', stk: 'goStocks' }

/** `g` and a letter lead to a page that is open. */
const ways: readonly (readonly [Action, string])[] = [
  ['goHome', '/'],
  ...marketIds.map((id) => [marketActions[id], markets[id].path] as const),
  ['goFactors', '/customized-factors'],
  ['goPersonal', '/personal'],
  ['goQmt', '/qmt'],
]

const nowhere = { path: '', title: '' }

function useOwnKeys() {
  const navigate = useNavigate()
  const there = ways.filter(([, path]) => isOpen(pageAt(path) ?? nowhere))
  useKeys(
    {
      palette: () => showOverlay('palette'),
      // A page without a search of its own.
      search: () => showOverlay('palette'),
      sheet: () => showOverlay('sheet'),
      help: toggleHelp,
      ...Object.fromEntries(there.map(([action, to]) => [action, () => void navigate(to)])),
    },
    true,
  )
}

/**
 * Prefetches what pages need soon, once per login after the first page is drawn; the year's closed dates come with the clock.
 * A failure only leaves the initials in the header: pages that need the rest fetch it again and show the error.
 */
function useAhead() {
  useEffect(() => {
    queries
      .fetchQuery(userQuery)
      .then((user) => {
        useAuth.getState().setUser(user)
        adoptPrefs(user)
      })
      .catch(() => {})
    whenIdle(() => {
      if (!isAuthenticated()) return
      void queries.prefetchQuery(strategyOptionsQuery)
      needDictionaries(attributeDictionaries).catch(() => {})
    })
  }, [])
}

/** A market was imported while the page was open: all that was read of the old data is read again. */
function useNewData() {
  const version = JSON.stringify(useSite().data_version)
  const seen = useRef<string | null>(null)
  const loaded = queries.getQueryState(websiteQuery.queryKey)?.status === 'success'
  useEffect(() => {
    if (!loaded) return
    if (seen.current !== null && seen.current !== version)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== websiteQuery.queryKey[0] })
    seen.current = version
  }, [version, loaded])
}

/** The 2 px line on top while something takes longer than 400 ms. */
function WaitingLine() {
  const waiting = useIsFetching() > 0
  const on = useLater(400, waiting)
  return <div className={on ? 'waiting-line progress-line on' : 'waiting-line progress-line'} aria-hidden="true" />
}
