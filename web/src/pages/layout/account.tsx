import { useNavigate } from 'react-router'
import { logout } from '../../api/client.ts'
import { isActive } from '../../quant/backtest-run.ts'
import { useRuns } from '../../quant/backtest-run-store.ts'
import { useAuth } from '../../state/auth.ts'
import { type Density, type Rise, type Theme, usePreferences } from '../../state/preferences.ts'
import { confirm } from '../../ui/confirm.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { PageNavLink } from '../../ui/page-link.tsx'
import { accountPages } from './menu.ts'
import { showOverlay } from './overlay.ts'

const themes: readonly { value: Theme; label: string }[] = [
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
  { value: 'system', label: '跟随系统' },
]
const densities: readonly { value: Density; label: string }[] = [
  { value: 'compact', label: '紧凑' },
  { value: 'standard', label: '标准' },
]
const patternChoices: readonly { value: 'on' | 'off'; label: string }[] = [
  { value: 'off', label: '关' },
  { value: 'on', label: '开' },
]
const rises: readonly { value: Rise; label: string }[] = [
  { value: 'red', label: '红涨绿跌' },
  { value: 'green', label: '绿涨红跌' },
]

export const useAccountName = (): string => useAuth((state) => state.userData?.nickname) || '我'

/** A run does not outlive its login: whoever has one is asked first. */
async function mayEndRuns(): Promise<boolean> {
  const { runs, cancel } = useRuns.getState()
  const active = runs.filter(isActive)
  const [first] = active
  if (!first) return true
  const which = active.length === 1 ? `回测「${first.request.name}」正在运行` : `${active.length} 个回测正在运行`
  const sure = await confirm({ title: '退出登录？', text: `${which}，退出会取消它。策略草稿保留在本机。`, action: '退出登录' })
  if (sure) for (const { key } of active) cancel(key)
  return sure
}

/** Who is logged in, their pages, how it all looks, and the way out: in the avatar's menu and behind the phone's 我的. */
export function Account({ close, keys = true }: { close: () => void; keys?: boolean }) {
  const user = useAuth((state) => state.userData)
  const { theme, density, rise, patterns, set } = usePreferences()
  const navigate = useNavigate()
  const leave = async () => {
    if (!(await mayEndRuns())) return
    await logout()
    await navigate('/login')
  }
  return (
    <div className="account-menu">
      <div className="account-name">
        <b>{useAccountName()}</b>
        <span className="text-3">{user?.email_masked ?? user?.mobile_masked ?? ''}</span>
      </div>
      {accountPages.length > 0 && <hr />}
      {accountPages.map(({ path, title }) => (
        <PageNavLink key={path} to={path} className="menu-item" onClick={close}>
          {title}
        </PageNavLink>
      ))}
      <hr />
      <div className="menu-label">
        主题
        <Segmented label="主题" value={theme} choices={themes} onChange={(value) => set('theme', value)} />
      </div>
      <div className="menu-label">
        表格密度
        <Segmented label="表格密度" value={density} choices={densities} onChange={(value) => set('density', value)} />
      </div>
      <div className="menu-label">
        涨跌颜色
        <Segmented label="涨跌颜色" value={rise} choices={rises} onChange={(value) => set('rise', value)} />
      </div>
      <div className="menu-label" title="图中的线与面除颜色外再用线型和图案区分">
        图案填充
        <Segmented
          label="图案填充"
          value={patterns ? 'on' : 'off'}
          choices={patternChoices}
          onChange={(value) => set('patterns', value === 'on')}
        />
      </div>
      <hr />
      {keys && (
        <button
          type="button"
          className="menu-item"
          onClick={() => {
            close()
            showOverlay('sheet')
          }}
        >
          快捷键
          <span className="grow" />
          <kbd>?</kbd>
        </button>
      )}
      <button type="button" className="menu-item" onClick={leave}>
        退出登录
      </button>
    </div>
  )
}
