import { executions } from '@convexa/contract/enums/execution'
import { fills } from '@convexa/contract/enums/fill'
import { markets } from '@convexa/contract/enums/market'
import { labelOf } from '@convexa/contract/enums/table'
import { useState } from 'react'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { signedPercent } from '../../base/format.ts'
import { usePhone } from '../../base/use-phone.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/controls.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page, Row, Stack } from '../../ui/layout.tsx'
import { Empty } from '../../ui/states.tsx'
import { copyText, csv, saveText } from '../../ui/table/sheet.ts'
import { toast } from '../../ui/toast.tsx'
import { Footer } from '../legal/footer.tsx'
import { fewestCompared, itemText, mostCompared } from '../rule/addresses.ts'
import { useBenchNames } from '../rule/bench-name.ts'
import { costWords } from '../rule/rule-text.ts'
import { AddItem } from './compare/add-item.tsx'
import { metricsOn, yearsOn } from './compare/common-range.ts'
import styles from './compare/compare.module.css'
import { bestOf, type CompareRow, metricRows, ruleRowsOf, rulesOf, unlike } from './compare/compare-rows.ts'
import { type Column, CompareTable } from './compare/compare-table.tsx'
import { equalRows } from './compare/equal-run.ts'
import { useFactorsByMarket } from './compare/factors-by-market.ts'
import { LikenessCards } from './compare/likeness-cards.tsx'
import { OverlayCard } from './compare/overlay-card.tsx'
import { useColumns, useCompared } from './compare/use-compared.ts'
import { type EqualRun, useEqualRun } from './compare/use-equal-run.ts'
import detailStyles from './detail/detail.module.css'

/** An address that was cut or typed names nothing: that is no more than something that is not there. */
const failedWords = (error: unknown) => (error instanceof CallError && error.code === 40000 ? '不存在或已被删除' : sentenceOf(error))

/** A phone shows two columns at a time. */
const onPhone = 2

/** 策略对比: up to six strategies, groups or runs beside one another; what cannot be compared is said first. */
export function ComparePage() {
  const compared = useCompared()
  const { items, onCommon } = compared
  const { answers, reports, common } = useColumns(items)
  const rules = useRules(reports)
  const [different, setDifferent] = useState(true)
  const [from, setFrom] = useState(0)
  const phone = usePhone()
  const benchOf = useBenchNames()
  const there = reports.filter((report) => report !== null)
  const columns = items.map((item, place): Column => {
    const answer = answers[place]
    const data = answer?.data
    const state = answer?.error ? 'failed' : !data ? 'loading' : data.report ? 'ready' : 'none'
    const notes = {
      failed: <span className="danger">{failedWords(answer?.error)}</span>,
      loading: '正在读取…',
      none: '还没有回测',
      ready: `#${data?.report?.params_hash.slice(0, 4)}`,
    }
    return { key: itemText(item), place, state, name: data?.name ?? `第 ${place + 1} 项`, href: data?.href ?? null, note: notes[state] }
  })
  const days = common.dates.length
  const onDays = onCommon && days > 1
  const metrics = reports.map((report, place) => {
    const line = common.lines.find((one) => one.place === place)
    return onDays && report && line ? metricsOn(report, line.range) : (report?.metrics ?? null)
  })
  const years = yearRows(reports.map((_, place) => common.lines.find((one) => one.place === place)?.range ?? null))
  const { rows: ruleLines, hidden } = ruleRowsOf(rules, different)
  const equal = useEqualRun(reports, items.map(itemText).join())
  const first = there[0]
  const groups = [
    ...(equal.run && first
      ? [
          {
            title: '相同设置（速览）',
            note: `${costWords(first.settings, markets[first.kind].dutied)} · ${labelOf(fills, first.settings.fill)}，${labelOf(executions, 'ideal')} · 共同区间 · 现在的数据 · 不存档`,
            rows: equalRows(equal.run.answers),
          },
        ]
      : []),
    ...metricRows(metrics),
    { title: '年度', note: '共同区间内 · * 不足一年，未年化', rows: years },
    { title: '参数', note: different ? `只列不同的行；相同 ${hidden} 项已隐藏` : '全部', rows: ruleLines },
  ]
  const shown = phone ? columns.slice(from, from + onPhone) : columns
  const lines = common.lines.map(({ report, place, range }) => ({ report, place, range, name: columns[place]?.name ?? '' }))
  const benches = new Set(there.map(({ settings }) => settings.benchmark))
  const demo = there.some(({ data_mode: mode }) => mode === 'demo')
  const save = () =>
    saveText(
      '策略对比.csv',
      csv([
        ...(demo ? [['演示数据，模拟生成，非真实行情']] : []),
        ['指标', ...columns.map(({ name }) => name)],
        ...groups.flatMap(({ title, rows }) => [
          [title],
          ...rows.map(({ label, cells }) => [label, ...cells.map((cell) => cell?.text ?? '')]),
        ]),
      ]),
      'text/csv',
    )
  return (
    <>
      <Row as="section" gap={8} className={`subheader ${styles.compareHead}`} aria-label="对比概况">
        <h1>策略对比</h1>
        <p className={styles.compareSum}>
          <b>{items.length}</b> / {mostCompared} 项
          {days > 0 && (
            <>
              {' · '}共同区间 {common.dates[0]} ~ {common.dates.at(-1)}
            </>
          )}
        </p>
        <span className="grow" />
        {!phone && columns.length > 1 && (
          <span className={styles.compareKeys} title="点中列名后按方向键移动这一列">
            移动列 <kbd>←</kbd> <kbd>→</kbd>
          </span>
        )}
        <AddItem items={items} onAdd={compared.add} />
        <Button look={['small']} icon="share" disabled={items.length < fewestCompared} onClick={() => void shareAddress()}>
          分享
        </Button>
        <FileButton look={['small']} icon="download" disabled={there.length === 0} onClick={save}>
          导出 CSV
        </FileButton>
      </Row>
      <Page>
        {items.length < fewestCompared ? (
          <Card plain>
            <Empty icon="columns" title="请选择 2–6 项">
              在上面添加策略或策略组，也可以在「我的策略」和「回测历史」里勾选几项再按对比。
            </Empty>
          </Card>
        ) : (
          <>
            <Warning
              unlike={unlike(there)}
              onDays={onDays}
              days={days}
              onCommon={compared.setCommon}
              equal={equal.run}
              of={items.length}
              onEqual={() => void equal.start({ from: common.dates[0] ?? '', to: common.dates.at(-1) ?? '' })}
            />
            {there.length > 0 && days > 1 && (
              <div className={styles.compareColumns}>
                <OverlayCard lines={lines} benchName={benches.size === 1 ? benchOf([...benches][0] ?? '') : null} demo={demo} />
                <Stack gap={12} className={detailStyles.detailColumn}>
                  <LikenessCards lines={lines} />
                </Stack>
              </div>
            )}
            {there.length > 1 && days <= 1 && (
              <Card plain>
                <Empty icon="calendar" title="几项回测没有共同的交易日">
                  换一段时间重新回测，曲线才能放在一起看。
                </Empty>
              </Card>
            )}
            <Card
              title="指标"
              note="每行最优值加粗加下划线，不用红绿表示优劣；收益正负仍按红涨绿跌"
              tools={
                <Checkbox checked={different} onChange={setDifferent}>
                  只看不同的参数
                </Checkbox>
              }
              foot="历史统计，不说明以后。"
              bare
            >
              {phone && columns.length > onPhone && <Turn from={from} count={columns.length} onGo={setFrom} />}
              <CompareTable
                columns={shown}
                groups={groups}
                report={there[0] ?? null}
                onMove={(place, step) => {
                  compared.move(place, step)
                  // The column keeps the focus in its new place.
                  setTimeout(() => document.querySelector<HTMLElement>(`[data-column="${place + step}"]`)?.focus())
                }}
                onRemove={compared.remove}
              />
            </Card>
            {answers.map(
              ({ error, refetch }, place) =>
                error && (
                  <p className="alert" role="alert" key={columns[place]?.key}>
                    <Icon name="warn" />
                    <span>
                      第 {place + 1} 项读取失败：{failedWords(error)}。其余各项不受影响。
                      {error instanceof CallError && error.requestId && (
                        <span className="size-12 text-3"> 错误编号 {error.requestId} </span>
                      )}
                      <button type="button" className="link" onClick={() => void refetch()}>
                        重试
                      </button>
                    </span>
                  </p>
                ),
            )}
          </>
        )}
      </Page>
      <Footer />
    </>
  )
}

/** The address names the compared reports and opens in the account that has them only; for others a report has a share link. */
async function shareAddress(): Promise<void> {
  if (await copyText(window.location.href)) toast.done('已复制对比链接，登录同一账号打开；给别人看请在报告里分享')
  else toast.error('没有复制成功，请从地址栏复制')
}

/** Rules in words, of each report in its own market's factors. */
function useRules(reports: readonly (Parameters<typeof rulesOf>[0] | null)[]) {
  const factors = useFactorsByMarket()
  const benchOf = useBenchNames()
  return reports.map((report) => report && rulesOf(report, factors[report.kind], benchOf, markets[report.kind].dutied))
}

/** A line for each year that any of them has. */
function yearRows(ranges: readonly (Parameters<typeof yearsOn>[0] | null)[]): CompareRow[] {
  const yearsByRange = ranges.map((range) => range && new Map(yearsOn(range).map((one) => [one.year, one])))
  const years = [...new Set(yearsByRange.flatMap((one) => [...(one?.keys() ?? [])]))].sort()
  return years.map((year) => {
    const found = yearsByRange.map((one) => one?.get(year) ?? null)
    const values = found.map((one) => one?.value ?? null)
    const texts = values.map((value) => signedPercent(value, 1))
    const best = bestOf(texts, values, 'high')
    return {
      key: year,
      label: `${year}${found.some((one) => one?.partial) ? '*' : ''}`,
      cells: found.map((one, i) => one && { text: texts[i] ?? '', value: one.value, signed: true, best: best[i] ?? false }),
    }
  })
}

function Warning({
  unlike: words,
  onDays,
  days,
  onCommon,
  equal,
  of,
  onEqual,
}: {
  unlike: readonly string[]
  equal: EqualRun | null
  /** So many columns. */
  of: number
  onEqual: () => void
  onDays: boolean
  days: number
  onCommon: (on: boolean) => void
}) {
  const left = onDays ? words.filter((word) => word !== '区间') : words
  if (words.length === 0) return null
  return (
    <div className={left.length > 0 ? `alert warn ${styles.compareWarning}` : `alert quiet ${styles.compareWarning}`} role="status">
      <Icon name={left.length > 0 ? 'warn' : 'info'} />
      <div>
        {left.length > 0 && <b>{left.join('/')}不同，数字不可直接比较。</b>}{' '}
        {onDays
          ? `已按 ${days} 个共同交易日重算收益与风险；平均持有等交易指标只有全期才有，显示 —。`
          : '净值叠加与年度已取共同区间，指标仍是各自的全期。'}
      </div>
      {equal?.error ? <span className="danger size-12">有的列没有算出：{sentenceOf(equal.error)}</span> : null}
      {words.some((word) => word !== '区间' && word !== '市场') && days > 1 && (
        <Button look={['small']} disabled={equal?.done !== undefined && equal?.done !== null} onClick={onEqual}>
          {equal?.done === undefined ? '用相同设置重跑' : equal.done === null ? '再跑一次' : `正在重跑 ${equal.done} / ${of}`}
        </Button>
      )}
      {words.includes('区间') && days > 1 && (
        <Button look={onDays ? ['small'] : ['small', 'primary']} onClick={() => onCommon(!onDays)}>
          {onDays ? '看各自全期' : '按共同区间重算'}
        </Button>
      )}
    </div>
  )
}

const Turn = ({ from, count, onGo }: { from: number; count: number; onGo: (from: number) => void }) => (
  <Row className={styles.compareTurn}>
    <Button icon="left" disabled={from === 0} aria-label="前两列" onClick={() => onGo(Math.max(0, from - onPhone))} />
    <span className="size-13">
      第 {from + 1}–{Math.min(count, from + onPhone)} 列，共 {count} 列
    </span>
    <Button icon="right" disabled={from + onPhone >= count} aria-label="后两列" onClick={() => onGo(from + onPhone)} />
  </Row>
)
