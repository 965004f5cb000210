import styles from './star-button.module.css'

/** A mark that is on or off; `name`: what is marked, read out with it. */
export function StarButton({ on, name, onChange }: { on: boolean; name: string; onChange: (on: boolean) => void }) {
  return (
    <button
      type="button"
      className={styles.star}
      aria-pressed={on}
      aria-label={`收藏${name}`}
      title={on ? '取消收藏' : '收藏'}
      onClick={() => onChange(!on)}
    >
      {on ? '★' : '☆'}
    </button>
  )
}
