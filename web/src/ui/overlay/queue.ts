import { create } from 'zustand'
import type { IconName } from '../icon.tsx'

// What any function may open above the page: it stands here until the late code of hosts.tsx shows it.

export type ToastKind = 'done' | 'info' | 'error'
/** What can be done about it while it is shown: 撤销, 查看. */
export interface ToastAction {
  label: string
  act: () => void
}
export interface ToastMessage {
  kind: ToastKind
  text: string
  action: ToastAction | null
}

export interface Question {
  /** Names the object: `删除策略「双低-10只」？` */
  title: string
  /** What follows: `删除后不可恢复。` */
  text: string
  /** The button's word: 删除. */
  action: string
  icon?: IconName
}
interface AskedQuestion {
  id: number
  question: Question
  answer: (yes: boolean) => void
}

/** Toasts that are not shown yet, and questions that are not answered yet. */
export const useOverlayQueue = create<{ toasts: readonly ToastMessage[]; questions: readonly AskedQuestion[] }>(() => ({
  toasts: [],
  questions: [],
}))
