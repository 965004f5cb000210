import { percent, signedPercent } from '../../../base/format.ts'
import { Row } from '../../../ui/layout.tsx'
import styles from './sensitivity.module.css'
import { axisOf, type Bar } from './tornado.ts'

/** Bars to both sides of where the run stands: lower ones paler, higher ones fuller; the numbers stand beside. */
export function TornadoBars({ bars, base }: { bars: readonly Bar[]; base: number }) {
  const { from, to, ticks } = axisOf(bars, base)
  const at = (value: number) => ((value - from) / (to - from)) * 100
  return (
    <div className={styles.tornado}>
      <p className={styles.tornadoBase}>
        <span style={{ left: `${at(base)}%` }}>当前 {signedPercent(base)}</span>
      </p>
      <ul>
        {bars.map(({ key, name, terms, low, high }) => (
          <li key={key}>
            <Row as="span" gap={8} align="stretch" className={styles.tornadoName}>
              {name} <small title={terms}>{terms}</small>
            </Row>
            <span className={styles.tornadoTrack}>
              {low < base && <i className={styles.low} style={{ left: `${at(low)}%`, width: `${at(base) - at(low)}%` }} />}
              {high > base && <i className={styles.high} style={{ left: `${at(base)}%`, width: `${at(high) - at(base)}%` }} />}
              <u style={{ left: `${at(base)}%` }} />
            </span>
            <span className="number">{low === high ? signedPercent(low, 1) : `${signedPercent(low, 1)} / ${signedPercent(high, 1)}`}</span>
          </li>
        ))}
      </ul>
      <p className={styles.tornadoAxis} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ left: `${at(tick)}%` }}>
            {percent(tick, 1)}
          </span>
        ))}
      </p>
    </div>
  )
}
