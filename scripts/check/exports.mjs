// Unused exports, found by knip (knip.json): what nobody imports is not exported. It reads the files itself, in a process of its own.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const kinds = {
  exports: 'is exported',
  types: 'is an exported type',
  nsExports: 'is exported of a namespace',
  nsTypes: 'is an exported type of a namespace',
}

/** Every enum table exports its type, whether it is needed today or not. */
const isTypeOfEnum = (file, kind) => kind === 'types' && file.startsWith('contract/src/enums/')

export async function unusedExports(_tree, { root, knipConfig }) {
  const program = join(import.meta.dirname, '../../node_modules/knip/bin/knip.js')
  const args = [
    program,
    '--directory',
    root,
    '--config',
    knipConfig,
    '--include',
    'exports,types',
    '--reporter',
    'json',
    '--no-exit-code',
    '--no-progress',
    '--no-config-hints',
  ]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 << 20 })
  // A configuration that cannot be loaded is a sentence for knip, and fewer entries.
  if (/^ERROR/m.test(stderr)) throw new Error(stderr)
  const offenders = JSON.parse(stdout).issues.flatMap(({ file, ...found }) =>
    Object.entries(kinds).flatMap(([kind, what]) =>
      (isTypeOfEnum(file, kind) ? [] : (found[kind] ?? [])).map(({ name, line }) => ({
        file,
        line,
        text: `${name} ${what} and not imported`,
      })),
    ),
  )
  return [{ name: 'unused exports', value: offenders.length, offenders }]
}
