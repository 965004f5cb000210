import type { useStrategies } from '../../state/drafts.ts'
import { resume } from '../../state/resume-draft.ts'
import { toast } from '../../ui/toast.tsx'

/** Offers drafts back that something else was opened over. */
export function offer(left: ReturnType<typeof useStrategies.getState>['left']): void {
  for (const { kind, draft } of left) toast.info(`「${draft.name}」的修改留在草稿里`, { label: '恢复', act: () => resume(kind, draft) })
}
