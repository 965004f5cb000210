import type { ComponentType } from 'react'
import { prefetchBy } from '../ui/prefetch.ts'

type Page = { Component: ComponentType }
type Load = () => Promise<Page>

/** The specification's limit for a page's code; the browser alone would wait for ever. */
const limit = 120_000

const within = (load: Load): Load => {
  return () => {
    const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('Chunk load error: timeout')), limit))
    return Promise.race([load(), late])
  }
}

/** The chart's code is large and first needed when a run begins: it is fetched while its settings are read. */
const chart = () => import('../ui/chart/echarts.ts')
const whenIdle = (act: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(act, { timeout: 3_000 }) : setTimeout(act, 1_000)

/** Every page, loaded when it is first needed. */
export const pages = {
  login: within(async () => ({ Component: (await import('./login/login-page.tsx')).LoginPage })),
  layout: within(async () => ({ Component: (await import('./layout/main-layout.tsx')).MainLayout })),
  rotation: within(async () => ({ Component: (await import('./rotation/rotation-page.tsx')).RotationPage })),
  screen: within(async () => ({ Component: (await import('./rotation/screen.tsx')).ScreenPage })),
  backtest: within(async () => {
    const { BacktestPage } = await import('./rotation/backtest.tsx')
    whenIdle(() => void chart().catch(() => {}))
    return { Component: BacktestPage }
  }),
  report: within(async () => ({ Component: (await import('./rotation/report.tsx')).ReportPage })),
  notFound: within(async () => ({ Component: (await import('./not-found/not-found-page.tsx')).NotFoundPage })),
}

const ahead: Record<string, Load> = { screen: pages.screen, backtest: pages.backtest }
prefetchBy((path) => ahead[path.split('/').at(-1) ?? '']?.().catch(() => {}))
