import { type MarketId, markets } from '@convexa/contract/enums/market'
import { Suspense, useState } from 'react'
import { useIsDemo } from '../../api/site.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.ts'
import type { Warned } from './clauses-drawer.tsx'
import styles from './warned-list.module.css'

const ClausesDrawer = lazyDialog(async () => (await import('./clauses-drawer.tsx')).ClausesDrawer)

/** What to know of securities before they are traded, one a line, with the way to the clauses that it comes from; nothing of none. */
export function WarnedList({ kind, title, warned }: { kind: MarketId; title: string; warned: readonly Warned[] }) {
  const [read, setRead] = useState<Warned | null>(null)
  const demo = useIsDemo(kind)
  if (warned.length === 0) return null
  return (
    <div className="alert quiet">
      <Icon name="warn" />
      <div className={styles.warnedList}>
        <b>{title}</b>
        <ul>
          {warned.map((one) => (
            <li key={one.code}>
              <span>
                {one.name}：{one.warnings.join('，')}
              </span>
              {markets[kind].redeemed && (
                <button type="button" className="link" aria-label={`看条款：${one.name}`} onClick={() => setRead(one)}>
                  看条款
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
      {read && (
        <Suspense>
          <ClausesDrawer kind={kind} security={read} demo={demo} onClose={() => setRead(null)} />
        </Suspense>
      )}
    </div>
  )
}
