import { GroupBody, Parameters, Settings, shown } from '@convexa/contract'
import { z } from 'zod'
import type { RunRule } from '../context/compute.ts'
import { exits, type Issue, Stop } from './exits.ts'
import { issuesOf } from './issues.ts'
import { textOf } from './text-file.ts'

/** Strategies with their shares of the capital; on the wire a group is saved first and has an id. */
export const GroupOfFile = z.strictObject({
  members: z
    .array(z.strictObject({ name: GroupBody.shape.group_name, weight: z.number().gt(0).max(1), parameters: Parameters }))
    .min(2)
    .max(20)
    .refine((members) => Math.abs(members.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-6),
  rebalance: GroupBody.shape.rebalance,
  duplicate: GroupBody.shape.duplicate,
})

/**
 * The members of a request file: those of a run, where a saved strategy has its rule as `detail`; a reference case or a saved request has
 * more, which are not read.
 */
export type RequestFile = { rule: RunRule; settings?: Settings }

/**
 * Reads and checks a request file.
 * @throws Stop 3 with every mistake and where it is
 */
export function readRequest(kind: string, file: string): RequestFile {
  const given = parse(file)
  if (typeof given !== 'object' || given === null) return refuse(file, '缺少 parameters')
  const isGroup = 'group' in given
  const member = 'detail' in given ? 'detail' : 'parameters'
  if (!isGroup && !(member in given)) return refuse(file, '缺少 parameters')
  if ('kind' in given && given.kind !== kind) refuse(file, `这是市场 ${shown(String(given.kind), 10)} 的请求，不是 ${kind} 的`)
  const rule = isGroup ? GroupOfFile.safeParse(given.group) : Parameters.safeParse((given as Record<string, unknown>)[member])
  const settings = 'settings' in given ? Settings.safeParse(given.settings) : null
  const issues = [
    ...(rule.success ? [] : issuesOf(rule.error, isGroup ? 'group' : member)),
    ...(settings === null || settings.success ? [] : issuesOf(settings.error, 'settings')),
  ]
  if (issues.length > 0 || !rule.success) return refuseIssues(file, isGroup ? 'group' : kind, issues)
  return {
    rule: 'members' in rule.data ? { group: rule.data } : { parameters: rule.data },
    ...(settings?.success && { settings: settings.data }),
  }
}

/** The settings, for a command that needs them. @throws Stop 3 */
export function settingsOf(request: RequestFile, file: string): Settings {
  return request.settings ?? refuse(file, '缺少 settings')
}

function parse(file: string): unknown {
  const text = textOf(file, (why) => refuse(file, why))
  try {
    // Editors of some systems begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    return refuse(file, `不是 JSON${placeOf(error, text)}`)
  }
}

function refuseIssues(file: string, kind: string, issues: readonly Issue[]): never {
  const lines = issues.map(({ path, expected }) => `${path} ${expected}`)
  const said = lines.length === 1 ? lines[0]! : `\n${lines.map((line) => `  ${line}`).join('\n')}\n`
  throw new Stop(exits.refused, `${refusal(file)}${said}${lines.length === 1 ? '；' : ''}示例：./convexa example request-${kind}`, {
    issues,
  })
}

function refuse(file: string, why: string): never {
  throw new Stop(exits.refused, `${refusal(file)}${why}`)
}

const refusal = (file: string): string => `请求文件 ${shown(file, 200)} 没有被接受：`

/** `（第3行第14列）`, where the parser says it. */
function placeOf(error: unknown, text: string): string {
  const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  if (at === undefined) return text.trim() === '' ? '：文件是空的' : '：内容不完整'
  const before = text
    .replace(/^\ufeff/, '')
    .slice(0, Number(at))
    .split('\n')
  return `（第${before.length}行第${before.at(-1)!.length + 1}列）`
}
