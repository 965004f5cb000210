import type { MarketId } from '@convexa/contract/enums/market'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strategyDetailQuery } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { type ConfirmedList, listBefore, useConfirmedLists } from '../current-list/confirmed-lists.ts'
import { useChangedAfter } from '../rule/use-changed-after.ts'
import { useOpenInBuilder } from '../saving/open-in-builder.ts'
import { ListChangeDrawer } from './list-change-drawer.tsx'

/** 名单差异 of a saved strategy, against the list that was confirmed on this machine. */
export function StrategyChangeDrawer({ kind, id, name, onClose }: { kind: MarketId; id: string; name: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(strategyDetailQuery(kind, id))
  // As of the opening: confirming must not empty what is being read.
  const [confirmed] = useState(() => useConfirmedLists.getState().lists[id])
  const changedOn = useChangedAfter(kind, id, confirmed?.date ?? null)
  const open = useOpenInBuilder()
  if (!data)
    return (
      <Drawer title={`名单差异 · ${name}`} width={520} onClose={onClose}>
        {error ? <ErrorBlock error={error} onRetry={() => void refetch()} /> : <p className="note">正在读取策略…</p>}
      </Drawer>
    )
  return (
    <ListChangeDrawer
      kind={kind}
      name={name}
      parameters={data.detail}
      previous={data.glance ? listBefore(data.glance, confirmed) : (confirmed?.items ?? [])}
      since={confirmed?.date ?? null}
      changedOn={changedOn}
      footer={(now) => (
        <>
          <Button onClick={() => void open(kind, id)}>看完整名单</Button>
          <span className="grow" />
          <Button
            look={['primary']}
            disabled={!now}
            title="以后的差异与它相比；只记在这台设备上"
            onClick={() => {
              if (now) confirmList(id, name, { date: now.trade_date, items: now.list_items.filter(({ selected }) => selected) })
              onClose()
            }}
          >
            设为当前名单
          </Button>
        </>
      )}
      onClose={onClose}
    />
  )
}

export function confirmList(id: string, name: string, { date, items }: ConfirmedList): void {
  useConfirmedLists.getState().confirm(id, { date, items: items.map(({ code, name: one }) => ({ code, name: one })) })
  toast.done(`「${name}」的当前名单已设为 ${date} 的 ${items.length} 只`)
}
