import type { ComponentType } from 'react'
import { type Chunk, chunkOf } from './chunk.ts'
import { chainOfDestination } from './page-at.ts'
import type { PageCode } from './page-table.ts'

/** Every page's code, fetched when it is first needed. */
const imports: Record<PageCode, () => Promise<ComponentType>> = {
  layout: async () => (await import('./layout/main-layout.tsx')).MainLayout,
  login: async () => (await import('./login/login-page.tsx')).LoginPage,
  wechatCallback: async () => (await import('./login/wechat-callback-page.tsx')).WechatCallbackPage,
  register: async () => (await import('./register/register-page.tsx')).RegisterPage,
  forgotPassword: async () => (await import('./forgot-password/forgot-password-page.tsx')).ForgotPasswordPage,
  bindWechat: async () => (await import('./bind-wechat/bind-wechat-page.tsx')).BindWechatPage,
  activateEmail: async () => (await import('./activate-email/activate-email-page.tsx')).ActivateEmailPage,
  home: async () => (await import('./home/home-page.tsx')).HomePage,
  rotation: async () => (await import('./rotation/rotation-page.tsx')).RotationPage,
  screen: async () => (await import('./rotation/screen.tsx')).ScreenPage,
  history: async () => (await import('./rotation/history.tsx')).HistoryPage,
  grid: async () => (await import('./rotation/grid.tsx')).GridPage,
  binning: async () => (await import('./rotation/binning.tsx')).BinningPage,
  backtest: async () => (await import('./rotation/backtest.tsx')).BacktestPage,
  report: async () => (await import('./rotation/report.tsx')).ReportPage,
  sharedReport: async () => (await import('./shared/shared-report-page.tsx')).SharedReportPage,
  strategy: async () => (await import('./strategy/strategy-page.tsx')).StrategyPage,
  group: async () => (await import('./strategy/group-page.tsx')).GroupPage,
  compare: async () => (await import('./strategy/compare-page.tsx')).ComparePage,
  personal: async () => (await import('./personal/personal-page.tsx')).PersonalPage,
  profile: async () => (await import('./personal/profile-page.tsx')).ProfilePage,
  strategies: async () => (await import('./personal/strategies-page.tsx')).StrategiesPage,
  backtestHistory: async () => (await import('./personal/backtest-history-page.tsx')).BacktestHistoryPage,
  groupStrategies: async () => (await import('./personal/group-strategies-page.tsx')).GroupStrategiesPage,
  subscription: async () => (await import('./personal/subscription-page.tsx')).SubscriptionPage,
  loginHistory: async () => (await import('./personal/login-history-page.tsx')).LoginHistoryPage,
  maintenance: async () => (await import('./maintenance/maintenance-page.tsx')).MaintenancePage,
  terms: async () => (await import('./legal/terms.tsx')).TermsPage,
  privacy: async () => (await import('./legal/privacy.tsx')).PrivacyPage,
  risk: async () => (await import('./legal/risk.tsx')).RiskPage,
  customizedFactors: async () => (await import('./customized-factors/customized-factors-page.tsx')).CustomizedFactorsPage,
  qmt: async () => (await import('./qmt/qmt-page.tsx')).QmtPage,
  qmtConfig: async () => (await import('./qmt/config-page.tsx')).ConfigPage,
  tradeConfig: async () => (await import('./qmt/trade-config-page.tsx')).TradeConfigPage,
  accountManagement: async () => (await import('./qmt/account-management-page.tsx')).AccountManagementPage,
  wechatPay: async () => (await import('./pay/wechat-pay-page.tsx')).WechatPayPage,
  notFound: async () => (await import('./not-found/not-found-page.tsx')).NotFoundPage,
}

const chunkNamed = (name: PageCode): [PageCode, Chunk<ComponentType>] => [name, chunkOf<ComponentType>(name, imports[name])]
export const chunks = Object.fromEntries((Object.keys(imports) as PageCode[]).map(chunkNamed)) as Record<PageCode, Chunk<ComponentType>>

/** Everything that an address will show, all at once: a page does not wait for the frame around it. */
export function loadAhead(path: string): void {
  for (const { code } of chainOfDestination(path)) if (code) chunks[code].load().catch(() => {})
}
