import type { SentCode } from '@convexa/contract/verification'
import { useState } from 'react'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { atLeast, finite, orNull, text } from '../../state/shapes.ts'
import { session } from '../../state/storage.ts'
import type { CodeAsking } from '../../ui/form/code-field.tsx'
import { useSecondsTo } from '../../ui/use-seconds-to.ts'
import { humanFirst } from './use-human-check.tsx'

/** Sends a code; the headers carry the answer of the human check where one was asked for. */
export type SendCode = (options: { headers: Record<string, string> }) => Promise<SentCode>

export interface CodeSending extends CodeAsking {
  /** Where the last code went, masked, while it is good. */
  sentTo: string | null
  /** Its time is over. */
  expired: boolean
  /** What the server refused, as a sentence. */
  message: string | null
  /** 40030: `HumanCheck` is to be shown; its answer goes to `answer`. */
  asksHuman: boolean
  start: () => Promise<void>
  answer: (answer: string) => Promise<void>
}

/** The last code that this tab asked for with a purpose, kept past a reload. */
interface Kept {
  target: string
  /** When the next may be asked for, and how long this one is good. */
  until: number
  good: number
  sentTo: string | null
}

const keyOf = (purpose: string) => `code:${purpose}`
const shape = atLeast<Kept>({ target: text, until: finite, good: finite, sentTo: orNull(text) })

/** To whom the last code went: a form that was reloaded begins with it. */
export const lastTarget = (purpose: string): string => session.read(keyOf(purpose), shape)?.target ?? ''

/** The code was used: the next form begins anew. */
export const forgetCode = (purpose: string): void => session.remove(keyOf(purpose))

const notHuman = '人机验证没有通过，请重新获取验证码'

/**
 * Asks for codes: the clock until the next one (it belongs to the target: another one is not held up), where the code went,
 * the human check when the server wants one, and what it refuses.
 * @example const sending = useCodeSending({ purpose: 'register', target, send: (options) => call(calls.verification.registerCode, { params: { target } }, options) })
 */
export function useCodeSending({ purpose, target, send }: { purpose: string; target: string; send: SendCode }): CodeSending {
  const [kept, setKept] = useState(() => session.read(keyOf(purpose), shape))
  const [state, setState] = useState<{ busy: boolean; asksHuman: boolean; message: string | null; about: string }>({
    busy: false,
    asksHuman: false,
    message: null,
    about: '',
  })
  const mine = kept?.target === target ? kept : null
  const left = useSecondsTo(mine?.until ?? null)
  const good = useSecondsTo(mine?.sentTo ? mine.good : null)

  const keep = (next: Kept) => {
    session.write(keyOf(purpose), next)
    setKept(next)
  }
  const attempt = async (answer: string | null) => {
    setState({ busy: true, asksHuman: false, message: null, about: target })
    const idle = { busy: false, asksHuman: false, message: null, about: target }
    try {
      const { sent_to, expire_in, retry_after } = await send({ headers: answer === null ? {} : { 'X-Human-Check': answer } })
      const now = Date.now()
      keep({ target, until: now + retry_after * 1000, good: now + expire_in * 1000, sentTo: sent_to })
      setState(idle)
    } catch (error) {
      const { code, retryAfter } = error instanceof CallError ? error : { code: 0, retryAfter: null }
      if (code === humanFirst && answer === null) return setState({ ...idle, asksHuman: true })
      if (retryAfter !== null) keep({ good: 0, sentTo: null, ...mine, target, until: Date.now() + retryAfter * 1000 })
      setState({ ...idle, message: code === humanFirst ? notHuman : sentenceOf(error) })
    }
  }
  return {
    busy: state.busy,
    left,
    again: Boolean(mine?.sentTo),
    sentTo: good > 0 ? (mine?.sentTo ?? null) : null,
    expired: Boolean(mine?.sentTo) && good === 0,
    message: state.about === target ? state.message : null,
    asksHuman: state.asksHuman,
    start: () => attempt(null),
    answer: attempt,
  }
}
