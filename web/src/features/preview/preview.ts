import { calls } from '@convexa/contract/calls'
import { holdWeights } from '@convexa/contract/enums/hold-weight'
import type { MarketId } from '@convexa/contract/enums/market'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import type { RealtimeFactors } from '@convexa/contract/factor'
import type { Parameters } from '@convexa/contract/strategy'
import { call } from '../../api/client.ts'
import { ruleViews } from '../../market/rule-views.ts'
import type { Answer, PreviewAnswer, Request } from './messages.ts'

/** The server takes this many factors in one cross-section. */
const atMost = 20
/** Every factor whose values a screen of these parameters reads. */
export function factorsRead(kind: MarketId, { filter_factors, rank_factors, hold_method: hold, timing = [] }: Parameters): string[] {
  const ranks = rank_factors.filter(({ enable, weight }) => enable && weight > 0)
  const { neutralFactors, weightFactors } = ruleViews[kind]
  const { by } = holdWeights[hold.hold_weight_type]
  const made: Record<NonNullable<typeof by>, string | null | undefined> = { rank: null, factor: hold.hold_weight_factor, ...weightFactors }
  const weight = by && made[by]
  return [
    ...new Set([
      ...filter_factors.filter(({ enable }) => enable).map(({ factor_key }) => factor_key),
      ...ranks.map(({ factor_key }) => factor_key),
      ...ranks.flatMap(({ neutralization }) => neutralFactors[neutralization ?? ''] ?? []),
      ...(weight ? [weight] : []),
      ...timing.flatMap(({ rule, factor_key }) => (timingRules[rule].value !== null && factor_key ? [factor_key] : [])),
    ]),
  ]
}

/** A server of before does not say it. */
const noRemark = { level: null, raw: null } as const

const superseded = 'superseded'

/** What the page needs of a worker; a test has its own. */
export interface Port {
  postMessage(message: Request, transfer: Transferable[]): void
  onAnswer(listen: (answer: Answer) => void): void
}

/**
 * The screen of a market's day in the browser: the engine's own, in a worker. Facts come with the first question, a column when a factor
 * is first named, each once; whatever cannot be had here is null, and the server tells.
 */
export class Preview {
  readonly #kind: MarketId
  readonly #port: Port
  #facts: Promise<void> | null = null
  readonly #columns = new Map<string, Promise<boolean>>()
  readonly #waiting = new Map<number, (answer: PreviewAnswer | null) => void>()
  readonly #whys = new Map<number, (rules: readonly string[]) => void>()
  #asked = 0
  #why = 0
  #moment = ''
  /** How often the moment has changed: what was asked for before is of no use any more. */
  #round = 0
  #lost = false

  constructor(kind: MarketId, port: Port) {
    this.#kind = kind
    this.#port = port
    port.onAnswer(({ id, answer, rules }) => {
      if (rules) this.#whys.get(id)?.(rules)
      this.#whys.delete(id)
      this.#waiting.get(id)?.(answer)
      this.#waiting.delete(id)
    })
  }

  /** With the numbers of a moment: those of an earlier one are asked for again when they are needed. */
  of(moment: string): this {
    if (moment === this.#moment) return this
    this.#moment = moment
    this.#round++
    this.#facts = null
    this.#columns.clear()
    return this
  }

  /**
   * null where the browser cannot tell.
   * @throws when values did not come, and `superseded` when it was asked something newer meanwhile: nobody waits for the older
   */
  async screen(parameters: Parameters, previous: readonly string[], nameOf: (ref: string) => string): Promise<PreviewAnswer | null> {
    const mine = ++this.#asked
    const there = await this.#have(factorsRead(this.#kind, parameters), nameOf)
    if (mine !== this.#asked) throw new Error(superseded)
    if (!there) throw new Error('values did not come')
    if (this.#lost) return null
    return new Promise((resolve) => {
      this.#waiting.set(mine, resolve)
      this.#port.postMessage({ type: 'screen', id: mine, parameters, previous }, [])
    })
  }

  /** Labels of every rule that takes a security out; none where the browser cannot tell. */
  async why(parameters: Parameters, code: string, nameOf: (ref: string) => string): Promise<readonly string[]> {
    if (!(await this.#have(factorsRead(this.#kind, parameters), nameOf)) || this.#lost) return []
    // Numbers below zero: no screen has them.
    const id = --this.#why
    return new Promise((resolve) => {
      this.#whys.set(id, resolve)
      this.#port.postMessage({ type: 'why', id, parameters, code }, [])
    })
  }

  /** Settles all pending calls with an empty answer once the worker is gone. */
  lost(): void {
    this.#lost = true
    for (const answer of this.#waiting.values()) answer(null)
    for (const answer of this.#whys.values()) answer([])
    this.#waiting.clear()
    this.#whys.clear()
  }

  async #have(refs: readonly string[], nameOf: (ref: string) => string): Promise<boolean> {
    const missing = refs.filter((ref) => !this.#columns.has(ref))
    // Facts are only sent along with a column: `close` exists in every market.
    const first = this.#facts === null ? [...new Set([...missing, 'close'])] : missing
    for (let from = 0; from < first.length; from += atMost) this.#load(first.slice(from, from + atMost), nameOf)
    const [loaded] = await Promise.all([Promise.all(refs.map((ref) => this.#columns.get(ref))), this.#facts])
    return loaded.every(Boolean)
  }

  #load(refs: readonly string[], nameOf: (ref: string) => string): void {
    const withFacts = this.#facts === null
    const round = this.#round
    const answer = call(calls[this.#kind].realtimeFactors, {
      query: { with_values: '1', keys: [...refs], ...(withFacts ? { facts: '1' as const } : {}) },
    })
    // The answer of an earlier moment may come after that of a later one: it must not take its place.
    if (withFacts) this.#facts = answer.then((section) => (round === this.#round ? this.#sendDay(section) : undefined))
    const sent = Promise.all([answer, this.#facts]).then(
      ([section]) => {
        if (round !== this.#round) return false
        this.#sendColumns(section, nameOf)
        return true
      },
      () => {
        if (round !== this.#round) return false
        // Asked for again with the next edit: the network may be back.
        for (const ref of refs) this.#columns.delete(ref)
        if (withFacts) this.#facts = null
        return false
      },
    )
    this.#facts?.catch(() => {})
    for (const ref of refs) this.#columns.set(ref, sent)
  }

  #sendDay({ trade_date: date, codes = [], facts }: RealtimeFactors): void {
    if (!facts) throw new Error('a day without its facts')
    this.#port.postMessage({ type: 'day', kind: this.#kind, date, codes, facts }, [])
  }

  #sendColumns({ columns = [], values = [], price_remarks: remarks = [] }: RealtimeFactors, nameOf: (ref: string) => string): void {
    const sent = columns.map((ref, index) => ({
      ref,
      label: nameOf(ref),
      values: Float64Array.from(values[index] ?? [], (value) => value ?? Number.NaN),
      remark: remarks[index] ?? noRemark,
    }))
    this.#port.postMessage(
      { type: 'columns', columns: sent },
      sent.map((column) => column.values.buffer),
    )
  }
}

const previews = new Map<MarketId, { version: string; preview: Preview; end(): void }>()

/** The preview of a market on a version of its data; one worker of each market, made when it is first asked for. */
export function previewOf(kind: MarketId, version: string): Preview {
  const known = previews.get(kind)
  if (known?.version === version) return known.preview
  known?.end()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'screen' })
  const preview = new Preview(kind, {
    postMessage: (message, transfer) => worker.postMessage(message, transfer),
    onAnswer: (listen) => worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => listen(data)),
  })
  const end = () => {
    worker.terminate()
    if (previews.get(kind)?.preview === preview) previews.delete(kind)
    preview.lost()
  }
  // The worker failed to load or crashed: pending calls would otherwise never settle.
  worker.addEventListener('error', end)
  previews.set(kind, { version, preview, end })
  return preview
}
