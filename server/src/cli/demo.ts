import { marketIds } from '@convexa/contract/enums/market'
import { startDemoMarket } from '../market/demo/demo-market.ts'
import type { DemoSize } from '../market/demo.ts'
import { snapshotKinds, snapshotLabels } from '../market/manifest.ts'
import { withCommandContext } from './command-context.ts'
import { answer } from './output.ts'
import { progress } from './progress.ts'

/** `convexa demo`: makes the demo markets up to the last closed day and publishes them. Ctrl-C ends it at once: a process makes them. */
export async function demo({ size }: { size: DemoSize }): Promise<void> {
  await withCommandContext('database', async ({ connectionString, config, signal }) => {
    const shown = progress()
    const onProgress = ({ percent, text }: { percent: number; text: string }) => shown.show(percent, text)
    const making = startDemoMarket(config.dataDir, connectionString, marketIds, onProgress, size)
    signal.addEventListener('abort', () => void making.stop(), { once: true })
    const made = await making.made.finally(() => shown.end())
    const lines = snapshotKinds.map((kind) => {
      const { dataVersion, securities, firstDate, lastDate } = made[kind]
      return `${snapshotLabels[kind]}演示行情 ${dataVersion}：${securities} 只，${firstDate} 至 ${lastDate}`
    })
    answer(made, () => [...lines, '演示数据为模拟生成，不是真实行情。'].join('\n'))
  })
}
