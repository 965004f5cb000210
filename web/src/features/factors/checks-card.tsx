import type { MarketId } from '@convexa/contract/enums/market'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { securitiesQuery } from '../../api/queries.ts'
import { duration } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import type { CardState } from '../../ui/card-state.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import type { TermKey } from '../help/glossary.ts'
import { Term } from '../help/term.tsx'
import styles from './checks-card.module.css'
import { type CheckLine, checksOf, type FactorRun } from './run-model.ts'

const icons: Record<CheckLine['level'], IconName> = { ok: 'check', info: 'info', warn: 'warn' }
const words: Record<CheckLine['level'], string> = { ok: '通过', info: '说明', warn: '提醒' }
const terms: Partial<Record<CheckLine['key'], TermKey>> = { coverage: 'coverage', lookahead: 'lookahead', units: 'unit' }

/** What is worth knowing before one uses a factor. */
export function ChecksCard({
  kind,
  run,
  state,
  stale,
  remarks,
  nameOf,
}: {
  kind: MarketId
  run: FactorRun | null
  state: CardState
  stale: boolean
  remarks: number
  nameOf: (ref: string) => string
}) {
  const [missing, setMissing] = useState(false)
  return (
    <Card title="检查" note={run ? `用时 ${duration(run.elapsed / 1000)}` : undefined} state={state} bare>
      {run && (
        <ul className={stale ? `${styles.checks} stale` : styles.checks}>
          {checksOf(run, remarks, nameOf).map(({ key, level, label, value }) => {
            const term = terms[key]
            return (
              <li key={key} className={styles[level]}>
                <Icon name={icons[level]} />
                <span className="hidden-text">{words[level]}：</span>
                <span>
                  {term ? <Term k={term}>{label}</Term> : label}
                  {key === 'missing' && run.probe.missing.length > 0 && (
                    <button type="button" className="link" onClick={() => setMissing(true)}>
                      看名单
                    </button>
                  )}
                </span>
                <b>{value}</b>
              </li>
            )
          })}
        </ul>
      )}
      {missing && run && (
        <MissingDialog kind={kind} codes={run.probe.missing} date={run.probe.trade_date} onClose={() => setMissing(false)} />
      )}
    </Card>
  )
}

/** Securities without a value, by name. */
function MissingDialog({ kind, codes, date, onClose }: { kind: MarketId; codes: readonly string[]; date: string; onClose: () => void }) {
  const { data } = useQuery(securitiesQuery(kind))
  const names = new Map((data ?? []).map(({ code, name }) => [code, name]))
  return (
    <Dialog title={`没有值的证券 · ${date}`} width={480} onClose={onClose}>
      <p className="note">常见原因：上市天数不够一个周期、停牌、财报还没有公布、除数为 0。缺失的证券默认不参与打分。</p>
      <ul className={styles.missingCodes}>
        {codes.map((code) => (
          <li key={code}>
            {names.get(code) ?? code}
            <span className="mono text-3">{code}</span>
          </li>
        ))}
      </ul>
      {codes.length >= 500 && <p className="note">只列出前 500 只。</p>}
    </Dialog>
  )
}
