import { recordOf, text } from './shapes.ts'
import { local } from './storage.ts'

const key = 'preference:lastPages'
const read = () => local.read(key, recordOf(text)) ?? {}

/** The child of a page that was used last, such as a market's tab. */
export const lastChild = (page: string): string | undefined => read()[page]

export function keepLastChild(page: string, child: string): void {
  const all = read()
  if (all[page] !== child) local.write(key, { ...all, [page]: child })
}
