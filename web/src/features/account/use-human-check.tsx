import { type ReactNode, useState } from 'react'
import type { CallOptions } from '../../api/client.ts'
import { CallError } from '../../api/messages.ts'
import { HumanCheck } from './human-check.tsx'

/** Code of the refusal that asks for the human check. */
export const humanFirst = 40030

/**
 * For calls that log in. Where the server asks for the human check first, `panel` shows it and the call is sent once more with its answer.
 * @example const human = useHumanCheck()
 * await human.send((options) => call(calls.authorize.byPassword, { body }, options))
 */
export function useHumanCheck(): { send: <T>(attempt: (options: CallOptions) => Promise<T>) => Promise<T>; panel: ReactNode } {
  const [answer, setAnswer] = useState<((answer: string) => void) | null>(null)
  const send = async <T,>(attempt: (options: CallOptions) => Promise<T>): Promise<T> => {
    try {
      return await attempt({})
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== humanFirst) throw error
      const solution = await new Promise<string>((resolve) => setAnswer(() => resolve))
      setAnswer(null)
      return attempt({ headers: { 'X-Human-Check': solution } })
    }
  }
  return { send, panel: answer && <HumanCheck onAnswer={answer} words="当前网络的登录请求较多，登录前需要确认不是机器人。" /> }
}
