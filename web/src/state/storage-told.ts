import { toast } from '../ui/toast.tsx'

// What is told of storage: what was set aside as it could not be read, and what is not kept. Each is told once while the page is open.

/** What a user calls that which is kept under a key; what has no name here is not missed by anybody. */
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

const told = new Set<string>()
function once(sentence: string): void {
  if (told.has(sentence)) return
  told.add(sentence)
  toast.error(sentence)
}

/** What is under the key cannot be read by this release. */
export function unread(key: string): void {
  const name = nameOf(key)
  if (name) once(`上次的${name}读不出来，已在本机另存，其余不受影响`)
}

/** What should be under the key is not kept. */
export function lost(key: string, error: unknown): void {
  const name = nameOf(key)
  if (!name) return
  const full = error instanceof DOMException && /quota/i.test(error.name)
  once(`${full ? '浏览器存储已满' : '浏览器不允许本站保存数据'}，${name}在刷新或关闭页面后不会保留`)
}
