import { Parameters, Settings, shown } from '@convexa/contract'
import type { z } from 'zod'
import { describeIssue } from '../base/describe-issue.ts'
import { exits, Stop } from './exits.ts'
import { textOf } from './text-file.ts'

/** The members of a request file: those of a run; a reference case or a saved request has more, which are not read. */
export type RequestFile = { parameters: Parameters; settings?: Settings }

/**
 * Reads and checks a request file.
 * @throws Stop 3 with the first mistake and where it is
 */
export function readRequest(kind: string, file: string): RequestFile {
  const given = parse(file)
  if (typeof given !== 'object' || given === null || !('parameters' in given)) refuse(file, '缺少 parameters')
  if ('kind' in given && given.kind !== kind) refuse(file, `这是市场 ${shown(String(given.kind), 10)} 的请求，不是 ${kind} 的`)
  const parameters = read(Parameters, given.parameters, file, 'parameters')
  if (!('settings' in given)) return { parameters }
  return { parameters, settings: read(Settings, given.settings, file, 'settings') }
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

function read<T extends z.ZodType>(schema: T, value: unknown, file: string, member: string): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return refuse(file, `${shown([member, ...(issue?.path ?? [])].join('.'), 80)} ${issue ? describeIssue(issue) : '有误'}`)
}

function refuse(file: string, why: string): never {
  throw new Stop(exits.refused, `请求文件 ${shown(file, 200)} 没有被接受：${why}`)
}

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
