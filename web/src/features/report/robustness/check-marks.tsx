import { robustnessChecks } from '@convexa/contract/enums/robustness-check'
import type { RobustnessCheck } from '@convexa/contract/robustness'
import { Icon } from '../../../ui/icon.tsx'
import styles from './answers.module.css'
import { checkWords, needsGrid } from './check-text.ts'

/** The checks in a row: sign, short name, value. */
export const CheckMarks = ({ checks, asking = false }: { checks: readonly RobustnessCheck[]; asking?: boolean | undefined }) => (
  <ul className={styles.checkMarks}>
    {checks.map((check) => {
      const { key, ok, value, label } = checkWords(check)
      const running = asking && ok === null && needsGrid(key)
      const look = ok === null ? (running ? 'running' : 'open') : ok ? 'passed' : 'failed'
      return (
        <li key={key} data-state={look}>
          <CheckSign ok={ok} running={running} />
          <span title={label}>{robustnessChecks[key].short}</span>
          <b>{running ? '补算中' : ok === null ? '没查' : value}</b>
        </li>
      )
    })}
  </ul>
)

/** Passed, failed, not made, or being made; the first two said in words too, of the others the value says it. */
const CheckSign = ({ ok, running = false }: { ok: boolean | null; running?: boolean }) => (
  <i className={styles.checkSign}>
    {ok !== null && <Icon name={ok ? 'check' : 'warn'} size="small" />}
    {running && <span className="spinner" aria-hidden="true" />}
    {ok !== null && <span className="hidden-text">{ok ? '通过' : '没通过'}</span>}
  </i>
)
