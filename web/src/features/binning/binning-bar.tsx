import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { labelOf } from '@convexa/contract/enums/table'
import { useState } from 'react'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox, Select } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FactorPicker } from '../builder/factor-picker.tsx'
import { RangeFields } from '../builder/range-fields.tsx'
import { type Factors, useFactors } from '../rule/factors.ts'
import styles from './binning.module.css'
import { factorName, isCategorical, isText, stepped, textFactors, useBinningForms, walkOf } from './binning-form.ts'

const binCounts = [3, 5, 8, 10, 20].map((value) => ({ value, label: String(value) }))
const days = [1, 5, 10, 20, 60].map((value) => ({ value, label: `${value} 日` }))
const periods = [1, 5, 10, 20].map((value) => ({ value, label: `${value} 日` }))

/** What is cut, into how many, and how far it is looked ahead. */
export function BinningBar({
  draft,
  factor,
  bins,
  running,
  seconds,
  mistaken,
  onFactor,
  onRun,
}: {
  draft: Draft
  factor: string
  bins: number
  running: boolean
  seconds: number | null
  mistaken: boolean
  onFactor: (factor: string) => void
  onRun: () => void
}) {
  const { id: kind } = useMarket()
  const { factors } = useFactors(kind)
  const form = useBinningForms((state) => state.forms[kind])
  const change = (part: Partial<typeof form>) => useBinningForms.getState().change(kind, part)
  const categorical = isCategorical(factor)
  return (
    <Card plain className="analysis-bar" label="分箱设置">
      <div className="analysis-fields">
        <FactorField factor={factor} factors={factors} onFactor={onFactor} />
        <div className="half">
          <span className="text-2">箱数</span>
          {categorical ? (
            <span className="text-3">按类别</span>
          ) : (
            <Select label="箱数" width={64} value={bins} choices={binCounts} onChange={(next) => change({ bins: next })} />
          )}
        </div>
        {!categorical && (
          <div className="half">
            <span className="text-2">分法</span>
            <Select
              label="分法"
              width={88}
              value={form.method}
              choices={[
                { value: 'quantile', label: '等数量' },
                { value: 'together', label: '同值同箱' },
                { value: 'value', label: '等间距' },
              ]}
              onChange={(method) => change({ method })}
            />
          </div>
        )}
        <div className="half">
          <span className="text-2">前瞻</span>
          <Select label="前瞻" width={72} value={form.forward} choices={days} onChange={(forward) => change({ forward })} />
        </div>
        <div className="half">
          <span className="text-2">调仓</span>
          <Select label="调仓" width={72} value={form.rebalance} choices={periods} onChange={(rebalance) => change({ rebalance })} />
        </div>
        <div>
          <span className="text-2">加权</span>
          <Select
            label="加权"
            width={88}
            value={form.weight}
            choices={[
              { value: 'equal', label: labelOf(holdWeights, 1) },
              { value: 'cap', label: labelOf(holdWeights, 3, kind) },
            ]}
            onChange={(weight) => change({ weight })}
          />
        </div>
        {!categorical && <SecondField factor={factor} second={form.second} factors={factors} onSecond={(second) => change({ second })} />}
        <RangeFields draft={draft} />
        <div>
          <Checkbox checked={form.filtered} onChange={(filtered) => change({ filtered })}>
            池子沿用策略条件
          </Checkbox>
        </div>
      </div>
      <div className="analysis-go">
        {seconds !== null && <span className="analysis-size">用时 {seconds.toFixed(1)} 秒</span>}
        <Button look={['primary']} icon="play" disabled={running || mistaken} onClick={onRun}>
          {running ? '正在计算…' : seconds === null ? '运行' : '重新运行'}
        </Button>
      </div>
    </Card>
  )
}

function FactorField({ factor, factors, onFactor }: { factor: string; factors: Factors; onFactor: (factor: string) => void }) {
  const [picking, setPicking] = useState(false)
  const walk = walkOf(factors)
  const step = (by: 1 | -1) => onFactor(stepped(walk, factor, by))
  return (
    <div className={styles.factorChoice}>
      <Select
        label="按什么分"
        width={96}
        value={isText(factor) ? factor : ''}
        choices={[{ value: '', label: '因子' }, ...Object.entries(textFactors).map(([value, label]) => ({ value, label }))]}
        onChange={(ref) => onFactor(ref === '' ? (walk[0] ?? 'close') : ref)}
      />
      {!isText(factor) && (
        <span className={styles.factor}>
          <Button
            look={['square']}
            icon="left"
            aria-label="上一个因子"
            title="上一个因子 ←"
            disabled={walk.length === 0}
            onClick={() => step(-1)}
          />
          <button type="button" className="field" title={factor} onClick={() => setPicking(true)}>
            <span>{factorName(factors, factor)}</span>
            <Icon name="down" size="small" />
          </button>
          <Button
            look={['square']}
            icon="right"
            aria-label="下一个因子"
            title="下一个因子 →"
            disabled={walk.length === 0}
            onClick={() => step(1)}
          />
        </span>
      )}
      {picking && (
        <FactorPicker
          title="选择要分箱的因子"
          factors={factors}
          onPick={(ref) => {
            setPicking(false)
            onFactor(ref)
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  )
}

function SecondField({
  factor,
  second,
  factors,
  onSecond,
}: {
  factor: string
  second: string | null
  factors: Factors
  onSecond: (second: string | null) => void
}) {
  const [picking, setPicking] = useState(false)
  return (
    <div>
      <span className="text-2">第二因子</span>
      <span className={styles.factor}>
        <button
          type="button"
          className="field"
          aria-label={`第二因子 ${second ? factors.nameOf(second) : '无'}`}
          onClick={() => setPicking(true)}
        >
          <span>{second ? factors.nameOf(second) : '无'}</span>
          <Icon name="down" size="small" />
        </button>
        {second && <Button look={['square', 'ghost']} icon="cross" aria-label="不用第二因子" onClick={() => onSecond(null)} />}
      </span>
      {picking && (
        <FactorPicker
          title="选择第二个因子"
          factors={factors}
          taken={[factor]}
          onPick={(ref) => {
            setPicking(false)
            onSecond(ref)
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  )
}
