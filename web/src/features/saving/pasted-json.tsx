import { Icon } from '../../ui/icon.tsx'
import { Stack } from '../../ui/layout.tsx'
import styles from './saving.module.css'

/** A field for JSON that is pasted, and under it what is wrong in it. */
export function PastedJson({
  label,
  placeholder,
  text,
  mistakes,
  onChange,
}: {
  label: string
  placeholder: string
  text: string
  mistakes: readonly string[]
  onChange: (text: string) => void
}) {
  const wrong = mistakes.length > 0
  return (
    <>
      <textarea
        className={`${styles.importText} mono`}
        aria-label={label}
        aria-invalid={wrong}
        aria-describedby={wrong ? 'import-mistakes' : undefined}
        spellCheck={false}
        rows={12}
        placeholder={placeholder}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {wrong && (
        <Stack as="ul" gap={4} className={styles.importMistakes} id="import-mistakes" role="alert">
          {mistakes.map((mistake) => (
            <li key={mistake}>
              <Icon name="warn" size="middle" />
              {mistake}
            </li>
          ))}
        </Stack>
      )}
    </>
  )
}
