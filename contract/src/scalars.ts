import { z } from 'zod'
import { marketIds } from './enums/market.ts'

/** Id of a market in files, rows and reports: 可转债 `cb`, A 股 `stk`. On the wire the field is `kind`. */
export const MarketId = z.enum(marketIds)
export type MarketId = z.output<typeof MarketId>

const realDate = (text: string) => {
  const time = Date.parse(`${text}T00:00:00Z`)
  // PostgreSQL has no year 0.
  return !Number.isNaN(time) && !text.startsWith('0000') && new Date(time).toISOString().startsWith(text)
}

/** What PostgreSQL, a terminal or a file name could not hold: control characters and halves of surrogate pairs. */
const halves = /\p{Cs}/u
const controls = /\p{Cc}/u
/** Line breaks and tabs are not meant. */
const controlsInLines = /[^\P{Cc}\t\n\r]/u

/** A line of text of `min` to `max` characters, as every string of a request: no control characters, no half of a surrogate pair. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((given) => !halves.test(given) && !controls.test(given))
/** The same with line breaks and tabs. */
export const lines = (max: number, min = 0) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((given) => !halves.test(given) && !controlsInLines.test(given))

/** 1–50 characters after NFC and without space at its ends: checked by the server, which has a sentence for it (21004). */
export const Named = text(1_000)

/** Whatever can be typed. */
export const Password = z
  .string()
  .min(1)
  .max(256)
  .refine((given) => !halves.test(given))

/** One that is to be: how long it must be the server says, which has a sentence for it (11007). */
export const NewPassword = z
  .string()
  .max(1_000)
  .refine((given) => !halves.test(given))

/** Six digits, as they are sent. */
export const VerificationCode = z.string().regex(/^\d{6}$/)

/** A calendar date of Asia/Shanghai, `YYYY-MM-DD`. */
export const IsoDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine(realDate)
/** An instant with its offset, of our time: one that a date of the database and a day of Shanghai can hold. */
export const Instant = z.iso.datetime({ offset: true }).refine((text) => text > '1990' && text < '2100')
/** A UUID v7 made by the server. */
export const Id = z.uuid()
/** `127056.SZ`, `900001.DM`. */
export const SecurityCode = z.string().regex(/^\d{6}\.(SH|SZ|BJ|DM)$/)
/** Index codes have no suffix; computed ones are `cb_ew`, `stk_ew`. */
export const BenchmarkCode = z.string().regex(/^[0-9a-z_]{2,12}$/)
/** Of the text of a formula, far beyond what is read: that it is too long for that is said with a sentence of its own (22001). */
export const longestFormula = 10_000
/** A built-in key, a parametric one with its window (`bias_20`), an own factor (`custom_…`) or `formula: <expression>`. */
export const FactorRef = lines(longestFormula, 1)
/**
 * A whole number in a path or a query, as its digits or as a number. `Number` alone would read an empty text as 0 and take `0x10` and `1e1`,
 * so that `?status=` would ask for the runs that wait.
 */
export const whole = (min: number, max: number) =>
  z.preprocess((given) => (typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given), z.int().min(min).max(max))
/** Factor refs of a query: repeated, or separated by commas (a formula must be repeated, it may hold commas). */
export const FactorRefs = z.union([lines(longestFormula), z.array(lines(longestFormula)).max(20)])
/** A number that may be absent: null, never 0, never NaN on the wire. */
export const num = z.number().nullable()
export type FactorRef = z.output<typeof FactorRef>

/** What WeChat gives the browser after a scan: good once. */
export const WechatCode = text(200, 1)
/** What the browser made before it went to scan; it keeps a copy in the cookie `__Host-wxs`. */
export const WechatState = z.string().regex(/^[\w-]{16,128}$/)

/**
 * Interest that a run of bonds leaves out, about a year's worth as a fraction (0.005): ideal and quick runs keep to closes. null: left out, how
 * much is not known; absent: none is left out.
 */
export const LeftOutInterest = num.optional()

/** Parts of the day's data that have not come, and what stands for them, as a sentence; absent where all has come. */
export const DataNote = z.string().optional()
