// How long the big grid takes at 5,500 rows × 12 columns: new rows → next frame, sort → next frame, and frames while scrolling.
// `npm run bench:web -- grid` prints its figures beside the goals; alone: `node web/scripts/bench-grid.mjs [rounds | --json]`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { mainThreadOf } from '../../e2e/src/bench-web/main-thread.ts'
import { launchBrowser } from '../../e2e/src/browser.ts'

const json = process.argv[2] === '--json'
const rounds = json ? 40 : Number(process.argv[2] ?? 40)
const root = fileURLToPath(new URL('../bench', import.meta.url))
const outDir = mkdtempSync(join(tmpdir(), 'convexa-bench-'))
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** One act until a frame with it has been drawn, and the part that is our own script; so many times. */
const timed = (act) => `async (count) => {
  const frame = () => new Promise(requestAnimationFrame)
  const times = []
  for (let i = 0; i < count; i++) {
    await frame()
    const from = performance.now()
    ${act}
    const script = performance.now() - from
    await frame()
    await new Promise((resolve) => setTimeout(resolve))
    times.push([performance.now() - from, script])
  }
  return times
}`
const acts = [
  ['rows replaced', timed('bench.replace()'), 50],
  ['column sorted', timed("bench.sort('v' + (i % 10))"), 50],
  ['frame while scrolling', timed('document.querySelector(\'[role="grid"]\').scrollTop += 120'), 34],
].map(([name, act, goal]) => [name, new Function(`return ${act}`)(), goal])

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  plugins: [react()],
  build: { outDir, emptyOutDir: true, target: 'es2022', rolldownOptions: { input: join(root, 'grid.html') } },
})
const server = createServer((request, response) => {
  const file = join(outDir, new URL(request.url ?? '/', 'http://x').pathname)
  try {
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
  } catch {
    response.writeHead(404).end()
  }
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await launchBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`http://127.0.0.1:${server.address().port}/grid.html`)
  await page.getByRole('row').nth(20).waitFor()
  const cpu = await mainThreadOf(page)
  const figures = []
  const goals = []
  for (const [name, act, goal] of acts) {
    // The first make the code quick, as an evening would.
    await page.evaluate(act, 10)
    const before = await cpu()
    const times = await page.evaluate(act, rounds)
    const each = ((await cpu()) - before) / rounds
    figures.push(
      [name, times.map(([whole]) => whole)],
      [`${name}, script`, times.map(([, script]) => script)],
      [`${name}, main thread`, [each]],
    )
    const whole = times.map(([whole]) => whole).sort((a, b) => a - b)
    goals.push({ name: `table 5,500 × 12, ${name}`, value: whole[Math.floor((whole.length - 1) * 0.95)], unit: 'ms p95', goal, cpu: each })
  }
  if (json) console.log(JSON.stringify(goals))
  for (const [name, values] of json ? [] : figures) {
    const sorted = values.toSorted((a, b) => a - b)
    const at = (share) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1).padStart(6)
    console.log(`${name.padEnd(30)} best ${at(0)}  p50 ${at(0.5)}  p95 ${at(0.95)}  max ${at(1)} ms`)
  }
  if (!json) console.log(`${await page.locator('*').count()} nodes`)
} finally {
  await browser.close()
  server.close()
  rmSync(outDir, { recursive: true, force: true })
}
