import { toast } from './ui/toast.tsx'

// Toasts on browser storage: what was set aside as unreadable, and what could not be stored. Each is shown once per page load.

/** Chinese name of what is stored under a key; the loss of a key without a name is not reported. */
const names: readonly (readonly [RegExp, string])[] = [
  [/^(cb|stk)Strategy|^draft:/, '策略草稿'],
  [/^factorDrafts/, '因子草稿'],
  [/^(heldLists|confirmedLists)/, '当前名单'],
  [/^factorFavourites/, '收藏的因子'],
  [/^reportWindows/, '事件窗口'],
  [/^qmtTerminalChecks/, '检查终端的勾选'],
  [/^(token|user)Data/, '登录状态'],
  [/^preference:(theme|density|rise|motion|digits|heat|patterns|columns|split)/, '显示设置'],
]
const nameOf = (key: string) => names.find(([is]) => is.test(key))?.[1] ?? null

const shownFailures = new Set<string>()
function once(sentence: string): void {
  if (shownFailures.has(sentence)) return
  shownFailures.add(sentence)
  toast.error(sentence)
}

/** Reports a value that this release cannot read. */
export function unread(key: string): void {
  const name = nameOf(key)
  if (name) once(`上次的${name}读不出来，已在本机另存，其余不受影响`)
}

/** Reports a value that could not be stored. */
export function lost(key: string, error: unknown): void {
  const name = nameOf(key)
  if (!name) return
  const full = error instanceof DOMException && /quota/i.test(error.name)
  once(`${full ? '浏览器存储已满' : '浏览器不允许本站保存数据'}，${name}在刷新或关闭页面后不会保留`)
}
