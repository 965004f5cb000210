import { type ErrorCode, errors, messageOf } from '@convexa/contract'
import { dataModes } from '@convexa/contract/enums/data-mode'
import { runStatus, runStatuses } from '@convexa/contract/enums/run-status'
import { labelOf } from '@convexa/contract/enums/table'
import { namedList } from '@convexa/engine'
import { backupSentences } from '../backup/backup-state.ts'
import { leastFreeBytes } from '../base/free-space.ts'
import { shanghaiTime } from '../base/time.ts'
import { feedLabel } from '../config/feeds.ts'
import type { AppContext } from '../context/app-context.ts'
import { partNames } from '../feeds/ingest/day-parts.ts'
import { stepNames } from '../feeds/ingest/ingest-day.ts'
import { needLabel } from '../feeds/needs.ts'
import { newNonce } from '../http/headers.ts'
import { calendarNotice } from '../market/calendar.ts'
import { snapshotLabels } from '../market/manifest.ts'
import type { Facts, JobState, QueueName } from './facts.ts'

const stepStates = { waiting: '等待数据源', asked: '已取得，未发布', published: '已发布', refused: '未通过检查', held: '已回滚' } as const
const queueNames: Record<QueueName, string> = { run: '回测', message: '消息', feed: '采集' }
const jobStates: Record<JobState, string> = { created: '等待', retry: '等待重试', active: '进行中', failed: '已放弃' }

/** A ban has no known end: it is lifted by an answer to `feed status --ask`. */
const pauseText = (until: Date): string => (until.getUTCFullYear() >= 9_999 ? '停用，用 feed status --ask 重试' : `暂停至 ${time(until)}`)

/** The operator's page: plain HTML, no script, itself again every thirty seconds. `failures`: refusals of this api by code. */
export function statusPage(
  facts: Facts | null,
  failures: ReadonlyMap<number, number>,
  { now, config }: Pick<AppContext, 'now' | 'config'>,
) {
  const nonce = newNonce()
  const moment = now()
  const body = facts ? bodyOf(facts, moment, config) : '<p class="bad">数据库没有应答，下面只有本进程的情况。</p>'
  const html = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="refresh" content="30"><title>${escaped(config.siteName)} · 运行状况</title><style nonce="${nonce}">${style}</style></head><body>
<h1>${escaped(config.siteName)} · 运行状况</h1><p>${time(moment)}，每 30 秒更新；本进程已运行 ${spell(process.uptime())}。</p>
${body}
<h2>本进程拒绝或失败的请求</h2>${table(
    ['代码', '含义', '次数'],
    [...failures].sort(([a], [b]) => b - a).map(([code, count]) => [String(code), meaningOf(code), String(count)]),
    '本进程启动以来没有。',
  )}</body></html>`
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }, body: html }
}

const bodyOf = (
  { feeds, damaged, freeBytes, calendar, quotes, markets, steps, openParts, queue, runs, refusals, workers, backup }: Facts,
  now: Date,
  config: AppContext['config'],
): string => `
<h2>数据源</h2>${table(
  ['数据源', '数据', '状态', '最近成功', '最近失败', '原因'],
  feeds.map(({ source, need, up, answeredAt, failedAt, why, quietUntil }) => [
    feedLabel(source),
    needLabel(need),
    quietUntil && quietUntil > now ? bad(pauseText(quietUntil)) : up ? '正常' : bad('未应答'),
    time(answeredAt),
    time(failedAt),
    why ?? '',
  ]),
  '没有开启数据源，只用导入或演示的行情。',
)}
<h2>实时行情</h2><p>${
  quotes
    ? `${escaped(feedLabel(quotes.source))}，${time(quotes.quotedAt)}（${spell(quotes.ageSeconds)}前）${quotes.stale ? ` ${bad('过期').html}` : ''}`
    : '没有实时行情。'
}</p>
<h2>行情快照</h2>${table(
  ['市场', '数据', '版本', '截至', '落后交易日', '标的', '隔离行', '发布'],
  markets.map(({ snapshot, behind }) => [
    snapshotLabels[snapshot.kind],
    dataModes[snapshot.dataMode].short,
    snapshot.dataVersion,
    snapshot.lastDate,
    behind === null ? bad('未知') : behind > 1 ? bad(String(behind)) : String(behind),
    String(snapshot.securities),
    String(snapshot.quality.quarantined ?? 0),
    time(snapshot.publishedAt),
  ]),
  '还没有行情快照。',
)}${markets.map(({ snapshot, older }) => (older === null ? '' : `<p>${bad(snapshotLabels[snapshot.kind]).html}：${escaped(older)}</p>`)).join('')}${damaged
  .map(
    ({ kind, dataVersion, lastDate, damagedAt, damage }) =>
      `<p>${bad(`${snapshotLabels[kind]} ${dataVersion}（截至 ${lastDate}）的文件已损坏，${time(damagedAt)} 发现`).html}：${escaped(damage)}。可用 ./convexa market repair ${kind} 检查或恢复。</p>`,
  )
  .join(
    '',
  )}${freeBytes === null ? '' : `<p>数据目录所在磁盘剩余 ${freeBytes < leastFreeBytes ? bad(megabytes(freeBytes)).html : megabytes(freeBytes)}。</p>`}
<h2>备份</h2>${backup?.began_at ? `<p>最近的完整备份 ${time(backup.began_at)}，其后的写入已送达到 ${time(backup.shipped_at)}。</p>` : ''}${backupSentences(
  config,
  backup,
  now,
)
  .map(({ text, isBad }) => `<p>${isBad ? bad(text).html : escaped(text)}</p>`)
  .join('')}
<h2>交易日历</h2><p>到 ${calendar.through}${notice(now)}</p>${table(
  ['年份', '来自', '交易日', '得知', '说明'],
  calendar.lines.map(({ year, from, days, since, note }) => [
    String(year),
    from ?? bad('未知'),
    days === null ? '—' : String(days),
    time(since),
    note,
  ]),
  '没有任何年份的交易日历。',
)}
<h2>最近的采集</h2>${table(
  ['市场', '日期', '步骤', '状态', '次数', '用时', '隔离行', '更新', '报告'],
  steps.map((step) => [
    snapshotLabels[step.market],
    step.day,
    stepNames[step.step],
    step.state === 'refused' ? bad(stepStates[step.state]) : stepStates[step.state],
    String(step.tries),
    step.seconds === null ? '' : `${step.seconds.toFixed(1)} 秒`,
    String(step.quarantined),
    time(step.changed_at),
    { html: step.report ? `<details><summary>查看</summary><pre>${escaped(step.report)}</pre></details>` : '' },
  ]),
  '还没有采集过。',
)}
<h2>未到齐的数据</h2>${table(
  ['市场', '日期', '部分', '已有', '缺少', '来源', '最近询问', '状态'],
  openParts.map((part) => [
    snapshotLabels[part.market],
    part.day,
    partNames[part.part],
    `${part.found}/${part.expected}`,
    namedList(part.lacking, 10),
    part.source === null ? '—' : feedLabel(part.source),
    time(part.askedAt),
    part.closed ? bad('不再询问') : '会再询问',
  ]),
  '各部分都已到齐。',
)}
<h2>任务队列</h2>${table(
  ['队列', '状态', '个数', '最久'],
  queue.map(({ name, state, count, oldestSeconds }) => [
    queueNames[name],
    state === 'failed' ? bad(jobStates[state]) : jobStates[state],
    String(count),
    spell(oldestSeconds),
  ]),
  '没有等待、进行中或放弃的任务。',
)}
<h2>近 24 小时的回测</h2>${table(
  ['市场', '状态', '个数'],
  runs.map(({ kind, status, count }) => [
    snapshotLabels[kind],
    status === runStatus.failed || status === runStatus.interrupted ? bad(labelOf(runStatuses, status)) : labelOf(runStatuses, status),
    String(count),
  ]),
  '没有回测。',
)}${
  runs.length === 0
    ? ''
    : table(
        ['代码', '提前结束的原因', '个数'],
        refusals.map(({ code, count }) => [String(code), meaningOf(code), String(count)]),
        '没有提前结束的。',
      )
}
<h2>计算进程</h2>${table(
  ['状态', '运行', '内存', '计算子进程', '子进程内存', '任务', '意外结束'],
  workers.map((one) =>
    one
      ? [
          '正常',
          spell(one.seconds),
          megabytes(one.bytes),
          one.child.runs ? '运行' : bad('没有运行'),
          megabytes(one.child.bytes),
          String(one.child.load),
          String(one.child.ends),
        ]
      : [bad('没有应答'), '', '', '', '', '', ''],
  ),
  '没有计算进程。',
)}`

/** Warning that the trading calendar ends soon, or has ended. */
function notice(now: Date): string {
  const words = calendarNotice(now)
  return words ? `　${bad(words).html}` : ''
}

type Cell = string | { readonly html: string }

const bad = (words: string) => ({ html: `<b class="bad">${escaped(words)}</b>` })

/** `none`: the text when there are no rows. */
function table(head: readonly string[], rows: readonly (readonly Cell[])[], none: string): string {
  if (rows.length === 0) return `<p>${none}</p>`
  const cells = (row: readonly Cell[]) => row.map((cell) => `<td>${typeof cell === 'string' ? escaped(cell) : cell.html}</td>`).join('')
  return `<div><table><thead><tr>${head.map((word) => `<th>${word}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${cells(row)}</tr>`)
    .join('')}</tbody></table></div>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '')
const time = (moment: Date | null): string => (moment ? shanghaiTime(moment).slice(0, 19).replace('T', ' ') : '—')
const megabytes = (bytes: number | null): string => (bytes === null ? '—' : `${Math.round(bytes / 1e6)} MB`)

/** `3 天`, `2 小时`, `5 分钟`, `8 秒`. */
function spell(seconds: number): string {
  const [size, word] =
    (
      [
        [86_400, '天'],
        [3_600, '小时'],
        [60, '分钟'],
      ] as const
    ).find(([each]) => seconds >= each) ?? ([1, '秒'] as const)
  return `${Math.round(seconds / size)} ${word}`
}

const isKnown = (code: number): code is ErrorCode => code in errors
const meaningOf = (code: number): string => (isKnown(code) ? messageOf(code) : '')

const style = `
:root { color-scheme: light dark; }
body { margin: 24px; font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 20px; }
h2 { margin: 24px 0 8px; font-size: 16px; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
table + table { margin-top: 8px; }
th, td { padding: 4px 12px 4px 0; border-bottom: 1px solid #8884; text-align: left; vertical-align: top; white-space: nowrap; }
td:last-child { min-width: 11em; white-space: normal; }
pre { white-space: pre-wrap; }
.bad { color: light-dark(#a8071a, #ff8a8a); }`
