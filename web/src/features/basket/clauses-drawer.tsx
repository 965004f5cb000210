import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import type { SecurityFactors } from '@convexa/contract/factor'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { retryLate } from '../../api/query-cache.ts'
import { useSite } from '../../api/site.ts'
import { StateBody } from '../../ui/card-state.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import { useFactors } from '../rule/factors.ts'
import styles from '../security/security-drawer.module.css'
import { Announcements, ClauseFacts } from '../security/security-facts.tsx'

/** What is warned of: a security by its code, and in which words. */
export interface Warned {
  code: string
  name: string
  warnings: readonly string[]
}

/** The clauses of one bond over the plan that warns of them, and the way to its announcements. */
export function ClausesDrawer({
  kind,
  security: { code, name, warnings },
  demo,
  onClose,
}: {
  kind: MarketId
  security: Warned
  demo: boolean
  onClose: () => void
}) {
  const { factors, query: known } = useFactors(kind)
  const version = useSite().data_version[kind]
  const { data, error, refetch } = useQuery({
    queryKey: ['security-clauses', kind, version, code],
    queryFn: async ({ signal }) => (await call(calls[kind].factors, { params: { id: code } }, { signal })) as SecurityFactors,
    retry: retryLate,
  })
  const failed = error ?? known.error
  return (
    <Drawer
      width={440}
      title={name}
      note={
        <>
          <span className="mono">{code}</span>
          {data && ` · ${data.trade_date}`}
        </>
      }
      tools={demo && <DemoBadge />}
      onClose={onClose}
    >
      <div className={styles.drawer}>
        <p className="note">{warnings.join('，')}</p>
        {failed && <ErrorBlock error={failed} onRetry={() => void Promise.all([refetch(), known.refetch()])} />}
        {!failed && !(data && known.data) && <StateBody state={{ kind: 'loading', rows: 8 }} />}
        {data && <ClauseFacts values={data.values} factors={factors} />}
        <Announcements code={code} name={name} demo={demo} />
      </div>
    </Drawer>
  )
}
