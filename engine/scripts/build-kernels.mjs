// npm run build:kernels: the places of engine/src/simulation/scalar-places.ts → engine/kernels/layout.ts; the AssemblyScript of engine/kernels →
// engine/src/kernels/bytes.ts. With --check: says whether they would change.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as scalarPlaces from '../src/simulation/scalar-places.ts'

const engine = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(engine, 'kernels')
const target = join(engine, 'src', 'kernels', 'bytes.ts')
const layout = join(folder, 'layout.ts')
const bytesOfNumber = 8

/** Of the sources and of how they are compiled. */
export function sourceHash() {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)))
  return hash.digest('hex')
}

/** The kernel's constants: byte offsets of the numbers of a run, and indices of its arrays in the table of addresses. */
export function layoutModule() {
  const { kernelArrays, ...places } = scalarPlaces
  const constant = (name) => name.replace(/[A-Z]/g, '_$&').toUpperCase()
  const offsets = Object.entries(places).sort(([, a], [, b]) => a - b)
  return `// Made by engine/scripts/build-kernels.mjs from engine/src/simulation/scalar-places.ts; not written by hand.

// Byte offsets in \`FastLoopState.scalars\`.
${offsets.map(([name, place]) => `export const ${constant(name)}: usize = ${place * bytesOfNumber}`).join('\n')}

// Indices in the table of addresses.
${kernelArrays.map((name, index) => `export const ${constant(name)} = ${index}`).join('\n')}
`
}

/** The module's text, from the sources as they are. */
export async function bytesModule() {
  const { default: asc } = await import('assemblyscript/asc')
  const memory = '--importMemory --sharedMemory --initialMemory 1 --maximumMemory 65536'.split(' ')
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd,threads', ...memory, '--outFile', 'kernels.wasm']
  let bytes
  const { error, stderr } = await asc.main(['index.ts', ...options], {
    readFile: (name) => {
      try {
        return readFileSync(join(folder, name), 'utf8')
      } catch {
        return null
      }
    },
    writeFile: (_name, contents) => (bytes = contents),
    listFiles: () => [],
  })
  if (error) throw new Error(`${error.message}\n${stderr}`)
  const sharedAt = sharedFlag(bytes)
  const text = Buffer.from(bytes).toString('base64')
  const lines = text.match(/.{1,120}/g).map((line) => `  '${line}',`)
  return `// Made by engine/scripts/build-kernels.mjs from engine/kernels; not written by hand.

/** SHA-256 of the sources. */
export const sources = '${sourceHash()}'

/** Place of the byte that says whether the memory is shared: 3 = shared, 1 = private. */
export const sharedFlag = ${sharedAt}

export const base64 = [
${lines.join('\n')}
].join('')
`
}

/** In the import section: … 'env' 'memory' 02 flags least most. */
function sharedFlag(bytes) {
  const at = Buffer.from(bytes).indexOf(Buffer.from('\x03env\x06memory\x02\x03', 'latin1'))
  if (at < 0) throw new Error('the module imports no shared memory')
  return at + 12
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isCheck = process.argv.includes('--check')
  const write = (file, text) => {
    if (!isCheck) return writeFileSync(file, text)
    if (readFileSync(file, 'utf8') === text) return
    console.error(`${file.slice(engine.length + 1)} is not what its sources make: npm run build:kernels`)
    process.exitCode = 1
  }
  write(layout, layoutModule())
  write(target, await bytesModule())
}
