import { caps, humanFrom, humanLift, mostTargets, needsHuman, refusalOf, type Sends } from '../src/user/code-limits.ts'

const day = 86_400

interface Sent {
  at: number
  target: string
  source: string
  user: string | null
  human: boolean
}

/** A seeded generator (mulberry32): a run that fails can be repeated. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Virtual {
  readonly requests: number
  readonly days: number
  readonly seed: number
}

export interface Seen {
  readonly requests: number
  readonly sent: number
  readonly refused: Record<string, number>
  /** The most that ever lay within one window, by cap. */
  readonly most: Record<string, { seen: number; allowed: number }>
}

/**
 * So many requests over so many virtual days, in bursts, from few and many, by the rules of `code-limits.ts`; then every cap is counted
 * again, by itself, over what was sent.
 */
export function virtualCodes({ requests, days, seed }: Virtual): Seen {
  const random = chance(seed)
  const pick = (prefix: string, most: number) => `${prefix}${Math.floor(random() ** 3 * most)}`
  const recent = { target: new Map<string, Sent[]>(), source: new Map<string, Sent[]>(), user: new Map<string, Sent[]>() }
  const all: Sent[] = []
  const refused: Record<string, number> = {}
  let firstOfHour = 0
  let now = 0
  for (let i = 0; i < requests; i++) {
    // Mostly one upon the other, now and then a silence; every eighth stretch is a storm.
    const storm = Math.floor((i * 40) / requests) % 8 === 0
    now += random() < 0.7 ? random() * 0.05 : random() * ((2.3 * days * day) / (0.3 * requests)) * (storm ? 0.01 : 1)
    // A mobile operator's address, with many people behind it who are asked to show that they are some.
    const crowd = random() < 0.12
    const source = crowd ? 'operator' : pick('s', 2_000)
    // Half of the others go round the few numbers of their own.
    const target = crowd || random() < 0.5 ? `${source} ${Math.floor(random() * (crowd ? 80 : 4))}` : pick('t', 4_000)
    const one = { at: now, target, source, user: random() < 0.3 ? pick('u', 500) : null, human: random() < (crowd ? 0.95 : 0.5) }
    const of = (key: 'target' | 'source' | 'user', name: string | null) => {
      if (name === null) return []
      const kept = (recent[key].get(name) ?? []).filter(({ at }) => now - at < day)
      recent[key].set(name, kept)
      return kept
    }
    const age = ({ at }: Sent) => now - at
    const sends: Sends = {
      target: of('target', one.target).map(age),
      source: of('source', one.source).map((sent) => ({ age: age(sent), target: sent.target })),
      user: of('user', one.user).map(age),
    }
    while (firstOfHour < all.length && now - all[firstOfHour]!.at >= humanFrom.seconds) firstOfHour++
    const refusal = refusalOf(sends, one.target)
    const code = refusal?.code ?? (needsHuman(sends, one.target, all.length - firstOfHour) && !one.human ? 40030 : null)
    if (code) {
      refused[code] = (refused[code] ?? 0) + 1
      continue
    }
    all.push(one)
    recent.target.get(one.target)?.push(one)
    recent.source.get(one.source)?.push(one)
    if (one.user) recent.user.get(one.user)?.push(one)
  }
  return { requests, sent: all.length, refused, most: mostOf(all) }
}

function mostOf(all: readonly Sent[]): Seen['most'] {
  const most: Seen['most'] = {}
  const grouped = (key: 'target' | 'source' | 'user') => {
    const groups = new Map<string, Sent[]>()
    for (const sent of all) {
      const name = sent[key]
      const group = name === null ? [] : (groups.get(name) ?? [])
      group.push(sent)
      if (name !== null) groups.set(name, group)
    }
    return [...groups.values()]
  }
  const inAll = (window: readonly Sent[]) => window.length
  const distinct = (window: readonly Sent[]) => new Set(window.map(({ target }) => target)).size
  const unproven = (count: typeof inAll) => (window: readonly Sent[]) => (window.at(-1)?.human ? 0 : count(window))
  const look = (name: string, of: 'target' | 'source' | 'user', seconds: number, allowed: number, count: typeof inAll) => {
    most[name] = { seen: Math.max(0, ...grouped(of).map((group) => mostWithin(group, seconds, count))), allowed }
  }
  for (const { of, most: allowed, seconds } of caps) {
    look(`${of} in ${seconds} s`, of, seconds, of === 'source' ? allowed * humanLift : allowed, inAll)
  }
  look('targets of a source in an hour', 'source', mostTargets.seconds, mostTargets.most * humanLift, distinct)
  look('source in an hour, the last without a human check', 'source', humanFrom.seconds, humanFrom.source, unproven(inAll))
  most['site in an hour, the last without a human check'] = {
    seen: mostWithin(all, humanFrom.seconds, unproven(inAll)),
    allowed: humanFrom.site,
  }
  return most
}

/** The most of any stretch of so many seconds; each stretch that ends with a send is looked at. */
function mostWithin(sent: readonly Sent[], seconds: number, count: (window: readonly Sent[]) => number): number {
  let most = 0
  let first = 0
  for (let last = 0; last < sent.length; last++) {
    while (sent[last]!.at - sent[first]!.at >= seconds) first++
    if (last - first + 1 > most) most = Math.max(most, count(sent.slice(first, last + 1)))
  }
  return most
}
