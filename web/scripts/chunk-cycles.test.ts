import { expect, test } from 'vitest'
import { chunkCycle } from './chunk-cycles.ts'

test('a circle of chunks is told as its path', () => {
  expect(chunkCycle({ start: [], page: ['drafts', 'start'], drafts: ['parts'], parts: ['start', 'drafts'] })).toEqual([
    'drafts',
    'parts',
    'drafts',
  ])
})

test('chunks that several others import are no circle', () => {
  expect(chunkCycle({ page: ['left', 'right'], left: ['start'], right: ['start', 'left'], start: [] })).toBeNull()
})
