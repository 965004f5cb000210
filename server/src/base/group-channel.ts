/** Questions of a parent to the processes of its group, over the channel of a forked process. */

/** What a process of a group is asked. */
export type Question = 'metrics' | 'ready'

interface Asked {
  readonly ask: Question
  readonly id: number
}
interface Answered {
  readonly id: number
  readonly answer: unknown
}
/** A process says that it listens. */
const listening = { listens: true } as const

/** In a process of a group: answers its parent, and says that it listens. */
export function answerParent(answers: Readonly<Record<Question, () => Promise<unknown>>>): void {
  process.on('message', async (message: unknown) => {
    if (!isAsked(message)) return
    const answer = await answers[message.ask]().catch(() => null)
    process.send?.({ id: message.id, answer } satisfies Answered)
  })
  process.send?.(listening)
}

export interface Channel {
  /** null: no answer within the time, or no process to ask. */
  ask(question: Question, ms: number): Promise<unknown>
  /** Resolves when the process that is started next says that it listens. */
  untilListening(ms: number): Promise<boolean>
  onMessage(message: unknown): void
}

/** In the parent: the channel to one of its processes, which `send` writes to. */
export function channelTo(send: (message: object) => boolean): Channel {
  let nextId = 1
  const open = new Map<number, (answer: unknown) => void>()
  const waiting = new Set<(listens: boolean) => void>()
  return {
    ask: (question, ms) =>
      new Promise((resolve) => {
        const id = nextId++
        const done = (answer: unknown) => {
          clearTimeout(timer)
          open.delete(id)
          resolve(answer)
        }
        const timer = setTimeout(() => done(null), ms)
        open.set(id, done)
        if (!send({ ask: question, id } satisfies Asked)) done(null)
      }),
    untilListening: (ms) =>
      new Promise((resolve) => {
        const done = (listens: boolean) => {
          clearTimeout(timer)
          waiting.delete(done)
          resolve(listens)
        }
        const timer = setTimeout(() => done(false), ms)
        waiting.add(done)
      }),
    onMessage(message) {
      if (isAnswered(message)) open.get(message.id)?.(message.answer)
      else if (isRecord(message) && message['listens'] === true) for (const done of [...waiting]) done(true)
    },
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isAsked = (value: unknown): value is Asked => isRecord(value) && (value['ask'] === 'metrics' || value['ask'] === 'ready')
const isAnswered = (value: unknown): value is Answered => isRecord(value) && typeof value['id'] === 'number' && 'answer' in value
