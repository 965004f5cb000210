/** Assets of the web app of earlier releases: a page that was opened before an upgrade asks for parts that the new release has under other names. */

import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { ObjectStore } from '../store/object-store.ts'
import { readObject, sha256Of } from '../store/read-object.ts'

/** A file within the bytes of its build. `packed`: it lies there as gzip. */
interface KeptFile {
  readonly at: number
  readonly bytes: number
  readonly sha256: string
  readonly packed: boolean
}

interface Build {
  /** When it was put there, ISO. */
  readonly keptAt: string
  readonly files: Readonly<Record<string, KeptFile>>
}

interface OlderAsset {
  readonly body: Buffer
  readonly type: string
  readonly encoding: 'gzip' | null
}

/** Of a name below /assets; `gzip`: the client takes it. null: no build has it. */
export type FindOlderAsset = (name: string, gzip: boolean) => Promise<OlderAsset | null>

const prefix = 'web/'
const mostBuilds = 3
const leastDays = 7
const dayMs = 86_400_000
const lookAgainMs = 30_000
const types: Readonly<Record<string, string>> = {
  ...{ '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.json': 'application/json; charset=utf-8' },
  ...{ '.svg': 'image/svg+xml', '.png': 'image/png', '.woff2': 'font/woff2', '.wasm': 'application/wasm' },
}
const variant = /\.(br|gz|map)$/

/**
 * Puts the assets of a built web app (`folder`) into the store, once a build: their bytes as one object, `web/{build}.bin`, and then its list,
 * `web/{build}.json`. The builds of three releases stay, and every one for seven days.
 */
export async function keepAssets(objects: ObjectStore, folder: string, now: () => Date = () => new Date()): Promise<void> {
  const names = (await readdir(join(folder, 'assets')).catch(() => [])).sort()
  const own = names.filter((name) => !variant.test(name))
  if (own.length === 0) return
  const id = sha256Of(Buffer.from(own.join('\n')))
    .toString('hex')
    .slice(0, 16)
  if (await objects.head(listKey(id))) return
  const parts: Buffer[] = []
  const files: Record<string, KeptFile> = {}
  let at = 0
  for (const name of own) {
    const packed = names.includes(`${name}.gz`)
    const bytes = await readFile(join(folder, 'assets', packed ? `${name}.gz` : name))
    files[name] = { at, bytes: bytes.length, sha256: sha256Of(bytes).toString('hex'), packed }
    parts.push(bytes)
    at += bytes.length
  }
  const whole = Buffer.concat(parts)
  await objects.put(bytesKey(id), whole, sha256Of(whole))
  const list = Buffer.from(JSON.stringify({ keptAt: now().toISOString(), files } satisfies Build))
  await objects.put(listKey(id), list, sha256Of(list))

  const builds = [...(await buildsIn(objects))].sort(([, a], [, b]) => b.keptAt.localeCompare(a.keptAt))
  for (const [old, { keptAt }] of builds.slice(mostBuilds)) {
    if (now().getTime() - Date.parse(keptAt) < leastDays * dayMs) continue
    await objects.remove(listKey(old))
    await objects.remove(bytesKey(old))
  }
}

/** Finds assets of builds that are in the store; what builds there are is asked again every half a minute at most. */
export function olderAssets(objects: () => ObjectStore): FindOlderAsset {
  let builds: ReadonlyMap<string, Build> = new Map()
  let lookedAt = Number.NEGATIVE_INFINITY

  return async (name, gzip) => {
    if (performance.now() - lookedAt > lookAgainMs) {
      lookedAt = performance.now()
      builds = await buildsIn(objects())
    }
    for (const [id, { files }] of builds) {
      const file = Object.hasOwn(files, name) ? files[name] : undefined
      if (!file) continue
      const bytes = await readObject(objects(), bytesKey(id), { at: file.at, bytes: file.bytes })
      // Gone meanwhile, or damaged: another build may have the same file.
      if (bytes === null || sha256Of(bytes).toString('hex') !== file.sha256) continue
      const type = types[extname(name)] ?? 'application/octet-stream'
      return file.packed && !gzip
        ? { body: gunzipSync(bytes), type, encoding: null }
        : { body: bytes, type, encoding: file.packed ? 'gzip' : null }
    }
    return null
  }
}

const listKey = (id: string): string => `${prefix}${id}.json`
const bytesKey = (id: string): string => `${prefix}${id}.bin`

async function buildsIn(objects: ObjectStore): Promise<ReadonlyMap<string, Build>> {
  const builds = new Map<string, Build>()
  for await (const { key } of objects.list(prefix)) {
    if (!key.endsWith('.json')) continue
    const bytes = await readObject(objects, key)
    const build = bytes && buildOf(bytes)
    if (build) builds.set(key.slice(prefix.length, -'.json'.length), build)
  }
  return builds
}

/** null: the list is damaged, and its build is as one that is not there. */
function buildOf(bytes: Buffer): Build | null {
  try {
    return JSON.parse(bytes.toString('utf8')) as Build
  } catch {
    return null
  }
}
