import { readFileSync, statSync } from 'node:fs'
import { misspelled } from './misspelled.ts'
import type { ComputedDefault, Setting } from './setting.ts'
import { type SettingName, type Settings, settings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

type ValueOf<N extends SettingName> = Settings[N] extends Setting<infer T, infer _> ? T : never
/** A computed default is given by the caller, every other one stands in the table. */
type DefaultOf<N extends SettingName> = Settings[N]['default'] extends ComputedDefault ? [fallback: ValueOf<N>] : []

/** The settings of one environment, all of them parsed; mistakes are collected as sentences for the operator. */
export interface SettingsReader {
  isSet(name: SettingName): boolean
  /** The value; where it is not set, or is wrong, the default. */
  read<N extends SettingName>(name: N, ...fallback: DefaultOf<N>): ValueOf<N>
  problem(sentence: string): void
  warn(sentence: string): void
  readonly problems: readonly string[]
  /** What works and should be otherwise. */
  readonly warnings: readonly string[]
  /** What each setting that was read came to. */
  readonly inForce: ReadonlyMap<SettingName, unknown>
}

/** An empty variable counts as not set. A secret may stand in a file that `NAME_FILE` names. */
export function settingsReader(env: Environment): SettingsReader {
  const problems: string[] = []
  const warnings: string[] = []
  const values = new Map<string, unknown>()
  for (const [name, meant] of misspelled(env, knownVariables)) warnings.push(`环境变量 ${name} 不存在，是否指 ${meant}？`)
  const textOf = (name: string): string | undefined => env[name]?.trim() || undefined
  const secretOf = (name: string): string | undefined => {
    const [variable, file] = [`${name}_FILE`, textOf(`${name}_FILE`)]
    if (file === undefined) return textOf(name)
    if (textOf(name) !== undefined) problems.push(`环境变量 ${name} 与 ${variable} 只能设置其中一个`)
    const found = readSecretFile(file)
    if (found === null) problems.push(`环境变量 ${variable} 所指的文件无法读取：${file}`)
    // An empty one is no missing setting: a site would start with another database, or without its token.
    else if (found.text === '') problems.push(`环境变量 ${variable} 所指的文件是空的：${file}`)
    else if (found.isOpen) warnings.push(`环境变量 ${variable} 所指的文件可被其他用户读取，建议改为只有本用户可读：${file}`)
    return found?.text
  }
  const given = new Map(
    Object.entries<Setting<unknown>>(settings).map(([name, { secret }]) => [name, secret ? secretOf(name) : textOf(name)] as const),
  )
  for (const [name, { schema }] of Object.entries<Setting<unknown>>(settings)) {
    const text = given.get(name)
    const result = text ? schema.safeParse(text) : null
    if (result?.success) values.set(name, result.data)
    else problems.push(...(result?.error.issues ?? []).map(({ message }) => `环境变量 ${name} ${message}`))
  }
  const inForce = new Map<SettingName, unknown>()
  const read = (name: SettingName, fallback: unknown = settings[name].default): unknown => {
    const value = values.has(name) ? values.get(name) : fallback
    inForce.set(name, value)
    return value
  }
  return {
    isSet: (name) => Boolean(given.get(name)),
    read: read as SettingsReader['read'],
    problem: (sentence) => void problems.push(sentence),
    warn: (sentence) => void warnings.push(sentence),
    problems,
    warnings,
    inForce,
  }
}

const knownVariables = Object.entries<Setting<unknown>>(settings).flatMap(([name, { secret }]) =>
  secret ? [name, `${name}_FILE`] : [name],
)

/** The content without the end of its line, and whether users of the machine other than its owner's group may read it; null: it cannot be read. */
function readSecretFile(file: string): { readonly text: string; readonly isOpen: boolean } | null {
  try {
    return { text: readFileSync(file, 'utf8').trim(), isOpen: (statSync(file).mode & 0o004) !== 0 }
  } catch {
    return null
  }
}
