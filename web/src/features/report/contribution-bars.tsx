import { signedPercent } from '../../base/format.ts'
import './contributions.module.css'

export interface ShareBar {
  key: string
  name: string
  share: number
  title?: string
}

/** Shares from zero to both sides on one scale; a null stands for all that are not drawn. */
export function ShareBars({
  bars,
  between,
  empty,
  onPick,
}: {
  bars: readonly (ShareBar | null)[]
  /** What the null says. */
  between?: string
  empty: string
  onPick?: (key: string) => void
}) {
  const shares = bars.flatMap((bar) => (bar ? [bar.share] : []))
  const lowest = Math.min(0, ...shares)
  const highest = Math.max(0, ...shares)
  const span = highest - lowest || 1
  const zero = (-lowest / span) * 100
  return (
    <ul className="contribution-bars">
      {bars.map((bar) =>
        bar ? (
          <li key={bar.key}>
            {onPick ? (
              <button type="button" className="plain" title={bar.title} onClick={() => onPick(bar.key)}>
                {bar.name}
              </button>
            ) : (
              <span>{bar.name}</span>
            )}
            <span className="bar-track">
              <i
                className={bar.share >= 0 ? 'up' : 'down'}
                style={{
                  left: `${bar.share >= 0 ? zero : zero + (bar.share / span) * 100}%`,
                  width: `${(Math.abs(bar.share) / span) * 100}%`,
                }}
              />
              <u style={{ left: `${zero}%` }} />
            </span>
            <span className="number">{signedPercent(bar.share)}</span>
          </li>
        ) : (
          <li key="between" className="rest">
            {between}
          </li>
        ),
      )}
      {bars.length === 0 && <li className="rest">{empty}</li>}
    </ul>
  )
}
