import { useIsDemo } from '../../api/site.ts'
import { fixed, percent } from '../../base/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import type { TermKey } from '../help/glossary.ts'
import { Term } from '../help/term.tsx'
import type { GridModel } from './grid-model.ts'
import styles from './grid-view.module.css'
import { headOf, medianSharpe, type Reading, readingsOf } from './readings.ts'

/** Where each conclusion is explained. */
const terms: Record<Reading['key'], TermKey> = {
  overfitting: 'pbo',
  luck: 'luck',
  edge: 'overfitting',
  plateau: 'plateau',
  migration: 'oos',
  folds: 'oos',
}

const icons: Record<Reading['look'], IconName> = { ok: 'check', warn: 'warn', danger: 'warn', info: 'info' }

/**
 * What the grid says in sentences; its head takes the worst sign, and below a danger nothing is ticked. `onWiden`: runs it again with more values
 * where the best cell stands at an end; null where the numbers allow none.
 */
export function ReadingsCard({ model, onWiden }: { model: GridModel; onWiden: (() => void) | null }) {
  const demo = useIsDemo('cb')
  const { dsr } = model.result.robustness
  const readings = readingsOf(model)
  const head = headOf(readings)
  const danger = readings.findIndex(({ look }) => look === 'danger')
  return (
    <Card className={styles.readings} title="这张网格说明什么" badge={demo && <DemoBadge />} bare>
      {readings.length > 0 && (
        <Row as="p" gap={8} className={`${styles.readingsHead} ${head.look}`}>
          <Icon name={icons[head.look]} />
          {head.text}
        </Row>
      )}
      <ul>
        {readings.map(({ key, look, title, figure, text }, line) => (
          <li key={key}>
            <span className={look}>
              {look === 'ok' && danger >= 0 && danger < line ? <i className="dot" /> : <Icon name={icons[look]} />}
            </span>
            <div>
              <b>
                {title}
                {figure && <em className={look}> {figure}</em>}
              </b>
              <p>
                {text}
                <Term k={terms[key]}>这是什么</Term>
              </p>
              {key === 'edge' && look === 'warn' && onWiden && (
                <Button look={['small']} onClick={onWiden}>
                  放宽并重算
                </Button>
              )}
            </div>
          </li>
        ))}
        {model.result.warnings.map((warning) => (
          <li key={warning}>
            <span className="text-3">
              <Icon name="info" />
            </span>
            <p>{warning}</p>
          </li>
        ))}
      </ul>
      <dl>
        <div>
          <dt>
            <Term k="dsr">DSR</Term>
          </dt>
          <dd>{percent(dsr, 1)}</dd>
        </div>
        <div>
          <dt>{model.cells.size} 格中位夏普</dt>
          <dd>{fixed(medianSharpe(model))}</dd>
        </div>
      </dl>
    </Card>
  )
}
