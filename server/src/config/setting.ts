import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { readStoreUrl, type StoreAddress } from './store-url.ts'

/** A default that depends on the machine or on other settings, as documents describe it. */
export interface ComputedDefault {
  readonly en: string
  readonly zh: string
}

/** One environment variable: how its text is read, its default, and how documents describe it. */
export interface Setting<T, D extends T | ComputedDefault = T | ComputedDefault> {
  /** Reads a text that is not empty. Its issues follow the name of the variable in a sentence for the operator. */
  readonly schema: z.ZodType<T, string>
  /** The value where the variable is not set. */
  readonly default: D
  /** One line each, for `.env.example` and docs/configuration.md. */
  readonly en: string
  readonly zh: string
  /** The value is never repeated, neither in a log nor in a sentence about a mistake. */
  readonly secret: boolean
  /** Least and greatest value of a number. */
  readonly bounds: readonly [min: number, max: number] | null
}

interface Description<D> {
  readonly default: D
  readonly en: string
  readonly zh: string
  readonly secret?: boolean
}

const setting = <T, D extends T | ComputedDefault>(
  schema: z.ZodType<T, string>,
  described: Description<D>,
  bounds: readonly [number, number] | null = null,
): Setting<T, D> => ({
  schema,
  bounds,
  default: described.default,
  en: described.en,
  zh: described.zh,
  secret: described.secret ?? false,
})

/** An issue that repeats the given text, or does not. */
const issue = (sentence: string, repeats: boolean) => ({
  error: ({ input }: { input?: unknown }) => (repeats ? `${sentence}，现在是“${input}”` : sentence),
})

/** Text that keeps to rules, each with its sentence. */
export const text = (described: Description<string> & { readonly rules?: readonly (readonly [RegExp, sentence: string])[] }) =>
  setting<string, string>(
    (described.rules ?? []).reduce((schema, [pattern, sentence]) => schema.regex(pattern, issue(sentence, false)), z.string()),
    described,
  )

/** A rule of keys and tokens. */
export const long = [/^.{32,}$/s, '需至少 32 个字符'] as const

export const secret = (described: Parameters<typeof text>[0]) => text({ ...described, secret: true })

/** A computed default of a text. */
export const computedText = (described: Description<ComputedDefault>) => setting<string, ComputedDefault>(z.string(), described)

export function integer<D extends number | ComputedDefault>(described: Description<D> & { readonly min: number; readonly max: number }) {
  const { min, max } = described
  const fits = (given: string) => /^\d{1,9}$/.test(given) && Number(given) >= min && Number(given) <= max
  const schema = z
    .string()
    .refine(fits, issue(`需为 ${min} 至 ${max} 的整数`, true))
    .transform(Number)
  return setting<number, D>(schema, described, [min, max])
}

/** An integer, or `auto`: what fits the machine. */
export function integerOrAuto(described: Description<number> & { readonly min: number; readonly max: number }) {
  const { min, max } = described
  const fits = (given: string) => given === 'auto' || (/^\d{1,9}$/.test(given) && Number(given) >= min && Number(given) <= max)
  const schema = z
    .string()
    .refine(fits, issue(`需为 ${min} 至 ${max} 的整数或 auto`, true))
    .transform((given) => (given === 'auto' ? given : Number(given)))
  return setting<number | 'auto', number>(schema, described, [min, max])
}

const choice = <T extends string>(choices: readonly T[]) =>
  z
    .string()
    .refine((given) => choices.some((one) => one === given.toLowerCase()), issue(`需为 ${choices.join('、')} 之一`, true))
    .transform((given) => given.toLowerCase() as T)

export const oneOf = <T extends string, D extends T | ComputedDefault>(choices: readonly T[], described: Description<D>): Setting<T, D> =>
  setting<T, D>(choice(choices), described)

export function flag<D extends boolean | ComputedDefault>(described: Description<D>) {
  const on = ['1', 'true', 'on']
  return setting<boolean, D>(
    choice(['1', '0', 'true', 'false', 'on', 'off']).transform((given) => on.includes(given)),
    described,
  )
}

/** An address without its last slash; it may hold a password, so it is not repeated. */
export function url<D extends string | ComputedDefault = string>(
  described: Description<D> & { readonly protocols?: readonly string[] },
): Setting<string, D> {
  const protocols = described.protocols ?? ['https:', 'http:']
  const fits = (given: string) => {
    const parsed = URL.canParse(given) ? new URL(given) : null
    return Boolean(parsed?.hostname && protocols.includes(parsed.protocol))
  }
  const sentence = `需为 ${protocols.map((protocol) => `${protocol}//`).join(' 或 ')} 开头的地址`
  return setting<string, D>(
    z
      .string()
      .refine(fits, issue(sentence, false))
      .transform((given) => given.replace(/\/$/, '')),
    described,
  )
}

export const postgresUrl = (described: Description<string>) =>
  setting<string, string>(
    z
      .string()
      .refine(
        (given) => /^postgres(ql)?:\/\/./.test(given) && URL.canParse(given.replace('@/', '@localhost/')),
        issue('需为 postgres://用户:密码@主机/数据库 形式的地址', false),
      ),
    described,
  )

/** Where objects lie; null: the folder of this machine. */
export const storeUrl = (described: Description<''>) =>
  setting<StoreAddress | '', ''>(
    z.string().transform((given, context): StoreAddress | '' => {
      const read = readStoreUrl(given)
      if ('address' in read) return read.address
      context.addIssue(read.problem)
      return ''
    }),
    described,
  )

/** `host:port`. */
export const hostAndPort = (described: Description<string>) =>
  setting<string, string>(
    z.string().refine((given) => Number(/^[\w.-]{1,253}:(\d{1,5})$/.exec(given)?.[1] ?? 65_536) <= 65_535, issue('需为 主机:端口', true)),
    described,
  )

/** `host` or `host:port`, as it stands in a URL; an address of IPv6 without a port may lack its brackets. */
export const hostMaybePort = (described: Description<string>) =>
  setting<string, string>(
    z
      .string()
      .transform((given) => (isIP(given) === 6 ? `[${given}]` : given))
      .refine(
        (given) => /^(\[[\da-f:.]+\]|[\w.-]{1,253})(:\d{1,5})?$/i.test(given) && URL.canParse(`http://${given}`),
        issue('需为 主机 或 主机:端口', true),
      ),
    described,
  )

/** Values with commas between them; the first that does not fit is named in the sentence. */
const list = (fits: (one: string) => boolean, sentence: (wrong: string) => string) =>
  z.string().transform((given, context): readonly string[] => {
    const parts = given
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
    const wrong = parts.find((part) => !fits(part))
    if (wrong !== undefined) context.addIssue(sentence(wrong))
    return parts
  })

/** Whole origins as a browser writes them: exactly these are compared. */
export const origins = (described: Description<readonly string[]>) =>
  setting<readonly string[], readonly string[]>(
    list(
      (one) => /^https?:/.test(one) && URL.canParse(one) && new URL(one).origin === one,
      (wrong) => `需为 https://app.example.com 形式的来源，不含路径与通配符，现在是“${wrong}”`,
    ),
    described,
  )

export const addresses = (described: Description<readonly string[]>) =>
  setting<readonly string[], readonly string[]>(
    list(
      (one) => isIP(one.replace(/\/\d{1,3}$/, '')) !== 0,
      (wrong) => `需为 IP 地址或网段，以逗号分隔，现在是“${wrong}”`,
    ),
    described,
  )

/** Some of the choices with commas between them, in the order of the choices. */
export const someOf = <T extends string>(choices: readonly T[], described: Description<readonly T[]>) =>
  setting<readonly T[], readonly T[]>(
    list(
      (one) => choices.some((choice) => choice === one.toLowerCase()),
      (wrong) => `需为 ${choices.join('、')} 中的若干个，以逗号分隔，现在有“${wrong.toLowerCase()}”`,
    ).transform((given) => choices.filter((choice) => given.some((one) => one.toLowerCase() === choice))),
    described,
  )

/** A day, or `off`: null. */
export const dayOrOff = (described: Description<string>) =>
  setting<string | null, string>(
    z
      .string()
      .refine((given) => given.toLowerCase() === 'off' || isDay(given), issue('需为 2026-07-06 形式的日期或 off', true))
      .transform((given) => (given.toLowerCase() === 'off' ? null : given)),
    described,
  )

/** `YYYY-MM-DD` of a day that there is. */
function isDay(date: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return false
  const at = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date)
}

/** A PEM text, with its line ends written out or not, or the file that holds it. */
export const rsaKey = (read: (pem: string) => KeyObject, described: Description<string>) =>
  setting<string, string>(
    z.string().transform((given, context) => {
      try {
        const found = given.includes('-----BEGIN') ? given.replaceAll('\\n', '\n') : readFileSync(given, 'utf8')
        // APIv3 knows RSA only; another kind would sign, and no signature would be right.
        if (read(found).asymmetricKeyType === 'rsa') return found
      } catch {
        // The issue follows. It does not repeat the value, which may be the key.
      }
      context.addIssue('需为 PEM 格式的 RSA 密钥，或存放它的文件')
      return given
    }),
    { ...described, secret: described.secret ?? true },
  )
