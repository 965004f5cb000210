// First: a worker has globals of its own.
import '../../browser/polyfills.ts'
import type { Request } from './messages.ts'
import { makeScreener } from './screener.ts'

const screener = makeScreener()

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  const answer = screener(data)
  if (answer) self.postMessage(answer)
})
