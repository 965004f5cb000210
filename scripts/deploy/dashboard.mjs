// The Grafana dashboard, made of one table: rows of panels, each with its expressions. `npm run lint:deploy -- --write` writes deploy/grafana.
// Every api tells the same facts of the database and the workers: they are taken by max, never summed over apis.

/** Units of Grafana. */
const [seconds, bytes, share, each] = ['s', 'bytes', 'percentunit', 'short']
const streams = 'route!~"/v1/quant/[^/]+/(advanced-)?backtest"'
const quantile = (q) => `histogram_quantile(${q}, sum by (le) (rate(convexa_http_request_seconds_bucket{${streams}}[$__rate_interval])))`

/** `[title, unit, [legend, expression] …]` */
const rows = [
  {
    title: '现在',
    panels: [
      ['就绪的网页服务', each, ['', 'max(convexa_ready{role="api"})']],
      ['就绪的计算进程', each, ['', 'max(convexa_ready{role="worker"})']],
      ['可同时计算的回测', each, ['', 'max(convexa_slots)']],
      ['最早的回测已排队', seconds, ['', 'max(convexa_queue_wait_seconds)']],
    ],
  },
  {
    title: '请求',
    panels: [
      ['每秒请求', each, ['{{status}}', 'sum by (status) (rate(convexa_http_requests_total[$__rate_interval]))']],
      ['耗时（回测的流除外）', seconds, ['p50', quantile(0.5)], ['p95', quantile(0.95)], ['p99', quantile(0.99)]],
      [
        '最慢的接口 p95',
        seconds,
        [
          '{{route}}',
          `topk(8, histogram_quantile(0.95, sum by (le, route) (rate(convexa_http_request_seconds_bucket{${streams}}[$__rate_interval]))))`,
        ],
      ],
      ['拒绝与错误', each, ['{{code}}', 'topk(10, sum by (code) (rate(convexa_http_requests_total{code!="0"}[$__rate_interval])) > 0)']],
      ['等待数据库连接的语句', each, ['{{instance}}', 'convexa_pool_waiting']],
      ['事件循环延迟 p99', seconds, ['{{instance}}', 'nodejs_eventloop_lag_p99_seconds']],
    ],
  },
  {
    title: '回测与计算',
    panels: [
      ['24 小时内的回测', each, ['{{market}} {{state}}', 'max by (market, state) (convexa_runs)']],
      ['失败的原因', each, ['{{code}}', 'max by (code) (convexa_run_failures)']],
      ['队列中的任务', each, ['{{queue}} {{state}}', 'max by (queue, state) (convexa_queue_jobs)']],
      ['计算中的任务', each, ['', 'max(convexa_compute_tasks)']],
      [
        '计算进程的内存',
        bytes,
        ['计算进程合计', 'max(convexa_worker_resident_bytes)'],
        ['最大的计算子进程', 'max(convexa_compute_child_resident_bytes)'],
      ],
      [
        '异常',
        each,
        ['子进程自行退出', 'max(convexa_compute_child_ends)'],
        ['重算结果不同', 'max(convexa_recompute_mismatch_total)'],
        ['没有发出的消息', 'max(convexa_messages_lost_total)'],
      ],
    ],
  },
  {
    title: '行情',
    panels: [
      ['落后的交易日', each, ['{{market}}', 'max by (market) (convexa_market_behind_days)']],
      ['持有最新行情的计算进程', each, ['{{market}}', 'max by (market) (convexa_snapshot_holders)']],
      ['数据源是否应答', each, ['{{source}} {{need}}', 'max by (source, need) (convexa_feed_up)']],
      ['实时行情的时差', seconds, ['', 'max(convexa_live_quotes_age_seconds)']],
    ],
  },
  {
    title: '存储与备份',
    panels: [
      ['磁盘剩余', share, ['{{instance}} {{path}}', 'convexa_disk_free_bytes / convexa_disk_size_bytes']],
      [
        '对象存储：每次请求的耗时',
        seconds,
        [
          '{{op}}',
          'deriv(max by (op) (convexa_store_seconds_sum)[$__range:1m]) / deriv(max by (op) (convexa_store_seconds_count)[$__range:1m])',
        ],
      ],
      ['对象与缓存', bytes, ['{{state}}', 'max by (state) (convexa_store_bytes)'], ['计算进程的缓存', 'max(convexa_cache_bytes)']],
      [
        '备份',
        seconds,
        ['距最近的完整备份', 'time() - max(convexa_backup_timestamp_seconds)'],
        ['距最近送达的写入', 'time() - max(convexa_backup_shipped_timestamp_seconds)'],
      ],
    ],
  },
]

const [columns, height] = [24, 7]
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
const source = { type: 'prometheus', uid: '${datasource}' }

function panelOf([title, unit, ...queries], place) {
  const isNow = queries.length === 1 && queries[0][0] === '' && place.y < height
  return {
    type: isNow ? 'stat' : 'timeseries',
    title,
    datasource: source,
    gridPos: place,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: isNow ? { reduceOptions: { calcs: ['lastNotNull'] } } : { legend: { displayMode: 'list', placement: 'bottom' } },
    targets: queries.map(([legend, expr], k) => ({ refId: 'ABCDEF'[k], expr, legendFormat: legend || title, datasource: source })),
  }
}

/** The dashboard as Grafana imports it. */
export function dashboard() {
  const panels = []
  let [y, id] = [0, 1]
  for (const row of rows) {
    panels.push({ id: id++, type: 'row', title: row.title, collapsed: false, gridPos: { x: 0, y: y++, w: columns, h: 1 }, panels: [] })
    const lines = row.panels.length > 4 ? 2 : 1
    const across = row.panels.length / lines
    for (const [k, panel] of row.panels.entries()) {
      const w = columns / across
      const place = { x: (k % across) * w, y: y + Math.floor(k / across) * height, w, h: height }
      panels.push({ id: id++, ...panelOf(panel, place) })
    }
    y += lines * height
  }
  return {
    uid: 'convexa',
    title: '凸度量化',
    tags: ['convexa'],
    timezone: 'Asia/Shanghai',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: '数据源' }] },
    panels,
  }
}
