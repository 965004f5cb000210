import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { packJson } from './packed-json.ts'
import type { PackedJson } from './reply.ts'

// Lists that change seldom and are asked for with every page: packed once, and told by a tag that they are still the same.

interface Tagged extends PackedJson {
  readonly packedJson: readonly [Buffer]
  readonly tag: string
}

const byValue = new WeakMap<object, Promise<Tagged>>()
/** Equal values of different askers or moments; the longest unused go first. */
const byTag = new Map<string, Promise<Tagged>>()
const mostKept = 64

/** An answer with a tag. `value` is not changed afterwards: of the same object the text is not made again. */
export function taggedJson(value: object): Promise<Tagged> {
  const known = byValue.get(value)
  if (known) return known
  const tag = tagOf(JSON.stringify(value))
  const tagged = byTag.get(tag) ?? packJson(value).then((packed): Tagged => ({ packedJson: [packed], tag }))
  byTag.delete(tag)
  byTag.set(tag, tagged)
  const [oldest] = byTag.keys()
  if (byTag.size > mostKept && oldest !== undefined) byTag.delete(oldest)
  byValue.set(value, tagged)
  return tagged
}

/** The same as a part of another answer. */
export const packedOnce = async (value: object): Promise<Buffer> => (await taggedJson(value)).packedJson[0]

/** A text that stays the same until the process ends, with its tag and as gzip. */
export const lastingText = (text: string) => ({ text, tag: tagOf(text), gzip: gzipSync(text) })

const tagOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)
