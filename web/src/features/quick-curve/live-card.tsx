import type { Settings } from '@convexa/contract/backtest'
import { executions } from '@convexa/contract/enums/execution'
import { type Metric, metricLabel, metrics } from '@convexa/contract/enums/metric'
import { metricFormulas } from '@convexa/contract/enums/metric-formula'
import { labelOf } from '@convexa/contract/enums/table'
import { sentenceOf } from '../../api/messages.ts'
import { useIsDemo } from '../../api/site.ts'
import { fixed, percent, signed, signedPercent, tone } from '../../base/format.ts'
import { usePhone } from '../../base/use-phone.ts'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { usePreferences } from '../../state/preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { useLater } from '../../ui/states.tsx'
import { Badge } from '../../ui/tag.tsx'
import { VipHint } from '../../ui/vip-hint.tsx'
import { DataLine } from '../data-status/data-line.tsx'
import { interestMeaning, interestWords } from '../rule/interest-text.ts'
import { costParts } from '../rule/rule-text.ts'
import { useDraft } from '../rule/use-draft.ts'
import styles from './live.module.css'
import { LiveChart } from './live-chart.tsx'
import { type LiveNumbers, numbersOf } from './live-numbers.ts'
import { type LiveYears, type QuickCurve, useQuickCurve } from './use-quick-curve.ts'
import '../../ui/chart/legend.css'

const panelKey = 'live'
const spans: readonly { value: LiveYears; label: string }[] = [
  { value: 1, label: '1 年' },
  { value: 3, label: '3 年' },
  { value: 5, label: '5 年' },
]
/** Said wherever the curve stands: it is no backtest. */
const idealWords = '速览按理想成交计算：按收盘价全部成交，不计整手、涨跌停与成交量限制，不保存、不计入次数。完整结果以回测为准。'

/** The net value of the last years, following every edit: a rule is felt while it is made. It waits until the page's own answer is there (`ready`). */
export function LiveCard({ draft, ready = true }: { draft: Draft; ready?: boolean }) {
  const market = useMarket()
  const phone = usePhone()
  const { range, options, lost } = useDraft()
  const { collapsedSettings, collapse, liveYears, set } = usePreferences()
  const followed = useQuickCurve(draft, ready ? range : null)
  const live = lost && !followed.result ? { ...followed, ...lost, running: false } : followed
  const folded = collapsedSettings[panelKey] ?? false
  const bench = options?.benchmarks.find(({ value, kind }) => kind === market.id && value === draft.settings.benchmark)?.label ?? '基准'
  const { result, settings } = live
  return (
    <Card plain className={folded ? `${styles.live} folded` : styles.live} label="净值速览" busy={live.running}>
      <header>
        <Button
          look={['ghost', 'square', 'fold']}
          icon={folded ? 'right' : 'down'}
          aria-expanded={!folded}
          aria-label={folded ? '展开净值速览' : '收起净值速览'}
          onClick={() => collapse(panelKey, !folded)}
        />
        <h2>近 {live.years} 年净值</h2>
        <span title={idealWords}>
          <Badge look="brand">速览</Badge>
        </span>
        {!phone && settings && <Terms settings={settings} result={result} dutied={market.dutied} />}
        <span className="grow" />
        {!folded && !phone && <Legend bench={bench} before={live.before !== null} />}
        {!phone && <Segmented label="速览区间" value={liveYears} choices={spans} onChange={(years) => set('liveYears', years)} />}
        {phone ? (
          <Legend bench={bench.replace(/（.*）$/, '')} before={false} />
        ) : (
          <PageLink className="button small" to={`${market.path}/backtest`}>
            {market.backtestTitle}
            <Icon name="right" size="small" />
          </PageLink>
        )}
      </header>
      {!folded && <LiveBody live={live} bench={bench} phone={phone} />}
      {!folded && result && settings && <DataLine kind={market.id} version={result.data_version} date={settings.end_date} />}
    </Card>
  )
}

/** The same as a strip above the builder's sections, where the page behind is covered. */
export function LiveStrip({ draft }: { draft: Draft }) {
  const { range } = useDraft()
  const market = useMarket()
  const demo = useIsDemo(market.id)
  const live = useQuickCurve(draft, range)
  const { result } = live
  const numbers = result && numbersOf(result).strategy
  return (
    <section className={styles.strip} aria-label="净值速览" aria-busy={live.running} title={idealWords}>
      <div className={live.stale ? 'stale' : undefined}>
        {result ? <LiveChart curves={curvesOf(live)} benchName="基准" demo={demo} height={64} small /> : <Quiet live={live} height={64} />}
      </div>
      <dl className={live.stale ? 'stale' : undefined}>
        <div>
          <dt>近 {live.years} 年年化</dt>
          <dd className={tone(numbers?.annual)} title={interestWords(result?.left_out_interest) ?? undefined}>
            {signedPercent(numbers?.annual, 1)}
          </dd>
        </div>
        <div>
          <dt>{metricLabel('max_drawdown')}</dt>
          <dd>{percent(numbers?.drawdown, 1)}</dd>
        </div>
      </dl>
    </section>
  )
}

function LiveBody({ live, bench, phone }: { live: QuickCurve; bench: string; phone: boolean }) {
  const { id: kind } = useMarket()
  const demo = useIsDemo(kind)
  const slow = useLater(400, live.running)
  const { result, settings, before, mistaken, error } = live
  const interest = interestWords(result?.left_out_interest)
  const dim = live.stale && (slow || mistaken || error !== null)
  const height = phone ? 132 : 156
  return (
    <div className={styles.body}>
      {slow && <div className="progress-line on" />}
      <div className={dim ? `${styles.plot} stale` : styles.plot}>
        {result ? (
          <LiveChart curves={curvesOf(live)} benchName={bench} demo={demo} height={height} />
        ) : (
          <Quiet live={live} height={height} />
        )}
      </div>
      <Numbers
        numbers={result && numbersOf(result)}
        before={before && numbersOf(before).strategy}
        settings={settings}
        phone={phone}
        dim={dim}
      />
      {interest && (
        <p className={`${styles.note} text-3`} title={interestMeaning}>
          年化与近一年{interest}
        </p>
      )}
      {result && (mistaken || error !== null) && (
        <p className={styles.note} role="status">
          {mistaken ? '条件有误，曲线是修改前的。' : `${sentenceOf(error)}，曲线是修改前的。`}
          {!mistaken && (
            <button type="button" className="link" onClick={live.retry}>
              重试
            </button>
          )}
          {!mistaken && <VipHint refusal={error} />}
        </p>
      )}
    </div>
  )
}

const curvesOf = ({ result, before }: QuickCurve) => ({
  dates: result?.curves.dates ?? [],
  nav: result?.curves.nav ?? [],
  bench: result?.curves.bench ?? [],
  before: before?.curves.nav,
})

/** No curve yet: on its way, or why there is none, in one line. */
function Quiet({ live, height }: { live: QuickCurve; height: number }) {
  if (live.error && !live.running)
    return (
      <Row as="p" gap={8} className={styles.quiet} style={{ height }} role="status">
        {sentenceOf(live.error)}
        <button type="button" className="link" onClick={live.retry}>
          重试
        </button>
        <VipHint refusal={live.error} />
      </Row>
    )
  return (
    <Row gap={8} className={styles.quiet} style={{ height }}>
      {live.mistaken ? '条件改正后显示曲线' : <span className="skeleton" style={{ width: '86%' }} />}
    </Row>
  )
}

function Terms({ settings, result, dutied }: { settings: Settings; result: QuickCurve['result']; dutied: boolean }) {
  const { dates = [] } = result?.curves ?? {}
  const range = dates.length > 0 ? `${dates[0]} ~ ${dates.at(-1)}` : ''
  return (
    <span className="text-3 card-note" title={idealWords}>
      {[range, costParts(settings, dutied, true)[0], labelOf(executions, 'ideal')].filter(Boolean).join(' · ')}
    </span>
  )
}

const Legend = ({ bench, before }: { bench: string; before: boolean }) => (
  <span className="legend" aria-hidden="true">
    <span>
      <i />
      策略
    </span>
    <span>
      <i className="bench" />
      {bench}
    </span>
    {before && (
      <span>
        <i className={styles.beforeKey} />
        改动前
      </span>
    )}
  </span>
)

interface LiveRow {
  key: keyof LiveNumbers
  metric: Metric
  /** Where there is little room, if it is another word. */
  brief?: string
  write: (value: number | null) => string
  /** Where there is little room. */
  writeBrief?: (value: number | null) => string
  /** What an edit changed, in the same unit. */
  difference: (value: number) => string
  tinted?: true
  /** Behind the formula. */
  more?: string
}

const points = (value: number) => `${signed(value * 100, 2)}`
const rows: readonly LiveRow[] = [
  {
    key: 'annual',
    metric: 'annual_return',
    brief: '年化',
    write: (value) => signedPercent(value),
    writeBrief: (value) => signedPercent(value, 1),
    difference: points,
    tinted: true,
  },
  {
    key: 'drawdown',
    metric: 'max_drawdown',
    write: (value) => percent(value),
    writeBrief: (value) => percent(value, 1),
    difference: points,
    tinted: true,
  },
  {
    key: 'sharpe',
    metric: 'sharpe',
    brief: metrics.sharpe.short,
    more: '，无风险利率按 0 计',
    write: (value) => fixed(value),
    difference: (value) => signed(value),
  },
  {
    key: 'turnover',
    metric: 'turnover_annual',
    more: '，单边',
    write: (value) => fixed(value, 1),
    difference: (value) => signed(value, 1),
  },
  {
    key: 'recent',
    metric: 'recent_1y',
    write: (value) => signedPercent(value),
    writeBrief: (value) => signedPercent(value, 1),
    difference: points,
    tinted: true,
  },
]

/** The five numbers with the benchmark's, and what the last edit did to them. */
function Numbers({
  numbers,
  before,
  settings,
  phone,
  dim,
}: {
  numbers: { strategy: LiveNumbers; bench: LiveNumbers } | null
  before: LiveNumbers | null
  settings: Settings | null
  phone: boolean
  dim: boolean
}) {
  return (
    <dl className={dim ? `${styles.numbers} stale` : styles.numbers}>
      {rows.map(({ key, metric, brief, write, writeBrief = write, difference, tinted, more = '' }) => {
        const { label } = metrics[metric]
        const value = numbers?.strategy[key] ?? null
        const was = before?.[key] ?? null
        const moved = value !== null && was !== null ? difference(value - was) : null
        return (
          <div key={key} title={metricFormulas[metric] + more}>
            <dt>{phone ? (brief ?? label) : label}</dt>
            <dd className={tinted ? tone(value) : undefined}>
              {numbers ? (phone ? writeBrief : write)(value) : <span className="skeleton" style={{ width: 48 }} />}
              {key === 'turnover' && value !== null && <small> 倍</small>}
            </dd>
            {!phone && (
              <dd className={styles.beside}>
                {key === 'turnover' ? costOfTurnover(value, settings) : `基准 ${write(numbers?.bench[key] ?? null)}`}
              </dd>
            )}
            {!phone && <dd className={styles.moved}>{moved && !/^0(\.0+)?$/.test(moved) ? `较前 ${moved}` : ''}</dd>}
          </div>
        )
      })}
    </dl>
  )
}

/** What the trading costs a year, roughly: both sides of what is turned over. */
function costOfTurnover(turnover: number | null, settings: Settings | null): string {
  if (turnover === null || !settings) return ''
  const { buy_rate: buy, sell_rate: sell, slippage = 0 } = settings.cost
  return `成本约 ${percent(turnover * (buy + sell + 2 * slippage), 1)}/年`
}
