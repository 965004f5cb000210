// Sizes of what a browser loads first, against the limits of the design. After a build: `node web/scripts/budget.mjs`.
// KB are 1,000 bytes of gzip level 9; scripts only, style sheets come on top (about 6 KB).
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url)
export const built = existsSync(new URL('.vite/manifest.json', dist))

const text = (file) => readFileSync(new URL(file, dist), 'utf8')
const kilobytes = (file) => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length / 1000

/** The scripts that a page needs before it can show itself: of its chunks and all their static imports. */
function scriptsOf(manifest, sources) {
  const seen = new Set()
  const walk = (key) => {
    if (seen.has(key)) return
    seen.add(key)
    if (!manifest[key]) throw new Error(`no chunk ${key} in the manifest`)
    for (const each of manifest[key].imports ?? []) walk(each)
  }
  sources.forEach(walk)
  return [...new Set([...seen].map((key) => manifest[key].file))].filter((file) => file.endsWith('.js'))
}

/** Every load with its size and limit; `zod` names the first scripts that hold it. */
export function measure() {
  const manifest = JSON.parse(text('.vite/manifest.json'))
  const page = (path) => `src/pages/${path}.tsx`
  const entry = ['index.html']
  const rotation = [...entry, page('layout/main-layout'), page('rotation/rotation-page')]
  const loads = [
    ['entry', 115, entry],
    ['login', 215, [...entry, page('login/login-page')]],
    ['screen', 290, [...rotation, page('rotation/screen')]],
    ['backtest before its chart', 290, [...rotation, page('rotation/backtest')]],
    ['report before its chart', 290, [...rotation, page('rotation/report')]],
  ].map(([name, limit, sources]) => ({ name, limit, size: scriptsOf(manifest, sources).reduce((sum, file) => sum + kilobytes(file), 0) }))
  const chart = Object.values(manifest).find(({ name, isDynamicEntry }) => isDynamicEntry && name === 'echarts')
  if (chart) loads.push({ name: 'chart chunk', limit: 215, size: kilobytes(chart.file) })
  const zod = scriptsOf(manifest, [...entry, page('login/login-page')]).filter((file) => /ZodError|invalid_union/.test(text(file)))
  return { loads, zod }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { loads, zod } = measure()
  for (const { name, size, limit } of loads)
    console.log(`${size > limit ? 'OVER' : 'ok  '} ${name.padEnd(26)} ${size.toFixed(1).padStart(6)} KB of ${limit}`)
  for (const file of zod) console.log(`OVER zod in ${file}`)
  process.exitCode = zod.length > 0 || loads.some(({ size, limit }) => size > limit) ? 1 : 0
}
