import { useState } from 'react'
import { useMarket } from '../../market/market-context.tsx'
import { Checkbox, NumberField } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Section } from '../../ui/section.tsx'
import { type BuilderPart, mistakeAt } from './builder-part.ts'
import { CodesDialog } from './codes-dialog.tsx'

/** 1 范围: boards, one issuer once, the blacklist. */
export function UniverseForm({ parameters, edit, mistakes, counts }: BuilderPart) {
  const market = useMarket()
  const [editing, setEditing] = useState(false)
  const { universe } = parameters
  const change = (part: Partial<typeof universe>) => edit((before) => ({ ...before, universe: { ...before.universe, ...part } }))
  const all = market.boards.map(({ value }) => value)
  const chosen = new Set<string>(universe.markets.length === 0 ? all : universe.markets)
  const toggle = (board: (typeof all)[number], on: boolean) => {
    const next = all.filter((one) => (one === board ? on : chosen.has(one)))
    // None chosen says the same as all: the last one stays.
    if (next.length > 0) change({ markets: next.length === all.length ? [] : next })
  }
  const setIssuer = (value: number | null) =>
    edit((before) => {
      const { max_per_issuer: _, ...rest } = before.universe
      return { ...before, universe: value === null ? rest : { ...rest, max_per_issuer: value } }
    })
  const mistake = mistakeAt(mistakes, 'universe.max_per_issuer')
  const limited = universe.max_per_issuer !== undefined
  return (
    <Section name="builder.universe" number={1} title="范围" result={counts && `${counts.all} 只`} wrong={mistake !== undefined}>
      <div className="builder-line spread">
        {market.boards.map(({ value, label }) => (
          <Checkbox key={value} checked={chosen.has(value)} onChange={(on) => toggle(value, on)}>
            {label}
          </Checkbox>
        ))}
      </div>
      <div className="builder-line">
        {market.redeemed && (
          <>
            <Checkbox checked={limited} onChange={(on) => setIssuer(on ? 1 : null)}>
              同一正股最多
            </Checkbox>
            <NumberField
              label="同一正股最多"
              value={universe.max_per_issuer ?? null}
              onChange={setIssuer}
              invalid={mistake !== undefined}
              placeholder="不限"
            />
            <span className="text-2">只</span>
          </>
        )}
        <span className="grow" />
        <span className="text-2">黑名单 {universe.exclude_codes.length} 只</span>
        <button type="button" className="link size-12" onClick={() => setEditing(true)}>
          编辑
        </button>
      </div>
      <FieldError>{mistake}</FieldError>
      {editing && (
        <CodesDialog
          title="黑名单"
          codes={universe.exclude_codes}
          onClose={() => setEditing(false)}
          onSave={(codes) => {
            change({ exclude_codes: codes })
            setEditing(false)
          }}
        />
      )}
    </Section>
  )
}
