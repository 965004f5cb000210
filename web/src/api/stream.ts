import type { Call, CallData, CallInput } from '@convexa/contract/calls'
import type { Envelope } from '@convexa/contract/envelope'
import { readLine } from '@convexa/contract/stream'
import { useAuth } from '../state/auth.ts'
import { send } from './client.ts'
import { raise } from './failures.ts'
import { CallError, messages } from './messages.ts'

/** No line, not even a heartbeat, for this long: the connection is dead. Heartbeats come every 10 s. */
const silence = 35_000

/**
 * Opens a streaming POST and gives its events one by one. Leaving the loop or aborting the signal closes the socket, which cancels the run.
 * @throws CallError for an `error` line (with its code), an unreadable line, a lost or a silent connection
 */
export async function* subscribe<E>(endpoint: Call<E>, input: CallInput<E>, signal: AbortSignal): AsyncGenerator<CallData<E>, void> {
  const dead = new AbortController()
  const either = AbortSignal.any([signal, dead.signal])
  const response = await open(endpoint, input, either, signal)
  const reader = response.body?.getReader()
  if (!reader) throw new CallError('stream', messages.streamUnreadable)
  let watch = setTimeout(() => dead.abort(), silence)
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await read(reader, signal)
      if (done) return
      clearTimeout(watch)
      watch = setTimeout(() => dead.abort(), silence)
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const event = eventOf(line)
        if (event !== undefined) yield event as CallData<E>
      }
    }
  } finally {
    clearTimeout(watch)
    dead.abort()
    await reader.cancel().catch(() => {})
  }
}

async function open(endpoint: Call, input: object, either: AbortSignal, asked: AbortSignal): Promise<Response> {
  const response = await send(endpoint, input, { signal: either, accept: 'text/event-stream' }).catch((error: unknown) => {
    if (asked.aborted || error instanceof CallError === false) throw error
    return raise(new CallError('stream', messages.streamBroken(error.message)), endpoint.path)
  })
  if (response.status === 401 || response.status === 403) {
    useAuth.getState().refuse()
    throw new CallError('login', messages.login)
  }
  if (response.ok) return response
  const body = (await response.json().catch(() => null)) as Envelope<null> | null
  const said = body?.msg || messages.streamBroken(response.statusText || String(response.status))
  raise(new CallError('stream', said, body?.code ?? 0, body?.request_id ?? null, response.status), endpoint.path)
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>, asked: AbortSignal) {
  try {
    return await reader.read()
  } catch (error) {
    if (asked.aborted) throw error
    throw new CallError('stream', messages.streamCut)
  }
}

/** The event of one line; undefined for blanks and comments. An unknown kind is passed on as progress, as the specification says. */
function eventOf(line: string): unknown {
  if (!line.startsWith('data:')) return undefined
  const read = readLine(line.slice(5))
  if (!read) throw new CallError('stream', messages.streamUnreadable)
  if (read.kind === 'error') throw new CallError('stream', read.message, read.code)
  try {
    return JSON.parse(read.payload) as unknown
  } catch {
    if (read.kind === 'other') return { type: 'other', payload: read.payload }
    throw new CallError('stream', messages.streamUnreadable)
  }
}
