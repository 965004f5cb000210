import { remoteCompute } from '../compute/remote.ts'
import { type Packed, packRuns } from '../quant/pack-runs.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answer } from './output.ts'

const reasons: Readonly<Record<Exclude<Packed, 'packed'>, string>> = {
  'other days': '按保存时的数据重新计算，结果与保存的不同',
  'no data': '所用的数据版本已不再保留',
  refused: '当前版本不能计算',
}

/** `convexa runs pack`: whole reports of earlier versions become cores, by a worker. */
export async function pack(): Promise<void> {
  await withCommandContext('worker', async ({ db, config, signal }) => {
    const ended: Record<Packed | 'later', number> = { packed: 0, 'other days': 0, 'no data': 0, refused: 0, later: 0 }
    await packRuns(
      { db, config, compute: remoteCompute(db) },
      () => !signal.aborted,
      (_, how) => ended[how ?? 'later']++,
    )
    if (signal.aborted) throw new Stop(exits.interrupted, `已中断，压缩了 ${ended.packed} 次回测的结果`)
    const lines = [`压缩了 ${ended.packed} 次回测的结果`]
    for (const [why, text] of Object.entries(reasons) as [Exclude<Packed, 'packed'>, string][])
      if (ended[why] > 0) lines.push(`保持原样 ${ended[why]} 次：${text}`)
    if (ended.later > 0) lines.push(`暂时不能计算 ${ended.later} 次，请稍后再运行`)
    answer(ended, () => lines.join('\n'))
  })
}
