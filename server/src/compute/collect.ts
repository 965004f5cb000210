import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** Collects garbage now. A finished run or a forgotten panel is memory of an idle thread, which V8 would keep for hours: nothing there allocates. */
export const collect = (): void => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
