import type { TermKey } from '../../help/glossary.ts'
import { Term } from '../../help/term.tsx'
import { useIsDemo } from '../../state/site.ts'
import { fixed, percent } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import type { GridModel } from './grid-model.ts'
import { medianSharpe, type Reading, readingsOf } from './readings.ts'

/** Where each conclusion is explained. */
const terms: Record<Reading['key'], TermKey> = {
  plateau: 'plateau',
  best: 'overfitting',
  luck: 'luck',
  migration: 'oos',
  folds: 'oos',
}

/** What the grid says in sentences; the numbers that need a definition at the foot. */
export function ReadingsCard({ model }: { model: GridModel }) {
  const demo = useIsDemo('cb')
  const { dsr, pbo } = model.result.robustness
  const readings = readingsOf(model)
  return (
    <section className="card grid-readings" aria-label="读图结论">
      <header>
        <h2>读图结论</h2>
        {demo && <DemoBadge />}
      </header>
      <ul>
        {readings.map(({ key, look, title, text }) => (
          <li key={key}>
            <span className={look}>
              <Icon name={look === 'ok' ? 'check' : look === 'warn' ? 'warn' : 'info'} />
            </span>
            <div>
              <b>{title}</b>
              <p>
                {text}
                <Term k={terms[key]}>这是什么</Term>
              </p>
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
          <dt>
            <Term k="pbo">PBO</Term>
          </dt>
          <dd>{percent(pbo, 1)}</dd>
        </div>
        <div>
          <dt>{model.cells.size} 格中位夏普</dt>
          <dd>{fixed(medianSharpe(model))}</dd>
        </div>
      </dl>
    </section>
  )
}
