// Sizes of what a browser loads before it can show a page, against the limits of the design. After a build: `node web/scripts/budget.mjs`.
// KB are 1,000 bytes of gzip level 9; scripts only, style sheets come on top (about 10 KB).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { framesOf, pageName, pages } from './page-loads.ts'

const dist = new URL('../dist/', import.meta.url)
export const built = existsSync(new URL('.vite/manifest.json', dist))

const bytes = (file) => readFileSync(new URL(file, dist))
const kilobytes = (file) => gzipSync(bytes(file), { level: 9 }).length / 1000

const entry = 'index.html'
const chart = 'src/ui/chart/echarts.ts'
const editor = 'src/features/factors/code-mirror.ts'
/** Limits of their own (performance.md 2); every other page may have 450. */
const limits = {
  'account/login-page': 215,
  'rotation/screen': 290,
  'rotation/backtest': 290,
  'rotation/report': 290,
}
const anyPage = 450

/** The files that some modules need before they can run: their chunks with all static imports. */
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

/** Every load with its size and limit; `zod` names the first scripts that hold it, `guide` the files that show traces of the style guide. */
export function measure() {
  const manifest = JSON.parse(bytes('.vite/manifest.json').toString())
  const sizeOf = (sources) => scriptsOf(manifest, sources).reduce((sum, file) => sum + kilobytes(file), 0)
  const loads = [{ name: 'entry', limit: 115, size: sizeOf([entry]) }]
  for (const key of pages.toSorted()) {
    const name = pageName(key)
    const sources = [entry, ...framesOf(key), key]
    loads.push({ name, limit: limits[name] ?? anyPage, size: sizeOf(sources) })
    if (usesChart(manifest, key)) loads.push({ name: `${name} with its chart`, limit: anyPage, size: sizeOf([...sources, chart]) })
  }
  loads.push({ name: 'chart alone', limit: 215, size: kilobytes(manifest[chart].file) })
  // The design's 100 is what is aimed at; see decisions/0051.
  loads.push({ name: 'editor alone', limit: 113, size: kilobytes(manifest[editor].file) })

  const scripts = readdirSync(new URL('assets/', dist)).filter((file) => /\.(js|css)$/.test(file))
  const guide = scripts.filter((file) => bytes(`assets/${file}`).includes('styleguide'))
  const first = scriptsOf(manifest, [entry, 'src/features/account/login-page.tsx'])
  const zod = first.filter((file) => /ZodError|invalid_union/.test(bytes(file).toString()))
  return { loads, zod, guide }
}

/** Its own code, or a part that it shares with others, asks for the chart later. */
function usesChart(manifest, page) {
  const seen = new Set()
  const walk = (key) => {
    if (seen.has(key) || key === entry) return false
    seen.add(key)
    const { dynamicImports = [], imports = [] } = manifest[key]
    return dynamicImports.includes(chart) || imports.some(walk)
  }
  return walk(page)
}

export const lineOf = ({ name, size, limit }) =>
  `${size > limit ? 'OVER' : 'ok  '} ${name.padEnd(40)} ${size.toFixed(1).padStart(6)} KB of ${limit}`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { loads, zod, guide } = measure()
  for (const load of loads) console.log(lineOf(load))
  for (const file of zod) console.log(`OVER zod in ${file}`)
  for (const file of guide) console.log(`OVER the style guide in ${file}`)
  process.exitCode = zod.length + guide.length > 0 || loads.some(({ size, limit }) => size > limit) ? 1 : 0
}
