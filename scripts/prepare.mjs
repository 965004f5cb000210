// Makes ready what a command needs, and nothing more: 1 packages, when the lock file says other than what is installed, 2 the pinned
// Node, 3 the bundle of the server and, 4 where asked, the web app, when their sources changed, 5 for tests the browser and its font.
// `node scripts/prepare.mjs [--web] [--browser]`. Plain JavaScript for Node 20: it runs before anything is installed. Silent when there
// is nothing to do; what it says goes to stderr, since a command's own output may be read by a program.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const oldestNode = 26

/** The product is not started on Windows itself (decisions/0237). The sentence is `windowsSentence` of the command line, which is not there yet. */
const isStartOnWindows = process.platform === 'win32' && process.env.npm_lifecycle_event === 'prestart'

/**
 * `web`: the built web app too; `browser`: the tests' Chromium and font too. `dev` false: packages that only building and testing need
 * may be missing, as after `npm ci --omit=dev`. Ends the process with one sentence where something cannot be made ready.
 */
export function prepare({ web = false, browser = false, dev = true } = {}) {
  if (isBundle()) return
  if (isStartOnWindows) {
    console.error('Windows：请用 Docker Desktop 或 WSL 2（见 README）')
    process.exit(1)
  }
  try {
    if (!isInstalled(root, dev)) alone(() => isInstalled(root, dev) || install(root, '正在安装依赖（首次约需一分钟）…'))
    checkNode()
    prepareServer()
    if (web && !isBuilt()) alone(() => isBuilt() || buildWeb())
    const browserFolder = join(root, 'e2e', 'browser')
    if (browser && !isInstalled(browserFolder)) {
      alone(() => isInstalled(browserFolder) || install(browserFolder, '正在安装测试用的浏览器和字体…'))
    }
  } catch (error) {
    console.error(`准备失败：${error.message}`)
    process.exit(1)
  }
}

/** In the folder of `npm run bundle` all is there, and it may not be writable. */
const isBundle = () => existsSync(join(root, 'bundle.json'))

/** Two commands may be started at once in a fresh clone: the second waits until the first has prepared. The file names the process that does. */
function alone(work) {
  const lock = join(root, '.preparing')
  for (let waited = 0; ; waited++) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned(lock)) rmSync(lock, { force: true })
    else if (waited === 0) console.error('另一个命令正在准备，等它完成…')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
  try {
    work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Its process was ended: it can hold nothing any more. A lock that was only just made may not have its number yet. */
function isAbandoned(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    if (pid === 0) return Date.now() - statSync(lock).mtimeMs > 10_000
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/** `npm ci` in the folder. */
function install(folder, sentence) {
  console.error(sentence)
  // Settings of the caller must not leave out what building and testing need.
  const args = [
    'ci',
    '--no-audit',
    '--no-fund',
    '--include=dev',
    '--include=optional',
    '--loglevel=error',
    '--no-progress',
    '--workspaces=false',
  ]
  if (folder === root) args.splice(args.indexOf('--workspaces=false'), 1)
  const npm = process.env.npm_execpath
  const env = { ...process.env }
  // npm tells its children which folder it works on; the inner npm finds its own.
  for (const name of ['npm_config_local_prefix', 'npm_config_prefix', 'npm_config_workspace', 'npm_config_workspaces']) delete env[name]
  const options = { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', maxBuffer: 64 << 20 }
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (result.status !== 0) throw new Error(`npm ci 没有成功（${folder}）\n${result.error?.message ?? result.stderr}`)
}

/** npm writes what it has installed into node_modules/.package-lock.json when all of it is there; it is compared line by line. */
function isInstalled(folder, dev = true) {
  try {
    const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).packages
    const wanted = read('package-lock.json')
    const present = read(join('node_modules', '.package-lock.json'))
    for (const [path, want] of Object.entries(wanted)) {
      if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) continue
      const have = present[path]
      // Packages of other platforms are left out, in silence.
      if (!have && (want.optional || want.devOptional || (want.dev && !dev))) continue
      if (!have || have.version !== want.version || have.integrity !== want.integrity) return false
      if (want.link && !existsSync(join(folder, path))) return false
    }
    return true
  } catch {
    return false
  }
}

/** The Node that npm scripts run on is the pinned one; npm leaves a platform package out without a word. */
function checkNode() {
  const pinned = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  const version = existsSync(pinned)
    ? spawnSync(pinned, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' }).stdout?.trim()
    : process.version
  if (Number(/^v(\d+)\./.exec(version ?? '')?.[1]) >= oldestNode) return
  const system = `${process.platform} ${process.arch}`
  throw new Error(
    `需要 Node.js ${oldestNode} 以上，本系统（${system}）没有自带的版本，现在是 ${version || '无法运行的版本'}：请先安装 Node.js ${oldestNode}`,
  )
}

const server = join(root, 'server')
const bundles = join(server, 'dist')
const serverStamp = join(root, '.prepared-server.json')

/** The server's bundle is the one of its sources; without a bundler (`npm ci --omit=dev`) and with other sources there is none, and the sources run. */
function prepareServer() {
  const stamp = stampOfServer()
  if (stampIn(serverStamp) === stamp && existsSync(join(bundles, stamp, 'main.mjs'))) return
  alone(() => {
    if (stampIn(serverStamp) === stamp && existsSync(join(bundles, stamp, 'main.mjs'))) return
    if (existsSync(join(root, 'node_modules', 'rolldown'))) buildServer(stamp)
    else rmSync(serverStamp, { force: true })
  })
}

/** Each state of the sources has a folder of its own: what runs goes on loading from the one that it started from. The last five stay. */
function buildServer(stamp) {
  const aside = join(bundles, `${stamp}.${process.pid}`)
  const result = spawnSync(ownNode(), [join(root, 'scripts', 'build-server.mjs'), aside], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  if (result.status !== 0) {
    rmSync(aside, { recursive: true, force: true })
    throw new Error(`服务程序没有构建成功\n${result.error?.message ?? ''}${result.stdout}${result.stderr}`)
  }
  rmSync(join(bundles, stamp), { recursive: true, force: true })
  renameSync(aside, join(bundles, stamp))
  writeFileSync(serverStamp, JSON.stringify({ stamp }))
  const older = readdirSync(bundles)
    .filter((name) => name !== stamp)
    .map((name) => ({ name, at: statSync(join(bundles, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { name } of older.slice(4)) rmSync(join(bundles, name), { recursive: true, force: true })
}

/** Of sizes and seconds, not of bytes: every command asks, and an archive keeps no more of a time. */
function stampOfServer() {
  const hash = createHash('sha256').update(process.platform)
  const places = [
    ...['contract', 'engine', 'server'].map((name) => join(root, name, 'src')),
    join(root, 'package-lock.json'),
    join(root, 'scripts', 'build-server.mjs'),
  ]
  for (const file of places.flatMap(filesOf).sort()) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${relative(root, file)} ${size} ${Math.floor(mtimeMs / 1000)}\0`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** The pinned Node where it is installed. */
function ownNode() {
  const node = join(root, 'node_modules', '.bin', 'node')
  return existsSync(node) ? node : process.execPath
}

const web = join(root, 'web')
const dist = join(web, 'dist')
const stampFile = join(root, '.prepared-web.json')

/** No source of the web app differs from the last build. */
function isBuilt() {
  return existsSync(join(dist, 'index.html')) && stampIn(stampFile) === stampOfWeb()
}

/** Builds aside and swaps, so a running server never sees half a build. */
function buildWeb() {
  const stamp = stampOfWeb()
  console.error('正在构建网页…')
  const aside = join(web, `dist.${process.pid}`)
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const result = spawnSync(ownNode(), [vite, 'build', '--outDir', aside, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: web,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  if (result.status !== 0) {
    rmSync(aside, { recursive: true, force: true })
    throw new Error(`网页没有构建成功\n${result.error?.message ?? ''}${result.stdout}${result.stderr}`)
  }
  compress(aside)
  rmSync(`${dist}.old`, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, `${dist}.old`)
  renameSync(aside, dist)
  rmSync(`${dist}.old`, { recursive: true, force: true })
  writeFileSync(stampFile, JSON.stringify({ stamp }))
}

/** Of the last build; null where none is written, or half of it, as on a full disk. */
function stampIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).stamp
  } catch {
    return null
  }
}

/** Everything that the bundle is made of. */
function stampOfWeb() {
  const hash = createHash('sha256')
  const places = [
    web,
    join(root, 'contract', 'src'),
    join(root, 'engine', 'src'),
    join(root, 'package-lock.json'),
    join(root, 'tsconfig.base.json'),
  ]
  for (const file of places.flatMap(filesOf).sort()) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

function filesOf(place) {
  if (!statSync(place).isDirectory()) return [place]
  return readdirSync(place, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !/^dist(\.|$)/.test(name) && !/\.test\.tsx?$/.test(name))
    .flatMap(({ name }) => filesOf(join(place, name)))
}

/** .br and .gz beside what is worth it: the server sends them as they are. */
function compress(folder) {
  const texts = new Set(['.js', '.css', '.svg', '.json', '.txt', '.wasm'])
  for (const file of filesOf(folder)) {
    if (!texts.has(extname(file)) || statSync(file).size < 1024) continue
    const bytes = readFileSync(file)
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
  }
}

const started = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
if (started) prepare({ web: process.argv.includes('--web'), browser: process.argv.includes('--browser') })
