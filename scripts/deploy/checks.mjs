// What `npm run lint:deploy` checks. Each check belongs to one artefact; one with `needs` runs a program of others and is skipped where that is
// not found.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { envExample } from '../../server/src/config/setting-documents.ts'
import { settings } from '../../server/src/config/settings.ts'
import { registeredMetrics } from '../../server/src/metrics/registered.ts'
import { valueFaults } from './check-chart.mjs'
import { composeFaults } from './check-compose.mjs'
import { dockerfileFaults } from './check-dockerfile.mjs'
import { alertFaults, dashboardFaults } from './check-monitoring.mjs'
import { caddyFaults, haproxyFaults, nginxFaults, nginxProxyFaults } from './check-proxies.mjs'
import { unitFaults } from './check-units.mjs'
import { dashboard } from './dashboard.mjs'
import { root } from './find-tool.mjs'

export const read = (path) => readFileSync(join(root, path), 'utf8')
/** Labels by name. */
export const metrics = registeredMetrics()
export const settingNames = new Set(Object.keys(settings))

export const valueFiles = ['values.yaml', 'values.cnpg.yaml', 'values.keda.yaml']
export const chart = 'deploy/helm/convexa'

/** As operations.md lists them. */
const alerts = [
  ...['ConvexaNotReady', 'NoReadyWorker', 'QueueWait', 'RunsFailing', 'Http500', 'SlowCalls', 'MarketLate', 'MarketDamaged'],
  ...['SnapshotNotTaken', 'StoreErrors', 'BackupLate', 'DiskFilling', 'DatabasePool', 'MessagesLost', 'RecomputeMismatch'],
  ...['PaymentsUnsettled', 'CalendarEnds'],
]

export const dashboardFile = 'deploy/grafana/convexa.json'
/** One panel a line. */
export function dashboardText() {
  const { panels, ...rest } = dashboard()
  const head = JSON.stringify(rest, null, 2).slice(0, -2)
  return `${head},\n  "panels": [\n${panels.map((panel) => `    ${JSON.stringify(panel)}`).join(',\n')}\n  ]\n}\n`
}

/** Our own rules: they cost nothing and always run. */
export const ownChecks = [
  { name: 'Dockerfile', faults: () => dockerfileFaults(read('deploy/Dockerfile')) },
  ...['compose.yaml', 'compose.site.yaml'].map((file) => ({
    name: file,
    faults: () => composeFaults(read(`deploy/${file}`), settingNames),
  })),
  ...valueFiles.map((file) => ({
    name: `helm ${file}`,
    faults: () =>
      valueFaults(
        JSON.parse(read(`${chart}/values.schema.json`)),
        ...[...new Set(['values.yaml', file])].map((one) => read(`${chart}/${one}`)),
      ),
  })),
  ...['migrate', 'api', 'worker'].map((role) => ({
    name: `systemd convexa-${role}.service`,
    faults: () => unitFaults(read(`deploy/systemd/convexa-${role}.service`), role),
  })),
  { name: 'Caddyfile', faults: () => caddyFaults(read('deploy/caddy/Caddyfile')) },
  {
    name: 'nginx',
    faults: () => [...nginxFaults(read('deploy/nginx/convexa.conf')), ...nginxProxyFaults(read('deploy/nginx/convexa-proxy.conf'))],
  },
  { name: 'haproxy postgres.cfg', faults: () => haproxyFaults(read('deploy/haproxy/postgres.cfg')) },
  {
    name: 'Prometheus alerts.yaml',
    faults: () => alertFaults(read('deploy/prometheus/alerts.yaml'), metrics, sections(read('docs/alerts.md')), alerts),
  },
  {
    name: 'Grafana convexa.json',
    faults: () => [
      ...dashboardFaults(JSON.parse(read(dashboardFile)), metrics),
      ...(read(dashboardFile) === dashboardText() ? [] : ['it differs from scripts/deploy/dashboard.mjs: npm run lint:deploy -- --write']),
    ],
  },
  {
    name: '.env.example',
    faults: () => (read('.env.example') === envExample() ? [] : ['it differs from the table of settings: npm run docs:env']),
  },
]

/** Names of the second headings of a page. */
const sections = (page) => [...page.matchAll(/^## ([A-Z]\w+)/gm)].map(([, name]) => name)

/** Values of the chart with a file laid over them. */
export const valuesOf = (file) => parse(read(`${chart}/${file}`))
