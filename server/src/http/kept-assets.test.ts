import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { buildApp } from '../app.ts'
import { objectsOf } from '../store/data-objects.ts'
import { folderStore } from '../store/folder-store.ts'
import { keepAssets, olderAssets } from './kept-assets.ts'

let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'convexa-assets-'))
  database = await testDatabase()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** A built web app; `.js` files packed as the build packs them. */
function built(name: string, files: Record<string, string>): string {
  const web = join(folder, name)
  mkdirSync(join(web, 'assets'), { recursive: true })
  writeFileSync(join(web, 'index.html'), `<html><head></head>${name}</html>`)
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(web, 'assets', file), text)
    if (file.endsWith('.js')) writeFileSync(join(web, 'assets', `${file}.gz`), gzipSync(text))
  }
  return web
}

test('a page of the release before finds its parts at an api of this one; what no release had is 404', async () => {
  const { context } = testWorld(database)
  const objects = objectsOf(context.config.dataDir)
  await keepAssets(objects, built('before', { 'part-A1.js': 'before()', 'look-A1.css': 'a{}' }))
  const now = built('now', { 'part-B2.js': 'now()' })
  await keepAssets(objects, now)
  const app = await buildApp(context, [], now)
  const get = (name: string, headers = {}) => app.inject({ url: `/assets/${name}`, headers })
  expect((await get('part-B2.js')).body).toBe('now()')
  const old = await get('part-A1.js')
  expect([old.statusCode, old.body, old.headers['content-type']]).toEqual([200, 'before()', 'text/javascript; charset=utf-8'])
  expect(old.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const packed = await get('part-A1.js', { 'accept-encoding': 'gzip, br' })
  expect([packed.headers['content-encoding'], packed.rawPayload]).toEqual(['gzip', gzipSync('before()')])
  expect((await get('look-A1.css')).body).toBe('a{}')
  for (const name of ['part-C3.js', '..%2Findex.html', 'constructor', '__proto__']) {
    const missing = await get(name)
    expect([missing.statusCode, missing.body.includes('<html>')], name).toEqual([404, false])
  }
  await app.close()
})

test('three builds stay, and every one for seven days; a damaged one gives nothing', async () => {
  const root = join(folder, 'store')
  const objects = folderStore(root)
  const at = (day: number) => () => new Date(Date.UTC(2026, 0, day))
  for (const day of [1, 2, 3, 4]) await keepAssets(objects, built(`day-${day}`, { [`part-${day}.js`]: `${day}` }), at(day))
  expect(readdirSync(join(root, 'web'))).toHaveLength(8)
  await keepAssets(objects, built('day-20', { 'part-20.js': '20' }), at(20))
  expect(readdirSync(join(root, 'web'))).toHaveLength(6)
  // Once a build.
  await keepAssets(objects, join(folder, 'day-20'), at(21))
  const find = olderAssets(() => objects)
  expect((await find('part-3.js', false))?.body.toString()).toBe('3')
  expect(await find('part-2.js', false)).toBeNull()
  for (const name of readdirSync(join(root, 'web')).filter((each) => each.endsWith('.bin'))) writeFileSync(join(root, 'web', name), 'other')
  expect(await find('part-3.js', false)).toBeNull()
  for (const name of readdirSync(join(root, 'web')).filter((each) => each.endsWith('.json'))) writeFileSync(join(root, 'web', name), '{')
  expect(await olderAssets(() => objects)('part-3.js', false)).toBeNull()
})
