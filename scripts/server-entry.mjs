// Which file starts an entry of the server: of the bundle that prepare.mjs made last, else of the sources. Plain JavaScript for Node 20.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const sources = { main: 'main.ts', convexa: 'cli/main.ts' }

/** The folder of the bundle, null without one. */
export function bundleFolder() {
  try {
    const { stamp } = JSON.parse(readFileSync(join(root, '.prepared-server.json'), 'utf8'))
    const folder = join(root, 'server', 'dist', stamp)
    return existsSync(join(folder, 'main.mjs')) ? folder : null
  } catch {
    return null
  }
}

/** `main`: the roles of the server; `convexa`: the command line. */
export function serverEntry(name) {
  const folder = bundleFolder()
  return folder === null ? join(root, 'server', 'src', sources[name]) : join(folder, `${name}.mjs`)
}
