import type { BacktestListItem } from '@convexa/contract/backtest'
import { marketIds, markets } from '@convexa/contract/enums/market'
import { runStatuses } from '@convexa/contract/enums/run-status'
import { choicesOf } from '@convexa/contract/enums/table'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useList } from '../../api/lists.ts'
import { strategyListQuery } from '../../api/queries.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/controls.tsx'
import { DataFoot } from '../../ui/data-foot.tsx'
import { DateField } from '../../ui/form/date-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { nothing, type Selection } from '../../ui/grid/selection.ts'
import { Page, Row } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { Pager, pageStart } from '../../ui/pager.tsx'
import { Empty, ErrorBlock } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { SelectionBar } from '../../ui/table/selection-bar.tsx'
import type { TableColumn } from '../../ui/table/table-props.ts'
import { sourcesOfRuns } from '../data-status/source-text.ts'
import { Footer } from '../legal/footer.tsx'
import { FavouriteStar } from '../report/favourite-run.tsx'
import { comparePath, fewestCompared, mostCompared } from '../rule/addresses.ts'
import { runsQuery } from '../rule/strategy-queries.ts'
import { runName } from '../run/backtest-run-names.ts'
import styles from './backtest-history.module.css'
import { NoteCell } from './note-cell.tsx'
import { RetentionLine } from './retention-line.tsx'
import { removeRuns } from './run-changes.ts'
import { columnsFor, reportPath } from './run-columns.tsx'
import { type FilterKey, filterKeys, filterOf } from './run-filter.ts'

const limit = 20
const done = 2

/** 回测历史: every run with what it cost to find it (第几次), to reopen, note, compare and delete. */
export function BacktestHistoryPage() {
  const [query, setQuery] = useSearchParams()
  const offset = pageStart(query.get('offset'), limit)
  const filter = filterOf(query)
  const { items, total, loading, error, retry } = useList(runsQuery({ ...filter, offset, limit }))
  const [selection, setSelection] = useState<Selection>(nothing)
  const [noted, setNoted] = useState<string | null>(null)
  const navigate = useNavigate()
  const change = (changes: Partial<Record<FilterKey | 'offset', string | null>>) => {
    setSelection(nothing)
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        if (!('offset' in changes)) next.delete('offset')
        for (const [key, value] of Object.entries(changes)) {
          if (value) next.set(key, value)
          else next.delete(key)
        }
        return next
      },
      { replace: true },
    )
  }
  const go = (to: number) => change({ offset: to > 0 ? String(to) : null })
  // Its last rows may have been deleted, here or elsewhere.
  const beyond = !loading && error === null && items.length === 0 && total > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per page that is not there
  useEffect(() => {
    if (beyond) go(Math.floor((total - 1) / limit) * limit)
  }, [beyond, offset])
  const chosen = items.filter(({ backtest_id: id }) => selection.has(id))
  const finished = chosen.every(({ status, complete }) => status === done && complete)
  const compares = chosen.length >= fewestCompared && chosen.length <= mostCompared && finished
  const compare = () => {
    if (compares) void navigate(comparePath(chosen.map(({ kind, backtest_id: id }) => ({ type: 'run', kind, id }))))
  }
  useKeys({
    compare,
    ...(offset > 0 && { previousPage: () => go(offset - limit) }),
    ...(offset + limit < total && { nextPage: () => go(offset + limit) }),
  })
  const filtered = filterKeys.some((key) => query.has(key))
  const columns = columnsFor(items).map(
    (column): TableColumn<BacktestListItem> =>
      column.key === 'note'
        ? {
            ...column,
            className: () => undefined,
            cell: (run) => (
              <NoteCell run={run} editing={noted === run.backtest_id} onEditing={(on) => setNoted(on ? run.backtest_id : null)} />
            ),
          }
        : column,
  )
  return (
    <>
      <Page>
        <Card title="回测历史" note="第 N 次：同类规则试到第几次；试得越多，越可能是运气" bare>
          <RetentionLine />
          <Filters query={query} onChange={change} />
          {chosen.length > 0 && (
            <SelectionBar count={chosen.length} onClear={() => setSelection(nothing)}>
              <Button
                look={['small']}
                disabled={!compares}
                title={compares ? '快捷键 c' : finished ? '一次对比 2 至 6 项' : '只能对比保留着完整结果的回测'}
                aria-keyshortcuts="c"
                onClick={compare}
              >
                对比 ({chosen.length})
              </Button>
              <Button
                look={['small', 'destructive']}
                icon="cross"
                onClick={async () => {
                  if ((await removeRuns(chosen)).length > 0) setSelection(nothing)
                }}
              >
                删除所选
              </Button>
            </SelectionBar>
          )}
          <DataTable
            label="回测历史"
            columns={columns}
            rows={items}
            rowKey={({ backtest_id: id }) => id}
            nameOf={(run) => `${runName(run)} #${run.params_hash.slice(0, 4)}`}
            hrefOf={reportPath}
            menu={(run) => <FavouriteStar run={run} name={`${runName(run)} #${run.params_hash.slice(0, 4)}`} />}
            selection={selection}
            onSelect={setSelection}
            {...(loading && { loading: 10 })}
            instead={
              error ? (
                <ErrorBlock error={error} still="列表加载失败，已完成的报告没有丢失。" onRetry={retry} />
              ) : filtered ? (
                <Empty
                  icon="search"
                  title="没有符合条件的回测"
                  actions={
                    <Button look={['small']} onClick={() => change(Object.fromEntries(filterKeys.map((key) => [key, null])))}>
                      清除条件
                    </Button>
                  }
                />
              ) : (
                <Empty
                  icon="chart"
                  title="还没有回测"
                  actions={
                    <PageLink className="button primary" to={`${markets.cb.path}/backtest`}>
                      去回测
                    </PageLink>
                  }
                >
                  每一次运行都会留在这里，包括中断和失败的。
                </Empty>
              )
            }
            density="standard"
            cards
          />
          {items.length > 0 && !error && <DataFoot source={sourcesOfRuns(items)} note="每次运行所用的版本写在它的报告里" />}
          {total > 0 && !error && <Pager label="回测历史" offset={offset} shown={items.length} total={total} limit={limit} onGo={go} />}
        </Card>
      </Page>
      <Footer />
    </>
  )
}

const anyStatus = { value: '', label: '全部状态' }
const kindChoices = [{ value: '', label: '全部市场' }, ...marketIds.map((kind) => ({ value: kind as string, label: markets[kind].label }))]
const statusChoices = [anyStatus, ...choicesOf(runStatuses).map(({ value, label }) => ({ value: String(value), label }))]

/** What is asked for, as the address has it. */
function Filters({ query, onChange }: { query: URLSearchParams; onChange: (changes: Partial<Record<FilterKey, string | null>>) => void }) {
  const get = (key: FilterKey) => query.get(key) ?? ''
  const strategies = useQueries({
    queries: marketIds.map((kind) => strategyListQuery(kind)),
    combine: (answers) =>
      answers.flatMap(
        ({ data }, i) => data?.list_items.map(({ id, strategy_name: label }) => ({ value: id, label, kind: marketIds[i] })) ?? [],
      ),
  })
  const kind = get('kind')
  const own = strategies.filter((one) => kind === '' || one.kind === kind)
  return (
    <Row as="fieldset" gap={8} wrap className={styles.historyFilters} aria-label="筛选回测">
      <Select label="市场" width={104} value={kind} choices={kindChoices} onChange={(value) => onChange({ kind: value, strategy: null })} />
      <Select
        label="策略"
        width={160}
        value={get('strategy')}
        choices={[{ value: '', label: '全部策略' }, ...own]}
        onChange={(value) => onChange({ strategy: value })}
      />
      <Select label="状态" width={104} value={get('status')} choices={statusChoices} onChange={(value) => onChange({ status: value })} />
      <Row as="span" inline gap={4} className={`${styles.historyDates} size-12 text-3`}>
        运行于
        <DateField label="运行日期从" value={get('from')} max={get('to') || undefined} onChange={(value) => onChange({ from: value })} />
        至
        <DateField label="运行日期到" value={get('to')} min={get('from') || undefined} onChange={(value) => onChange({ to: value })} />
      </Row>
      <NoteSearch key={get('note') === '' ? 'none' : 'some'} text={get('note')} onSearch={(value) => onChange({ note: value })} />
      {filterKeys.some((key) => query.has(key)) && (
        <Button look={['small', 'ghost']} onClick={() => onChange(Object.fromEntries(filterKeys.map((key) => [key, null])))}>
          清除条件
        </Button>
      )}
    </Row>
  )
}

/** Looked for when one has finished typing: Enter or leaving the field. */
function NoteSearch({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(text)
  const search = () => typed.trim() !== text && onSearch(typed.trim())
  return (
    <form
      className={styles.historyNote}
      onSubmit={(event) => {
        event.preventDefault()
        search()
      }}
    >
      <TextField type="search" label="备注或名称" placeholder="备注或名称，回车查找" value={typed} onChange={setTyped} onBlur={search} />
    </form>
  )
}
