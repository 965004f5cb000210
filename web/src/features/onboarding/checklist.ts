import { create } from 'zustand'
import { atLeast, eachOf, fits, flag, optional } from '../../state/shapes.ts'
import { local } from '../../state/storage.ts'

// 新手任务: five things to do once. What is done is kept on this machine; what the server knows (runs, saved strategies) counts too.

export const tasks = [
  { key: 'list', title: '选一个模板，看今天的名单', to: '/rotation/convertible-bond/screen' },
  { key: 'why', title: '点开任意一只，看它为什么入选', to: '/rotation/convertible-bond/screen' },
  { key: 'run', title: '跑一次近 3 年回测', to: '/rotation/convertible-bond/backtest' },
  { key: 'drawdown', title: '在报告里找到最大回撤和恢复天数', to: '/personal/backtest-history' },
  { key: 'save', title: '把策略存成自己的', to: '/rotation/convertible-bond/screen' },
] as const

export type TaskKey = (typeof tasks)[number]['key']

interface Kept {
  done: readonly TaskKey[]
  /** The card was put away. */
  hidden: boolean
}

const key = 'onboarding'

interface Checklist extends Kept {
  finish(task: TaskKey): void
  hide(hidden: boolean): void
}

const shape = atLeast<Partial<Kept>>({
  done: optional(eachOf(fits<TaskKey>((word) => tasks.some((task) => task.key === word)))),
  hidden: optional(flag),
})

const stored = (): Kept => ({ done: [], hidden: false, ...local.read(key, shape) })

export const useChecklist = create<Checklist>((set, get) => {
  const keep = (change: Partial<Kept>) => {
    const { done, hidden } = { ...get(), ...change }
    local.write(key, { done, hidden })
    set(change)
  }
  return {
    ...stored(),
    finish(task) {
      if (!get().done.includes(task)) keep({ done: [...get().done, task] })
    },
    hide: (hidden) => keep({ hidden }),
  }
})

/** What a visit to an address finishes. A list is seen only where there is a rule. */
export function finishedBy(path: string, search: string, hasRule: boolean): TaskKey[] {
  if (/^\/rotation\/[\w-]+\/screen$/.test(path) && hasRule) return new URLSearchParams(search).has('code') ? ['list', 'why'] : ['list']
  return /^\/rotation\/[\w-]+\/backtest\/[\w-]+$/.test(path) ? ['run', 'drawdown'] : []
}

/** Tasks done according to the server: runs and strategies made on another device count. */
export const knownDone = (runs: number, strategies: number): TaskKey[] => [
  ...(runs > 0 ? (['list', 'run'] as const) : []),
  ...(strategies > 0 ? (['list', 'save'] as const) : []),
]

export interface TaskView {
  key: TaskKey
  title: string
  to: string
  state: 'done' | 'next' | 'later'
}

/** The five in their order; the first that is not done is next. */
export function viewOf(done: readonly TaskKey[]): TaskView[] {
  const next = tasks.find((task) => !done.includes(task.key))
  return tasks.map((task) => ({ ...task, state: done.includes(task.key) ? 'done' : task === next ? 'next' : 'later' }))
}
