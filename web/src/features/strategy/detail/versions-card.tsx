import { type MarketId, markets } from '@convexa/contract/enums/market'
import type { StrategyDetail, StrategyVersion } from '@convexa/contract/saved-strategy'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { sentenceOf } from '../../../api/messages.ts'
import { strategyOptionsQuery } from '../../../api/queries.ts'
import { dateTime } from '../../../base/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorBlock } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.tsx'
import { differences } from '../../rule/backtest-run-difference.ts'
import { defaultSettings } from '../../rule/draft.ts'
import { useFactors } from '../../rule/factors.ts'
import { versionsQuery } from '../../rule/strategy-queries.ts'
import { DifferenceDialog } from '../../saving/difference-dialog.tsx'
import { draftFrom } from '../../saving/open-in-builder.ts'
import { comparable } from '../../saving/saved-draft.ts'
import styles from './detail.module.css'

/** So many at first; up to twenty are kept. */
const shown = 5

/** 版本: each with what it changed against the one before; any of them can be compared with today's and taken up again. */
export function VersionsCard({ kind, strategy }: { kind: MarketId; strategy: StrategyDetail }) {
  const { data, error, refetch } = useQuery(versionsQuery(kind, strategy.id))
  const { data: options } = useQuery(strategyOptionsQuery)
  const { factors } = useFactors(kind)
  const [all, setAll] = useState(false)
  const [compared, setCompared] = useState<StrategyVersion | null>(null)
  const navigate = useNavigate()
  const versions = data?.list_items ?? []
  const usual = options ? defaultSettings(kind, options, factors) : null
  const ruleOf = (version: StrategyVersion) =>
    usual && comparable({ ...version, id: strategy.id, strategy_name: strategy.strategy_name }, strategy.settings ?? usual)
  const changesOf = (version: StrategyVersion, before: StrategyVersion | undefined): string => {
    const [from, to] = [before && ruleOf(before), ruleOf(version)]
    if (!before) return version.version === 1 ? '第一次保存' : '更早的版本不再保留'
    if (!from || !to) return ''
    const changed = differences({ ...from, kind }, { ...to, kind }, factors.nameOf)
    const words = changed.map(({ label, before: was, after }) => `${label} ${was} → ${after}`)
    return words.length === 0 ? '条件与设置没有变化' : words.slice(0, 2).join('；') + (words.length > 2 ? ` 等 ${words.length} 处` : '')
  }
  /** The old rule on the workbench; saving it makes a new version of the strategy of now. */
  const takeUp = async (version: StrategyVersion) => {
    try {
      await draftFrom(kind, { ...version, id: strategy.id, version: strategy.version, strategy_name: strategy.strategy_name }, true)
      await navigate(`${markets[kind].path}/screen`)
    } catch (error) {
      toast.error(`打开失败：${sentenceOf(error)}`)
    }
  }
  const now = versions[0] && ruleOf(versions[0])
  const then = compared && ruleOf(compared)
  return (
    <Card title="版本" note={data ? `保留最近 ${versions.length} 版` : undefined} bare>
      {error && (
        <div className="body">
          <ErrorBlock error={error} onRetry={() => void refetch()} />
        </div>
      )}
      <ol className={styles.versions}>
        {versions.slice(0, all ? versions.length : shown).map((version, i) => (
          <li key={version.version}>
            <b>第 {version.version} 版</b>
            <time dateTime={version.saved_at}>{dateTime(version.saved_at).slice(0, 16)}</time>
            <span className={`note ${styles.versionChange}`}>{changesOf(version, versions[i + 1])}</span>
            {i === 0 ? (
              <span className="size-12 text-3">当前</span>
            ) : (
              <Button
                look={['small', 'ghost']}
                aria-label={`把第 ${version.version} 版与当前版本对比`}
                onClick={() => setCompared(version)}
              >
                与当前对比
              </Button>
            )}
          </li>
        ))}
      </ol>
      {!all && versions.length > shown && (
        <button type="button" className={`link ${styles.versionsMore}`} onClick={() => setAll(true)}>
          还有 {versions.length - shown} 版
        </button>
      )}
      {compared && now && then && (
        <DifferenceDialog
          title={`第 ${compared.version} 版与当前版本`}
          before={then}
          after={now}
          heads={[`第 ${compared.version} 版`, `第 ${versions[0]?.version} 版（当前）`]}
          footer={
            <>
              <Button onClick={() => setCompared(null)}>关闭</Button>
              <Button look={['primary']} onClick={() => void takeUp(compared)}>
                用这一版继续编辑
              </Button>
            </>
          }
          onClose={() => setCompared(null)}
        />
      )}
    </Card>
  )
}
