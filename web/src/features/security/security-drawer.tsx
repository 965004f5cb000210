import { calls } from '@convexa/contract/calls'
import { dataModes, isSynthetic } from '@convexa/contract/enums/data-mode'
import type { SecurityFactors } from '@convexa/contract/factor'
import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useMemo } from 'react'
import { call } from '../../api/client.ts'
import { isLate } from '../../api/messages.ts'
import { retryLate } from '../../api/query-cache.ts'
import { fixed, missing, percent, signed, signedPercent, tone } from '../../base/format.ts'
import { usePhone } from '../../base/use-phone.ts'
import { useMarket } from '../../market/market-context.tsx'
import { useStrategies } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Row } from '../../ui/layout.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { copyText } from '../../ui/table/sheet.ts'
import { Table } from '../../ui/table/table.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import { toast } from '../../ui/toast.tsx'
import { crowdedOut, placesToGo } from '../current-list/list-changes.ts'
import { type Factors, isChange, valueText } from '../rule/factors.ts'
import { useDraft } from '../rule/use-draft.ts'
import { PriceChart } from './price-chart.tsx'
import styles from './security-drawer.module.css'
import { Announcements, ClauseFacts, DefaultPriced, InMyStrategies, RulesAgainst } from './security-facts.tsx'

/** One security of a screen: its place, what its score is made of, and each factor among all. */
export function SecurityDrawer({
  row,
  result,
  parameters,
  factors,
  newest = false,
  onShow,
  onClose,
}: {
  row: ScreenRow
  result: ScreenResult
  parameters: Parameters
  factors: Factors
  /** The screen is of the newest day: what is against the security can be worked out here. */
  newest?: boolean
  /** Opens another one of the ranking. */
  onShow: (row: ScreenRow) => void
  onClose: () => void
}) {
  const market = useMarket()
  const phone = usePhone()
  const { draft, editParameters } = useDraft()
  const prices = useMemo(() => priceRefs.filter((ref) => factors.of(ref)?.available), [factors])
  const query = useQuery({
    queryKey: ['security-factors', market.id, result.data_version, row.code, prices],
    queryFn: async ({ signal }) =>
      (await call(
        calls[market.id].factors,
        { params: { id: row.code }, query: { history: String(historyDays), keys: [...prices] } as never },
        { signal },
      )) as SecurityFactors,
    retry: retryLate,
  })
  const valueAt = (ref: string) => query.data?.values.find(({ factor_key }) => factor_key === ref)?.value ?? row.values[ref] ?? null
  const close = valueAt('close')
  const change = valueAt('pct_chg')
  const at = result.list_items.findIndex(({ code }) => code === row.code)
  const step = (by: number) => {
    const other = at < 0 ? undefined : result.list_items[at + by]
    return other ? () => onShow(other) : null
  }
  const toGo = placesToGo(row, result)
  const history = query.data?.history
  const seriesOf = (ref: string) => history?.series[ref] ?? []
  // Of the draft: the list that is shown may be of before the press, or of a day of the past.
  const blocked = draft?.parameters.universe.exclude_codes.includes(row.code) ?? false
  const around = result.list_items.filter(({ rank }) => rank !== null && row.rank !== null && Math.abs(rank - row.rank) <= 2)
  return (
    <Drawer
      width={440}
      title={row.name}
      note={
        <>
          <span className="mono">{row.code}</span> · {phone && isSynthetic(result.data_mode) ? dataModes.demo.label : result.trade_date}
        </>
      }
      tools={isSynthetic(result.data_mode) && !phone && <DemoBadge />}
      {...(at >= 0 ? { steps: { place: `${at + 1} / ${result.list_items.length}`, onPrevious: step(-1), onNext: step(1) } } : {})}
      footer={
        <>
          <Button
            disabled={blocked}
            onClick={() => {
              editParameters((before) => ({
                ...before,
                universe: { ...before.universe, exclude_codes: [...before.universe.exclude_codes, row.code] },
              }))
              toast.done(`已把 ${row.name} 加入黑名单`, { label: '撤销', act: () => useStrategies.getState().undo(market.id) })
            }}
          >
            {blocked ? '已在黑名单' : '加入黑名单'}
          </Button>
          <span className="grow" />
          <Button onClick={async () => ((await copyText(row.code)) ? toast.done(`已复制 ${row.code}`) : toast.error('浏览器不允许复制'))}>
            复制代码
          </Button>
        </>
      }
      onClose={onClose}
    >
      <div className={styles.drawer}>
        <dl className={styles.figures}>
          <div>
            <dt>名次</dt>
            <dd>
              {row.rank ?? missing}
              <small> / {result.total}</small>
            </dd>
          </div>
          <div>
            <dt>得分</dt>
            <dd>{fixed(row.score, 1)}</dd>
          </div>
          <div>
            <dt>现价(元)</dt>
            <dd>{typeof close === 'number' ? fixed(close, market.priceDecimals) : missing}</dd>
          </div>
          <div>
            <dt>当日涨跌</dt>
            <dd className={typeof change === 'number' ? tone(change) : undefined}>
              {typeof change === 'number' ? signedPercent(change) : missing}
            </dd>
          </div>
        </dl>
        {row.reason_text && <p className="note">{row.reason_text}</p>}
        {toGo && (
          <p className={`note ${styles.toGo}`}>
            再高 <b>{toGo.places}</b> 名才入选{toGo.score && `，得分相差 ${toGo.score}`}
          </p>
        )}
        {parameters.universe.max_per_issuer !== undefined && crowdedOut(row, result) && (
          <p className={`note ${styles.toGo}`}>名次在名单之内，但同一正股的名额已满，或持有区间从更后的名次开始。</p>
        )}
        {newest && row.rank === null && <RulesAgainst row={row} result={result} parameters={parameters} factors={factors} />}
        {row.score_parts && <ScoreParts row={row} parameters={parameters} factors={factors} total={result.total} />}
        {query.isPending && (
          <>
            <h3>
              近 {historyDays} 日 <span>日线</span>
            </h3>
            <div className={`skeleton ${styles.priceWaiting}`} data-waiting="prices" />
          </>
        )}
        {history && seriesOf('close').filter((value) => value !== null).length > 1 && (
          <>
            <h3>
              近 {history.dates.length} 日 <span>日线 · 至 {history.dates.at(-1)}</span>
            </h3>
            <PriceChart
              dates={history.dates}
              close={seriesOf('close')}
              open={seriesOf('open')}
              high={seriesOf('high')}
              low={seriesOf('low')}
              decimals={market.priceDecimals}
            />
          </>
        )}
        {around.length > 1 && (
          <h3>
            前后名次 <span>得分差</span>
          </h3>
        )}
        <Table hidden={around.length < 2} dense>
          {around.map((other) => (
            <tr key={other.code} className={other.code === row.code ? 'current' : undefined}>
              <td className="number text-3">{other.rank}</td>
              <td>{other.name}</td>
              <td className="number">{fixed(other.score, 1)}</td>
              <td className="number text-2">
                {other.code === row.code || other.score === null || row.score === null ? missing : signed(other.score - row.score, 1)}
              </td>
            </tr>
          ))}
        </Table>
        {query.data && <DefaultPriced values={query.data.values} />}
        {market.redeemed && query.data && <ClauseFacts values={query.data.values} factors={factors} />}
        <Announcements code={row.code} name={row.name} demo={isSynthetic(result.data_mode)} />
        <InMyStrategies code={row.code} />
        <h3>
          全部因子{' '}
          <span>
            {query.data && query.data.trade_date !== result.trade_date ? `${query.data.trade_date} 的值，` : ''}百分位：在当日全部
            {market.securityNoun}中的位置
          </span>
        </h3>
        {query.data?.values.every(({ value }) => value === null) && (
          <p className="note">
            到 {query.data.trade_date} 它已没有行情（已退市），这里只有 {result.trade_date} 的名次与得分。
          </p>
        )}
        {query.error && (
          <ErrorBlock
            error={query.error}
            {...(isLate(query.error) && { title: '读取因子超时' })}
            still="名次、得分和前后名次不受影响，走势、条款与全部因子稍后再读。"
            onRetry={() => query.refetch()}
          />
        )}
        <Table dense>
          {query.isPending && <WaitingRows />}
          {query.data?.values
            .filter(({ value }) => value !== null)
            .map(({ factor_key: ref, value, percentile }) => (
              <tr key={ref}>
                <td>{factors.nameOf(ref)}</td>
                <td className={isChange(ref) && typeof value === 'number' ? `number ${tone(value)}` : 'number'}>
                  {isChange(ref) && typeof value === 'number' ? signedPercent(value) : valueText(factors.of(ref), value)}
                </td>
                <td className={styles.percentile}>
                  {percentile !== null && (
                    <>
                      <i aria-hidden="true">
                        <i style={{ width: `${percentile * 100}%` }} />
                      </i>
                      {percent(percentile, 0)}
                    </>
                  )}
                </td>
              </tr>
            ))}
        </Table>
      </div>
    </Drawer>
  )
}

const waitingWidths = [64, 88, 72, 96, 64, 80]
const WaitingRows = () =>
  waitingWidths.map((width, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
    <tr key={row}>
      <td>
        <span className="skeleton" style={{ width }} />
      </td>
      <td className="number">
        <span className="skeleton" style={{ width: 48 }} />
      </td>
      <td className={styles.percentile}>
        <span className="skeleton" style={{ width: 80 }} />
      </td>
    </tr>
  ))

/** Candles are made of these, where the data have them. */
const priceRefs = ['close', 'open', 'high', 'low'] as const
const historyDays = 60

/** The score taken apart: place × weight, summed. */
function ScoreParts({ row, parameters, factors, total }: { row: ScreenRow; parameters: Parameters; factors: Factors; total: number }) {
  const parts = parameters.rank_factors.flatMap(({ factor_key: ref, enable, weight }) => {
    const part = row.score_parts?.[ref]
    return enable && part ? [{ ref, weight, ...part }] : []
  })
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0)
  const shade = (index: number) => ({ '--strength': Math.max(24, 100 - index * 26) / 100 }) as CSSProperties
  return (
    <>
      <h3>
        得分拆解 <span>名次分 × 权重，相加得到总分</span>
      </h3>
      <Row align="stretch" className={styles.bar} aria-hidden="true">
        {parts.map(({ ref, contrib }, index) => (
          <i key={ref} style={{ width: `${Math.max(0, contrib ?? 0)}%`, ...shade(index) }} />
        ))}
      </Row>
      <Table
        dense
        columns={[
          {
            label: '因子',
            cell: ({ ref }, index) => (
              <>
                <i className={styles.square} style={shade(index)} />
                {factors.nameOf(ref)}
              </>
            ),
          },
          { label: '原值', numeric: true, cell: ({ ref, raw }) => valueText(factors.of(ref), raw) },
          {
            label: '池内名次',
            numeric: true,
            cell: ({ rank }) => (
              <>
                {fixed(rank, rank !== null && Number.isInteger(rank) ? 0 : 1)}/{total}
              </>
            ),
          },
          { label: '权重', numeric: true, cell: ({ weight }) => percent(weights > 0 ? weight / weights : null, 1) },
          { label: '贡献', numeric: true, look: () => 'strong', cell: ({ contrib }) => fixed(contrib, 1) },
        ]}
        rows={parts}
        rowKey={({ ref }) => ref}
      >
        <tr className="total">
          <td colSpan={3}>合计</td>
          <td className="number">100%</td>
          <td className="number">{fixed(row.score, 1)}</td>
        </tr>
      </Table>
    </>
  )
}
