import type { MarketId } from '@convexa/contract/enums/market'
import type { StrategyDetail } from '@convexa/contract/saved-strategy'
import { Card } from '../../../ui/card.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { Term } from '../../help/term.tsx'
import { comparePath, groupPath, strategyPath } from '../../rule/addresses.ts'
import { callRiskWords } from '../glance-text.ts'
import styles from './detail.module.css'
import { overlapWords } from './overlap-text.ts'

/** 强赎暴露: bonds of the list that count towards a call, the nearest first. */
export function CallRiskCard({ glance }: Pick<StrategyDetail, 'glance'>) {
  const risks = glance?.call_risk ?? []
  return (
    <Card title="强赎暴露" note={glance ? (callRiskWords(risks).short ?? '没有处于计数的转债') : '生成概览后显示'} bare>
      {risks.length > 0 && (
        <ul className={styles.callRisks}>
          {risks.map(({ code, name, count, threshold, last_trade_date: last }) => (
            <li key={code}>
              <b>{name}</b>
              <span className="mono text-3">{code}</span>
              <span className={`meter ${styles.callBar}`} aria-hidden="true">
                <i style={{ width: `${count === null ? 0 : Math.min(100, (count / threshold) * 100)}%` }} />
              </span>
              <span className={last || (count !== null && count >= threshold) ? 'warn strong' : undefined}>
                {last ? `最后交易日 ${last}` : count === null ? '—' : `${count}/${threshold}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className={`note ${styles.cardWords}`}>
        <Term k="redeem_count">计数</Term>
        达到上限后公司可以公告<Term k="redemption">强赎</Term>：最后交易日之后按接近面值的价格赎回，高价债会损失溢价。
      </p>
    </Card>
  )
}

/** 相似策略: a strategy with nearly the same list adds no diversification. */
export function SimilarCard({ kind, strategy }: { kind: MarketId; strategy: StrategyDetail }) {
  const { similar, groups, id } = strategy
  return (
    <Card title="相似与归属" note="同一市场的其他策略" bare>
      {similar.length === 0 && (
        <p className={`note ${styles.cardWords}`}>
          没有名单相近的策略：只列出日均重合一成以上的；两个策略都要有概览，且有足够多的共同交易日。
        </p>
      )}
      <ul className={styles.similar}>
        {similar.slice(0, 5).map(({ strategy_id: other, strategy_name: name, overlap, correlation }) => (
          <li key={other}>
            <span>
              与「
              <PageLink className="link" to={strategyPath(kind, other)}>
                {name}
              </PageLink>
              」{overlapWords(overlap, correlation)}
              {overlap >= 0.8 && <span className="warn"> 同时用不算分散</span>}
            </span>
            <PageLink
              className="button small"
              to={comparePath([
                { type: 'strategy', kind, id },
                { type: 'strategy', kind, id: other },
              ])}
            >
              对比
            </PageLink>
          </li>
        ))}
      </ul>
      {groups.length > 0 && (
        <p className={`note ${styles.cardWords}`}>
          属于策略组：
          {groups.map(({ id: group, group_name: name }, i) => (
            <span key={group}>
              {i > 0 && '、'}
              <PageLink className="link" to={groupPath(kind, group)}>
                {name}
              </PageLink>
            </span>
          ))}
          。退出后才能删除本策略。
        </p>
      )}
    </Card>
  )
}
