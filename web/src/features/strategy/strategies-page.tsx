import { defaultMarketId, type MarketId, marketIds, markets } from '@convexa/contract/enums/market'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { strategyListQuery } from '../../api/queries.ts'
import { usePhone } from '../../base/use-phone.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Segmented, Select } from '../../ui/controls.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { nothing, type Selection } from '../../ui/grid/selection.ts'
import { Page, Row } from '../../ui/layout.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { Empty, ErrorBlock } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { orderRows } from '../../ui/table/sort.ts'
import { Footer } from '../legal/footer.tsx'
import { StrategyChangeDrawer } from '../screen/strategy-change-drawer.tsx'
import { useGallery } from '../templates/gallery-state.ts'
import { BulkBar } from './bulk-bar.tsx'
import { CurvesOverlay } from './curves-overlay.tsx'
import { useFirstGlances, useGlances } from './glance-refresh.ts'
import { countsByMarket } from './list-counts.ts'
import { foundStrategies, sortOf, sortText } from './list-view.ts'
import { MarketTabs } from './market-tabs.tsx'
import { RuleWordsList } from './rule-words-list.tsx'
import styles from './strategies.module.css'
import { StrategyCards } from './strategy-cards.tsx'
import { sortKeys, strategyColumns } from './strategy-columns.tsx'
import { StrategyMenu } from './strategy-menu.tsx'
import type { Editing } from './strategy-name.tsx'
import { TagsDialog } from './tags-dialog.tsx'
import { useListAddress } from './use-list-address.ts'

// Opened rarely: its code comes when it is asked for.
const ImportStrategiesDialog = lazyDialog(async () => (await import('./import-strategies-dialog.tsx')).ImportStrategiesDialog)

/** Most rules and curves shown below the list: of the ticked strategies, else of those changed last. */
const mostRules = 6

const orders = [
  { value: 'updated.descending', label: '更新时间' },
  { value: 'created.descending', label: '创建时间' },
  { value: 'name.ascending', label: '名称' },
  { value: 'runs.descending', label: '回测次数' },
]
const views = [
  { value: 'cards', label: '卡片' },
  { value: 'table', label: '表格' },
] as const

/** 我的策略: what was saved, of one market at a time; one or many at once. */
export function StrategiesPage() {
  const { kind, typed, sort, view, set } = useListAddress()
  const { data, error, refetch, isPending } = useQuery(strategyListQuery(kind))
  const counts = useQueries({ queries: marketIds.map((one) => strategyListQuery(one)), combine: countsByMarket })
  const [selection, setSelection] = useState<Selection>(nothing)
  const [importing, setImporting] = useState(false)
  const search = useRef<HTMLDivElement>(null)
  const newOne = useNewStrategy(kind)
  useKeys({ search: () => search.current?.querySelector('input')?.focus(), create: newOne })
  const all = data?.list_items ?? []
  // Then the empty list says what to do first.
  const none = data !== undefined && all.length === 0
  const chosen = all.filter(({ id }) => selection.has(id))
  const beside = (chosen.length > 0 ? chosen : all).slice(0, mostRules)
  const choose = (next: MarketId) => {
    setSelection(nothing)
    set({ kind: next === defaultMarketId ? null : next })
  }
  return (
    <>
      <Page>
        <Card plain label="我的策略">
          <Row gap={8} wrap className={styles.savedBar}>
            <MarketTabs shown={kind} counts={counts} onChoose={choose} />
            <span className="grow" />
            <div className={styles.savedSearch} ref={search}>
              <TextField
                type="search"
                label="名称或标签"
                placeholder="名称或标签"
                value={typed}
                onChange={(q) => set({ q: q || null })}
                after={<kbd>/</kbd>}
              />
            </div>
            <Select
              label="排序"
              width={112}
              value={sort ?? 'updated.descending'}
              choices={
                orders.some(({ value }) => value === (sort ?? 'updated.descending'))
                  ? orders
                  : [...orders, { value: sort ?? '', label: '按表头' }]
              }
              onChange={(value) => set({ sort: value === 'updated.descending' ? null : value })}
            />
            <Segmented
              label="显示方式"
              value={view}
              choices={views}
              onChange={(value) => set({ view: value === 'table' ? null : value })}
            />
            <Button look={['small']} onClick={() => setImporting(true)}>
              导入 JSON
            </Button>
            <Button look={none ? ['small'] : ['small', 'primary']} icon="plus" aria-keyshortcuts="n" onClick={newOne}>
              新建策略
            </Button>
          </Row>
          {selection.size > 0 && <BulkBar kind={kind} chosen={chosen} onClear={() => setSelection(nothing)} />}
          {error && (
            <div className="body">
              <ErrorBlock error={error} still="列表加载失败。已存的策略没有丢失，回测与筛选仍可使用。" onRetry={() => void refetch()} />
            </div>
          )}
          {(!error || all.length > 0) && (
            <Strategies
              kind={kind}
              all={all}
              typed={typed}
              sort={sort}
              view={view}
              loading={isPending}
              onSort={(next) => set({ sort: next })}
              onClear={() => set({ q: null })}
              selection={selection}
              onSelect={setSelection}
              onNew={newOne}
            />
          )}
          {all.length > 0 && (
            <>
              <RuleWordsList kind={kind} strategies={beside} of={chosen.length} />
              <CurvesOverlay kind={kind} strategies={beside} />
            </>
          )}
        </Card>
        {importing && (
          <Suspense>
            <ImportStrategiesDialog kind={kind} onClose={() => setImporting(false)} />
          </Suspense>
        )}
      </Page>
      <Footer />
    </>
  )
}

/** Opens the template gallery first; a draft stays until a template is chosen. */
function useNewStrategy(kind: MarketId) {
  const navigate = useNavigate()
  return () => {
    useGallery.getState().show(kind)
    void navigate(`${markets[kind].path}/screen`)
  }
}

function Strategies({
  kind,
  all,
  typed,
  sort,
  view,
  loading,
  onSort,
  onClear,
  selection,
  onSelect,
  onNew,
}: {
  kind: MarketId
  all: readonly StrategyListItem[]
  typed: string
  sort: string | null
  view: 'cards' | 'table'
  loading: boolean
  onSort: (sort: string | null) => void
  onClear: () => void
  selection: Selection
  onSelect: (selection: Selection) => void
  onNew: () => void
}) {
  const [editing, onEditing] = useState<Editing>(null)
  const [opened, setOpened] = useState<StrategyListItem | null>(null)
  const [tagged, setTagged] = useState<StrategyListItem | null>(null)
  const queue = useGlances()
  useFirstGlances(all.map((one) => ({ ...one, kind })))
  const phone = usePhone()
  const given = { kind, queue, editing, onEditing, onDifference: setOpened }
  const columns = strategyColumns(given)
  const sorts = sortOf(sort, sortKeys)
  const found = useMemo(() => foundStrategies(all, typed), [all, typed])
  const created = { key: 'created', label: '创建', sortBy: ({ created_at }: StrategyListItem) => created_at }
  const rows = orderRows(found, [...columns, created], sorts)
  const tags = useMemo(() => [...new Set(all.flatMap((one) => one.tags))], [all])
  const menu = (row: StrategyListItem) => <StrategyMenu kind={kind} strategy={row} onEditing={onEditing} onTags={() => setTagged(row)} />
  if (!loading && all.length === 0) return <None kind={kind} onNew={onNew} />
  if (!loading && rows.length === 0)
    return (
      <Empty
        icon="search"
        title={`没有名称、备注或标签含「${typed}」的策略`}
        actions={
          <Button look={['small']} onClick={onClear}>
            清除搜索
          </Button>
        }
      />
    )
  const newest = rows.reduce((day, { glance }) => (glance && glance.as_of > day ? glance.as_of : day), '')
  return (
    <>
      {(view === 'cards' || phone) && !loading ? (
        <StrategyCards {...given} rows={rows} selection={selection} onSelect={onSelect} menu={menu} />
      ) : (
        <DataTable
          label="我的策略"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          nameOf={({ strategy_name: name }) => name}
          sorts={sorts}
          onSort={(next) => onSort(sortText(next))}
          selection={selection}
          onSelect={onSelect}
          menu={menu}
          {...(loading && { loading: 6 })}
          density="standard"
        />
      )}
      <Row as="p" align="stretch" wrap className={`card-line ${styles.savedFoot}`}>
        <span>
          共 <b>{loading ? '—' : all.length}</b> 个{rows.length < all.length && `，显示 ${rows.length} 个`}
        </span>
        {newest && (
          <span>
            概览截至 <b>{newest}</b> 收盘，已扣成本，历史统计
          </span>
        )}
        <span className="grow" />
        <span className="text-3">默认按更新时间排列，不按收益排名</span>
      </Row>
      {opened && <StrategyChangeDrawer kind={kind} id={opened.id} name={opened.strategy_name} onClose={() => setOpened(null)} />}
      {tagged && <TagsDialog kind={kind} strategy={tagged} known={tags} onClose={() => setTagged(null)} />}
    </>
  )
}

const None = ({ kind, onNew }: { kind: MarketId; onNew: () => void }) => (
  <Empty
    icon="chart"
    title="还没有策略"
    actions={
      <>
        <Button look={['primary']} onClick={onNew}>
          从模板开始
        </Button>
        <PageLink className="link" to={`${markets[kind].path}/screen`}>
          去筛选
        </PageLink>
      </>
    }
  >
    从模板改起最快：先看名单，再跑一次回测，满意后存成自己的。
  </Empty>
)
