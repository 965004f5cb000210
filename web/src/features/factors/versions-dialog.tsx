import type { MarketId } from '@convexa/contract/enums/market'
import { useQuery } from '@tanstack/react-query'
import { dateTime } from '../../base/dates.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import styles from './customized-factors.module.css'
import { versionsQuery } from './factor-queries.ts'

/** The formulas that a factor has had; any of them can be taken up again. */
export function VersionsDialog({
  kind,
  id,
  name,
  onTake,
  onClose,
}: {
  kind: MarketId
  id: string
  name: string
  onTake: (formula: string) => void
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery(versionsQuery(kind, id))
  return (
    <Dialog title={`${name} · 历次公式`} width={560} onClose={onClose}>
      {error && <ErrorBlock error={error} onRetry={() => refetch()} />}
      {!data && !error && <p className="note">加载中…</p>}
      {data && (
        <>
          <p className="note">改名和改说明不产生新版本。每次回测都记着当时用的版本。</p>
          <ol className={styles.versions}>
            {data.list_items.map(({ version, formula, created_at }, i) => (
              <li key={version}>
                <header>
                  <b>第 {version} 版</b>
                  <span className="text-3">{dateTime(created_at)}</span>
                  {i === 0 && <span className="badge">当前</span>}
                  <span className="grow" />
                  <Button
                    look={['small']}
                    onClick={() => {
                      onTake(formula)
                      onClose()
                    }}
                  >
                    载入编辑器
                  </Button>
                </header>
                <pre>{formula}</pre>
              </li>
            ))}
          </ol>
        </>
      )}
    </Dialog>
  )
}
