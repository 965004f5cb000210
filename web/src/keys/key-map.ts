/**
 * Every key of the product (product.md 2.1). `Mod` is ⌘ on a Mac and Ctrl elsewhere; a space stands between the keys of a
 * sequence. A page binds the actions it has (`use-keys.ts`); the sheet behind `?` lists what is bound.
 */
export interface KeyRow {
  press: readonly string[]
  label: string
  /** everywhere: the layout binds it; page: a page does. */
  scope: 'everywhere' | 'page'
  /** With Ctrl, and yet a field's own while one types in it. */
  fieldsOwn?: boolean
  /** Held down it goes on: steps do. What runs, saves or opens something does so once. */
  held?: boolean
}

export const keyMap = {
  palette: { press: ['Mod+k'], label: '搜索证券、策略、因子与页面', scope: 'everywhere' },
  sheet: { press: ['?'], label: '快捷键一览', scope: 'everywhere' },
  help: { press: ['h'], label: '本页帮助与名词表', scope: 'everywhere' },
  goHome: { press: ['g h'], label: '去工作台', scope: 'everywhere' },
  goBonds: { press: ['g c'], label: '去可转债', scope: 'everywhere' },
  goStocks: { press: ['g s'], label: '去股票', scope: 'everywhere' },
  goFactors: { press: ['g f'], label: '去自定义因子', scope: 'everywhere' },
  goPersonal: { press: ['g p'], label: '去个人中心', scope: 'everywhere' },
  goQmt: { press: ['g q'], label: '去 QMT 实盘', scope: 'everywhere' },
  search: { press: ['/'], label: '搜索', scope: 'page' },
  run: { press: ['Mod+Enter'], label: '运行', scope: 'page' },
  cancel: { press: ['Esc'], label: '取消运行', scope: 'page' },
  save: { press: ['Mod+s'], label: '保存', scope: 'page' },
  undo: { press: ['Mod+z'], label: '撤销修改', scope: 'page', fieldsOwn: true, held: true },
  redo: { press: ['Mod+y', 'Mod+Shift+z'], label: '重做修改', scope: 'page', fieldsOwn: true, held: true },
  builder: { press: ['b'], label: '折叠或展开策略条件', scope: 'page' },
  previousTab: { press: ['['], label: '上一个标签页', scope: 'page', held: true },
  nextTab: { press: [']'], label: '下一个标签页', scope: 'page', held: true },
  previousPage: { press: ['PageUp'], label: '上一页', scope: 'page', held: true },
  nextPage: { press: ['PageDown'], label: '下一页', scope: 'page', held: true },
  nextRow: { press: ['j'], label: '下一行', scope: 'page', held: true },
  previousRow: { press: ['k'], label: '上一行', scope: 'page', held: true },
  openRow: { press: ['Enter'], label: '打开当前行，或按当前列排序', scope: 'page' },
  back: { press: ['ArrowLeft'], label: '上一个（交易日或因子）', scope: 'page', held: true },
  forward: { press: ['ArrowRight'], label: '下一个（交易日或因子）', scope: 'page', held: true },
  tick: { press: ['x'], label: '勾选当前行', scope: 'page' },
  columns: { press: ['.'], label: '列设置', scope: 'page' },
  export: { press: ['e'], label: '导出', scope: 'page' },
  create: { press: ['n'], label: '新建', scope: 'page' },
  compare: { press: ['c'], label: '对比选中的几项', scope: 'page' },
  refresh: { press: ['r'], label: '刷新概览', scope: 'page' },
  section: { press: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], label: '跳到报告的一节', scope: 'page' },
} as const satisfies Record<string, KeyRow>

export type Action = keyof typeof keyMap
export const actions = Object.keys(keyMap) as Action[]
export const keyRow = (action: Action): KeyRow => keyMap[action]

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '')

/** What is read of a key event. */
export interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** Keys that say nothing by themselves, and what an input method has taken. */
const silent = new Set(['Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'Dead', 'Process', 'Unidentified'])

/** An event in the words of the map: `Mod+Shift+z`, `?`, `Enter`; null for what no row can mean. */
export function pressName({ key, ctrlKey, metaKey, altKey, shiftKey }: Press, mac: boolean): string | null {
  const mod = mac ? metaKey : ctrlKey
  if (altKey || (mac ? ctrlKey : metaKey) || silent.has(key)) return null
  const letter = /^[a-z]$/i.test(key)
  const name = letter ? key.toLowerCase() : key === 'Escape' ? 'Esc' : key
  // Shift is part of `?` itself; of a letter and of a named key it is another key.
  const shift = shiftKey && (letter || key.length > 1)
  return `${mod ? 'Mod+' : ''}${shift ? 'Shift+' : ''}${name}`
}

/** Where a press leads: to an action, or to the second key of a sequence. `begun` is the first key, if one was pressed just before. */
export function actionOf(begun: string | null, press: string): { action: Action | null; begun: string | null } {
  const whole = begun === null ? press : `${begun} ${press}`
  const action = actions.find((name) => keyRow(name).press.includes(whole)) ?? null
  if (action) return { action, begun: null }
  const begins = actions.some((name) => keyRow(name).press.some((keys) => keys.startsWith(`${press} `)))
  return { action: begun === null ? null : actionOf(null, press).action, begun: begins ? press : null }
}

/** Whether a row is heard while one types in a field: only keys with Ctrl that fields do not have, and Esc. */
export const heardInFields = ({ press, fieldsOwn }: KeyRow): boolean =>
  !fieldsOwn && press.every((keys) => keys.startsWith('Mod+') || keys === 'Esc')

/** A press as its keys are printed: `['⌘', 'K']`, `['g', 'c']`. */
export const printed = (press: string, mac: boolean): string[] =>
  press.split(/[ +]/).map((key) => {
    if (key === 'Mod') return mac ? '⌘' : 'Ctrl'
    if (key === 'Shift') return mac ? '⇧' : 'Shift'
    return press.startsWith('Mod') && key.length === 1 ? key.toUpperCase() : key
  })
