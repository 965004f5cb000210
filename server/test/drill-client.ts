/**
 * `npm run drill:client [-- --days 1000]`: the terminal's client on random trading days with faults and kill −9, against every broker
 * (qmt-client/test/random_days.py, which asserts of each day that no order is sent twice, nothing foreign is sold and no cap is passed).
 */
import { fileURLToPath } from 'node:url'
import { readDrillOptions, skipDrill } from './drill-options.ts'
import { openFigures } from './figures.ts'
import { hasPython, python } from './python.ts'

const { days, seed } = readDrillOptions({ days: { whole: 1_000, quick: 200 }, seed: { whole: 1, quick: 1 } })
if (!hasPython) skipDrill('没有找到 python3（3.6 或更新的版本），QMT 客户端的演练需要它')

const { status, said } = await python([
  fileURLToPath(new URL('../../qmt-client/test/random_days.py', import.meta.url)),
  String(days),
  String(seed),
])
const figures = openFigures()
// An assertion ends it with a traceback.
if (status === 0) {
  const seen = JSON.parse(said.trim().split('\n').at(-1)!) as Record<
    'days' | 'orders' | 'kills' | 'real' | 'calm' | 'exact' | 'unsettled' | 'profits' | 'stops',
    number
  >
  figures.fact('days, orders', `${seen.days}, ${seen.orders}`)
  figures.fact('kills, processes ended by SIGKILL', `${seen.kills}, ${seen.real}`)
  figures.fact('takings of profit, days stopped by their loss', `${seen.profits}, ${seen.stops}`)
  figures.fact('days that ended as planned', `${seen.exact}; the others say why, ${seen.unsettled} left an order without a result`)
  figures.goal('days without a fault', `${seen.calm} as planned`, 'all of them', true)
} else console.error(said)
figures.none('orders twice, foreign sales, caps passed, orders missing without a word', status === 0 ? 0 : 1)
process.exit(figures.end())
