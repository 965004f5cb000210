import './progress-ring.css'

const radius = 20
const around = 2 * Math.PI * radius

/** How far something short is: a ring that closes. `share` is 0 to 1. */
export function ProgressRing({ label, share, words }: { label: string; share: number; words: string }) {
  return (
    <span className="progress-ring">
      <svg
        viewBox="0 0 48 48"
        width="48"
        height="48"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={words}
      >
        <circle cx="24" cy="24" r={radius} />
        <circle className="done" cx="24" cy="24" r={radius} strokeDasharray={around} strokeDashoffset={around * (1 - share)} />
      </svg>
      <span role="status">{words}</span>
    </span>
  )
}
