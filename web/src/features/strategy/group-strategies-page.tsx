import { defaultMarketId, type MarketId, marketIds } from '@convexa/contract/enums/market'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { strategyListQuery } from '../../api/queries.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { nothing, type Selection } from '../../ui/grid/selection.ts'
import { Page, Row } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { Empty, ErrorBlock } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { SelectionBar } from '../../ui/table/selection-bar.tsx'
import { Footer } from '../legal/footer.tsx'
import { comparePath, fewestCompared, groupPath, mostCompared } from '../rule/addresses.ts'
import { groupsQuery } from '../rule/strategy-queries.ts'
import { groupColumns } from './group/group-columns.tsx'
import { draftOfGroup, type GroupDraft, GroupDrawer, newGroup } from './group/group-drawer.tsx'
import { GroupMenu } from './group/group-menu.tsx'
import { countsByMarket } from './list-counts.ts'
import { MarketTabs } from './market-tabs.tsx'
import styles from './strategies.module.css'
import { useListAddress } from './use-list-address.ts'
import './group/group.module.css'

/** 策略组: several strategies of a market with shares of the capital. */
export function GroupStrategiesPage() {
  const { kind, query, set } = useListAddress()
  const { data, error, refetch, isPending } = useQuery(groupsQuery(kind))
  const counts = useQueries({ queries: marketIds.map((one) => groupsQuery(one)), combine: countsByMarket })
  const strategies = useQuery(strategyListQuery(kind))
  const [edited, setEdited] = useState<GroupDraft | null>(null)
  const [selection, setSelection] = useState<Selection>(nothing)
  const navigate = useNavigate()
  // `?new=id,id`: ticked strategies that are to be a group.
  const requestedIds = query.get('new')
  const members = strategies.data?.list_items.filter(({ id }) => requestedIds?.split(',').includes(id)) ?? []
  const draft = edited ?? (requestedIds && strategies.data ? newGroup(members) : null)
  const begin = () => setEdited(newGroup([]))
  useKeys({ create: begin })
  const close = () => {
    setEdited(null)
    if (requestedIds !== null) set({ new: null })
  }
  const choose = (next: MarketId) => {
    setSelection(nothing)
    set({ kind: next === defaultMarketId ? null : next, new: null })
  }
  const rows = data?.list_items ?? []
  const chosen = rows.filter(({ id }) => selection.has(id))
  const compares = chosen.length >= fewestCompared && chosen.length <= mostCompared
  // Then the empty list says what to do first.
  const none = data !== undefined && rows.length === 0
  const few = (strategies.data?.list_items.length ?? 2) < 2
  return (
    <>
      <Page>
        <Card plain label="策略组">
          <Row gap={8} wrap className={styles.savedBar}>
            <MarketTabs shown={kind} counts={counts} onChoose={choose} />
            <span className="grow" />
            <Button look={none ? ['small'] : ['small', 'primary']} icon="plus" aria-keyshortcuts="n" onClick={begin}>
              新建策略组
            </Button>
          </Row>
          {chosen.length > 0 && (
            <SelectionBar count={chosen.length} onClear={() => setSelection(nothing)}>
              <Button
                look={['small']}
                disabled={!compares}
                title={compares ? undefined : '一次对比 2 至 6 项'}
                onClick={() => void navigate(comparePath(chosen.map(({ id }) => ({ type: 'group', kind, id }))))}
              >
                对比
              </Button>
            </SelectionBar>
          )}
          <DataTable
            label="策略组"
            columns={groupColumns(kind)}
            rows={rows}
            rowKey={({ id }) => id}
            nameOf={({ group_name: name }) => name}
            selection={selection}
            onSelect={setSelection}
            menu={(row) => (
              <GroupMenu
                kind={kind}
                group={row}
                choices={[
                  { label: '打开', run: () => navigate(groupPath(kind, row.id)) },
                  { label: '编辑成员', run: () => setEdited(draftOfGroup(row)) },
                ]}
              />
            )}
            {...(isPending && { loading: 4 })}
            instead={
              error ? (
                <ErrorBlock error={error} still="列表加载失败。已存的策略组没有丢失。" onRetry={() => void refetch()} />
              ) : (
                <Empty
                  icon="columns"
                  title="还没有策略组"
                  actions={
                    few ? (
                      <PageLink className="button primary" to={`/personal/strategies?kind=${kind}`}>
                        先保存两个策略
                      </PageLink>
                    ) : (
                      <Button look={['primary']} onClick={begin}>
                        新建策略组
                      </Button>
                    )
                  }
                >
                  把两个以上的策略按资金占比放在一起，看合并名单与相关性，再整体回测。
                </Empty>
              )
            }
            density="standard"
            cards
          />
          {rows.length > 0 && (
            <Row as="p" align="stretch" wrap className={`card-line ${styles.savedFoot}`}>
              <span>
                共 <b>{rows.length}</b> 个
              </span>
              <span className="grow" />
              <span className="text-3">数字来自各成员的概览，按占比合成；成员没有概览时为 —</span>
            </Row>
          )}
        </Card>
      </Page>
      <Footer />
      {draft && (
        <GroupDrawer
          kind={kind}
          given={draft}
          onClose={close}
          {...(draft.id === null && { onSaved: (id: string) => void navigate(groupPath(kind, id)) })}
        />
      )}
    </>
  )
}
