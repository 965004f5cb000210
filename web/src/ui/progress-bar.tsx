import { quarterOf } from './progress.ts'
import './progress-bar.css'

/**
 * A bar of 4 px over the full width, indeterminate without a percentage. Screen readers get quarters and the stage, not every
 * step.
 */
export function ProgressBar({
  label,
  percent,
  stage,
  stopped = false,
}: {
  label: string
  /** 0–100; null while unknown. */
  percent: number | null
  /** The current stage, in words. */
  stage?: string | undefined
  /** It will not go on. */
  stopped?: boolean
}) {
  const known = percent === null ? {} : { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': quarterOf(percent) }
  return (
    <div
      className={['progress', percent === null && 'unknown', stopped && 'stopped'].filter(Boolean).join(' ')}
      role="progressbar"
      aria-label={label}
      aria-valuetext={stage && (percent === null ? stage : `${stage}，${quarterOf(percent)}%`)}
      {...known}
    >
      <i style={percent === null ? undefined : { width: `${percent}%` }} />
    </div>
  )
}

/** The bar with its words: stage, per cent, and what is left when that can be kept. */
export function ProgressLine({
  label,
  percent,
  stage,
  left = null,
  onCancel,
}: {
  label: string
  percent: number | null
  stage: string
  left?: number | null
  onCancel?: () => void
}) {
  return (
    <div className="progress-words">
      <div>
        <span>{stage}</span>
        {left !== null && <span className="text-3">约剩 {left} 秒</span>}
        <span className="grow" />
        {percent !== null && <b>{Math.floor(percent)}%</b>}
        {onCancel && (
          <button type="button" className="link" onClick={onCancel}>
            取消
          </button>
        )}
      </div>
      <ProgressBar label={label} percent={percent} stage={stage} />
    </div>
  )
}
