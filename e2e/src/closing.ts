// What a script starts is ended whatever becomes of it: done, failed, or interrupted while something is only starting.

type End = () => Promise<unknown> | unknown

const open = new Set<End>()
let isEnding = false

/** Takes note of something that was just started. @returns what ends it, once @throws where a script is already ending all that it started */
export function endLater(end: End): () => Promise<void> {
  let ended: Promise<void> | undefined
  const endOnce = () => {
    open.delete(endOnce)
    ended ??= Promise.resolve(end()).then(() => {})
    return ended
  }
  open.add(endOnce)
  // Begun by work that goes on while everything else is being ended: it is ended with the others, and the work with it.
  if (isEnding) throw new Error('nothing is started any more')
  return endOnce
}

async function endAll(): Promise<void> {
  isEnding = true
  while (open.size > 0) {
    for (const end of [...open].reverse()) await Promise.resolve(end()).catch((error: unknown) => console.error(error))
  }
}

/** Does a script's work, ends all that it started, the last first, and then the process: status 0 unless the work says otherwise, throws, or a signal came. */
export async function runToEnd(work: () => Promise<0 | 1>): Promise<never> {
  const interrupted = new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
  })
  let status: number
  try {
    const done = await Promise.race([work(), interrupted])
    if (typeof done === 'string') console.error(`${done}: everything is being ended`)
    status = typeof done === 'string' ? 130 : done
  } catch (error) {
    console.error(error)
    status = 1
  }
  await endAll()
  process.exit(status)
}

/** @throws in the name of what takes longer than so many seconds; `late` ends what it still does */
export async function within<T>(seconds: number, what: string, work: Promise<T>, late: () => Promise<unknown>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what} took longer than ${seconds} s`))
      late().catch(() => {})
    }, seconds * 1_000)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
