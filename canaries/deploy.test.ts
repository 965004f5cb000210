import { expect, test } from 'vitest'
// @ts-expect-error plain JavaScript without types
import { objectFaults, objectsIn, valueFaults } from '../scripts/deploy/check-chart.mjs'
// @ts-expect-error plain JavaScript without types
import { composeFaults } from '../scripts/deploy/check-compose.mjs'
// @ts-expect-error plain JavaScript without types
import { dockerfileFaults } from '../scripts/deploy/check-dockerfile.mjs'
// @ts-expect-error plain JavaScript without types
import { alertFaults, dashboardFaults, expressionFaults } from '../scripts/deploy/check-monitoring.mjs'
// @ts-expect-error plain JavaScript without types
import { caddyFaults, haproxyFaults, nginxFaults, nginxProxyFaults } from '../scripts/deploy/check-proxies.mjs'
// @ts-expect-error plain JavaScript without types
import { unitFaults } from '../scripts/deploy/check-units.mjs'
// @ts-expect-error plain JavaScript without types
import { chart, dashboardFile, metrics, ownChecks, read, settingNames, valuesOf } from '../scripts/deploy/checks.mjs'
// @ts-expect-error plain JavaScript without types
import { closingLine } from '../scripts/deploy/verdict.mjs'

// The files of deploy/ by our own rules (`npm run lint:deploy` asks the linters of others too), and each rule against a file that breaks it.

test.each(ownChecks as { name: string; faults: () => string[] }[])('$name', ({ faults }) => {
  expect(faults()).toEqual([])
})

test('a check that was skipped is named and never counted as passed', () => {
  expect(closingLine({ checked: 9, faulty: 0, missing: ['docker', 'helm', 'helm'] })).toBe('已检查 9 项；未找到 docker、helm，跳过 3 项')
  expect(closingLine({ checked: 9, faulty: 2, missing: [] })).toBe('已检查 9 项，2 项有错误')
})

const compose = (text: string): string[] => composeFaults(text, settingNames)
const alerts = (text: string): string[] => alertFaults(text, metrics, ['QueueWait'], [])
const values = (text: string): string[] => valueFaults(JSON.parse(read(`${chart}/values.schema.json`)), text)
const unit = (role: string) => (text: string) => unitFaults(text, role) as string[]

const dockerfile = ['deploy/Dockerfile', dockerfileFaults] as const
const own = ['deploy/compose.yaml', compose] as const
const site = ['deploy/compose.site.yaml', compose] as const
const worker = ['deploy/systemd/convexa-worker.service', unit('worker')] as const
const rules = ['deploy/prometheus/alerts.yaml', alerts] as const
const chartValues = [`${chart}/values.yaml`, values] as const

test.each<[string, readonly [string, (text: string) => string[]], string | RegExp, string, RegExp]>([
  ['an instruction that is none', dockerfile, 'WORKDIR /data', 'WORKDIRS /data', /Unknown instruction/],
  ['two CMD', dockerfile, 'CMD ["all"]\n', 'CMD ["api"]\nCMD ["all"]\n', /multiple CMD|only one CMD|last/i],
  ['a digest that nobody looked up', dockerfile, 'node:26-bookworm-slim', `node@sha256:${'0'.repeat(64)}`, /by its tag/],
  ['root', dockerfile, 'USER 10001:10001', 'USER root', /runs as user 10001/],
  ['a step after the user', dockerfile, 'STOPSIGNAL', 'RUN true\nSTOPSIGNAL', /after the user/],
  ['a secret in clear', own, 'SITE_URL:', 'SECRET_KEY: of thirty-two letters, in clear\n      SITE_URL:', /SECRET_KEY stands in clear/],
  ['a setting that is none', own, 'SITE_URL:', 'SITE_URI:', /SITE_URI is no setting/],
  ['a volume that is not declared', own, 'volumes:\n  data:', 'volumes:\n  dada:', /volume data is not declared/],
  ['too little shared memory', own, 'shm_size: 256m', 'shm_size: 64m', /shm_size/],
  ['a root that can be written to', own, 'read_only: true', 'read_only: false', /can be written to/],
  ['no restarts', own, /restart: .*\n/, '\n', /no word on restarts/],
  ['a key that stands twice', own, 'read_only: true', 'read_only: true\n    read_only: true', /unique/],
  ['the folder of PostgreSQL before 18', site, 'postgres:/var/lib/postgresql', 'postgres:/var/lib/postgresql/data', /lie in no volume/],
  ['an image without a tag', site, 'image: caddy:2', 'image: caddy', /caddy: an image without a tag/],
  ['a worker that is cut off', site, 'stop_grace_period: 90s', 'stop_grace_period: 30s', /worker-1: it is given too little time/],
  ['a password in an address', site, 's3://convexa/', 's3://convexa:word@store/', /holds a password/],
  ['a secret without a file', site, '  metrics_token:\n    file: ./secrets/metrics_token\n', '', /secret metrics_token is not declared/],
  ['a client that names its own address', ['deploy/caddy/Caddyfile', caddyFaults], /header_up X-Forwarded-For .*/, '', /goes through/],
  ['a body of 60 MB', ['deploy/caddy/Caddyfile', caddyFaults], '6MB', '60MB', /more than 6 MB/],
  ['a 403', ['deploy/nginx/convexa.conf', nginxFaults], /error_page 403 .*/, '', /a 403 goes out/],
  [
    'a log with the whole request',
    ['deploy/nginx/convexa.conf', nginxFaults],
    '$convexa_uri" $status',
    '$request" $status',
    /whole request/,
  ],
  [
    'an address that is appended to',
    ['deploy/nginx/convexa-proxy.conf', nginxProxyFaults],
    'X-Forwarded-For $remote_addr',
    'X-Forwarded-For $proxy_add_x_forwarded_for',
    /appended/,
  ],
  ['sessions at the old primary', ['deploy/haproxy/postgres.cfg', haproxyFaults], ' on-marked-down shutdown-sessions', '', /old primary/],
  ['a worker that is killed', worker, 'TimeoutStopSec=90', 'TimeoutStopSec=10', /TimeoutStopSec is 10/],
  ['a secret of a unit in clear', worker, '[Service]', '[Service]\nEnvironment=METRICS_TOKEN=clear', /stands in clear/],
  ['a watchdog', worker, '[Service]', '[Service]\nWatchdogSec=30', /WatchdogSec/],
  [
    'a metric that nobody registers',
    rules,
    'convexa_queue_wait_seconds',
    'convexa_queue_waits',
    /QueueWait: no metric convexa_queue_waits/,
  ],
  ['a label that a metric has not', rules, 'convexa_ready{role="worker"}', 'convexa_ready{rule="worker"}', /no label rule/],
  [
    'an expression that cannot be read',
    rules,
    'max(convexa_queue_wait_seconds) > 60',
    'max(convexa_queue_wait_seconds > 60',
    /cannot be read/,
  ],
  [
    'a sum over apis',
    rules,
    'max(convexa_queue_wait_seconds)',
    'sum(convexa_queue_wait_seconds)',
    /QueueWait: what every api tells is summed/,
  ],
  ['an alert without a page', rules, 'alert: QueueWait', 'alert: QueueWaits', /docs\/alerts.md does not say what to do/],
  ['no alert of a page', rules, 'alert: QueueWait', 'alert: QueueWaits', /QueueWait is no alert/],
  ['a value that is none', chartValues, 'replicas: 2\n  processes', 'replica: 2\n  processes', /additional properties/],
  ['a scaler that is not known', chartValues, 'by: wait', 'by: load', /\/worker\/autoscaling\/by/],
  ['a secret among the settings', chartValues, 'settings: {}', 'settings: { DATABASE_URL: postgres://a:b@c/d }', /\/settings/],
  ['an address without a protocol', chartValues, 'siteUrl: https://', 'siteUrl: ', /\/siteUrl/],
])('found: %s', (_, [file, faults], from, to, found) => {
  const text: string = read(file)
  const broken = text.replace(from, () => to)
  expect(broken).not.toBe(text)
  expect(faults(broken).join('\n')).toMatch(found)
})

test('found: a panel too few, over another, and with a metric that nobody registers', () => {
  const { panels } = JSON.parse(read(dashboardFile))
  const moved = panels
    .slice(0, -1)
    .map((panel: { id: number; gridPos: object }) => (panel.id === 3 ? { ...panel, gridPos: panels[1].gridPos } : panel))
  expect(dashboardFaults({ panels: moved }, metrics)).toEqual(
    expect.arrayContaining(['23 panels, not 24', expect.stringContaining(' covers ')]),
  )
  expect(expressionFaults('rate(convexa_none[5m])', metrics)).toEqual(['no metric convexa_none is registered'])
  expect(expressionFaults('1 + 1', metrics)).toEqual(['it asks for no metric'])
})

test('found: objects of a chart that let a worker be cut off, written to, or scaled twice', () => {
  const container = (role: string, env: object[]) => ({
    ...{ name: role, image: 'convexa:1.0.0', env, resources: { requests: { memory: '1Gi' }, limits: { memory: '1Gi' } } },
    readinessProbe: { httpGet: { path: '/readyz', port: role === 'worker' ? 'calls' : 'http' } },
    securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  })
  const deployment = (role: string, seconds: number, env: object[]) => ({
    ...{ kind: 'Deployment', metadata: { name: `site-convexa-${role}` } },
    spec: {
      ...{ replicas: 2, strategy: { rollingUpdate: { maxUnavailable: 0 } } },
      template: {
        spec: {
          ...{ terminationGracePeriodSeconds: seconds, automountServiceAccountToken: false },
          ...{ securityContext: { runAsNonRoot: true, runAsUser: 10_001 }, containers: [container(role, env)] },
        },
      },
    },
  })
  const env = [
    { name: 'POD_IP' },
    ...Object.entries({ WORKER_BIND: '0.0.0.0', WORKER_ADVERTISE: '$(POD_IP)', STREAM_GRACE_SECONDS: '60' }).map(([name, value]) => ({
      name,
      value,
    })),
  ]
  const well = [deployment('api', 40, []), deployment('worker', 90, env)]
  const faultsOf = (objects: unknown[]): string[] =>
    objectFaults(objectsIn(objects.map((one) => JSON.stringify(one)).join('\n---\n')), valuesOf('values.yaml'), settingNames)
  expect(faultsOf(well)).toEqual([])
  const text = (change: (text: string) => string) => JSON.parse(change(JSON.stringify(well))) as unknown[]
  expect(faultsOf(text((one) => one.replace('"terminationGracePeriodSeconds":90', '"terminationGracePeriodSeconds":30')))).toEqual([
    'a worker is given other than 90 s',
  ])
  expect(faultsOf(text((one) => one.replaceAll('"readOnlyRootFilesystem":true', '"readOnlyRootFilesystem":false')))).toHaveLength(2)
  expect(faultsOf(text((one) => one.replace('"WORKER_BIND"', '"WORKER_BINDS"')))).toEqual([
    'a worker cannot be called',
    'Deployment site-convexa-worker: WORKER_BINDS: no setting',
  ])
  const scaler = { kind: 'HorizontalPodAutoscaler', metadata: { name: 'x' }, spec: { scaleTargetRef: { name: 'site-convexa-worker' } } }
  expect(faultsOf([...well, scaler])).toEqual(['1 scalers of the worker'])
})
