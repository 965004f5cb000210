import type { FactorMeta } from '@convexa/contract/factor'
import { useMemo, useState } from 'react'
import { useMarket } from '../market/market-context.tsx'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldError } from '../ui/field-error.tsx'
import { percent } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { type Factors, formulaRef, refOf } from './factors.ts'
import { formulaMistake } from './formula-check.ts'
import './factor-picker.css'

const everything = '全部'
const errorId = 'formula-error'

/** A factor out of all there are, by category or by search; a family asks for its window; a formula may be written in place. */
export function FactorPicker({
  title,
  factors,
  taken = [],
  onPick,
  onClose,
}: {
  title: string
  factors: Factors
  /** What the list has already. */
  taken?: readonly string[]
  onPick: (ref: string) => void
  onClose: () => void
}) {
  const [search, setSearch] = useState('')
  const [category, setCategory] = useState(everything)
  const [windows, setWindows] = useState<Record<string, number>>({})
  const [formula, setFormula] = useState('')
  const { kind } = useMarket()
  const [checking, setChecking] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const takeFormula = async () => {
    const ref = formulaRef(formula)
    setChecking(true)
    const wrong = await formulaMistake(kind, ref)
    setChecking(false)
    setRefused(wrong)
    if (wrong === null) onPick(ref)
  }
  const words = search.trim().toLowerCase()
  const categories = useMemo(() => [everything, ...new Set(factors.list.map((factor) => factor.category))], [factors])
  const found = useMemo(
    () =>
      factors.list.filter(
        (factor) =>
          (words || category === everything || factor.category === category) &&
          (!words ||
            [factor.factor_key, factor.factor_name, factor.category, factor.description].some((text) =>
              text.toLowerCase().includes(words),
            )),
      ),
    [factors, words, category],
  )
  const refFor = (factor: FactorMeta) =>
    factor.window ? refOf(factor.factor_key, windows[factor.factor_key] ?? factor.window.default) : factor.factor_key
  return (
    <Dialog
      title={title}
      onClose={onClose}
      width={760}
      footer={
        <>
          {refused && <FieldError id={errorId}>{refused}</FieldError>}
          <span className={refused ? 'field formula-field invalid' : 'field formula-field'}>
            <span className="unit">公式</span>
            <input
              aria-label="公式"
              className="mono"
              placeholder="例如 close / ref(close, 5) - 1"
              value={formula}
              aria-invalid={refused !== null}
              aria-describedby={refused ? errorId : undefined}
              onChange={(event) => {
                setFormula(event.currentTarget.value)
                setRefused(null)
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.nativeEvent.isComposing && formula.trim() && !checking) void takeFormula()
              }}
            />
          </span>
          <Button disabled={formula.trim() === '' || checking} onClick={takeFormula}>
            {checking ? '正在检查…' : '使用公式'}
          </Button>
        </>
      }
    >
      <div className="picker">
        <div className="picker-search">
          <span className="field">
            <Icon name="search" />
            <input
              aria-label="搜索因子"
              placeholder="因子名称或英文键"
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              onKeyDown={(event) => {
                const first = found.find((factor) => factor.available)
                if (event.key === 'Enter' && !event.nativeEvent.isComposing && first) onPick(refFor(first))
              }}
            />
          </span>
          <span className="text-3 size-12">{found.length} 个</span>
        </div>
        <nav className="picker-categories" aria-label="因子分类">
          {categories.map((one) => (
            <button
              type="button"
              key={one}
              aria-current={!words && one === category ? 'true' : undefined}
              onClick={() => {
                setCategory(one)
                setSearch('')
              }}
            >
              {one}
            </button>
          ))}
        </nav>
        <ul className="picker-list">
          {found.map((factor) => (
            <li key={factor.factor_key} className={factor.available ? undefined : 'unavailable'}>
              <button type="button" className="picker-factor" disabled={!factor.available} onClick={() => onPick(refFor(factor))}>
                <span className="picker-name">
                  <b>
                    {factor.factor_name.replace('N', factor.window ? String(windows[factor.factor_key] ?? factor.window.default) : 'N')}
                  </b>
                  <code>{refFor(factor)}</code>
                  {taken.includes(refFor(factor)) && <span className="tag">已添加</span>}
                </span>
                <span className="picker-description">{factor.available ? factor.description : (factor.reason ?? '当前数据不支持')}</span>
              </button>
              {factor.window && factor.available && (
                <NumberField
                  label={`${factor.factor_name}的周期`}
                  unit="日"
                  width={64}
                  value={windows[factor.factor_key] ?? factor.window.default}
                  onChange={(value) => {
                    const { min, max } = factor.window ?? { min: 1, max: 500 }
                    if (value !== null && Number.isInteger(value) && value >= min && value <= max)
                      setWindows({ ...windows, [factor.factor_key]: value })
                  }}
                />
              )}
              <span className="picker-coverage" title="有值的证券占比">
                {factor.coverage === null ? '' : percent(factor.coverage, 0)}
              </span>
            </li>
          ))}
          {found.length === 0 && <li className="picker-none">{words ? `没有找到「${search.trim()}」` : '因子列表加载中…'}</li>}
        </ul>
      </div>
    </Dialog>
  )
}
