import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { ChartSkeleton, Skeleton, type SkeletonColumn } from './skeleton.tsx'
import { Empty, ErrorBlock, useElapsed, useLater } from './states.tsx'
import './card.css'

interface Act {
  label: string
  act: () => void
}

/** What a card's content is just now. */
export type CardState =
  | { kind: 'ready' }
  /** Nothing to show yet. Its skeleton has the real columns, or a chart's height. */
  | { kind: 'loading'; columns?: readonly SkeletonColumn[]; rows?: number; chart?: number; words?: string; onCancel?: () => void }
  /** The content of before stays, faded, until the new one is there. */
  | { kind: 'refreshing'; words?: string; onCancel?: () => void }
  | { kind: 'empty'; title: string; text?: string; icon?: IconName; action?: Act; link?: { label: string; href: string } | Act }
  | { kind: 'error'; error: unknown; still?: string; onRetry?: () => void }
  /** It took too long; what is known so far stays. */
  | { kind: 'timeout'; title: string; text?: string; onRetry: () => void; other?: Act }
  /** Old data: it stays, faded, with the moment it is from. */
  | { kind: 'stale'; words: string; onRefresh: () => void }

/** Whether what is inside is shown. */
export const holdsContent = ({ kind }: CardState): boolean =>
  kind === 'ready' || kind === 'refreshing' || kind === 'stale' || kind === 'timeout'

/** Above the content: the line of something going on, or the stamp of old data. */
export function StateStrip({ state }: { state: CardState }) {
  switch (state.kind) {
    case 'loading':
    case 'refreshing':
      return <WaitingLine />
    case 'stale':
      return (
        <div className="card-stale" role="status">
          <Icon name="warn" />
          <span>{state.words}</span>
          <span className="grow" />
          <Button look={['small']} onClick={state.onRefresh}>
            刷新
          </Button>
        </div>
      )
    case 'timeout':
      return (
        <div className="body">
          <div className="alert warn" role="alert">
            <Icon name="warn" />
            <div>
              <b>{state.title}</b>
              {state.text && <p>{state.text}</p>}
              <div className="actions">
                <Button look={['small']} onClick={state.onRetry}>
                  重试
                </Button>
                {state.other && (
                  <Button look={['small']} onClick={state.other.act}>
                    {state.other.label}
                  </Button>
                )}
              </div>
            </div>
          </div>
        </div>
      )
    default:
      return null
  }
}

/** In the place of the content, or under it. */
export function StateBody({ state }: { state: CardState }) {
  switch (state.kind) {
    case 'loading':
      return (
        <>
          <Late>
            {state.chart === undefined ? (
              <Skeleton columns={state.columns} rows={state.rows ?? 5} />
            ) : (
              <ChartSkeleton height={state.chart} />
            )}
          </Late>
          <Waiting words={state.words} onCancel={state.onCancel} />
        </>
      )
    case 'refreshing':
      return <Waiting words={state.words} onCancel={state.onCancel} />
    case 'empty':
      return (
        <Empty
          title={state.title}
          {...(state.icon ? { icon: state.icon } : {})}
          actions={
            <>
              {state.action && (
                <Button look={['primary']} onClick={state.action.act}>
                  {state.action.label}
                </Button>
              )}
              {state.link && <EmptyLink link={state.link} />}
            </>
          }
        >
          {state.text}
        </Empty>
      )
    case 'error':
      return (
        <div className="body">
          <ErrorBlock
            error={state.error}
            {...(state.still ? { still: state.still } : {})}
            {...(state.onRetry ? { onRetry: state.onRetry } : {})}
          />
        </div>
      )
    default:
      return null
  }
}

function EmptyLink({ link }: { link: { label: string; href: string } | Act }): ReactNode {
  if ('href' in link)
    return (
      <a className="link" href={link.href}>
        {link.label}
      </a>
    )
  return (
    <button type="button" className="link" onClick={link.act}>
      {link.label}
    </button>
  )
}

/** What is quick shows no waiting at all. */
const patience = 400
const longWait = 3_000

function WaitingLine() {
  const late = useLater(patience)
  return <div className={late ? 'progress-line on' : 'progress-line'} />
}

function Late({ children }: { children: ReactNode }) {
  const late = useLater(patience)
  return (
    <div className="card-waiting" style={{ visibility: late ? undefined : 'hidden' }}>
      {children}
    </div>
  )
}

function Waiting({ words = '正在计算…', onCancel }: { words: string | undefined; onCancel: (() => void) | undefined }) {
  const long = useLater(longWait)
  const seconds = useElapsed(true)
  if (!long) return null
  return (
    <div className="card-elapsed">
      <span className="spinner" />
      <span>
        <span role="status">{words}</span> {seconds.toFixed(1)} 秒
      </span>
      <span className="grow" />
      {onCancel && (
        <Button look={['small']} onClick={onCancel}>
          取消
        </Button>
      )}
    </div>
  )
}
