import { callStatuses } from '@convexa/contract/enums/call-status'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import { labelOf } from '@convexa/contract/enums/table'
import { ruleLabels } from '@convexa/contract/rule-labels'
import type { StrategyDetail } from '@convexa/contract/saved-strategy'
import { useState } from 'react'
import { plain } from '../../../base/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Row } from '../../../ui/layout.tsx'
import { copyText } from '../../../ui/table/sheet.ts'
import { toast } from '../../../ui/toast.tsx'
import { useFactors } from '../../rule/factors.ts'
import { filterText, summaryOf } from '../../rule/summary.ts'
import { exported } from '../strategy-changes.ts'
import styles from './detail.module.css'

/** 规则: the sentence, then what is excluded and what is scored; own factors that have changed since are named. */
export function RuleCard({ kind, strategy }: { kind: MarketId; strategy: StrategyDetail }) {
  const { detail, settings, own_factors: own } = strategy
  const { factors } = useFactors(kind)
  const [json, setJson] = useState(false)
  const { exclude } = detail
  const risks = [
    ...(exclude.call_status ?? []).map((status) => labelOf(callStatuses, status)),
    exclude.st ? 'ST 或 *ST' : '',
    exclude.suspended ? '停牌' : '',
    exclude.list_days > 0 ? `上市 ${exclude.list_days} 天以内` : '',
    exclude.ratings_below ? `评级低于 ${exclude.ratings_below}` : '',
  ].filter(Boolean)
  const filters = detail.filter_factors.filter(({ enable }) => enable)
  const changed = own.filter(({ saved_version: saved, version }) => version !== saved)
  return (
    <Card
      title="规则"
      note={`第 ${strategy.version} 版`}
      tools={
        <Button look={['small', 'ghost']} onClick={() => setJson(true)}>
          查看 JSON
        </Button>
      }
    >
      <div className={styles.ruleCard}>
        <p className={styles.ruleSentence}>
          {summaryOf(detail, settings ?? null, factors, null, markets[kind]).map((piece, i) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one sentence, in their order
            typeof piece === 'string' ? piece : <b key={i}>{piece.strong}</b>,
          )}
        </p>
        {changed.map(({ factor_key: key, factor_name: name, saved_version: saved, version }) => (
          <Row as="p" gap={6} align="stretch" key={key} className={`${styles.ruleChanged} warn`}>
            <Icon name="warn" size="middle" />
            {version === null
              ? // Its name has gone with it.
                `规则中的一个自定义因子（编号 ${key}）已删除，规则不能再运行`
              : `自定义因子「${name}」已更新：保存时第 ${saved} 版，现在第 ${version} 版，结果可能不同`}
          </Row>
        ))}
        {strategy.kept_meanings.map((sentence) => (
          <Row as="p" gap={6} align="stretch" key={sentence} className={`${styles.ruleChanged} warn`}>
            <Icon name="warn" size="middle" />
            {sentence}
          </Row>
        ))}
        <dl>
          <dt>{ruleLabels.exclude}</dt>
          <dd>{risks.join('、') || '无'}</dd>
          <dt>条件</dt>
          <dd>
            {filters.length === 0
              ? '无'
              : filters.map((row) => (
                  <span key={`${row.factor_key} ${row.operation}`}>
                    {row.action === 'keep' ? '仅保留' : '剔除'} {filterText(row, factors)}
                  </span>
                ))}
          </dd>
          <dt>打分</dt>
          <dd>
            {detail.rank_factors
              .filter(({ enable, weight }) => enable && weight > 0)
              .map((row) => (
                <span key={row.factor_key}>
                  {factors.nameOf(row.factor_key)}，{row.prefer === 'small' ? '越小越好' : '越大越好'}，权重 {plain(row.weight)}
                </span>
              ))}
          </dd>
        </dl>
      </div>
      {json && <JsonDialog text={JSON.stringify(exported(strategy, kind), null, 2)} onClose={() => setJson(false)} />}
    </Card>
  )
}

const JsonDialog = ({ text, onClose }: { text: string; onClose: () => void }) => (
  <Dialog
    title="参数 JSON"
    width={640}
    onClose={onClose}
    footer={
      <>
        <Button onClick={onClose}>关闭</Button>
        <Button
          look={['primary']}
          onClick={async () => {
            if (await copyText(text)) toast.done('已复制参数 JSON，可在编辑器里粘贴导入')
            else toast.error('浏览器不允许复制')
          }}
        >
          复制
        </Button>
      </>
    }
  >
    <pre className={`${styles.ruleJson} mono`}>{text}</pre>
  </Dialog>
)
