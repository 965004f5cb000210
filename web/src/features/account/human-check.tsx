import { calls } from '@convexa/contract/calls'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './human-check.module.css'

/**
 * Some seconds of work for the browser, which cost a person nothing and a machine much. It begins by itself; the answer
 * goes into the header X-Human-Check of the next call, once.
 */
export function HumanCheck({
  onAnswer,
  words = '获取次数较多，发送前需要确认不是机器人。',
}: {
  onAnswer: (answer: string) => void
  /** Why it is asked for. */
  words?: string
}) {
  const place = useRef<HTMLDivElement>(null)
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<'loading' | 'there' | 'failed'>('loading')
  const answer = useRef(onAnswer)
  answer.current = onAnswer

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins anew
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    setState('loading')
    const begin = async () => {
      const [{ widgetFor }, challenge] = await Promise.all([
        import('./human-widget.ts'),
        call(calls.verification.humanCheck, undefined, { signal }),
      ])
      if (signal.aborted) return
      const widget = widgetFor(challenge)
      widget.addEventListener('verified', (event) => answer.current((event as CustomEvent<{ payload: string }>).detail.payload), { signal })
      place.current?.replaceChildren(widget)
      setState('there')
    }
    begin().catch(() => signal.aborted || setState('failed'))
    return () => left.abort()
  }, [attempt])

  return (
    <fieldset className={`note ${styles.humanCheck}`} aria-label="人机验证">
      <p>{words}</p>
      {state === 'loading' && <Skeleton columns={undefined} rows={1} />}
      <div ref={place} hidden={state !== 'there'} />
      {state === 'failed' && (
        <>
          <FieldError>
            {globalThis.isSecureContext ? '人机验证加载失败' : '当前连接不安全，浏览器无法完成人机验证，请使用 https 访问'}
          </FieldError>
          <Button onClick={() => setAttempt(attempt + 1)}>重试</Button>
        </>
      )}
    </fieldset>
  )
}
