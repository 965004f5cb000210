import { sentenceOf } from '../api/messages.ts'
import { toast } from '../ui/toast.tsx'

/** Says that a change was taken back, and lets it be tried again. */
export function tellTakenBack(what: '改名' | '备注' | '标签', error: unknown, again?: () => void): void {
  toast.error(`${what}失败：${sentenceOf(error)}，已恢复原来的内容`, again && { label: '再改一次', act: again })
}
