import { useQuery } from '@tanstack/react-query'
import { strategyDetailQuery } from '../api/queries.ts'
import type { ListChange } from '../quant/screen/list-change.ts'
import { useListChange } from '../quant/screen/use-list-change.ts'
import { listBefore, useConfirmedLists } from '../strategy/confirmed-lists.ts'
import { useDifference } from '../strategy/glance-cells.tsx'
import { useOpenInBuilder } from '../strategy/open-in-builder.ts'
import { confirmList } from '../strategy/strategy-change-drawer.tsx'
import { useChangedAfter } from '../strategy/use-changed-after.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { shortTime } from '../ui/dates.ts'
import { Icon } from '../ui/icon.tsx'
import type { OwnStrategy } from './todos.ts'
import './difference-card.css'

/** So many lines of each side; the drawer has them all. */
const most = 6

/** 名单差异 of one strategy: who leaves and who comes, with the reason as soon as it is computed. */
export function DifferenceCard({ strategy, onMore }: { strategy: OwnStrategy; onMore: () => void }) {
  const { kind, id, strategy_name: name, glance } = strategy
  const confirmed = useConfirmedLists(({ lists }) => lists[id])
  const difference = useDifference(id, glance)
  const { data } = useQuery(strategyDetailQuery(kind, id))
  const previous = glance ? listBefore(glance, confirmed) : []
  const since = confirmed?.date ?? null
  const changedOn = useChangedAfter(kind, id, since)
  const { result, changes, error, retry } = useListChange(kind, data?.detail ?? null, previous, since, changedOn)
  const open = useOpenInBuilder()
  if (!glance || !difference) return null
  const guess = (way: 'new' | 'out') =>
    (way === 'new' ? difference.added : difference.removed).map(
      (one): ListChange => ({ ...one, way, rank: null, rankBefore: null, why: '' }),
    )
  const left = result ? changes.filter(({ way }) => way !== 'new') : guess('out')
  const come = result ? changes.filter(({ way }) => way === 'new') : guess('new')
  const against = difference.since ? `与 ${shortTime(difference.since)} 已确认的名单相比` : '与前一交易日的名单相比'
  const size = result?.selected ?? glance.list_items.length
  return (
    <Card
      title="名单差异"
      note={`${name} · ${against} · 重合 ${size - come.length}/${size}`}
      tools={
        <>
          <Button look={['small']} onClick={() => void open(kind, id)}>
            看完整名单
          </Button>
          <Button
            look={['small']}
            disabled={!result}
            title="以后的差异与它相比；只记在这台设备上"
            onClick={() => result && confirmList(id, name, result)}
          >
            设为当前名单
          </Button>
        </>
      }
      {...(error && { state: { kind: 'error', error, still: '策略与概览不受影响。', onRetry: retry } })}
      bare
    >
      <div className="difference-sides">
        <Side title="移出" sign="minus" changes={left} none="没有移出" onMore={onMore} />
        <Side title="新进" sign="plus" changes={come} none="没有新进" onMore={onMore} />
      </div>
    </Card>
  )
}

function Side({
  title,
  sign,
  changes,
  none,
  onMore,
}: {
  title: string
  sign: 'plus' | 'minus'
  changes: readonly ListChange[]
  none: string
  onMore: () => void
}) {
  return (
    <div className={sign}>
      <h3>
        {title} {changes.length}
      </h3>
      {changes.length === 0 && <p className="text-3">{none}</p>}
      <ul>
        {changes.slice(0, most).map(({ code, name, why }) => (
          <li key={code}>
            <Icon name={sign} size="small" />
            <b>{name}</b>
            <span className="mono">{code}</span>
            <span className="difference-why" title={why}>
              {why || <span className="skeleton" style={{ width: 120 }} />}
            </span>
          </li>
        ))}
      </ul>
      {changes.length > most && (
        <button type="button" className="link size-12" onClick={onMore}>
          还有 {changes.length - most} 只
        </button>
      )}
    </div>
  )
}
