import { operandsOf, operators } from '@convexa/contract/enums/operator'
import { choicesOf, labelOf } from '@convexa/contract/enums/table'
import type { FilterFactor, Operation } from '@convexa/contract/strategy'
import { useState } from 'react'
import { count } from '../../base/format.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Section } from '../../ui/section.tsx'
import { useFocusKept } from '../../ui/use-focus-kept.ts'
import { isFilled, newFilter, unfilled } from '../rule/draft.ts'
import { shownAs } from '../rule/factors.ts'
import styles from './builder.module.css'
import { type BuilderPart, mistakeAt } from './builder-part.ts'
import { ConditionExplain } from './condition-explain.tsx'
import { doubtfulValue } from './condition-sense.ts'
import { ConditionValue, isLong, wordedFactors } from './condition-value.tsx'
import { FactorPicker } from './factor-picker.tsx'
import { moved, RowHandle, useRowOrder } from './row-order.tsx'

const actions = [
  { value: 'exclude', label: '剔除' },
  { value: 'keep', label: '仅保留' },
] as const
const numericChoices = choicesOf(operators).filter(({ value }) => operandsOf(value) !== 'list')
/** The contract takes this many. */
const mostRows = 30

const wordedChoices = choicesOf(operators).filter(({ value }) => ['list', 'none'].includes(operandsOf(value)))
/** Operators that fit the factor, and the row's own. */
const operatorsFor = ({ factor_key: ref, operation }: FilterFactor) => {
  const fitting = ref in wordedFactors ? wordedChoices : numericChoices
  return fitting.some(({ value }) => value === operation)
    ? fitting
    : [...fitting, { value: operation, label: labelOf(operators, operation) }]
}

/** A condition on words: switched on once some are chosen. */
const worded = (ref: string) => ({ factor_key: ref, operation: 'in' as const, value: [] as string[], enable: false })

/** A value that fits the operation: the number typed before stays where it can. */
function valueFor(operation: Operation, before: FilterFactor['value']): FilterFactor['value'] {
  const number = typeof before === 'number' ? before : Array.isArray(before) && typeof before[0] === 'number' ? before[0] : unfilled
  if (operandsOf(operation) === 'range')
    return Array.isArray(before) && before.length === 2 ? (before as [number, number]) : [number, unfilled]
  if (operandsOf(operation) === 'share') return Number.isNaN(number) || (number > 0 && number < 1) ? number : 0.1
  return number
}

/** 3 条件剔除: rows on any factor, each with what it removed. */
export function ConditionList({ parameters, edit, factors, mistakes, counts }: BuilderPart) {
  const [picking, setPicking] = useState<number | 'new' | null>(null)
  const [explained, setExplained] = useState<number | null>(null)
  const rows = parameters.filter_factors
  const set = (next: FilterFactor[]) => edit((before) => ({ ...before, filter_factors: next }))
  const change = (index: number, part: Partial<FilterFactor>) => set(rows.map((row, i) => (i === index ? { ...row, ...part } : row)))
  const order = useRowOrder(rows.length, (from, to) => {
    setExplained(null)
    set(moved(rows, from, to))
  })
  const removed = counts && counts.afterRisk - counts.afterConditions
  useFocusKept(rows.length, '[data-adds="conditions"] button')
  const pick = (ref: string) => {
    if (picking === 'new') set([...rows, ref in wordedFactors ? { ...newFilter(ref), ...worded(ref) } : newFilter(ref)])
    else if (picking !== null) {
      const old = rows[picking]
      // 150 yuan says nothing about a premium: a value stays where its unit does.
      const same = old && !(old.factor_key in wordedFactors) && shownAs(factors.of(old.factor_key)).unit === shownAs(factors.of(ref)).unit
      change(
        picking,
        ref in wordedFactors ? worded(ref) : { factor_key: ref, ...(same ? {} : { value: unfilled, enable: false, operation: 'gt' }) },
      )
    }
    setPicking(null)
  }
  return (
    <Section
      name="builder.conditions"
      number={3}
      title="条件剔除"
      note="满足即剔除"
      result={removed === null ? null : count(-removed)}
      wrong={mistakes.some(({ place }) => place.startsWith('filters'))}
    >
      {rows.map((row, index) => {
        const mistake = mistakeAt(mistakes, `filters.${index}`)
        const name = factors.nameOf(row.factor_key)
        const doubt = mistake || !row.enable ? null : doubtfulValue(row, factors.of(row.factor_key))
        const look = [`${styles.line} ${styles.removable}`, !row.enable && styles.disabled, isLong(row, factors) && styles.long]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and hold no state of their own
          <div key={index} {...order.rowProps(index)}>
            <div className={look.filter(Boolean).join(' ')}>
              <RowHandle {...order.handleProps(index, name)} />
              <Checkbox checked={row.enable} label={`启用条件：${name}`} onChange={(enable) => change(index, { enable })} />
              <Select
                label="满足即剔除，或只保留满足的"
                width={row.action === 'keep' ? 66 : 54}
                value={row.action}
                choices={actions}
                onChange={(action) => change(index, { action })}
              />
              <button type="button" className={`field ${styles.factorButton}`} title={name} onClick={() => setPicking(index)}>
                <span>{name}</span>
              </button>
              <Select
                label="比较"
                width={74}
                value={row.operation}
                choices={operatorsFor(row)}
                onChange={(operation) =>
                  change(index, {
                    operation,
                    value: operandsOf(operation) === 'list' ? [] : valueFor(operation, row.value),
                    // 为空 needs no value: choosing it is all there is to give.
                    ...(operandsOf(operation) === 'none' && !isFilled(row) ? { enable: true } : {}),
                  })
                }
              />
              <ConditionValue
                row={row}
                name={name}
                factors={factors}
                invalid={mistake !== undefined}
                onChange={(value) => change(index, { value, ...(!isFilled(row) && isFilled({ ...row, value }) ? { enable: true } : {}) })}
              />
              <span className={styles.rowEnd}>
                <span className={styles.rowCount}>{countText(row.enable ? counts?.removed.get(`filter.${index}`) : undefined)}</span>
                <Menu
                  className={styles.rowMore}
                  align="right"
                  label={`条件「${name}」的更多操作`}
                  button={<Icon name="more" />}
                  choices={[
                    { label: explained === index ? '收起解释' : '解释', run: () => setExplained(explained === index ? null : index) },
                    { label: '更换因子', run: () => setPicking(index) },
                    {
                      label: '复制一条',
                      run: () => set([...rows.slice(0, index + 1), structuredClone(row), ...rows.slice(index + 1)]),
                      off: rows.length >= mostRows,
                    },
                    { label: '移除', run: () => set(rows.filter((_, i) => i !== index)) },
                  ]}
                />
              </span>
            </div>
            <FieldError>{mistake}</FieldError>
            {doubt && (
              <p className={styles.rowNotes}>
                <span className="warn">{doubt}</span>
              </p>
            )}
            {explained === index && <ConditionExplain row={row} factors={factors} />}
          </div>
        )
      })}
      <div className={styles.line} data-adds="conditions">
        <Button look={['ghost', 'plus', 'small']} icon="plus" onClick={() => setPicking('new')}>
          添加条件
        </Button>
        <span className="grow" />
        {counts && (
          <span className="size-12 text-2">
            剩余 <b className="strong">{count(counts.afterConditions)}</b> 只
          </span>
        )}
      </div>
      {picking !== null && (
        <FactorPicker
          title="选择条件因子"
          factors={factors}
          taken={rows.map((row) => row.factor_key)}
          onPick={pick}
          onClose={() => setPicking(null)}
        />
      )}
    </Section>
  )
}

const countText = (removed: number | undefined): string => (removed === undefined ? '' : count(-removed))
