// The words of the field: they are found where the thing is, private words are gone (renames.json), comments are plain sentences.
import { readFileSync } from 'node:fs'
import { commentsOf } from './comments.mjs'
import { isSource, lineAt } from './paths.mjs'

const renames = JSON.parse(readFileSync(new URL('renames.json', import.meta.url), 'utf8'))

/** Each word, and the file in which somebody who looks for it must find it. */
const fieldWords = [
  { word: 'debounce', pattern: /debounce/i, file: 'web/src/**/use-debounced-value.ts' },
  { word: 'throttle', pattern: /throttle/i, file: 'server/src/feeds/source/throttle.ts' },
  { word: 'mutex', pattern: /mutex/i, file: 'web/src/**/cross-tab-lock.ts' },
  { word: 'semaphore', pattern: /semaphore/i, file: 'server/src/**/semaphore.ts' },
  { word: 'advisory lock', pattern: /advisory[- ]?lock/i, file: 'server/src/db/advisory-lock.ts' },
  { word: 'coalesce or singleflight', pattern: /coalesce|single-?flight/i, file: 'server/src/**/coalesce-requests.ts' },
  { word: 'idempotent', pattern: /idempotent/i, file: 'server/src/payment/settle.ts' },
  { word: 'idempotent', pattern: /idempotent/i, file: 'server/src/quant/start-run.ts' },
  { word: 'optimistic update', pattern: /optimistic[- ]update/i, file: 'web/src/api/mutation-queue.ts' },
  { word: 'memoize', pattern: /memoize/i, file: 'server/src/market/memoize-read.ts' },
  { word: 'backpressure', pattern: /backpressure/i, file: 'server/src/http/event-stream.ts' },
  { word: 'middleware', pattern: /middleware/i, file: 'server/src/**/app.ts' },
  { word: 'pagination', pattern: /pagination/i, file: 'contract/src/envelope.ts' },
  { word: 'error boundary', pattern: /error[- ]boundary/i, file: 'web/src/pages/error-boundary.tsx' },
  { word: 'rate limit', pattern: /rate[- ]?limit/i, file: 'server/src/**/rate-limit.ts' },
  { word: 'circuit breaker', pattern: /circuit[- ]breaker/i, file: 'server/src/**/breaker.ts' },
  { word: 'buffer pool', pattern: /buffer[- ]?pool/i, file: 'engine/src/kernels/buffer-pool.ts' },
  { word: 'equity curve', pattern: /equity[- ]?curve/i, file: 'engine/src/**/ledger.ts' },
  { word: 'mark-to-market', pattern: /mark(?:ed|ing|s)?[- ]to[- ]market/i, file: 'engine/src/**/mark-prices.ts' },
  { word: 'execution model', pattern: /execution[- ]?model/i, file: 'engine/src/**/execution-model.ts' },
  { word: 'slippage', pattern: /slippage/i, file: 'engine/src/**/execution-model.ts' },
  { word: 'fill model', pattern: /fill[- ]model/i, file: 'engine/src/**/fills.ts' },
  { word: 'look-ahead bias', pattern: /look-?ahead bias/i, file: 'engine/src/expression/check.ts' },
  { word: 'survivorship bias', pattern: /survivorship bias/i, file: 'engine/src/panel/panel.ts' },
  { word: 'point-in-time data', pattern: /point-in-time/i, file: 'engine/src/panel/statements.ts' },
  {
    word: 'payment reconciliation',
    pattern: /payment reconciliation|reconcil(?:es|ing) payments/i,
    file: 'server/src/payment/reconcile.ts',
  },
]

/** What a comment does not say, and how it is shown. Sentences begin a comment or follow a stop, a colon or a semicolon. */
const commentPatterns = [
  { name: 'comments that begin with Who', pattern: /^\s*who(?:se|m|ever)?\b/i },
  { name: 'comments with "whoever" or a "who" clause as subject', pattern: /\bwhoever\b|[.:;!?]\s+who(?:se|m)?\b/i },
  {
    name: 'comments in private words',
    pattern: /\b(?:is|are|was|were) told\b|\bhears?\b|\basks? for [^.;:]{1,60} alone\b|\bat the door\b|\blives\b/i,
  },
]

export function words(tree) {
  const missing = fieldWords.filter(({ pattern, file }) => !filesLike(tree, file).some((path) => pattern.test(tree.textOf(path))))
  const comments = tree.paths.flatMap((path) => commentsOf(tree, path))
  const named = renames.filter(({ old }) => old !== undefined)
  const states = named.map((row) => ({ row, place: oldPlace(tree, row) }))
  const lost = states.filter(({ row, place }) => place === null && touches(tree, row) && !isDeclared(tree, row))
  const standing = states.filter(({ place }) => place !== null)
  const paths = [...new Map(renames.filter(({ path, newPath }) => path !== newPath).map((row) => [row.path, row])).values()].filter(
    ({ path }) => tree.paths.some((each) => each === path || each.startsWith(`${path}/`)),
  )
  const count = (name, offenders) => ({ name, value: offenders.length, offenders })
  return [
    count(
      'words of the field that are not in their file',
      missing.map(({ word, file }) => ({ file, text: `says nothing of ${word}` })),
    ),
    ...commentPatterns.map(({ name, pattern }, i) =>
      // A comment counts once, by the first pattern that it meets.
      count(
        name,
        comments
          .filter(({ text }) => commentPatterns.findIndex((each) => each.pattern.test(text)) === i && pattern.test(text))
          .map(({ file, line, text }) => ({ file, line, text: shortened(text) })),
      ),
    ),
    count(
      'old names that are declared',
      standing.map(({ row, place }) => ({ ...place, text: `${row.kind} ${row.old} becomes ${row.new}` })),
    ),
    count(
      'old paths that are there',
      paths.map(({ path, newPath }) => ({ file: path, text: `becomes ${newPath}` })),
    ),
    count(
      'renames whose old and new name are both absent',
      lost.map(({ row }) => ({ file: row.path, text: `${row.old} or ${row.new}` })),
    ),
  ]
}

const shortened = (text) => (text.length > 90 ? `${text.slice(0, 90)}…` : text)

/** `server/src/**` stands for any folder. */
function filesLike(tree, pattern) {
  const [folder, name] = pattern.includes('/**/') ? pattern.split('/**/') : [null, pattern]
  return tree.paths.filter((path) => (folder === null ? path === name : path.startsWith(`${folder}/`) && path.endsWith(`/${name}`)))
}

/** Where a row's file may stand while it is renamed and moved: at its old path, at its new one, or under its new name in the old folder. */
const placesOf = ({ path, newPath }) => [path, newPath, path.replace(/[^/]+$/, newPath.slice(newPath.lastIndexOf('/') + 1))]

const touches = (tree, { package: name }) => tree.paths.some((path) => path.startsWith(`${name}/`))

function declaredIn(tree, file, kind, name) {
  const text = tree.textOf(file)
  if (kind === 'kernel export') {
    const at = text.search(new RegExp(`\\bfunction ${name}\\b`))
    return at < 0 ? null : { file, line: lineAt(text, at) }
  }
  const { declarations, members } = tree.factsOf(file)
  const found = (kind === 'method' || kind === 'member' ? members : declarations).find((each) => each.name === name)
  return found ? { file, line: lineAt(text, found.at) } : null
}

function oldPlace(tree, row) {
  for (const file of placesOf(row).filter(tree.has)) {
    const place = declaredIn(tree, file, row.kind, row.old)
    if (place) return place
  }
  return null
}

/** The new name, wherever in its package: its file may have moved on. */
const isDeclared = (tree, { package: name, kind, new: now }) =>
  tree.paths.some(
    (path) =>
      path.startsWith(`${name}/`) &&
      (kind === 'kernel export' ? path.startsWith('engine/kernels/') : isSource(path)) &&
      declaredIn(tree, path, kind, now) !== null,
  )
