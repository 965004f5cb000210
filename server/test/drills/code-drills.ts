import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../src/context/app-context.ts'
import { readAddress } from '../../src/user/addresses.ts'
import { checkCode, issueCode, spendCode } from '../../src/user/codes.ts'
import { messagesTo } from '../fixtures/messages.ts'
import { makeUser } from '../fixtures/users.ts'

const numbered = (start: number, i: number) => `1${start + i}`
/** A different one for each: the limits of addresses are not what is tried here. */
const address = (i: number) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`

export interface Spent {
  readonly rounds: number
  readonly successes: number
  /** Rounds that were not won by exactly one. */
  readonly wrong: number
  readonly seconds: number
}

/** So many codes, each shown by so many at once who all know it. */
export async function spendAtOnce(context: AppContext, rounds: number, atOnce: number): Promise<Spent> {
  const since = performance.now()
  let successes = 0
  let wrong = 0
  for (let round = 0; round < rounds; round++) {
    const target = readAddress(numbered(3_900_000_000, round))
    const bond = { purpose: 'register', target, userId: null } as const
    await issueCode(context, { ...bond, ip: address(round), humanCheck: undefined })
    const code = (await messagesTo(context, target.text)).at(-1)?.code ?? ''
    await context.db.deleteFrom('message').execute()
    const won = await Promise.all(Array.from({ length: atOnce }, () => spend(context, { ...bond, code })))
    const winners = won.filter(Boolean).length
    successes += winners
    if (winners !== 1) wrong++
  }
  return { rounds, successes, wrong, seconds: (performance.now() - since) / 1_000 }
}

async function spend(context: AppContext, claim: Parameters<typeof checkCode>[1]): Promise<boolean> {
  try {
    const right = await checkCode(context, claim)
    await context.db.transaction().execute((transaction) => spendCode(transaction, right))
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 11003) return false
    throw error
  }
}

export interface Timing {
  readonly path: string
  /** Medians in milliseconds. */
  readonly known: number
  readonly unknown: number
  /** What the pairs differ by for certain, and what is allowed: 5 ms, or a tenth where that is more. */
  readonly differ: number
  readonly allowed: number
}

/** Asks for codes to accounts that exist and that do not, in turn, so that what the machine does besides meets both alike. */
export async function timeCodes(context: AppContext, app: FastifyInstance, samples: number): Promise<Timing[]> {
  const timings: Timing[] = []
  for (const [start, path] of [
    [3_700_000_000, 'register-code'],
    [3_800_000_000, 'reset-code'],
  ] as const) {
    for (let i = 0; i < samples; i++) await makeUser(context, { accounts: [numbered(start, i)] })
    await context.db.deleteFrom('code_send').execute()
    const ask = async (i: number) => {
      const since = performance.now()
      const { statusCode } = await app.inject({ url: `/v1/user/${numbered(start, i)}/${path}`, remoteAddress: address(i) })
      if (statusCode !== 200) throw new Error(`${path} answers ${statusCode}`)
      return performance.now() - since
    }
    for (let i = 0; i < 10; i++) await ask(200_000 + i)
    const pairs: [number, number][] = []
    for (let i = 0; i < samples; i++) {
      if (i % 2) pairs.push([await ask(i), await ask(100_000 + i)])
      else {
        const unknown = await ask(100_000 + i)
        pairs.push([await ask(i), unknown])
      }
    }
    const [known, unknown] = [median(pairs.map(([one]) => one)), median(pairs.map(([, other]) => other))]
    const differ = surelyApart(pairs.map(([one, other]) => one - other))
    timings.push({ path, known, unknown, differ, allowed: Math.max(5, known / 10) })
  }
  return timings
}

/**
 * How far from nothing the median lies at least: the nearer end of its interval of 99 %, by order (Conover, Practical Nonparametric
 * Statistics, 3.2), 0 where that holds nothing. A median alone is apart by what the machine does besides.
 */
function surelyApart(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = (2.576 * Math.sqrt(sorted.length)) / 2
  const least = sorted[Math.floor(sorted.length / 2 - half)] ?? Number.NEGATIVE_INFINITY
  const most = sorted[Math.ceil(sorted.length / 2 + half)] ?? Number.POSITIVE_INFINITY
  return Math.max(0, least, -most)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
