import { lastClosedDay } from '../market/calendar.ts'
import { type DemoSize, makeDemo } from '../market/demo.ts'
import { onGround } from './ground.ts'
import { progress } from './progress.ts'
import { print } from './text.ts'

/** `convexa demo`: makes the demo markets up to the last closed day and publishes them. */
export async function demo({ size }: { size: DemoSize }): Promise<void> {
  await onGround('database', async ({ db, config }) => {
    const shown = progress()
    const made = await makeDemo({
      dataDir: config.dataDir,
      db,
      through: lastClosedDay(new Date()),
      size,
      onProgress: ({ percent, text }) => shown.show(percent, text),
    }).finally(() => shown.end())
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
