import { boards } from '@convexa/contract/enums/board'
import { ruleForms } from '@convexa/contract/enums/rule-forms'
import { labelOf } from '@convexa/contract/enums/table'
import { ruleLabels } from '@convexa/contract/rule-labels'
import { Suspense, useState } from 'react'
import { count } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Checkbox, NumberField } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { MultiSelect } from '../../ui/form/multi-select.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.ts'
import { Section } from '../../ui/section.tsx'
import type { Factors } from '../rule/factors.ts'
import styles from './builder.module.css'
import { type BuilderPart, mistakeAt } from './builder-part.ts'

// Opened by few and rarely: its code comes when it is asked for.
const CodesDialog = lazyDialog(async () => (await import('./codes-dialog.tsx')).CodesDialog)

/** The two lists of a universe, and what an empty one means. */
const lists = {
  include_codes: { title: '只看这些代码', note: '还没有证券。选了以后只在这些代码里筛选，其余条件照常生效；清空就是不限。' },
  exclude_codes: { title: '黑名单', note: '还没有证券。名单里的证券不参与选择，已持有的会在下一次轮动卖出。' },
} as const

/** Indices whose members the data know, day by day. */
const indicesOf = ({ list }: Factors) =>
  list.flatMap(({ factor_key: key, factor_name: name, available }) => {
    const code = /^index_member_(\w+)$/.exec(key)?.[1]
    return code && available ? [{ value: code, label: name.replace(/成分$/, '') }] : []
  })

/** 1 范围: boards, indices, one issuer once, the only ones, the blacklist. */
export function UniverseForm({ parameters, edit, factors, mistakes, counts }: BuilderPart) {
  const market = useMarket()
  const [editing, setEditing] = useState<keyof typeof lists | null>(null)
  const { universe } = parameters
  const change = (part: Partial<typeof universe>) => edit((before) => ({ ...before, universe: { ...before.universe, ...part } }))
  const drop = (key: 'max_per_issuer' | 'include_codes' | 'index_codes') =>
    edit((before) => {
      const { [key]: _, ...rest } = before.universe
      return { ...before, universe: rest }
    })
  const all = ruleForms[market.id].boards
  const chosen = new Set<string>(universe.markets.length === 0 ? all : universe.markets)
  const toggle = (board: (typeof all)[number], on: boolean) => {
    const next = all.filter((one) => (one === board ? on : chosen.has(one)))
    // None chosen says the same as all: the last one stays.
    if (next.length > 0) change({ markets: next.length === all.length ? [] : next })
  }
  const setIssuer = (value: number | null) => (value === null ? drop('max_per_issuer') : change({ max_per_issuer: value }))
  const setOnly = (codes: string[]) => (codes.length === 0 ? drop('include_codes') : change({ include_codes: codes }))
  const setIndices = (codes: string[]) => (codes.length === 0 ? drop('index_codes') : change({ index_codes: codes }))
  const mistake = mistakeAt(mistakes, 'universe.max_per_issuer')
  const limited = universe.max_per_issuer !== undefined
  const indices = indicesOf(factors)
  const only = universe.include_codes ?? []
  return (
    <Section name="builder.universe" number={1} title="范围" result={counts && `${count(counts.all)} 只`} wrong={mistake !== undefined}>
      <div className={`${styles.line} ${styles.spread}`}>
        {all.map((value) => (
          <Checkbox key={value} checked={chosen.has(value)} onChange={(on) => toggle(value, on)}>
            {labelOf(boards, value)}
          </Checkbox>
        ))}
      </div>
      <div className={styles.line}>
        {market.redeemed && (
          <>
            <Checkbox checked={limited} onChange={(on) => setIssuer(on ? 1 : null)}>
              {ruleLabels.max_per_issuer}
            </Checkbox>
            <NumberField
              label={ruleLabels.max_per_issuer}
              value={universe.max_per_issuer ?? null}
              onChange={setIssuer}
              invalid={mistake !== undefined}
              placeholder="不限"
            />
            <span className="text-2">只</span>
          </>
        )}
        {indices.length > 0 && (
          <>
            <span className="text-2">{ruleLabels.index_codes}</span>
            <MultiSelect
              label={ruleLabels.index_codes}
              width={104}
              value={universe.index_codes ?? []}
              options={indices}
              placeholder="不限"
              onChange={setIndices}
            />
          </>
        )}
        <span className="grow" />
        <span className={styles.universeLists}>
          {only.length === 0 && (
            <button type="button" className="link size-12" onClick={() => setEditing('include_codes')}>
              只看代码
            </button>
          )}
          <span className="text-2">黑名单 {universe.exclude_codes.length} 只</span>
          <button type="button" className="link size-12" aria-label="编辑黑名单" onClick={() => setEditing('exclude_codes')}>
            编辑
          </button>
        </span>
      </div>
      {only.length > 0 && (
        <div className={styles.line}>
          <span className="text-2">
            只看这些代码 <b className="strong">{only.length}</b> 只
          </span>
          <span className="grow" />
          <button type="button" className="link size-12" aria-label="编辑只看的代码" onClick={() => setEditing('include_codes')}>
            编辑
          </button>
          <button type="button" className="link size-12" onClick={() => setOnly([])}>
            不限
          </button>
        </div>
      )}
      <FieldError>{mistake}</FieldError>
      {editing && (
        <Suspense>
          <CodesDialog
            {...lists[editing]}
            codes={universe[editing] ?? []}
            onClose={() => setEditing(null)}
            onSave={(codes) => {
              if (editing === 'include_codes') setOnly(codes)
              else change({ exclude_codes: codes })
              setEditing(null)
            }}
          />
        </Suspense>
      )}
    </Section>
  )
}
