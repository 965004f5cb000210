import { text } from 'node:stream/consumers'
import type { DayDetail, MarketId, Report } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { metricLabel, metrics } from '@convexa/contract/enums/metric'
import { stages } from '@convexa/contract/stage'
import type { Kysely } from 'kysely'
import { v7 as uuid } from 'uuid'
import { ApiError } from '../base/api-error.ts'
import { remoteCompute } from '../compute/remote.ts'
import { sessionOf } from '../db/connect.ts'
import type { Database } from '../db/tables.ts'
import { unpacked } from '../http/packed-json.ts'
import { followRun } from '../quant/follow-run.ts'
import { startReaper } from '../quant/reaper.ts'
import type { RunAsked } from '../quant/rule-to-run.ts'
import { openRunNews } from '../quant/run-news.ts'
import { endings, endRun } from '../quant/run-state.ts'
import { startRun } from '../quant/start-run.ts'
import { ownDay, ownReport } from '../quant/stored-report.ts'
import { openQueue } from '../queue/queue.ts'
import { type CommandContext, withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answerWith } from './output.ts'
import { type Progress, progress } from './progress.ts'
import { readRequest, settingsOf } from './request-file.ts'
import { modeText, numberText, percentText, table } from './text.ts'

/** `convexa backtest`: a run like any other, through the queue to a worker; its report is stored and printed. */
export async function backtest(kind: MarketId, file: string): Promise<void> {
  const request = readRequest(kind, file)
  const body = { ...request.rule, settings: settingsOf(request, file) }
  await withCommandContext('worker', async (deps) => {
    const shown = progress()
    const { report, last } = await run(deps, kind, body, shown).finally(() => shown.end())
    answerWith(
      () => report,
      () => described(JSON.parse(report), last),
    )
  })
}

async function run(
  { db, connectionString, config, processId, signal }: CommandContext,
  kind: MarketId,
  body: RunAsked,
  shown: Progress,
): Promise<{ report: string; last: DayDetail | null }> {
  const queue = await openQueue(connectionString, db, () => {})
  const news = await openRunNews(sessionOf(db))
  const reaper = startReaper(db, queue, () => {})
  try {
    const user = { id: await commandLineUser(db), unlimited: true }
    const { id, how } = await startRun(
      { db, queue, dataDir: config.dataDir, rules: config.tradingRules, limits: config.queue, ownerId: processId },
      user,
      kind,
      body,
    )
    reaper.wake()
    let cancelled = false
    try {
      for await (const event of followRun(db, news, id, signal)) {
        if (event.type === 'stage' && event['stage'] === 'load') shown.show(0, stages.load)
        else if (event.type === 'progress')
          shown.show(Number(event['percent']), `${event['date']} 净值 ${numberText(Number(event['nav']), 4)}`)
        else if (event.type === 'warning') shown.say(`提示：${event['message']}`)
        else if (event.type === 'error') {
          const code = Number(event['code'])
          throw new Stop(exitOf(code), `${event['message']}[${code}]`, { code })
        }
      }
    } finally {
      cancelled = how === 'new' && (await endRun(db, queue, id, endings.cancelled))
    }
    // A run that ended before it could be cancelled is reported as usual.
    if (cancelled) throw new Stop(exits.interrupted, '已中断，回测已取消')
    if (signal.aborted && how !== 'new') throw new Stop(exits.interrupted, '已中断')
    const deps = { db, config, compute: remoteCompute(db, patience) }
    const stored = await ownReport(deps, user.id, kind, id, null, { asker: null })
    if (!stored) throw new Stop(exits.failed, '回测已完成，但读不到它的报告')
    const report = await text(unpacked(stored.packedJson))
    const { dates } = (JSON.parse(report) as Report).curves
    return { report, last: await ownDay(deps, user.id, kind, id, dates.at(-1) ?? '', { asker: null }) }
  } catch (error) {
    throw error instanceof ApiError ? new Stop(exitOf(error.code), `${error.message}[${error.code}]`, { code: error.code }) : error
  } finally {
    await Promise.allSettled([reaper.close(), news.close(), queue.close()])
  }
}

/** What the request is to blame for is refused; what is ours has failed. */
const exitOf = (code: number): number =>
  code >= errorCodes.userQueueFull || code === errorCodes.noMarketData ? exits.failed : exits.refused

/** No browser waits for the report of a command. */
const patience = 15

/** Runs of the command line belong to an account of their own that nobody can log in to. */
async function commandLineUser(db: Kysely<Database>): Promise<string> {
  const account = 'command-line'
  await db
    .insertInto('app_user')
    .values({ id: uuid(), account, nickname: '命令行', password_hash: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await db.selectFrom('app_user').select('id').where('account', '=', account).executeTakeFirstOrThrow()).id
}

const interestText = (leftOut: number | null): string => (leftOut === null ? '数额未知' : `约 ${percentText(leftOut)}/年`)

function described(report: Report, last: DayDetail | null): string {
  const { metrics: own, benchmark_metrics: bench, settings } = report
  const row = (label: string, value: (metrics: Report['metrics']) => string) => [label, value(own), value(bench)]
  const lines = [
    `${report.name} · ${own.start_date} 至 ${own.end_date}，${own.days} 个交易日 · 参数 ${report.params_hash.slice(0, 8)}`,
    `${modeText(report.data_mode)} ${report.data_version} · 引擎 ${report.engine_version} · 编号 ${report.backtest_id}`,
    '',
    table(
      [
        ['', '策略', `基准 ${settings.benchmark}`],
        row(metricLabel('total_return'), ({ total_return }) => percentText(total_return)),
        row(metricLabel('annual_return'), ({ annual_return }) => percentText(annual_return)),
        ...(report.left_out_interest === undefined ? [] : [['未计利息', interestText(report.left_out_interest), '']]),
        row(metricLabel('max_drawdown'), ({ max_drawdown }) => percentText(max_drawdown)),
        row(metricLabel('volatility'), ({ volatility }) => percentText(volatility)),
        row(metrics.sharpe.short, ({ sharpe }) => numberText(sharpe)),
        row(metrics.calmar.short, ({ calmar }) => numberText(calmar)),
        [metricLabel('turnover'), percentText(own.turnover), ''],
        [metricLabel('trades'), numberText(own.trades, 0), ''],
        ['费用（元）', numberText(own.fees), ''],
      ],
      [1, 2],
    ),
    '',
    table(
      [
        ['年度', '策略', '基准', '超额', metricLabel('max_drawdown')],
        ...report.yearly.map(({ period, nav_return, bench_return, excess, max_drawdown }) => [
          period,
          ...[nav_return, bench_return, excess, max_drawdown].map((value) => percentText(value)),
        ]),
      ],
      [1, 2, 3, 4],
    ),
  ]
  if (last) {
    lines.push('', `${last.trade_date} 收盘持仓 ${last.positions.length} 只，现金 ${numberText(last.cash)} 元`)
    const rows = last.positions.map(({ code, name, weight, profit_rate, holding_days }) => [
      code,
      name,
      percentText(weight),
      percentText(profit_rate),
      String(holding_days),
    ])
    if (rows.length > 0) lines.push(table([['代码', '名称', '权重', '盈亏', '持有天数'], ...rows], [2, 3, 4]))
  }
  return [...lines, ...report.warnings.map((warning) => `提示：${warning}`)].join('\n')
}
