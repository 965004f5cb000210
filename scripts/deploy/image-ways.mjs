// Three ways to build and start what the image is, the first that this machine allows: a Docker daemon; buildah with a base that mmdebstrap makes
// of Debian's packages; without both the bundle itself as the image's user, from a folder that it cannot write.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  createReadStream,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { sizeOf } from './bundle-parts.mjs'
import { findTool, root } from './find-tool.mjs'

const user = 10_001
const isRoot = process.getuid?.() === 0
const works = (program, args) => findTool(program) !== null && spawnSync(findTool(program), args, { stdio: 'ignore' }).status === 0

/** Whether a process may have a network of its own, with nothing but the loopback in it. */
function canCutOff() {
  return isRoot && ['unshare', 'nsenter', 'ip'].every((one) => findTool(one) !== null) && works('unshare', ['--mount', '--net', 'true'])
}

/** Runs a program to its end. @throws with its last lines where it does not end well */
function run(program, args, options = {}) {
  const ran = spawnSync(findTool(program) ?? program, args, { cwd: root, encoding: 'utf8', maxBuffer: 256 << 20, ...options })
  if (ran.status === 0) return ran.stdout
  const said = `${ran.stdout ?? ''}${ran.stderr ?? ''}`.trim().split('\n').slice(-20).join('\n')
  throw new Error(`${program} ${args.slice(0, 3).join(' ')} 没有成功（${ran.error?.message ?? ran.status}）\n${said}`)
}

/**
 * Each way: `available`, `build(folder)` → bytes of what was built, by part; `start({folder, port})` → `exec(args)` runs a command of the
 * product inside, `stop()` sends SIGTERM and returns when it has ended, `output()` what it said.
 */
export const ways = {
  docker: {
    what: 'Docker',
    available: () => works('docker', ['info']) && works('docker', ['compose', 'version']),
    build() {
      run('docker', [...compose, 'build'])
      return { 镜像: Number(run('docker', ['image', 'inspect', 'convexa', '--format', '{{.Size}}']).trim()) }
    },
    start({ port }) {
      const env = { ...process.env, CONVEXA_PORT: String(port), SITE_URL: `http://localhost:${port}` }
      run('docker', [...compose, 'up', '--detach'], { env })
      return {
        exec: (args, input) => run('docker', [...compose, 'exec', '-T', 'convexa', ...args], { env, input }),
        stop: async () => {
          run('docker', [...compose, 'stop'], { env })
          run('docker', [...compose, 'down', '--volumes'], { env })
        },
        output: () => run('docker', [...compose, 'logs'], { env }),
      }
    },
  },
  buildah: {
    what: 'buildah 与 mmdebstrap',
    available: () => isRoot && ['buildah', 'mmdebstrap', 'unshare', 'chroot'].every((one) => findTool(one) !== null),
    build(folder) {
      const store = storeOf(folder)
      const base = join(folder, 'base.tar')
      run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', base])
      store(['import'], base)
      buildImage(store, folder)
      const bud = ['bud', '--isolation', 'chroot', '--file', 'deploy/Dockerfile', '--tag', 'convexa', '--build-arg']
      store([...bud, 'BUILD_IMAGE=localhost/convexa-build', '--build-arg', 'BASE_IMAGE=localhost/convexa-base', '.'])
      const image = store(['from', '--pull-never', '--name', 'convexa-run', 'localhost/convexa']).trim()
      const rootfs = store(['mount', image]).trim()
      const bundle = sizeOf(join(rootfs, 'app'))
      return { 安装包: bundle, 基础系统: sizeOf(rootfs) - bundle }
    },
    start({ folder, port }) {
      const store = storeOf(folder)
      const rootfs = store(['mount', 'convexa-run']).trim()
      const { OCIv1 } = JSON.parse(store(['inspect', '--type', 'image', 'localhost/convexa']))
      const { Entrypoint, Cmd, Env, User } = OCIv1.config
      const data = dataOf(folder)
      const set = [...Env, `PORT=${port}`, `SITE_URL=http://localhost:${port}`]
      // As Compose starts it: a root that cannot be written to, /tmp in memory, /data of the user.
      const script = `set -e
        mount --make-rprivate /
        mount --bind '${rootfs}' '${rootfs}'
        mount -o remount,bind,ro '${rootfs}'
        mount -t tmpfs -o size=64m,mode=1777 tmpfs '${rootfs}/tmp'
        mount --bind '${data}' '${rootfs}/data'
        mount -t proc proc '${rootfs}/proc'
        mount --rbind /dev '${rootfs}/dev'
        cd '${rootfs}'
        exec chroot --userspec=${User} . /usr/bin/env -i ${set.map((one) => `'${one}'`).join(' ')} "$@"`
      const inside = (args) => ['--mount', 'sh', '-c', script, 'sh', ...args]
      return { ...begun('unshare', inside([...Entrypoint, ...Cmd])), exec: (args, input) => run('unshare', inside(args), { input }) }
    },
  },
  bundle: {
    // Where no process may have mounts and a network of its own it runs as the one who asks: the image's user has no name here.
    what: canCutOff() ? '安装包本身，断开网络' : '安装包本身',
    available: () => true,
    async build(folder) {
      run(process.execPath, [join(root, 'scripts/deploy/bundle.mjs'), join(folder, 'made')], { stdio: 'inherit' })
      rmSync(join(folder, 'made'), { recursive: true })
      const [archive] = globSync('*.tar.zst', { cwd: folder })
      const app = join(folder, 'app')
      mkdirSync(app)
      const tar = spawn('tar', ['--extract', '--strip-components=1'], { cwd: app, stdio: ['pipe', 'inherit', 'inherit'] })
      const ended = new Promise((done) => tar.once('exit', done))
      await pipeline(createReadStream(join(folder, archive)), createZstdDecompress(), tar.stdin)
      if ((await ended) !== 0) throw new Error('安装包不能解压')
      if (!canCutOff()) run('chmod', ['-R', 'a-w', app])
      return { 压缩包: statSync(join(folder, archive)).size, 安装包: sizeOf(app) }
    },
    start({ folder, port }) {
      const app = join(folder, 'app')
      const data = dataOf(folder, canCutOff() ? user : 0)
      const env = { PATH: `${app}:/usr/bin:/bin`, DATA_DIR: data, HOST: '0.0.0.0', NODE_ENV: 'production', PORT: String(port) }
      const options = { cwd: data, env: { ...env, SITE_URL: `http://localhost:${port}` } }
      const as = canCutOff() ? ['--reuid', String(user), '--regid', String(user), '--clear-groups', '--no-new-privs'] : ['--no-new-privs']
      const of = ([program, ...args]) => ['setpriv', ...as, program.replace(/^\/app\//, `${app}/`), ...args]
      const role = of(['/app/convexa-role', 'all'])
      // A name for the image's user: initdb refuses one without.
      const names = join(folder, 'passwd')
      writeFileSync(names, `${readFileSync('/etc/passwd', 'utf8').trim()}\nconvexa:x:${user}:${user}::${data}:/usr/sbin/nologin\n`)
      const named = `mount --make-rprivate / && mount --bind '${names}' /etc/passwd`
      const cut = ['--mount', '--net', 'sh', '-c', `${named} && ip link set lo up && exec "$@"`, 'sh', ...role]
      const started = canCutOff() ? begun('unshare', cut, options) : begun(role[0], role.slice(1), options)
      const inside = (args) => (canCutOff() ? ['nsenter', '--target', String(started.pid), '--net', ...of(args)] : of(args))
      const exec = (args, input) => {
        const [program, ...rest] = inside(args)
        return run(program, rest, { ...options, input })
      }
      return { ...started, exec }
    },
  },
}

const compose = ['compose', '--project-name', 'convexa-image', '--file', 'deploy/compose.yaml']

/** Images of buildah in a folder of their own, so that nothing stays. */
function storeOf(folder) {
  const at = ['--root', join(folder, 'images'), '--runroot', join(folder, 'images-run'), '--storage-driver', 'vfs']
  return (args, tar) => {
    if (args[0] !== 'import') return run('buildah', [...at, ...args])
    const container = run('buildah', [...at, 'from', 'scratch']).trim()
    run('buildah', [...at, 'add', container, tar, '/'])
    run('buildah', [...at, 'commit', '--rm', container, 'localhost/convexa-base'])
    return ''
  }
}

/** The image that stands in for node:26: the base with this machine's Node and npm, and the authorities that this machine trusts. */
function buildImage(store, folder) {
  const container = store(['from', '--pull-never', 'localhost/convexa-base']).trim()
  const npm = process.env.npm_execpath ?? join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')
  const npmFolder = dirname(dirname(npm))
  if (!existsSync(join(npmFolder, 'bin', 'npm-cli.js'))) throw new Error('没有找到 npm：请以 npm run image 启动')
  store(['copy', container, process.execPath, '/usr/local/bin/node'])
  store(['copy', container, npmFolder, '/usr/local/lib/node_modules/npm'])
  const starter = join(folder, 'npm')
  writeFileSync(starter, '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n', { mode: 0o755 })
  store(['copy', container, starter, '/usr/local/bin/npm'])
  const trusted = process.env.NODE_EXTRA_CA_CERTS
  if (trusted && existsSync(trusted)) {
    store(['copy', container, trusted, '/usr/local/share/own-authorities.pem'])
    store(['config', '--env', 'NODE_EXTRA_CA_CERTS=/usr/local/share/own-authorities.pem', container])
  }
  store(['commit', '--rm', container, 'localhost/convexa-build'])
}

function dataOf(folder, owner = user) {
  const data = join(folder, 'data')
  mkdirSync(data)
  chmodSync(data, 0o700)
  if (isRoot) chownSync(data, owner, owner)
  return data
}

/** A process that runs until SIGTERM. */
function begun(program, args, options = {}) {
  let said = ''
  const child = spawn(findTool(program), args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((done) => child.once('exit', (code, signal) => done(signal ?? code)))
  for (const out of [child.stdout, child.stderr]) {
    out.on('data', (text) => {
      said += text
    })
  }
  return {
    pid: child.pid,
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
    kill: () => child.kill('SIGKILL'),
    output: () => said,
  }
}
