// What a bundle is made of, and what its native files are for.
import { closeSync, globSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files and folders of the repository that are copied where they are there. `dist` of the server and the packages are added. */
export const parts = [
  ...['package.json', 'package-lock.json', 'convexa', 'convexa.mjs', 'RELEASES.json', '.env.example', 'README.md', 'README.zh-CN.md'],
  ...['LICENSE', 'NOTICE', 'THIRD_PARTY_NOTICES', 'CHANGELOG.md', 'SECURITY.md', 'sbom.cdx.json', 'docs', 'examples', 'deploy'],
  ...['prepare', 'pinned-node', 'server-entry', 'run'].map((name) => `scripts/${name}.mjs`),
  ...['contract', 'engine', 'server'].flatMap((name) => ['package.json', 'LICENSE', 'NOTICE', 'src'].map((part) => `${name}/${part}`)),
  ...['engine/kernels', 'server/bin', 'web/package.json', 'web/dist', 'web/dist-docs', 'qmt-client', 'qmt-bridge'],
]

/** Packages of a lock file, by place, that nothing of `roots` needs. Optional and peer packages count as needed. */
export function unneeded(packages, roots) {
  const needed = new Set()
  const placeOf = (from, name) => {
    for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
      const one = `${place === '' ? '' : `${place}/`}node_modules/${name}`
      if (packages[one]) return one
      if (place === '') return null
    }
  }
  const visit = (place) => {
    if (needed.has(place)) return
    needed.add(place)
    const { link, resolved, dependencies, optionalDependencies, peerDependencies } = packages[place] ?? {}
    if (link) visit(resolved)
    const from = place.includes('node_modules/') ? place : ''
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = placeOf(from, name)
      if (found !== null) visit(found)
    }
  }
  for (const root of roots) visit(root)
  return Object.keys(packages).filter((place) => place.includes('node_modules/') && !needed.has(place))
}

const machines = { 62: 'x64', 183: 'arm64' }

/** Head of an ELF file: its processor, and the newest glibc that it asks for; null for any other file. */
export function elfHead(file) {
  const fd = openSync(file, 'r')
  try {
    const head = Buffer.alloc(20)
    if (readSync(fd, head, 0, 20, 0) < 20 || head.readUInt32BE(0) !== 0x7f454c46) return null
    return machines[head.readUInt16LE(18)] ?? `machine ${head.readUInt16LE(18)}`
  } finally {
    closeSync(fd)
  }
}

/** Newest version of glibc that the text of a library names. */
export function newestGlibc(bytes) {
  const versions = [...bytes.toString('latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor))
  return versions.length === 0 ? null : Math.max(...versions)
}

/** Bytes of the files below a folder; a file with two names counts once, as it does on a disk. */
export function sizeOf(folder) {
  const seen = new Set()
  let sum = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const { ino, nlink, size } = lstatSync(join(entry.parentPath, entry.name))
    if (nlink > 1 && seen.has(ino)) continue
    seen.add(ino)
    sum += size
  }
  return sum
}

/** Folders that hold nothing any more. */
export function emptyFolders(folder) {
  return globSync('**/', { cwd: folder })
    .map((path) => join(folder, path))
    .filter((path) => readdirSync(path).length === 0 && dirname(path) !== path)
}
