import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { resourceLimits } from 'node:worker_threads'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** Nothing was computed for so long: the thread is idle. */
const idleMs = 1_000
/** Garbage of this many bytes is not kept until then: of a thread half of its heap, since the child's memory is limited by what its threads may hold. */
const muchGarbage = Math.min(256, (resourceLimits.maxOldGenerationSizeMb ?? 512) / 2) * 1024 * 1024

const heldBytes = (): number => {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/** What was held after the last collection. */
let kept = heldBytes()
let timer: NodeJS.Timeout | undefined

/** Collects garbage now. A finished run or a forgotten panel is memory of an idle thread, which V8 would keep for hours: nothing there allocates. */
export function collect(): void {
  clearTimeout(timer)
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  kept = heldBytes()
}

/**
 * Collects once the thread is idle, at once where much has come since the last time. A collection looks at everything that the thread keeps,
 * several times over: after each run it cost more than the run.
 */
export function collectWhenIdle(): void {
  clearTimeout(timer)
  if (heldBytes() - kept > muchGarbage) collect()
  else timer = setTimeout(collect, idleMs).unref()
}
