import { shortTime } from '../../base/dates.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Listed } from '../current-list/confirmed-lists.ts'
import { useOpenInBuilder } from '../saving/open-in-builder.ts'
import { confirmList } from '../screen/strategy-change-drawer.tsx'
import { useDifference } from '../strategy/glance-cells.tsx'
import type { OwnStrategy } from './todos.ts'
import './difference-card.css'

/** So many lines of each side; the drawer has them all. */
const most = 6

/**
 * 名单差异 of one strategy, as its glance says: securities that leave and that come. The reasons need two screens, one of which counts as a
 * use of the day, so that they are computed in the drawer and only when asked for: opening the home page costs nothing.
 */
export function DifferenceCard({ strategy, onMore }: { strategy: OwnStrategy; onMore: () => void }) {
  const { kind, id, strategy_name: name, glance } = strategy
  const difference = useDifference(id, glance)
  const open = useOpenInBuilder()
  if (!glance || !difference) return null
  const { added, removed, kept } = difference
  const against = difference.since ? `与 ${shortTime(difference.since)} 已确认的名单相比` : '与前一交易日的名单相比'
  return (
    <Card
      title="名单差异"
      note={`${name} · ${against} · 重合 ${kept}/${glance.list_items.length}`}
      tools={
        <>
          <Button look={['small']} title="重新计算两天的名单，计入今日的历史筛选次数" onClick={onMore}>
            查看原因
          </Button>
          <Button look={['small']} onClick={() => void open(kind, id)}>
            看完整名单
          </Button>
          <Button
            look={['small']}
            title="以后的差异与它相比；只记在这台设备上"
            onClick={() => confirmList(id, name, { date: glance.as_of, items: glance.list_items })}
          >
            设为当前名单
          </Button>
        </>
      }
      bare
    >
      <div className="difference-sides">
        <Side title="移出" sign="minus" items={removed} none="没有移出" onMore={onMore} />
        <Side title="新进" sign="plus" items={added} none="没有新进" onMore={onMore} />
      </div>
    </Card>
  )
}

function Side({
  title,
  sign,
  items,
  none,
  onMore,
}: {
  title: string
  sign: 'plus' | 'minus'
  items: readonly Listed[]
  none: string
  onMore: () => void
}) {
  return (
    <div className={sign}>
      <h3>
        {title} {items.length}
      </h3>
      {items.length === 0 && <p className="text-3">{none}</p>}
      <ul>
        {items.slice(0, most).map(({ code, name }) => (
          <li key={code}>
            <Icon name={sign} size="small" />
            <b>{name}</b>
            <span className="mono">{code}</span>
          </li>
        ))}
      </ul>
      {items.length > most && (
        <button type="button" className="link size-12" onClick={onMore}>
          还有 {items.length - most} 只
        </button>
      )}
    </div>
  )
}
