import { calls } from '@convexa/contract/calls'
import { type MarketRow, markets } from '@convexa/contract/enums/market'
import type { Basket } from '@convexa/contract/qmt-basket'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { count, exact, fixed, percent } from '../../base/format.ts'
import { usePhone } from '../../base/use-phone.ts'
import { usePreferences } from '../../state/preferences.ts'
import { Button } from '../../ui/button.tsx'
import { NumberField, Select } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { FormRow } from '../../ui/form/form-row.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { Empty, ErrorBlock } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { saveBlob } from '../../ui/table/sheet.ts'
import type { TableColumn } from '../../ui/table/table-props.ts'
import { toast } from '../../ui/toast.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { Term } from '../help/term.tsx'
import { type BasketChoice, type BasketSource, basketProblem, bodyOf, refusalOf, type Weighing, weighingsOf } from './basket.ts'
import styles from './basket-dialog.module.css'
import { bytesOf } from './bytes.ts'
import { FileText } from './file-text.tsx'
import { WarnedList } from './warned-list.tsx'

/** A list as a file that a trading terminal reads: whole lots for a capital, looked at before it is saved. Nothing is ordered by it. */
export function BasketDialog({ source, onRefresh, onClose }: { source: BasketSource; onRefresh?: () => void; onClose: () => void }) {
  const { choice, change, mistake, basket, error, waiting, retry } = useBasket(source)
  const market = markets[source.kind]
  const phone = usePhone()
  const refusal = refusalOf(error)
  const [reading, setReading] = useState(false)
  const file = reading && basket && mistake === null && error === null ? basket : null
  const save = (made: Basket) => {
    saveBlob(made.file_name, new Blob([bytesOf(made.content_base64)], { type: 'text/csv' }))
    toast.done(`已下载 ${made.file_name}`)
    onClose()
  }
  return (
    <Dialog
      title="导出篮子文件"
      width={760}
      onClose={onClose}
      footer={
        <>
          <span className={styles.basketFoot}>
            {basket ? <span className="mono">{basket.file_name}</span> : '文件只在本机保存，不会提交委托。'}
          </span>
          <Button onClick={onClose}>取消</Button>
          <Button aria-pressed={reading} disabled={!basket || mistake !== null || error !== null} onClick={() => setReading(!reading)}>
            {reading ? '返回表格' : '预览文件'}
          </Button>
          <Button
            look={['primary']}
            icon="download"
            disabled={!basket || waiting || mistake !== null || error !== null}
            onClick={() => basket && save(basket)}
          >
            下载
          </Button>
        </>
      }
    >
      <form className={styles.basketForm} onSubmit={(event) => event.preventDefault()}>
        <FormRow label="总资金">
          {(control) => (
            <NumberField {...control} value={choice.capital} onChange={(capital) => change({ capital })} unit="万元" width={104} />
          )}
        </FormRow>
        <FormRow label="权重方式">
          {(control) => (
            <Select
              {...control}
              value={choice.weighing}
              choices={weighingsOf(source)}
              onChange={(weighing) => change({ weighing })}
              width={phone ? 176 : 136}
            />
          )}
        </FormRow>
        <FormRow label={qmtLabels.reserve_cash}>
          {(control) => (
            <NumberField {...control} value={choice.reserve} onChange={(reserve) => change({ reserve })} scale={100} unit="%" width={80} />
          )}
        </FormRow>
        <FormRow label="文件名">
          {(control) => <TextField {...control} value={choice.name} onChange={(name) => change({ name })} />}
        </FormRow>
      </form>
      <FieldError>{mistake}</FieldError>
      {refusal ? (
        <Empty
          icon="lock"
          title={refusal.title}
          actions={
            refusal.refresh && onRefresh ? (
              <Button
                look={['small', 'primary']}
                onClick={() => {
                  onClose()
                  onRefresh()
                }}
              >
                刷新名单
              </Button>
            ) : undefined
          }
        >
          {refusal.text}
        </Empty>
      ) : error ? (
        <ErrorBlock error={error} still="名单与设置都还在。" onRetry={retry} />
      ) : file ? (
        <FileText basket={file} stale={waiting} />
      ) : (
        <Preview {...{ source, market, basket, phone }} stale={waiting && basket !== null} />
      )}
      <p className={styles.basketWords}>
        <Term k="basket">篮子文件</Term>为 GBK 编码的 CSV，数量按信号日 {source.tradeDate} 收盘价取整 （{market.lotText}
        ），指定价留空，由终端决定。导入终端后请逐笔核对，再由你自己下单。
        {phone && '请在安装 QMT 的 Windows 电脑上导出。'}
      </p>
    </Dialog>
  )
}

function useBasket(source: BasketSource) {
  const { qmtBasketExportSettings: kept, set } = usePreferences()
  const [choice, setChoice] = useState<BasketChoice>(() => {
    const ways = weighingsOf(source).map(({ value }) => value)
    const wanted = (ways.includes(0) ? 0 : kept.holdWeightType) as Weighing
    return { capital: kept.capital, weighing: ways.includes(wanted) ? wanted : 1, reserve: 0.02, name: source.name }
  })
  const mistake = basketProblem(source, choice)
  const now = JSON.stringify(bodyOf(source, choice))
  const settled = useDebouncedValue(now, 300)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['qmt', 'basket', settled],
    queryFn: ({ signal }) => call(calls.qmt.basket, { body: JSON.parse(settled) }, { signal }),
    enabled: mistake === null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  const change = (over: Partial<BasketChoice>) => {
    const next = { ...choice, ...over }
    setChoice(next)
    if (basketProblem(source, next) !== null || next.capital === null) return
    // What the list itself weighs by is no preference.
    set('qmtBasketExportSettings', { capital: next.capital, holdWeightType: next.weighing || kept.holdWeightType })
  }
  return {
    ...{ choice, change, mistake },
    basket: data ?? null,
    error: mistake === null ? error : null,
    waiting: isFetching || settled !== now,
    retry: () => void refetch(),
  }
}

function Preview({
  source,
  market,
  basket,
  phone,
  stale,
}: {
  source: BasketSource
  market: MarketRow
  basket: Basket | null
  phone: boolean
  stale: boolean
}) {
  const warned = basket?.rows.filter(({ warnings }) => warnings.length > 0) ?? []
  return (
    <>
      <DataTable
        label="篮子"
        columns={columnsOf(market)}
        rows={basket?.rows ?? []}
        rowKey={({ code }) => code}
        {...(!basket && { loading: Math.min(8, source.items.length) })}
        {...(!phone && { height: 330 })}
        stale={stale}
        cards
      />
      <Row as="dl" align="stretch" wrap className={styles.basketSums}>
        <div>
          <dt>名单</dt>
          <dd>{source.items.length} 只</dd>
        </div>
        <div>
          <dt>进入文件</dt>
          <dd>{basket ? `${basket.rows.length} 只` : '—'}</dd>
        </div>
        <div>
          <dt>合计金额</dt>
          <dd>{basket ? `${count(basket.rows.reduce((sum, { amount }) => sum + amount, 0))} 元` : '—'}</dd>
        </div>
        <div>
          <dt>未用现金</dt>
          <dd>{basket ? `${count(basket.unused_cash)} 元` : '—'}</dd>
        </div>
      </Row>
      {basket?.data_note && (
        <div className="alert warn">
          <Icon name="warn" />
          <p>{basket.data_note}。</p>
        </div>
      )}
      {basket && basket.dropped.length > 0 && (
        <section className={styles.basketNotes} aria-label="没有进入文件">
          <h3>没有进入文件 {basket.dropped.length} 只</h3>
          <ul>
            {basket.dropped.map(({ code, name, reason }) => (
              <li key={code}>
                <b>{name || code}</b>
                <span className="mono text-3">{code}</span>
                <span>{reason}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <WarnedList kind={source.kind} title={`${warned.length} 只须留意，请先核对公告与条款：`} warned={warned} />
    </>
  )
}

type BasketRow = Basket['rows'][number]

function columnsOf(market: MarketRow): readonly TableColumn<BasketRow>[] {
  return [
    { key: 'rank', label: '名次', width: 40, numeric: true, cell: ({ rank }) => rank ?? '—' },
    { key: 'code', label: '代码', width: 80, cell: ({ code }) => <span className="mono">{code}</span> },
    { key: 'name', label: '名称', width: 112, card: 'title', cell: ({ name }) => <span className="medium">{name}</span> },
    {
      key: 'price',
      label: '参考价(元)',
      width: 72,
      numeric: true,
      cell: ({ price }) => fixed(price, market.priceDecimals),
    },
    {
      key: 'volume',
      label: `数量(${market.unit})`,
      width: 64,
      numeric: true,
      card: 'lead',
      cell: ({ volume }) => count(volume),
    },
    {
      key: 'amount',
      label: '金额(元)',
      width: 88,
      numeric: true,
      exact: ({ amount }) => exact(amount),
      cell: ({ amount }) => count(amount),
    },
    { key: 'weight', label: '权重', width: 64, numeric: true, cell: ({ weight }) => percent(weight) },
  ]
}
