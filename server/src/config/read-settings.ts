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
  readonly problems: readonly string[]
}

/** An empty variable counts as not set. */
export function settingsReader(env: Environment): SettingsReader {
  const problems: string[] = []
  const values = new Map<string, unknown>()
  for (const [name, { schema }] of Object.entries<Setting<unknown>>(settings)) {
    const given = env[name]?.trim()
    const result = given ? schema.safeParse(given) : null
    if (result?.success) values.set(name, result.data)
    else problems.push(...(result?.error.issues ?? []).map(({ message }) => `环境变量 ${name} ${message}`))
  }
  const read = (name: SettingName, fallback: unknown = settings[name].default): unknown => (values.has(name) ? values.get(name) : fallback)
  return {
    isSet: (name) => Boolean(env[name]?.trim()),
    read: read as SettingsReader['read'],
    problem: (sentence) => void problems.push(sentence),
    problems,
  }
}
