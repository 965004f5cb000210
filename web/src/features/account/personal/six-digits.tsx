import { type Control, wired } from '../../../ui/form/control.ts'
import styles from './profile.module.css'

const places = [0, 1, 2, 3, 4, 5] as const

/** Six digits, a box for each; one input, so that pasting, filling in and readers meet one field. */
export function SixDigits({ value, onChange, ...control }: Control & { value: string; onChange: (value: string) => void }) {
  return (
    <span className={control.invalid ? `${styles.sixDigits} invalid` : styles.sixDigits}>
      <input
        {...wired(control)}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.normalize('NFKC').replace(/\D/g, '').slice(0, 6))}
      />
      <span className={styles.boxes} aria-hidden="true">
        {places.map((place) => (
          <i key={place} className={place === Math.min(value.length, 5) ? styles.next : undefined}>
            {value[place]}
          </i>
        ))}
      </span>
    </span>
  )
}
