import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * A process that is asked one thing at a time, a line of JSON each way, and stays alive in between: ours and a peer can take turns.
 * It answers `{"ready": …}` first; `{"error": …}` is what it cannot do.
 */
export interface Worker {
  readonly ready: unknown
  ask<T>(question: object): Promise<T>
  end(): Promise<void>
}

export async function startWorker(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Worker> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`ended without an answer: ${[command, ...args].join(' ')}`)
    return JSON.parse(value)
  }
  const { ready, error } = await answer()
  if (error !== undefined) {
    await ended(child)
    throw new Error(String(error))
  }
  return {
    ready,
    async ask<T>(question: object): Promise<T> {
      child.stdin.write(`${JSON.stringify(question)}\n`)
      const told = await answer()
      if (told.error !== undefined) throw new Error(String(told.error))
      return told as T
    },
    end: () => ended(child),
  }
}

/** A worker of ours: a module of this folder, on the same Node. */
export function startOwn(module: string, args: readonly string[] = [], flags: readonly string[] = []): Promise<Worker> {
  return startWorker(process.execPath, [...flags, fileURLToPath(new URL(module, import.meta.url)), ...args])
}

async function ended(child: ChildProcess): Promise<void> {
  child.stdin?.end()
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** The other end: answers questions until there are no more. */
export async function serve<Q>(ready: object, answer: (question: Q) => object | Promise<object>): Promise<void> {
  const say = (told: object) => process.stdout.write(`${JSON.stringify(told)}\n`)
  say({ ready })
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      say(await answer(JSON.parse(line)))
    } catch (error) {
      say({ error: error instanceof Error ? error.message : String(error) })
    }
  }
}
