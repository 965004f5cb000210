import { Parameters, Settings, shown } from '@convexa/contract'
import { exits, type Issue, Stop } from './exits.ts'
import { issuesOf } from './issues.ts'
import { textOf } from './text-file.ts'

/** The members of a request file: those of a run; a reference case or a saved request has more, which are not read. */
export type RequestFile = { parameters: Parameters; settings?: Settings }

/**
 * Reads and checks a request file.
 * @throws Stop 3 with every mistake and where it is
 */
export function readRequest(kind: string, file: string): RequestFile {
  const given = parse(file)
  if (typeof given !== 'object' || given === null || !('parameters' in given)) refuse(file, '缺少 parameters')
  if ('kind' in given && given.kind !== kind) refuse(file, `这是市场 ${shown(String(given.kind), 10)} 的请求，不是 ${kind} 的`)
  const parameters = Parameters.safeParse(given.parameters)
  const settings = 'settings' in given ? Settings.safeParse(given.settings) : null
  const issues = [
    ...(parameters.success ? [] : issuesOf(parameters.error, 'parameters')),
    ...(settings === null || settings.success ? [] : issuesOf(settings.error, 'settings')),
  ]
  if (issues.length > 0 || !parameters.success) return refuseIssues(file, kind, issues)
  return { parameters: parameters.data, ...(settings?.success && { settings: settings.data }) }
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
