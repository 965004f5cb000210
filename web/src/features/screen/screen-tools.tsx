import { isSynthetic } from '@convexa/contract/enums/data-mode'
import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { Suspense, useState } from 'react'
import { count } from '../../base/format.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { useMarket } from '../../market/market-context.tsx'
import { textColumns } from '../../market/text-columns.ts'
import { useStrategies } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/controls.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { keepsFiles } from '../../ui/keeps-files.ts'
import { lazyDialog } from '../../ui/lazy-dialog.ts'
import { Menu } from '../../ui/menu.tsx'
import { copyText, csv, saveText, tsv } from '../../ui/table/sheet.ts'
import { toast } from '../../ui/toast.tsx'
import { useConfirmedLists } from '../current-list/confirmed-lists.ts'
import { currentListKey, useCurrentList, useCurrentLists } from '../current-list/current-list.ts'
import type { HeldChange } from '../current-list/held-change.ts'
import { currentListOf } from '../current-list/list-changes.ts'
import type { Factors } from '../rule/factors.ts'
import { useSecurityTexts } from '../security/security-texts.ts'
import { legendOf, thresholdsOf } from './screen-columns.ts'
import { sheetOf } from './screen-export.ts'
import { useCells } from './screen-run.ts'
import { useScreenColumns } from './screen-table.tsx'

// Opened by few and rarely: its code comes when it is asked for.
const ColumnPanel = lazyDialog(async () => (await import('../../ui/grid/column-panel.tsx')).ColumnPanel)
const BasketDialog = lazyDialog(async () => (await import('../basket/basket-dialog.tsx')).BasketDialog)

interface Shown {
  changes?: ReadonlyMap<string, HeldChange> | null
  result: ScreenResult
  parameters: Parameters
  factors: Factors
  name: string
}

/** Columns, colours, export: what can be done with the list as a whole. */
export function ScreenTools({
  ticked,
  columnsOpen,
  onColumns,
  onRefresh,
  ...shown
}: Shown & { ticked: readonly ScreenRow[]; columnsOpen: boolean; onColumns: (open: boolean) => void; onRefresh: () => void }) {
  const { id: kind } = useMarket()
  const [basketOpen, setBasketOpen] = useState(false)
  const { all, refs, settings, change, sets } = useScreenColumns(shown.parameters, shown.factors)
  const cell = useCells(kind, shown.result, refs, shown.factors)
  const { save, copy, saveBook } = useSheets(shown)
  const rows = shown.result.list_items
  const selected = rows.filter((row) => row.selected)
  useKeys({ export: () => save(rows), columns: () => onColumns(true) })
  const choices = [
    { value: 'default', label: '默认' },
    ...sets.map(({ key, label }) => ({ value: key, label })),
    ...(settings.set === 'own' ? [{ value: 'own', label: '自定义' }] : []),
  ]
  return (
    <>
      <span className="screen-sets">
        <Select label="列方案" value={settings.set} choices={choices} onChange={(next) => change({ ...settings, set: next })} width={78} />
      </span>
      <Button
        look={['ghost', 'small', 'square']}
        icon="columns"
        onClick={() => onColumns(true)}
        aria-label="列设置"
        title="列设置（表格内按 .）"
      />
      <Menu
        align="right"
        button={
          <>
            <Icon name="download" size="middle" />
            导出
            <Icon name="down" size="small" />
          </>
        }
        choices={[
          ...(keepsFiles()
            ? [
                { label: `全部 ${count(rows.length)} 只，CSV`, run: () => save(rows) },
                { label: `全部 ${count(rows.length)} 只，XLSX`, run: () => saveBook(rows) },
                { label: `选中 ${count(ticked.length)} 只，CSV`, run: () => save(ticked, '选中'), off: ticked.length === 0 },
              ]
            : []),
          { label: `复制全部 ${count(rows.length)} 只`, run: () => copy(rows) },
          { label: `复制选中 ${count(ticked.length)} 只`, run: () => copy(ticked), off: ticked.length === 0 },
          { label: `名单 ${selected.length} 只，QMT 篮子文件…`, run: () => setBasketOpen(true), off: selected.length === 0 },
        ]}
      />
      <HoldButton {...shown} />
      {basketOpen && (
        <Suspense>
          <BasketDialog
            source={{ kind, name: shown.name, tradeDate: shown.result.trade_date, items: selected }}
            onRefresh={onRefresh}
            onClose={() => setBasketOpen(false)}
          />
        </Suspense>
      )}
      {columnsOpen && (
        <Suspense>
          <ColumnPanel
            columns={all}
            sets={sets}
            settings={settings}
            onChange={change}
            legendOf={(key) => {
              const column = all.find((one) => one.key === key)
              const pool = rows.map((row) => cell(row, key))
              return column ? legendOf(column, thresholdsOf(column.heat, pool)) : []
            }}
            onClose={() => onColumns(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Makes the list the one that is held: later ones say against it who is new and who left. */
function HoldButton({ result, name }: Shown) {
  const { id: kind } = useMarket()
  const draft = useStrategies(({ drafts }) => drafts[kind])
  const saved = draft?.saved
  const currentList = useCurrentList(kind)
  const { set } = useCurrentLists()
  const items = result.list_items.filter((row) => row.selected).map(({ code, name: own }) => ({ code, name: own }))
  const now = items.map(({ code }) => code)
  const same = currentList !== null && currentList.codes.length === now.length && now.every((code) => currentList.codes.includes(code))
  const take = () => {
    if (!draft) return
    const of = currentListKey(kind, draft)
    const { lists, confirm } = useConfirmedLists.getState()
    const confirmed = saved ? (lists[saved.id] ?? null) : null
    set(of, currentListOf(result, name, new Date().toISOString()))
    // The home page compares a saved strategy's newest list with it.
    if (saved) confirm(saved.id, { date: result.trade_date, items })
    const back = () => {
      set(of, currentList)
      if (saved) confirm(saved.id, confirmed)
    }
    toast.done(`已设为当前名单，共 ${now.length} 只`, { label: '撤销', act: back })
  }
  return (
    <Button
      look={['small']}
      disabled={same || now.length === 0}
      onClick={take}
      title={
        currentList
          ? `当前名单：${currentList.name}，${currentList.tradeDate}，${currentList.codes.length} 只`
          : '记下这份名单，之后的名单会标出新进与移出'
      }
    >
      {same ? '已是当前名单' : '设为当前名单'}
    </Button>
  )
}

/** The same for the ticked rows alone, in the bar that counts them. */
export function TickedTools({ ticked, ...shown }: Shown & { ticked: readonly ScreenRow[] }) {
  const { save, copy } = useSheets(shown)
  return (
    <>
      <Button look={['small']} onClick={() => copy(ticked)}>
        复制
      </Button>
      <FileButton look={['small']} onClick={() => save(ticked, '选中')}>
        导出 CSV
      </FileButton>
    </>
  )
}

/** Rows as a file or on the clipboard. */
function useSheets({ result, parameters, factors, name, changes }: Shown) {
  const { id: kind } = useMarket()
  const { refs } = useScreenColumns(parameters, factors)
  const cell = useCells(kind, result, refs, factors)
  const { words } = useSecurityTexts(kind, refs)
  const cellText = (row: ScreenRow, ref: string) => {
    const value = cell(row, ref)
    return value === null ? null : (words(ref)?.[value] ?? value)
  }
  const texts = textColumns[kind]
  const sheet = (rows: readonly ScreenRow[]) => sheetOf({ name, result, rows, refs, texts, cell: cellText, factors, changes })
  const fileName = (part?: string) =>
    [name, result.trade_date, part, isSynthetic(result.data_mode) ? '演示' : undefined].filter(Boolean).join('-')
  return {
    save(rows: readonly ScreenRow[], part?: string) {
      saveText(`${fileName(part)}.csv`, csv(sheet(rows)), 'text/csv')
    },
    async saveBook(rows: readonly ScreenRow[]) {
      const code = await import('./screen-book.ts').catch(() => null)
      if (code) await code.saveBook(`${fileName()}.xlsx`, sheet(rows))
      else toast.error('导出 XLSX 的程序没有加载成功，请检查网络后重试')
    },
    async copy(rows: readonly ScreenRow[]) {
      if (await copyText(tsv(sheet(rows)))) toast.done(`已复制 ${count(rows.length)} 只，可粘贴到表格`)
      else toast.error('浏览器不允许复制，请改用导出')
    },
  }
}
