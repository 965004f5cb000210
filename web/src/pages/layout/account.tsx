import { densities, rises, themes } from '../../features/account/look-choices.ts'
import { choose } from '../../features/account/prefs.ts'
import { useLeave } from '../../features/run/leave.ts'
import { accountPages } from '../../routing/menu.ts'
import { useAuth } from '../../state/auth.ts'
import { usePreferences } from '../../state/preferences.ts'
import { Segmented } from '../../ui/controls.tsx'
import { Stack } from '../../ui/layout.tsx'
import { PageNavLink } from '../../ui/page-link.tsx'
import { showOverlay } from './overlay.ts'

const patternChoices: readonly { value: 'on' | 'off'; label: string }[] = [
  { value: 'off', label: '关' },
  { value: 'on', label: '开' },
]

export const useAccountName = (): string => useAuth((state) => state.userData?.nickname) || '我'

/** Avatar menu: account name, account pages, display preferences and logout. */
export function Account({ close }: { close: () => void }) {
  const user = useAuth((state) => state.userData)
  const { theme, density, rise, patterns, set } = usePreferences()
  const leave = useLeave()
  return (
    <div className="account-menu">
      <Stack className="account-name">
        <b>{useAccountName()}</b>
        <span className="text-3">{user?.email_masked ?? user?.mobile_masked ?? ''}</span>
      </Stack>
      {accountPages.length > 0 && <hr />}
      {accountPages.map(({ path, title }) => (
        <PageNavLink key={path} to={path} className="menu-item" onClick={close}>
          {title}
        </PageNavLink>
      ))}
      <hr />
      <div className="menu-label">
        主题
        <Segmented label="主题" value={theme} choices={themes} onChange={(value) => choose('theme', value)} />
      </div>
      <div className="menu-label">
        表格密度
        <Segmented label="表格密度" value={density} choices={densities} onChange={(value) => choose('density', value)} />
      </div>
      <div className="menu-label">
        涨跌颜色
        <Segmented label="涨跌颜色" value={rise} choices={rises} onChange={(value) => choose('rise', value)} />
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
      <button
        type="button"
        className="menu-item"
        onClick={() => {
          close()
          leave()
        }}
      >
        退出登录
      </button>
    </div>
  )
}
