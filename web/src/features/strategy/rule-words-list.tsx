import { type MarketId, markets } from '@convexa/contract/enums/market'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { useQuery } from '@tanstack/react-query'
import { strategyDetailQuery } from '../../api/queries.ts'
import { useFactors } from '../rule/factors.ts'
import { summaryOf, textOf } from '../rule/summary.ts'
import styles from './strategies.module.css'

/** 规则一览: what the ticked strategies do, a sentence each, beside one another; `of` so many ticked ones, of none those changed last. */
export const RuleWordsList = ({ kind, strategies, of }: { kind: MarketId; strategies: readonly StrategyListItem[]; of: number }) => (
  <section className={styles.ruleWordsList} aria-label="规则一览">
    <h3 className="subhead">
      规则一览<span>{of > 0 ? `选中的 ${strategies.length} 个` : '最近更新的，勾选后只看选中的'}</span>
    </h3>
    <ul>
      {strategies.map((strategy) => (
        <li key={strategy.id}>
          <b>{strategy.strategy_name}</b>
          <RuleWords kind={kind} id={strategy.id} />
          <span>创建 {strategy.created_at.slice(0, 10)}</span>
        </li>
      ))}
    </ul>
  </section>
)

function RuleWords({ kind, id }: { kind: MarketId; id: string }) {
  const { data, error } = useQuery(strategyDetailQuery(kind, id))
  const { factors } = useFactors(kind)
  if (error) return <p className="danger">规则读取失败</p>
  if (!data)
    return (
      <p>
        <span className="skeleton" style={{ width: '90%' }} />
      </p>
    )
  return <p>{textOf(summaryOf(data.detail, data.settings ?? null, factors, null, markets[kind]))}</p>
}
