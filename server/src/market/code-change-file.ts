/**
 * Codes that changed as an operator saves them: a line each, old code, new code, first day of the new one.
 *
 *     # what begins so is not read
 *     430017.BJ 920017.BJ 2025-10-09
 */
import type { CodeChange } from './code-changes.ts'
import { readCode } from './import/cells/code.ts'

/** `problems`: Chinese sentences with their lines. */
export type ReadChanges =
  | { readonly ok: true; readonly changes: readonly CodeChange[] }
  | { readonly ok: false; readonly problems: readonly string[] }

export function readChanges(text: string): ReadChanges {
  const problems: string[] = []
  const changes = new Map<string, CodeChange>()
  for (const [i, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    const problem = (words: string) => problems.push(`第 ${i + 1} 行：${words}`)
    const [given = '', later = '', day = '', ...rest] = line.trim().split(/[\s,，;；]+/)
    const [old, now] = [readCode(given, 'stk'), readCode(later, 'stk')]
    if (rest.length > 0 || day === '') problem('要写旧代码、新代码与新代码的首日，如 430017.BJ 920017.BJ 2025-10-09')
    else if (old === null) problem(`看不懂代码“${given}”`)
    else if (now === null) problem(`看不懂代码“${later}”`)
    else if (old === now) problem(`${old} 没有变更`)
    else if (!isDay(day)) problem(`看不懂日期“${day}”，应如 2025-10-09`)
    else if (changes.has(old)) problem(`${old} 写了两次`)
    else changes.set(old, [old, now, day])
  }
  if (problems.length === 0 && changes.size === 0) problems.push('没有一行写明代码变更')
  return problems.length > 0 ? { ok: false, problems } : { ok: true, changes: [...changes.values()] }
}

const isDay = (text: string): boolean => {
  const read = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(read) && new Date(read).toISOString().slice(0, 10) === text
}
