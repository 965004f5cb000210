import { type CSSProperties, type ReactNode, type Ref, useId } from 'react'
import { usePreferences } from '../state/preferences.ts'
import { Button } from './button.tsx'
import { type CardState, holdsContent, StateBody, StateStrip } from './card-state.tsx'
import './card.css'

interface Frame {
  className?: string | undefined
  id?: string | undefined
  ref?: Ref<HTMLElement> | undefined
  /** An `article` stands for itself: one of several alike. */
  as?: 'section' | 'article'
  style?: CSSProperties | undefined
  children?: ReactNode
  /** Its content is on its way. */
  busy?: boolean | undefined
}

interface Head {
  title: string
  /** Its name for a screen reader, where the title says less. */
  label?: string | undefined
  /** The title's terms, in grey. */
  note?: ReactNode
  /** Behind the terms. */
  badge?: ReactNode
  /** At the right end. */
  tools?: ReactNode
  foot?: ReactNode
  /** It can be closed, and stays so: its key in `preference:collapsedSettings`. */
  fold?: string
  state?: CardState
  /** The content goes to the edges: a table. */
  bare?: boolean
}

type CardProps = Frame & ((Head & { plain?: false }) | { plain: true; label?: string | undefined; 'aria-hidden'?: 'true' })

/**
 * A card: title with its terms in grey and tools, body, a sentence at the foot. Whatever state its content is in stays inside it.
 * `plain`: the frame alone, without a head.
 */
export function Card(props: CardProps) {
  if (!props.plain) return <HeadedCard {...props} />
  const { className, id, ref, as: Tag = 'section', style, busy, label, children } = props
  return (
    <Tag
      className={classesOf('card', className)}
      id={id}
      ref={ref}
      style={style}
      aria-label={label}
      aria-busy={busy}
      aria-hidden={props['aria-hidden']}
    >
      {children}
    </Tag>
  )
}

function HeadedCard({
  title,
  label,
  note,
  badge,
  tools,
  foot,
  fold,
  state = ready,
  bare = false,
  busy = false,
  as: Tag = 'section',
  className,
  id: own,
  ref,
  style,
  children,
}: Frame & Head) {
  const { collapsedSettings, collapse } = usePreferences()
  const folded = fold !== undefined && (collapsedSettings[fold] ?? false)
  const id = useId()
  const waiting = busy || state.kind === 'loading' || state.kind === 'refreshing'
  return (
    <Tag
      className={classesOf('card', className)}
      id={own}
      ref={ref}
      style={style}
      aria-label={label}
      aria-labelledby={label === undefined ? `${id}-title` : undefined}
      aria-busy={waiting}
    >
      <header>
        {fold !== undefined && (
          <Button
            look={['ghost', 'square', 'fold']}
            icon={folded ? 'right' : 'down'}
            aria-expanded={!folded}
            aria-controls={id}
            aria-label={folded ? `展开${label ?? title}` : `收起${label ?? title}`}
            onClick={() => collapse(fold, !folded)}
          />
        )}
        <h2 id={`${id}-title`}>{title}</h2>
        {note && <span className="text-3 card-note">{note}</span>}
        {badge}
        <span className="grow" />
        {tools}
      </header>
      {!folded && (state === ready && fold === undefined && bare ? children : <Content {...{ id, state, bare, children }} />)}
      {foot && !folded && <div className="foot">{foot}</div>}
    </Tag>
  )
}

function Content({ id, state, bare, children }: { id: string; state: CardState; bare: boolean; children: ReactNode }) {
  const dimmed = state.kind === 'stale' || state.kind === 'refreshing'
  return (
    <div className="card-content" id={id}>
      <StateStrip state={state} />
      {holdsContent(state) && <div className={classesOf(bare ? undefined : 'body', dimmed ? 'stale' : undefined)}>{children}</div>}
      <StateBody state={state} />
    </div>
  )
}

/** How the width is shared: in halves, or three to seven. */
type Shares = 'halves' | 'narrow-wide' | 'wide-narrow'

/** Cards side by side, equally high with their feet at the bottom; below 1100 px one under another. */
export const CardGrid = ({
  shares = 'halves',
  className = '',
  children,
}: {
  shares?: Shares
  className?: string | undefined
  children: ReactNode
}) => <div className={`card-grid ${shares} ${className}`.trim()}>{children}</div>

const classesOf = (...classes: (string | undefined)[]) => classes.filter(Boolean).join(' ') || undefined
const ready: CardState = { kind: 'ready' }
