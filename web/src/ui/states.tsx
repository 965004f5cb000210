import { type ReactNode, useEffect, useState } from 'react'
import { CallError, sentenceOf } from '../api/messages.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { VipHint } from './vip-hint.tsx'

/** Nothing to show: one sentence, one thing to do. */
export function Empty({
  icon = 'filter',
  title,
  children,
  actions,
}: {
  icon?: IconName
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <b>{title}</b>
      {children && <p>{children}</p>}
      {actions}
    </div>
  )
}

/**
 * A failure in the place of what it was about: what happened, what still works, again. A login that is over has its own warning on
 * the screen, and nothing here.
 */
export function ErrorBlock({
  error,
  title,
  still,
  onRetry,
}: {
  error: unknown
  /** In place of the failure's own sentence, where the screen knows better what was under way. */
  title?: string
  still?: string
  onRetry?: () => void
}) {
  const failure = error instanceof CallError ? error : null
  if (failure?.kind === 'login') return null
  return (
    <div className="alert" role="alert">
      <Icon name="warn" />
      <div>
        <b>{title ?? sentenceOf(error)}</b>
        {still && <p>{still}</p>}
        <div className="actions">
          {onRetry && (
            <Button look={['small']} onClick={onRetry}>
              重试
            </Button>
          )}
          <VipHint refusal={error} />
          {failure?.requestId && <span className="size-12 text-3">错误编号 {failure.requestId}</span>}
        </div>
      </div>
    </div>
  )
}

/** While a page's code is on its way; after 8 s it says that the network is slow. */
export function PageSpinner() {
  const slow = useLater(8_000)
  return (
    <div className="empty page-spinner" role="status">
      <span className="spinner" />
      <span>{slow ? '网络较慢，仍在加载…' : '加载中…'}</span>
    </div>
  )
}

/** False until so many milliseconds have passed: what is quick shows no waiting at all. */
export function useLater(milliseconds: number, on = true): boolean {
  const [later, setLater] = useState(false)
  useEffect(() => {
    if (!on) return setLater(false)
    const timer = setTimeout(() => setLater(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds, on])
  return on && later
}

/** Seconds since `on` became true. */
export function useElapsed(on: boolean): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    setSeconds(0)
    if (!on) return
    const from = performance.now()
    const timer = setInterval(() => setSeconds((performance.now() - from) / 1000), 100)
    return () => clearInterval(timer)
  }, [on])
  return seconds
}
