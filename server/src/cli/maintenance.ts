import { shanghaiTime } from '../base/time.ts'
import { type Maintenance, readMaintenance, setMaintenance } from '../system/maintenance.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answer } from './output.ts'

/** `convexa maintenance on|off|status`. */
export async function maintenance(turn: 'on' | 'off' | 'status', { until }: { until?: Date }): Promise<void> {
  if (until && turn !== 'on') throw new Stop(exits.usage, '用法有误：--until 只与 on 一起使用')
  if (until && until.getTime() <= Date.now()) throw new Stop(exits.refused, '预计恢复的时间已经过去')
  await withCommandContext('database', async ({ db, stay }) => {
    stay()
    if (turn !== 'status') await setMaintenance(db, { on: turn === 'on', until: until ?? null })
    const now = await readMaintenance(db)
    answer(now, () => sentenceOf(now))
  })
}

function sentenceOf({ on, until }: Maintenance): string {
  if (!on) return '维护模式：关'
  return `维护模式：开${until ? `，预计 ${shanghaiTime(until).slice(0, 16).replace('T', ' ')} 恢复` : ''}`
}
