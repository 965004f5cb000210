import { loadedEnvFile } from '../base/env-file.ts'
import { type ConfigReading, readConfig } from '../config/config.ts'
import type { Setting } from '../config/setting.ts'
import { type SettingName, settings } from '../config/settings.ts'
import { exits, Stop } from './exits.ts'
import { answer } from './output.ts'
import { table } from './text.ts'

const sources = { environment: '环境变量', file: '文件', default: '默认' } as const

interface Row {
  readonly name: string
  /** null: none, or it is kept secret. */
  readonly value: string | null
  readonly secret: boolean
  readonly source: keyof typeof sources
  /** Where it stands, if in a file. */
  readonly file: string | null
}

/** `convexa config`: every setting as it holds, with where it comes from. @throws Stop 2 with every mistake */
export function showConfig({ set }: { set?: boolean }): void {
  const { inForce } = usable(readConfig(process.env))
  const rows = Object.entries<Setting<unknown>>(settings)
    .map(([name, { secret }]) => rowOf(name as SettingName, secret, inForce))
    .filter(({ source }) => !set || source !== 'default')
  const cells = rows.map(({ name, value, secret, source, file }) => [
    name,
    value ?? (secret && source !== 'default' ? '（已设置，不显示）' : '—'),
    file === null ? sources[source] : `${sources[source]} ${file}`,
  ])
  answer({ settings: rows }, () => (cells.length === 0 ? '没有设置，全部使用默认值' : table([['名称', '值', '来源'], ...cells])))
}

/** `convexa config check`. @throws Stop 2 with every mistake */
export function checkConfig(): void {
  const { warnings } = usable(readConfig(process.env))
  answer({ warnings }, () => [...warnings.map((warning) => `注意：${warning}`), '设置无误'].join('\n'))
}

/** @throws Stop 2 with every mistake in a line of its own, and each with the name that it is about */
function usable(reading: ConfigReading): Extract<ConfigReading, { ok: true }> {
  if (reading.ok) return reading
  const issues = reading.problems.map((problem) => ({ path: /[A-Z][A-Z\d]*(?:_[A-Z\d]+)*/.exec(problem)?.[0] ?? '', expected: problem }))
  throw new Stop(exits.usage, reading.problems.join('\n'), { issues })
}

function rowOf(name: SettingName, secret: boolean, inForce: ReadonlyMap<SettingName, unknown>): Row {
  const given = process.env[name]?.trim()
  const secretFile = secret ? process.env[`${name}_FILE`]?.trim() : undefined
  const loaded = loadedEnvFile()
  const isFromFile = loaded?.names.has(given ? name : `${name}_FILE`) ?? false
  const source = !given && !secretFile ? 'default' : isFromFile || secretFile ? 'file' : 'environment'
  const file = secretFile ?? (isFromFile ? (loaded?.file ?? null) : null)
  const value = secret ? null : given ? withoutPassword(given) : shownDefault(inForce.get(name))
  return { name, value, secret, source, file }
}

/** An address may hold a password, though its setting is not secret. */
const withoutPassword = (value: string): string => value.replace(/(\/\/[^/@:\s]*):[^/@\s]*@/g, '$1:***@')

function shownDefault(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (Array.isArray(value)) return value.join(',') || null
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : null
}
