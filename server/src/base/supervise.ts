import { type ChildProcess, fork } from 'node:child_process'

export interface Supervised {
  /** Asks the child to stop and waits; after `seconds` it is killed. */
  stop(seconds: number): Promise<void>
  /** Asks the child to stop and starts another in its place; resolves when that is started. */
  restart(seconds: number): Promise<void>
  /** Over the channel to the child; false: there is none now. */
  send(message: object): boolean
}

export interface Supervision {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Called on every unexpected end and for the wait before the next start. */
  onEvent(sentence: string): void
  /** The child says that it can never start like this; it has printed why. */
  onHopeless(): void
  /** What a child says over its channel. */
  onMessage?(message: unknown): void
}

/** Exit code of a child whose start has a problem that only the operator can solve. */
export const hopelessExit = 64

const firstWaitMs = 200
const longestWaitMs = 10_000
/** A child that lived this long failed by accident: the next wait is the first again. */
const healthyMs = 30_000

/**
 * Keeps one child process alive: started again after every unexpected end, waiting 0.2 s, then twice as long each time, at most 10 s.
 * The child has a process group of its own, so Ctrl-C reaches the launcher alone; it notices our death by the closed IPC channel.
 */
export function supervise(given: Supervision): Supervised {
  let stopping = false
  let wait = firstWaitMs
  let timer: NodeJS.Timeout | undefined
  let child: ChildProcess | null = null
  let replaced: ChildProcess | null = null

  const start = () => {
    const startedAt = performance.now()
    const again = (what: string) => {
      if (stopping) return
      if (performance.now() - startedAt > healthyMs) wait = firstWaitMs
      given.onEvent(`${given.name}${what}，${wait / 1_000} 秒后重新启动`)
      timer = setTimeout(start, wait)
      wait = Math.min(longestWaitMs, wait * 2)
    }
    const cannot = ({ code }: NodeJS.ErrnoException) => again(`无法启动（${code}）`)
    let started: ChildProcess
    try {
      started = fork(given.program, [...given.args], { env: given.env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    } catch (error) {
      return cannot(error as NodeJS.ErrnoException)
    }
    child = started
    if (given.onMessage) started.on('message', given.onMessage)
    started.once('exit', (code, signal) => {
      if (started === replaced) return
      if (code !== hopelessExit) again(`意外退出（${signal ?? `退出码 ${code}`}）`)
      else if (!stopping) given.onHopeless()
    })
    // Its program is being replaced, or the machine has no room for one more process: no exit follows. Without memory it throws at once.
    const { pid } = started
    started.on('error', (error) => pid === undefined && cannot(error))
  }
  start()

  const end = async (seconds: number) => {
    clearTimeout(timer)
    const last = child
    if (last === null || hasEnded(last)) return
    const ended = new Promise((resolve) => last.once('exit', resolve))
    last.kill('SIGTERM')
    const kill = setTimeout(() => last.kill('SIGKILL'), seconds * 1_000)
    await ended
    clearTimeout(kill)
  }

  return {
    stop: (seconds) => {
      stopping = true
      return end(seconds)
    },
    restart: async (seconds) => {
      replaced = child
      await end(seconds)
      if (stopping) return
      wait = firstWaitMs
      start()
    },
    send: (message) => {
      if (child === null || hasEnded(child) || !child.connected) return false
      // The end of the child tells of a broken channel.
      child.send(message, () => {})
      return true
    },
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null
