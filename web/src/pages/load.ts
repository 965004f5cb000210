import type { ComponentType } from 'react'
import { chainOfDestination } from '../routing/page-at.ts'
import type { PageCode } from '../routing/page-table.ts'
import { type Chunk, chunkOf } from './chunk.ts'

/** Every page's code, fetched when it is first needed. */
const imports: Record<PageCode, () => Promise<ComponentType>> = {
  layout: async () => (await import('./layout/main-layout.tsx')).MainLayout,
  login: async () => (await import('../features/account/login-page.tsx')).LoginPage,
  wechatCallback: async () => (await import('../features/account/wechat-callback-page.tsx')).WechatCallbackPage,
  register: async () => (await import('../features/account/register-page.tsx')).RegisterPage,
  forgotPassword: async () => (await import('../features/account/forgot-password-page.tsx')).ForgotPasswordPage,
  bindWechat: async () => (await import('../features/account/bind-wechat-page.tsx')).BindWechatPage,
  activateEmail: async () => (await import('../features/account/activate-email-page.tsx')).ActivateEmailPage,
  home: async () => (await import('../features/home/home-page.tsx')).HomePage,
  rotation: async () => (await import('../features/rotation/rotation-page.tsx')).RotationPage,
  screen: async () => (await import('../features/rotation/screen.tsx')).ScreenPage,
  history: async () => (await import('../features/rotation/history.tsx')).HistoryPage,
  grid: async () => (await import('../features/rotation/grid.tsx')).GridPage,
  binning: async () => (await import('../features/rotation/binning.tsx')).BinningPage,
  backtest: async () => (await import('../features/rotation/backtest.tsx')).BacktestPage,
  report: async () => (await import('../features/rotation/report.tsx')).ReportPage,
  sharedReport: async () => (await import('../features/report/shared-report-page.tsx')).SharedReportPage,
  strategy: async () => (await import('../features/strategy/strategy-page.tsx')).StrategyPage,
  group: async () => (await import('../features/strategy/group-page.tsx')).GroupPage,
  compare: async () => (await import('../features/strategy/compare-page.tsx')).ComparePage,
  personal: async () => (await import('../features/account/personal/personal-page.tsx')).PersonalPage,
  profile: async () => (await import('../features/account/personal/profile-page.tsx')).ProfilePage,
  strategies: async () => (await import('../features/strategy/strategies-page.tsx')).StrategiesPage,
  backtestHistory: async () => (await import('../features/strategy/backtest-history-page.tsx')).BacktestHistoryPage,
  groupStrategies: async () => (await import('../features/strategy/group-strategies-page.tsx')).GroupStrategiesPage,
  subscription: async () => (await import('../features/vip/subscription-page.tsx')).SubscriptionPage,
  loginHistory: async () => (await import('../features/account/personal/login-history-page.tsx')).LoginHistoryPage,
  maintenance: async () => (await import('../features/site-status/maintenance-page.tsx')).MaintenancePage,
  terms: async () => (await import('../features/legal/terms.tsx')).TermsPage,
  privacy: async () => (await import('../features/legal/privacy.tsx')).PrivacyPage,
  risk: async () => (await import('../features/legal/risk.tsx')).RiskPage,
  customizedFactors: async () => (await import('../features/factors/customized-factors-page.tsx')).CustomizedFactorsPage,
  qmt: async () => (await import('../features/qmt/qmt-page.tsx')).QmtPage,
  qmtConfig: async () => (await import('../features/qmt/config-page.tsx')).ConfigPage,
  tradeConfig: async () => (await import('../features/qmt/trade-config-page.tsx')).TradeConfigPage,
  accountManagement: async () => (await import('../features/qmt/account-management-page.tsx')).AccountManagementPage,
  wechatPay: async () => (await import('../features/vip/wechat-pay-page.tsx')).WechatPayPage,
  notFound: async () => (await import('./not-found/not-found-page.tsx')).NotFoundPage,
}

const chunkNamed = (name: PageCode): [PageCode, Chunk<ComponentType>] => [name, chunkOf<ComponentType>(name, imports[name])]
export const chunks = Object.fromEntries((Object.keys(imports) as PageCode[]).map(chunkNamed)) as Record<PageCode, Chunk<ComponentType>>

/** Everything that an address will show, all at once: a page does not wait for the frame around it. */
export function loadAhead(path: string): void {
  for (const { code } of chainOfDestination(path)) if (code) chunks[code].load().catch(() => {})
}
