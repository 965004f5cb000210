import { readFileSync } from 'node:fs'
import { Parameters, Settings } from '@convexa/contract'
import type { z } from 'zod'
import { exits, Stop } from './exits.ts'

/** The members of a request file: those of a run; a reference case or a saved request has more, which are not read. */
export type RequestFile = { parameters: Parameters; settings?: Settings }

/**
 * Reads and checks a request file.
 * @throws Stop 3 with the first mistake and where it is
 */
export function readRequest(kind: string, file: string): RequestFile {
  const given = parse(file)
  if (typeof given !== 'object' || given === null || !('parameters' in given)) refuse(file, '缺少 parameters')
  if ('kind' in given && given.kind !== kind) refuse(file, `这是市场 ${String(given.kind)} 的请求，不是 ${kind} 的`)
  const parameters = read(Parameters, given.parameters, file, 'parameters')
  if (!('settings' in given)) return { parameters }
  return { parameters, settings: read(Settings, given.settings, file, 'settings') }
}

/** The settings, for a command that needs them. @throws Stop 3 */
export function settingsOf(request: RequestFile, file: string): Settings {
  return request.settings ?? refuse(file, '缺少 settings')
}

function parse(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return refuse(file, `无法读取（${(error as NodeJS.ErrnoException).code}）`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    return refuse(file, `不是 JSON（${error instanceof Error ? error.message : ''}）`)
  }
}

function read<T extends z.ZodType>(schema: T, value: unknown, file: string, member: string): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return refuse(file, `${[member, ...(issue?.path ?? [])].join('.')} 有误：${issue?.message ?? ''}`)
}

function refuse(file: string, why: string): never {
  throw new Stop(exits.refused, `请求文件 ${file} 没有被接受：${why}`)
}
