import { marketIds } from '@convexa/contract/enums/market'
import { startDemoMarket } from '../market/demo/demo-market.ts'
import type { DemoSize } from '../market/demo.ts'
import { withCommandContext } from './command-context.ts'
import { progress } from './progress.ts'
import { print } from './text.ts'

/** `convexa demo`: makes the demo markets up to the last closed day and publishes them. Ctrl-C ends it at once: a process makes them. */
export async function demo({ size }: { size: DemoSize }): Promise<void> {
  await withCommandContext('database', async ({ connectionString, config, signal }) => {
    const shown = progress()
    const onProgress = ({ percent, text }: { percent: number; text: string }) => shown.show(percent, text)
    const making = startDemoMarket(config.dataDir, connectionString, marketIds, onProgress, size)
    signal.addEventListener('abort', () => void making.stop(), { once: true })
    const made = await making.made.finally(() => shown.end())
    for (const [label, snapshot] of [
      ['可转债', made.cb],
      ['股票', made.stk],
      ['指数', made.index],
    ] as const) {
      print(`${label}演示行情 ${snapshot.dataVersion}：${snapshot.securities} 只，${snapshot.firstDate} 至 ${snapshot.lastDate}`)
    }
    print('演示数据为模拟生成，不是真实行情。')
  })
}
