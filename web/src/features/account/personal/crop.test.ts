import { describe, expect, it } from 'vitest'
import { type Crop, firstCrop, keyed, pushed, sideOf, within, zoomed } from './crop.ts'

const wide = { width: 800, height: 400 }
const first = firstCrop(wide)
const rounded = ({ x, y, zoom }: Crop) => [x, y, zoom].map((value) => Math.round(value * 100) / 100)

describe('a square out of a picture', () => {
  it('begins as the largest one in the middle', () => {
    expect(first).toEqual({ x: 400, y: 200, zoom: 1 })
    expect(sideOf(wide, first)).toBe(400)
  })

  it.each<[string, Crop, number[]]>([
    ['pushed right it shows more of the left', pushed(wide, first, 0.25, 0), [300, 200, 1]],
    ['it never leaves the picture', pushed(wide, first, 5, 5), [200, 200, 1]],
    ['nor downwards, where there is nothing to spare', pushed(wide, first, 0, -0.5), [400, 200, 1]],
    ['zoomed in there is', pushed(wide, zoomed(wide, first, 2), 0, -0.5), [400, 300, 2]],
    ['zoomed out at the edge it is pushed back in', zoomed(wide, { x: 100, y: 100, zoom: 2 }, 1), [200, 200, 1]],
    ['no nearer than four times', zoomed(wide, first, 9), [400, 200, 4]],
    ['no farther than the whole', zoomed(wide, first, 0.2), [400, 200, 1]],
    ['of a tall picture too', within({ width: 100, height: 900 }, { x: 0, y: 880, zoom: 1 }), [50, 850, 1]],
  ])('%s', (_, crop, expected) => expect(rounded(crop)).toEqual(expected))

  it.each<[string, boolean, number[] | null]>([
    ['ArrowLeft', false, [420, 200, 1]],
    ['ArrowRight', true, [396, 200, 1]],
    ['ArrowUp', false, [400, 200, 1]],
    ['+', false, [400, 200, 1.1]],
    ['-', false, [400, 200, 1]],
    ['0', false, [400, 200, 1]],
    ['Tab', false, null],
  ])('the key %s, shift %s: %j', (key, shift, expected) => {
    const crop = keyed(wide, first, key, shift)
    expect(crop && rounded(crop)).toEqual(expected)
  })
})
