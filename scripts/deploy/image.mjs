// `npm run image [-- --way docker|buildah|bundle]`: builds the image and starts it as deploy/compose.yaml does, in the first of three ways that this
// machine allows. Waits until it is ready, makes a backtest, stops it, and says which way it was, sizes and seconds.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { request } from '../../server/test/fixtures/requests.ts'
import { freePort } from '../free-port.mjs'
import { ways } from './image-ways.mjs'

/** What compose.yaml gives it. */
const stopSeconds = 40
const readySeconds = 600

const { values } = parseArgs({ options: { way: { type: 'string' } } })
const name = values.way ?? Object.keys(ways).find((one) => ways[one].available())
if (!ways[name]) {
  console.error(`没有方式“${name}”，可用 ${Object.keys(ways).join('、')}`)
  process.exit(2)
}
if (!ways[name].available()) {
  console.error(`本机不能使用 ${ways[name].what}`)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'convexa-image-'))
chmodSync(folder, 0o755)
let running = null
const timed = async (what, work) => {
  const since = performance.now()
  const done = await work()
  console.log(`${what}：${((performance.now() - since) / 1_000).toFixed(1)} 秒`)
  return { done, seconds: (performance.now() - since) / 1_000 }
}
try {
  await main()
} catch (error) {
  console.error(`没有完成：${error.message}`)
  if (running) console.error(running.output())
  process.exitCode = 1
} finally {
  running?.kill?.()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
process.exit()

async function main() {
  const way = ways[name]
  console.log(`方式：${way.what}`)
  const { done: sizes } = await timed('构建', () => way.build(folder))
  for (const [part, bytes] of Object.entries(sizes)) console.log(`${part}：${Math.round(bytes / 1e6)} MB`)
  const port = await freePort()
  await timed('启动到就绪（含演示行情）', async () => {
    running = way.start({ folder, port })
    await ready(port)
  })
  running.exec(['/app/convexa-health', 'all'])
  if (writes()) throw new Error('程序所在的目录可以写入')
  const { done: report } = await timed('一次回测', () => backtest())
  console.log(`回测：${report.data.start_date} 至 ${report.data.end_date}`)
  const { seconds } = await timed('停止', () => running.stop())
  running = null
  if (seconds > stopSeconds) throw new Error(`停止用了 ${seconds.toFixed(0)} 秒，超过 ${stopSeconds} 秒`)
  console.log('通过')
}

async function ready(port) {
  const until = performance.now() + readySeconds * 1_000
  let ended = null
  running.ended?.then((code) => {
    ended = code
  })
  while (performance.now() < until) {
    if (ended !== null) throw new Error(`启动后以 ${ended} 结束`)
    if (isReady(port)) return
    await new Promise((done) => setTimeout(done, 1_000))
  }
  throw new Error(`${readySeconds} 秒后仍未就绪`)
}

/** Asked from inside, where there may be no other network. */
function isReady(port) {
  const ask = `fetch('http://127.0.0.1:${port}/readyz').then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))`
  try {
    running.exec(['/app/node_modules/.bin/node', '-e', ask])
    return true
  } catch {
    return false
  }
}

function writes() {
  try {
    running.exec(['/bin/sh', '-c', 'touch "$(dirname "$(command -v convexa | xargs readlink -f)")/probe"'])
    return true
  } catch {
    return false
  }
}

/** A plain backtest by the command line inside, with the last year of the demo market. */
function backtest() {
  const end = new Date().getFullYear()
  const body = JSON.stringify(request('cb', { factor: 'dblow', hold: 20, start: `${end - 2}-01-04`, end: `${end - 1}-12-30` }))
  running.exec(['/bin/sh', '-c', 'cat >"$DATA_DIR/request.json"'], body)
  return JSON.parse(running.exec(['/bin/sh', '-c', 'convexa backtest cb "$DATA_DIR/request.json" --json']))
}
