import { useIsDemo } from '../../state/site.ts'
import { fixed } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import { Term, type TermWords } from '../../ui/term.tsx'
import type { GridModel } from './grid-model.ts'
import { medianSharpe, type Reading, readingsOf } from './readings.ts'

const terms: Record<Reading['key'] | 'dsr' | 'pbo', TermWords> = {
  plateau: {
    name: '平台区',
    meaning: '从邻域平均夏普最高的一格出发，把相连的、夏普不低于该邻域最高值八成的格子连成一片。',
    mistake: '把最高的一格当成最好的参数；稳定的一片比一个尖点可信。',
  },
  best: { name: '最高点', meaning: '样本内夏普最高的一格。周围的格子也高，它才不像是碰巧。' },
  luck: {
    name: '运气门槛',
    meaning: '假设所有组合都没有本事，试这么多次，纯靠运气最好的一次夏普大约能到多少。',
    formula: '√(1/Y)·((1−γ)Φ⁻¹(1−1/N)+γΦ⁻¹(1−1/(Ne)))',
    mistake: '各组参数彼此相关，真正独立的次数更少；门槛是上限参考，不是判决。',
  },
  migration: { name: '排名相关', meaning: '各组参数样本内夏普与样本外夏普的秩相关：1 为名次完全一致，0 为毫无关系。' },
  folds: { name: '滚动检验', meaning: '每次用前几年选出最好的一格，只看它在下一年的表现，再向前滚动一年。' },
  dsr: {
    name: '缩水夏普 DSR',
    meaning: '考虑尝试次数、偏度与峰度之后，最高一格的真实夏普大于 0 的把握。0.95 以上较好，低于 0.80 偏弱。',
    mistake: '它不是收益的概率。',
  },
  pbo: {
    name: '过拟合概率 PBO',
    meaning: '把历史切成 16 段反复对半分：样本内最好的一组，在另一半里落到后一半名次的比例。0.30 以下较好。',
    mistake: '低不等于将来能赚钱，只说明名次比较稳定。',
  },
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
                <Term words={terms[key]}>这是什么</Term>
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
            <Term words={terms.dsr}>DSR</Term>
          </dt>
          <dd>{fixed(dsr)}</dd>
        </div>
        <div>
          <dt>
            <Term words={terms.pbo}>PBO</Term>
          </dt>
          <dd>{fixed(pbo)}</dd>
        </div>
        <div>
          <dt>{model.cells.size} 格中位夏普</dt>
          <dd>{fixed(medianSharpe(model))}</dd>
        </div>
      </dl>
    </section>
  )
}
