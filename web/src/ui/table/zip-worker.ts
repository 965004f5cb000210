// First: a worker has globals of its own.
import '../../browser/polyfills.ts'
import { strToU8, zipSync } from 'fflate'
import type { ArchiveFiles } from './xlsx.ts'

// The library's own worker is made of a blob, which the page policy forbids (decisions/0187): this one has an address of ours.
self.addEventListener('message', ({ data }: MessageEvent<ArchiveFiles>) => {
  const files = Object.fromEntries(Object.entries(data).map(([path, text]) => [path, strToU8(text)]))
  // The first day that the format knows: equal files make equal archives.
  const archive = zipSync(files, { mtime: new Date(1980, 0, 1) })
  self.postMessage(archive, { transfer: [archive.buffer] })
})
