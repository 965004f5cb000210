import { expect, it } from 'vitest'
import { labelledEvery } from './histogram-option.ts'

it.each([
  { edges: 37, width: 0.0025, every: 8, step: '2 %' },
  { edges: 30, width: 0.0025, every: 4, step: '1 %' },
  { edges: 40, width: 0.002, every: 5, step: '1 %' },
  { edges: 16, width: 0.01, every: 2, step: '2 %' },
  { edges: 20, width: 0.01, every: 5, step: '5 %' },
  { edges: 6, width: 0.03, every: 1, step: 'its own: three is never round' },
])('$edges bars of $width are labelled by $step', ({ edges, width, every }) => expect(labelledEvery(edges, width)).toBe(every))
