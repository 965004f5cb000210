import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

/** Collects garbage now. A forgotten panel is shared memory of an idle thread, which V8 would keep for hours: nothing there allocates. */
export const collect = (): void => gc()
