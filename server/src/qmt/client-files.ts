import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serverFolder } from '../base/program-files.ts'

export interface ClientFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Of the client that an export carries; `convexa_qmt/__init__.py` says the same. */
export const clientVersion = '2.0.0'

/** The oldest client that may trade for real: those before buy again after a power cut or by a late list (decisions/0160). */
const oldest = [2, 0, 0] as const

/** A version that cannot be read is none of ours, and counts as an old one. */
export function isOldClient(version: string): boolean {
  if (!/^\d{1,4}(\.\d{1,4}){0,3}$/.test(version)) return true
  const given = version.split('.').map(Number)
  const place = oldest.findIndex((part, i) => (given[i] ?? 0) !== part)
  return place >= 0 && !((given[place] ?? 0) > oldest[place]!)
}

const folder = join(serverFolder, '..', 'qmt-client')
const modules = 'convexa_qmt'

/** The client as it stands in `qmt-client`: what is started, the manual, the modules; not its tests. */
export async function clientFiles(): Promise<ClientFile[]> {
  const started = (await readdir(folder)).filter((name) => /\.(py|txt)$/.test(name)).sort()
  const sources = (await readdir(join(folder, modules))).filter((name) => name.endsWith('.py')).sort()
  const names = [...started, ...sources.map((name) => `${modules}/${name}`)]
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })))
}
