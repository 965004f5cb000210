/** `node --expose-gc ours.ts <snapshot folder>`: loads of a whole market, asked one by one (worker.ts). The first one is cold. */
import { writeFile } from 'node:fs/promises'
import { loadPanel } from '@convexa/server/market/panels'
import { dense } from '../inputs.ts'
import { timedAsync } from '../times.ts'
import { serve } from '../worker.ts'

const [folder] = process.argv.slice(2)

await serve<{ readonly fields: readonly string[]; readonly field?: string; readonly to?: string }>({}, async ({ fields, field, to }) => {
  // The panel of the call before, so that its pages are not in the way of this one's.
  globalThis.gc?.()
  const [run, panel] = await timedAsync(() => loadPanel(folder!, null, fields))
  if (panel.columns.size !== fields.length) throw new Error(`${panel.columns.size} columns of ${fields.length}`)
  if (to !== undefined) await writeFile(to, dense(panel, panel.columns.get(field!)!))
  return run
})
