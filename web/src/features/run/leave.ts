import { useNavigate } from 'react-router'
import { logout } from '../../api/client.ts'
import { confirm } from '../../ui/confirm.tsx'
import { isActive } from './backtest-run.ts'
import { useRuns } from './backtest-run-store.ts'

/** Logs out and leads to the login; asks for confirmation while a run is active. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    if (!(await mayEndRuns())) return
    await logout()
    await navigate('/login')
  }
}

/** Logging out cancels active runs, so it needs a confirmation. */
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
