import type { FactorMeta } from '@convexa/contract/factor'
import { useEffect, useMemo, useRef, useState } from 'react'
import { isComposing } from '../../base/composing.ts'
import { percent } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Button } from '../../ui/button.tsx'
import { NumberField } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { StarButton } from '../../ui/form/star-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { type Factors, formulaRef, refOf, shownAs } from '../rule/factors.ts'
import { useBlockColumns } from './cross-section.ts'
import { useFavourites } from './factor-favourites.ts'
import styles from './factor-picker-dialog.module.css'
import { factorSearch, windowTyped } from './factor-search.ts'
import { FactorSpread } from './factor-spread.tsx'
import { formulaMistake } from './formula-check.ts'

const everything = '全部'
const favourites = '★ 收藏'
/** Spreads are shown of the first so many: nobody reads further without searching. */
const spreadAtMost = 40

const errorId = 'formula-error'

export interface PickerProps {
  title: string
  factors: Factors
  /** What the list has already. */
  taken?: readonly string[]
  onPick: (ref: string) => void
  onClose: () => void
}

/** A factor out of all there are, by category or by search; a family asks for its window; a formula may be written in place. */
export function FactorPickerDialog({ title, factors, taken = [], onPick, onClose }: PickerProps) {
  const [search, setSearch] = useState('')
  const [category, setCategory] = useState(everything)
  const [windows, setWindows] = useState<Record<string, number>>({})
  const [formula, setFormula] = useState('')
  const { id: kind } = useMarket()
  const [checking, setChecking] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const check = useRef<AbortController | null>(null)
  const giveUp = () => {
    check.current?.abort()
    check.current = null
  }
  useEffect(() => () => check.current?.abort(), [])
  const takeFormula = async () => {
    const ref = formulaRef(formula)
    const mine = new AbortController()
    check.current = mine
    setChecking(true)
    const wrong = await formulaMistake(kind, ref, mine.signal)
    // Closed, or written on: what it was asked for is not wanted any more, and the list that it would go to may be another by now.
    if (mine.signal.aborted) return
    setChecking(false)
    setRefused(wrong)
    if (wrong === null) onPick(ref)
  }
  const words = search.trim()
  const { keys: starred, toggle } = useFavourites()
  const categories = useMemo(() => [everything, favourites, ...new Set(factors.list.map((factor) => factor.category))], [factors])
  const matching = useMemo(() => factorSearch(factors.list), [factors])
  const found = useMemo(() => {
    if (words) return matching(words)
    if (category === everything) return factors.list
    return factors.list.filter((factor) => (category === favourites ? starred.includes(factor.factor_key) : factor.category === category))
  }, [factors, matching, words, category, starred])
  const list = useMemo(
    () => factors.list.filter(({ available, window }) => available && !window).map(({ factor_key }) => factor_key),
    [factors],
  )
  const inView = found.filter(({ available, window }) => available && !window).slice(0, spreadAtMost)
  const columns = useBlockColumns(
    kind,
    list,
    inView.map(({ factor_key }) => factor_key),
  )
  const typed = windowTyped(words)
  /** As it was set, else as it was searched for: 20 of `20日涨幅`. */
  const windowOf = ({ factor_key: key, window }: FactorMeta): number | null => {
    if (!window) return null
    return windows[key] ?? (typed !== null && typed >= window.min && typed <= window.max ? typed : window.default)
  }
  const refFor = (factor: FactorMeta) => {
    const window = windowOf(factor)
    return window === null ? factor.factor_key : refOf(factor.factor_key, window)
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      width={760}
      footer={
        <>
          {refused && <FieldError id={errorId}>{refused}</FieldError>}
          <span className={`field ${styles.formula}${refused ? ' invalid' : ''}`}>
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
                giveUp()
                setChecking(false)
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !isComposing(event.nativeEvent) && formula.trim() && !checking) {
                  event.preventDefault()
                  void takeFormula()
                }
              }}
            />
          </span>
          <Button disabled={formula.trim() === '' || checking} onClick={takeFormula}>
            {checking ? '正在检查…' : '使用公式'}
          </Button>
        </>
      }
    >
      <div className={styles.picker}>
        <Row gap={12} className={styles.search}>
          <span className="field">
            <Icon name="search" />
            <input
              aria-label="搜索因子"
              placeholder="名称、拼音首字母或英文键"
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              onKeyDown={(event) => {
                const first = found.find((factor) => factor.available)
                if (event.key !== 'Enter' || isComposing(event.nativeEvent) || !first) return
                // The focus goes back to the button that opened this: the same press would open it again.
                event.preventDefault()
                onPick(refFor(first))
              }}
            />
          </span>
          <span className="text-3 size-12">{found.length} 个</span>
        </Row>
        <Stack as="nav" className={styles.categories} aria-label="因子分类">
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
        </Stack>
        <ul className={styles.list}>
          {found.map((factor) => (
            <li key={factor.factor_key} className={factor.available ? undefined : styles.unavailable}>
              <StarButton on={starred.includes(factor.factor_key)} name={factor.factor_name} onChange={() => toggle(factor.factor_key)} />
              <button type="button" className={styles.factor} disabled={!factor.available} onClick={() => onPick(refFor(factor))}>
                <Row as="span" gap={8} align="baseline" className={styles.name}>
                  <b>{factor.factor_name.replace('N', String(windowOf(factor) ?? 'N'))}</b>
                  <code>{refFor(factor)}</code>
                  {shownAs(factor).unit && <span className="text-3 size-12">{shownAs(factor).unit}</span>}
                  {taken.includes(refFor(factor)) && <span className="tag">已添加</span>}
                </Row>
                <span className={`${styles.description} ellipsis`} title={factor.description}>
                  {factor.available ? factor.description : (factor.reason ?? '当前数据不支持')}
                </span>
              </button>
              {factor.window && factor.available && (
                <NumberField
                  label={`${factor.factor_name}的周期`}
                  unit="日"
                  width={64}
                  value={windowOf(factor)}
                  onChange={(value) => {
                    const { min, max } = factor.window ?? { min: 1, max: 500 }
                    if (value !== null && Number.isInteger(value) && value >= min && value <= max)
                      setWindows({ ...windows, [factor.factor_key]: value })
                  }}
                />
              )}
              {factor.available && !factor.window && <FactorSpread factor={factor} column={columns.get(factor.factor_key)} />}
              <span className={styles.coverage} title="有值的证券占比">
                {factor.coverage === null ? '' : percent(factor.coverage, 0)}
              </span>
            </li>
          ))}
          {found.length === 0 && (
            <li className={styles.none}>
              {words
                ? `没有找到「${words}」。换个说法，或在左边按分类找`
                : category === favourites
                  ? '点因子前的 ☆ 收藏，常用的会列在这里'
                  : '因子列表加载中…'}
            </li>
          )}
        </ul>
      </div>
    </Dialog>
  )
}
