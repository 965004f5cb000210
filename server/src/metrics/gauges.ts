import { runStatus } from '@convexa/contract/enums/run-status'
import { Gauge, type Registry } from 'prom-client'
import { snapshotKinds } from '../market/manifest.ts'
import type { Facts } from './facts.ts'

const stateOf = new Map<number, string>(Object.entries(runStatus).map(([name, status]) => [status, name]))

/** Gauges of the database and the workers, set again at each scrape. `set(null)`: no values are known. */
export function gaugesOf(registry: Registry, dataDir: string): { set(facts: Facts | null): void } {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: `convexa_${name}`, help, labelNames: [...labelNames], registers: [registry] })

  const database = gauge('database_up', '1: the figures below were read.')
  const runs = gauge('runs', 'Backtests of the last 24 hours, and those that wait or run, by state.', ['market', 'state'])
  const refusals = gauge('run_failures', 'Backtests of the last 24 hours that ended early, by code.', ['code'])
  const jobs = gauge('queue_jobs', 'Jobs that wait (created, retry), are worked on or were given up.', ['queue', 'state'])
  const oldest = gauge('queue_oldest_seconds', 'Age of the oldest job of a state.', ['queue', 'state'])
  const workers = gauge('workers', 'Workers that live.')
  const silent = gauge('workers_silent', 'Workers that live and did not answer.')
  const workerBytes = gauge('worker_resident_bytes', 'Memory of all workers, without their compute children.')
  const children = gauge('compute_children', 'Compute children that run.')
  const childBytes = gauge('compute_child_resident_bytes', 'Memory of the largest compute child.')
  const load = gauge('compute_tasks', 'Tasks that compute children have been given and not ended.')
  const ends = gauge('compute_child_ends', 'Times that compute children of the living workers ended by themselves.')
  const mismatches = gauge('recompute_mismatch_total', 'Times that a run computed again by the same engine came out otherwise than it had.')
  const coreBytes = gauge('run_core_bytes', 'Bytes of the stored cores of runs of the last 24 hours, on average.')
  const storeSeconds = gauge('store_seconds_sum', 'Seconds that the object store took, of this api and the workers.', ['op'])
  const storeCalls = gauge('store_seconds_count', 'Calls of the object store, of this api and the workers.', ['op'])
  const storeErrors = gauge('store_errors_total', 'Calls of the object store that failed, of this api and the workers.', ['op'])
  const storeBytes = gauge('store_bytes', 'Bytes of objects: being written, there, or condemned and deleted days later.', ['state'])
  const cacheBytes = gauge('cache_bytes', 'Bytes of snapshots in the caches of all workers; absent where files lie in a data directory.')
  const day = gauge('market_day_timestamp_seconds', 'The last published trading day, at its close.', ['market'])
  const published = gauge('market_published_timestamp_seconds', 'When the newest snapshot was published.', ['market'])
  const behind = gauge('market_behind_days', 'Trading days that have closed since the last published one; absent beyond the calendar.', [
    'market',
  ])
  const calendarEnd = gauge('calendar_end_timestamp_seconds', 'The end of the last day of which it is known whether the exchanges trade.')
  const damaged = gauge('market_damaged', '1: files of the newest snapshot are missing or changed, an older one is in use or none.', [
    'market',
  ])
  const free = gauge('disk_free_bytes', 'Bytes that are free where a folder of this process lies.', ['path'])
  const size = gauge('disk_size_bytes', 'Bytes that may be used of the disk where a folder of this process lies.', ['path'])
  const lost = gauge('messages_lost_total', 'Messages that ended without a vendor having had them, of this api and the workers.')
  const unsettled = gauge('payment_unsettled_seconds', 'How long the oldest payment has waited for what was bought; 0 where none waits.')
  const backupMade = gauge('backup_timestamp_seconds', 'When the newest whole backup began; absent without one.')
  const backupShipped = gauge('backup_shipped_timestamp_seconds', 'Until when writes are among the backups; absent before the first.')
  const backupBehind = gauge('backup_behind_bytes', 'Bytes of WAL that wait to be put among the backups; absent without backups.')
  const backupProblem = gauge('backup_problem', '1: backups do not work as they should; absent without backups.')
  const ready = gauge('ready', 'Processes of the site that live and are ready.', ['role'])
  const slots = gauge('slots', 'Backtests that the ready workers compute at once.')
  const wait = gauge('queue_wait_seconds', 'How long the oldest waiting backtest has waited; 0 where none waits.')
  const holders = gauge('snapshot_holders', 'Ready workers that have the newest snapshot whole.', ['market'])
  const securities = gauge('market_securities', 'Securities in the data.', ['market'])
  const took = gauge('ingest_seconds', 'What the newest finished step took.', ['market', 'step'])
  const state = gauge('ingest_state', '1 for the state of the newest step.', ['market', 'step', 'state'])
  const left = gauge('ingest_quarantined_rows', 'Rows left out of the newest day.', ['market'])
  const classes = gauge('ingest_findings', 'What the checks found in the newest day, by class.', ['market', 'class', 'level'])
  const up = gauge('feed_up', '1: the source answered when it was asked last.', ['source', 'need'])
  const answered = gauge('feed_last_success_timestamp_seconds', 'When the source answered last.', ['source', 'need'])
  const paused = gauge('feed_paused', '1: not asked for a while.', ['source', 'need'])
  const age = gauge('live_quotes_age_seconds', 'Age of the newest quote.')
  const stale = gauge('live_quotes_stale', '1: older than they should be at this hour.')
  const labelled = [
    runs,
    refusals,
    jobs,
    oldest,
    day,
    published,
    behind,
    damaged,
    ...[free, size],
    ready,
    holders,
    securities,
    took,
    state,
    left,
    classes,
    up,
    answered,
    paused,
    ...[storeSeconds, storeCalls, storeErrors, storeBytes],
  ]
  const single = [
    ...[backupMade, backupShipped, backupBehind, backupProblem],
    ...[lost, unsettled],
    calendarEnd,
    slots,
    wait,
    workers,
    silent,
    workerBytes,
    children,
    childBytes,
    load,
    ends,
    mismatches,
    coreBytes,
    cacheBytes,
    age,
    stale,
  ]

  return {
    set(facts) {
      for (const one of labelled) one.reset()
      // Unknown values are left out: a 0 would be read as a measurement.
      for (const one of single) one.remove()
      database.set(facts ? 1 : 0)
      if (!facts) return
      for (const { kind, status, count } of facts.runs) runs.set({ market: kind, state: stateOf.get(status) ?? String(status) }, count)
      for (const { code, count } of facts.refusals) refusals.set({ code: String(code) }, count)
      for (const { name, state: of, count, oldestSeconds } of facts.queue) {
        jobs.set({ queue: name, state: of }, count)
        oldest.set({ queue: name, state: of }, oldestSeconds)
      }
      const known = facts.workers.flatMap((one) => one ?? [])
      const sum = (of: (one: (typeof known)[number]) => number) => known.reduce((total, one) => total + of(one), 0)
      workers.set(facts.workers.length)
      silent.set(facts.workers.length - known.length)
      workerBytes.set(sum(({ bytes }) => bytes))
      children.set(known.filter(({ child }) => child.runs).length)
      childBytes.set(Math.max(0, ...known.map(({ child }) => child.bytes ?? 0)))
      load.set(sum(({ child }) => child.load))
      ends.set(sum(({ child }) => child.ends))
      mismatches.set(sum(({ child }) => child.mismatches))
      if (facts.coreBytes !== null) coreBytes.set(facts.coreBytes)
      for (const figures of [facts.store, ...known.map(({ store }) => store)]) {
        for (const [op, { count, seconds, errors }] of Object.entries(figures)) {
          storeSeconds.inc({ op }, seconds)
          storeCalls.inc({ op }, count)
          storeErrors.inc({ op }, errors)
        }
      }
      for (const { state: of, bytes } of facts.storeBytes) storeBytes.set({ state: of }, bytes)
      if (known.some((one) => one.cacheBytes !== null)) cacheBytes.set(sum((one) => one.cacheBytes ?? 0))
      for (const { snapshot, behind: days } of facts.markets) {
        const market = { market: snapshot.kind }
        day.set(market, Date.parse(`${snapshot.lastDate}T15:00:00+08:00`) / 1_000)
        published.set(market, snapshot.publishedAt.getTime() / 1_000)
        if (days !== null) behind.set(market, days)
        securities.set(market, snapshot.securities)
      }
      for (const kind of snapshotKinds) damaged.set({ market: kind }, facts.damaged.some((one) => one.kind === kind) ? 1 : 0)
      if (facts.freeBytes !== null) free.set({ path: dataDir }, facts.freeBytes)
      if (facts.diskBytes !== null) size.set({ path: dataDir }, facts.diskBytes)
      lost.set(facts.messagesLost + sum(({ messagesLost }) => messagesLost))
      unsettled.set(facts.unsettledSeconds)
      if (facts.backup) {
        const { began_at, shipped_at, behind_bytes, problem } = facts.backup
        if (began_at) backupMade.set(began_at.getTime() / 1_000)
        if (shipped_at) backupShipped.set(shipped_at.getTime() / 1_000)
        backupBehind.set(behind_bytes)
        backupProblem.set(problem === null ? 0 : 1)
      }
      const { processes } = facts
      for (const role of ['api', 'worker'] as const) ready.set({ role }, processes.ready[role])
      slots.set(processes.slots)
      wait.set(processes.queueWaitSeconds)
      for (const { kind, count } of processes.holders) holders.set({ market: kind }, count)
      calendarEnd.set(Date.parse(`${facts.calendar.through}T24:00:00+08:00`) / 1_000)
      const seen = new Set<string>()
      for (const step of facts.steps) {
        const labels = { market: step.market, step: step.step }
        const key = `${step.market} ${step.step}`
        if (seen.has(key)) continue
        seen.add(key)
        state.set({ ...labels, state: step.state }, 1)
        if (step.seconds !== null) took.set(labels, step.seconds)
        if (step.step !== 'quotes') continue
        left.set({ market: step.market }, step.quarantined)
        for (const { check, level, count } of step.findings) classes.set({ market: step.market, class: check, level }, count)
      }
      const now = Date.now()
      for (const { source, need, up: isUp, answeredAt, quietUntil } of facts.feeds) {
        up.set({ source, need }, isUp ? 1 : 0)
        if (answeredAt) answered.set({ source, need }, answeredAt.getTime() / 1_000)
        paused.set({ source, need }, quietUntil && quietUntil.getTime() > now ? 1 : 0)
      }
      if (facts.quotes) {
        age.set(facts.quotes.ageSeconds)
        stale.set(facts.quotes.stale ? 1 : 0)
      }
    },
  }
}
