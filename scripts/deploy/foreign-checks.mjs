// The linters of others: each is looked for among what `npm run tools` brought and in PATH.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foreignKinds, objectFaults, objectsIn, overlaid } from './check-chart.mjs'
import { chart, read, settingNames, valueFiles, valuesOf } from './checks.mjs'
import { findTool, root } from './find-tool.mjs'

const patienceMs = 120_000

/** The lines that a program printed where it did not end well. */
function run(name, args, { env = {}, cwd = root, input = '' } = {}) {
  const ran = spawnSync(findTool(name), args, {
    ...{ cwd, input, encoding: 'utf8', timeout: patienceMs, maxBuffer: 64 << 20 },
    env: { ...process.env, ...env },
  })
  const said = `${ran.stdout ?? ''}${ran.stderr ?? ''}`.trim().split('\n')
  return { out: ran.stdout ?? '', faults: ran.status === 0 ? [] : [ran.error?.message ?? `ended with ${ran.status}`, ...said.slice(-20)] }
}

const tool = (name) => () => (findTool(name) === null ? name : null)

function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'convexa-lint-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Docker's client may be there without the plugin. */
function composePlugin() {
  const docker = findTool('docker')
  return docker !== null && spawnSync(docker, ['compose', 'version'], { stdio: 'ignore' }).status === 0 ? null : 'docker compose'
}

const rendered = new Map()
/** @returns the text of `helm template` with a file of values */
function template(file) {
  if (!rendered.has(file)) rendered.set(file, run('helm', ['template', 'site', chart, '--values', `${chart}/${file}`]))
  return rendered.get(file)
}

function nginxFaults() {
  return inFolder((folder) => {
    const made = spawnSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=quant.example.com'],
        ...['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')],
      ],
      { stdio: 'ignore' },
    )
    if (made.status !== 0) return ['no certificate could be made for the test']
    const conf = read('deploy/nginx/convexa.conf')
      .replaceAll('/etc/ssl/convexa', folder)
      .replaceAll('/etc/nginx/convexa-proxy.conf', join(folder, 'convexa-proxy.conf'))
      .replaceAll('/var/log/nginx', folder)
    writeFileSync(join(folder, 'convexa.conf'), conf)
    cpSync(join(root, 'deploy/nginx/convexa-proxy.conf'), join(folder, 'convexa-proxy.conf'))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    const main = `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\ninclude ${folder}/convexa.conf;\n}\n`
    writeFileSync(join(folder, 'nginx.conf'), main)
    return run('nginx', ['-t', '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')]).faults
  })
}

/** The names in ExecStart and Documentation are those of an installation: they are put to files that are there. */
function unitFaults() {
  return inFolder((folder) => {
    const units = ['convexa-migrate.service', 'convexa-api.service', 'convexa-worker.service', 'convexa.target']
    const opt = join(folder, 'opt')
    mkdirSync(opt)
    writeFileSync(join(opt, 'convexa-role'), '#!/bin/sh\n', { mode: 0o755 })
    for (const unit of units) {
      writeFileSync(join(folder, unit), read(`deploy/systemd/${unit}`).replaceAll('/opt/convexa/convexa-role', join(opt, 'convexa-role')))
    }
    const ran = spawnSync(findTool('systemd-analyze'), ['verify', ...units.map((unit) => join(folder, unit))], { encoding: 'utf8' })
    const own = `${ran.stdout}${ran.stderr}`.split('\n').filter((line) => line.includes('convexa'))
    return ran.status === 0 && own.length === 0 ? [] : [`ended with ${ran.status}`, ...own]
  })
}

function kubernetesFaults(file) {
  return inFolder((folder) => {
    const known = objectsIn(template(file).out).filter(({ kind }) => !foreignKinds.includes(kind))
    const paths = known.map((object, k) => {
      const path = join(folder, `${k}.json`)
      writeFileSync(path, JSON.stringify(object))
      return path
    })
    return paths.length === 0 ? ['no objects'] : run('kubernetes-validate', ['--strict', ...paths]).faults
  })
}

export const foreignChecks = [
  { name: 'Dockerfile', by: 'hadolint', needs: tool('hadolint'), faults: () => run('hadolint', ['deploy/Dockerfile']).faults },
  ...['compose.yaml', 'compose.site.yaml'].map((file) => ({
    ...{ name: file, by: 'docker compose config', needs: composePlugin },
    faults: () =>
      run('docker', ['compose', '-f', `deploy/${file}`, 'config', '--quiet'], { env: { SITE_HOST: 'quant.example.com' } }).faults,
  })),
  { name: 'helm', by: 'helm lint', needs: tool('helm'), faults: () => run('helm', ['lint', '--strict', chart]).faults },
  ...valueFiles.map((file) => ({
    ...{ name: `helm ${file}`, by: 'helm template', needs: tool('helm') },
    faults: () => {
      const { out, faults } = template(file)
      return faults.length > 0
        ? faults
        : objectFaults(
            objectsIn(out),
            file === 'values.yaml' ? valuesOf(file) : overlaid(valuesOf('values.yaml'), valuesOf(file)),
            settingNames,
          )
    },
  })),
  ...valueFiles.map((file) => ({
    ...{ name: `helm ${file}`, by: 'kubernetes-validate' },
    needs: () => tool('helm')() ?? tool('kubernetes-validate')(),
    faults: () => kubernetesFaults(file),
  })),
  { name: 'systemd', by: 'systemd-analyze verify', needs: tool('systemd-analyze'), faults: unitFaults },
  {
    ...{ name: 'Caddyfile', by: 'caddy validate', needs: tool('caddy') },
    faults: () =>
      inFolder((folder) => {
        const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, SITE_HOST: 'quant.example.com' }
        const args = ['--config', 'deploy/caddy/Caddyfile', '--adapter', 'caddyfile']
        return [{}, { CONVEXA_APIS: 'api-1:8080 api-2:8080' }].flatMap(
          (more) => run('caddy', ['validate', ...args], { env: { ...env, ...more } }).faults,
        )
      }),
  },
  { name: 'nginx', by: 'nginx -t', needs: () => tool('nginx')() ?? tool('openssl')(), faults: nginxFaults },
  {
    ...{ name: 'haproxy postgres.cfg', by: 'haproxy -c', needs: tool('haproxy') },
    faults: () => run('haproxy', ['-c', '-q', '-f', 'deploy/haproxy/postgres.cfg']).faults,
  },
  {
    ...{ name: 'Prometheus alerts.yaml', by: 'promtool check rules', needs: tool('promtool') },
    faults: () => run('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yaml']).faults,
  },
  {
    ...{ name: 'Prometheus alerts.test.yaml', by: 'promtool test rules', needs: tool('promtool') },
    faults: () => run('promtool', ['test', 'rules', 'deploy/prometheus/alerts.test.yaml']).faults,
  },
]
