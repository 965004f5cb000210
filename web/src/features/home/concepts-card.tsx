import { Card } from '../../ui/card.tsx'
import { Term } from '../help/term.tsx'
import './concepts-card.css'

const concepts = [
  { k: 'redemption', name: '强赎', text: '正股连续满足条件后，公司可按接近面值的价格赎回，高价债会快速回落。' },
  { k: 'conv_prem', name: '溢价率', text: '转债价格比转股价值贵多少；越高，跟随正股越慢。' },
  { k: 'max_drawdown', name: '回撤', text: '从之前的最高点往下亏了多少，还要看多久回来。' },
] as const

/** Three words to begin with. */
export const ConceptsCard = () => (
  <Card title="概念卡" note="3 张，随时可看" fold="home:concepts" bare>
    <dl className="concepts">
      {concepts.map(({ k, name, text }) => (
        <div key={k}>
          <dt>
            <Term k={k}>{name}</Term>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </Card>
)
