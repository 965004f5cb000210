import { sentenceOf } from '../api/messages.ts'
import { toast } from './toast.tsx'

/** Toast after an optimistic update was rolled back, with a second try. */
export function notifyRolledBack(what: '改名' | '备注' | '标签', error: unknown, again?: () => void): void {
  toast.error(`${what}失败：${sentenceOf(error)}，已恢复原来的内容`, again && { label: '再改一次', act: again })
}
