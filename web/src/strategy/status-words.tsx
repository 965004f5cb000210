import type { RunStatus } from '@convexa/contract/backtest'
import { Icon, type IconName } from '../ui/icon.tsx'

/** How each status of a run is said; a word and a sign, never a colour alone. */
export const statuses: Record<RunStatus, { word: string; icon: IconName; look: 'ok' | 'warn' | 'danger' | 'text-2' }> = {
  0: { word: '排队', icon: 'more', look: 'text-2' },
  1: { word: '运行中', icon: 'play', look: 'text-2' },
  2: { word: '完成', icon: 'check', look: 'ok' },
  3: { word: '失败', icon: 'warn', look: 'danger' },
  4: { word: '已取消', icon: 'cross', look: 'text-2' },
  5: { word: '超时', icon: 'warn', look: 'warn' },
  6: { word: '中断', icon: 'warn', look: 'warn' },
}

export function StatusCell({ status }: { status: RunStatus }) {
  const { word, icon, look } = statuses[status]
  return (
    <span className={`run-status ${look}`}>
      <Icon name={icon} size="middle" />
      {word}
    </span>
  )
}
