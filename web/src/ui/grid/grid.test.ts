import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Column } from '../table/column.ts'
import { type Arrangeable, arrange, listed, moved, readSettings, shownKeys, ticked, untouched, widened } from './column-settings.ts'
import { fits } from './grid-row.tsx'
import { layoutOf, onPhone, scrollFor } from './layout.ts'
import { type At, moveOf, rangeOf, type Size } from './move.ts'
import { allToggled, nothing, shareOf, toggled, withRange } from './selection.ts'

const size: Size = { rows: 50, columns: 6, page: 10 }

describe('a key in the grid', () => {
  it.each([
    ['ArrowDown', false, [3, 2], [4, 2]],
    ['ArrowUp', false, [1, 2], [0, 2]],
    ['ArrowUp', false, [0, 2], [0, 2]],
    ['ArrowRight', false, [3, 5], [3, 5]],
    ['Home', false, [3, 4], [3, 0]],
    ['End', false, [3, 1], [3, 5]],
    ['Home', true, [30, 4], [1, 0]],
    ['End', true, [3, 1], [50, 5]],
    ['PageDown', false, [3, 1], [13, 1]],
    ['PageDown', false, [45, 1], [50, 1]],
    ['PageUp', false, [5, 1], [1, 1]],
    ['PageUp', false, [0, 1], [0, 1]],
    ['j', false, [3, 1], [4, 1]],
  ] as const)('%s (Ctrl %s) leads from %s to %s', (key, ctrl, [row, column], [toRow, toColumn]) =>
    expect(moveOf(key, ctrl, { row, column }, size)).toEqual({ row: toRow, column: toColumn }),
  )

  it('that does not move is left to others', () => {
    expect([moveOf('a', false, { row: 1, column: 1 }, size), moveOf('ArrowDown', true, { row: 1, column: 1 }, size)]).toEqual([null, null])
  })

  it('never leads out of the grid, whatever is pressed', () => {
    const keys = fc.constantFrom('ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End')
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.boolean())), fc.nat(5), fc.integer({ min: 1, max: 4 }), (presses, rows, columns) => {
        let at: At = { row: 0, column: 0 }
        for (const [key, ctrl] of presses) at = moveOf(key, ctrl, at, { rows, columns, page: 3 }) ?? at
        expect(at.row >= 0 && at.row <= rows && at.column >= 0 && at.column < columns).toBe(true)
      }),
    )
  })

  it('drawn with Shift spans a rectangle below the head', () => {
    expect(rangeOf({ row: 4, column: 3 }, { row: 0, column: 1 })).toEqual({ top: 1, bottom: 4, left: 1, right: 3 })
  })
})

const column = (key: string, given: Partial<Arrangeable> = {}): Column<unknown> & Arrangeable => ({
  ...{ key, label: key, width: 100, cell: () => null },
  ...given,
})

describe('the places of columns', () => {
  const layout = layoutOf([column('a', { pinned: 'left' }), column('b', { pinned: 'left' }), column('c'), column('d', { pinned: 'right' })])

  it('are pinned from both sides, with an edge at the inner ones', () => {
    expect(layout.places.map(({ style, edge }) => [style.left ?? style.right ?? null, edge])).toEqual([
      [0, false],
      [100, true],
      [null, false],
      [0, true],
    ])
    expect([layout.width, layout.left, layout.right]).toEqual([400, 200, 100])
  })

  it('are one pinned column and the rest on a phone', () => {
    const given = [column('a', { pinned: 'left' }), column('b', { pinned: 'left' }), column('c'), column('d', { pinned: 'right' })]
    const phone = layoutOf(onPhone(given, true))
    expect(phone.places.map(({ pinned }) => pinned ?? null)).toEqual(['left', null, null, null])
    expect([phone.left, phone.right]).toEqual([124, 0])
    expect(layoutOf(onPhone(given, false)).left).toBe(100)
  })

  it.each<[string, Partial<Arrangeable>[], string]>([
    ['those that grow', [{ grow: true }, {}, { grow: true }], 'minmax(100px, 100fr) 100px minmax(100px, 100fr)'],
    ['the last one where none grows', [{}, {}, {}], '100px 100px minmax(100px, 100fr)'],
    ['never a pinned one', [{ pinned: 'left' }, {}, { pinned: 'right' }], '100px minmax(100px, 100fr) 100px'],
  ])('what is left of the width goes to %s', (_, given, template) =>
    expect(layoutOf(given.map((one, at) => column(String(at), one))).template).toBe(template),
  )

  it('are scrolled to between the pinned ones', () => {
    const wide = layoutOf([column('a', { pinned: 'left' }), column('b'), column('c'), column('d')])
    const [a, b, , d] = wide.places
    if (!a || !b || !d) throw new Error('four columns')
    expect([scrollFor(d, wide, 0, 250), scrollFor(b, wide, 150, 250), scrollFor(a, wide, 150, 250)]).toEqual([150, 0, 150])
  })
})

describe('ticked rows', () => {
  const keys = ['a', 'b', 'c', 'd']
  it('are ticked and unticked', () => expect(toggled(toggled(nothing, 'a'), 'a')).toEqual(nothing))
  it('are ticked between two, whichever comes first', () => {
    expect(withRange(new Set(['d']), keys, 'c', 'a')).toEqual(new Set(['a', 'b', 'c', 'd']))
    expect(withRange(nothing, keys, 'gone', 'b')).toEqual(new Set(['b']))
    expect(withRange(nothing, keys, null, 'b')).toEqual(new Set(['b']))
  })
  it('all at once keep those of other lists', () => {
    const all = allToggled(new Set(['z']), keys)
    expect(all.size).toBe(5)
    expect(allToggled(all, keys)).toEqual(new Set(['z']))
    expect([shareOf(all, keys), shareOf(nothing, keys), shareOf(new Set(['a']), keys)]).toEqual(['all', 'none', 'some'])
  })
})

describe('the columns of a screen', () => {
  const columns = [
    column('name', { always: true, pinned: 'left' }),
    column('price'),
    column('rank', { auto: true }),
    column('size', { grow: true }),
    column('rare', { extra: true }),
    column('change', { pinned: 'right' }),
  ]
  const sets = [{ key: 'bond', label: '债性', columns: ['rare', 'price', 'gone'] }]
  const keys = (settings = untouched) => arrange(columns, sets, settings).map(({ key }) => key)

  it('are the usual ones until something is arranged', () => {
    expect(keys()).toEqual(['name', 'price', 'rank', 'size', 'change'])
  })
  it('of a set come after what the page needs; a column that is gone is left out', () => {
    expect(keys({ ...untouched, set: 'bond' })).toEqual(['name', 'rank', 'rare', 'price'])
  })
  it('are moved, added and hidden, which makes the set the user’s own', () => {
    const shown = shownKeys(columns, sets, untouched)
    const first = moved(untouched, shown, 'size', 0)
    expect(keys(first)).toEqual(['name', 'size', 'price', 'rank', 'change'])
    const more = ticked(first, shownKeys(columns, sets, first), 'rare', true)
    expect(keys(more)).toEqual(['name', 'size', 'price', 'rank', 'rare', 'change'])
    const less = ticked(more, shownKeys(columns, sets, more), 'rank', false)
    expect(keys(less)).toEqual(['name', 'size', 'price', 'rare', 'change'])
    expect(keys(ticked(less, shownKeys(columns, sets, less), 'rank', true))).toContain('rank')
  })
  it('that a later draft needs come along by themselves', () => {
    expect(keys({ ...untouched, set: 'own', order: ['price'] })).toEqual(['name', 'price', 'rank'])
  })
  it('are frozen at the left and have the width they are given', () => {
    const settings = widened({ ...untouched, frozen: listed([], 'size', true) }, 'size', 9999)
    const [, size] = arrange(columns, sets, settings)
    expect([size?.key, size?.pinned, size?.width, size?.grow]).toEqual(['size', 'left', 480, false])
    expect(widened(settings, 'size', null).widths).toEqual({})
  })
  it('survive what the browser kept, and what it did not', () => {
    const settings = widened(moved(untouched, ['a', 'b'], 'b', 0), 'a', 120)
    expect(readSettings(JSON.parse(JSON.stringify(settings)))).toEqual(settings)
    fc.assert(
      fc.property(fc.jsonValue(), (stored) => {
        expect(arrange(columns, sets, readSettings(stored))[0]?.key).toBe('name')
      }),
    )
  })
})

describe('a text in its column', () => {
  it.each([
    ['119.544', 76, true],
    ['119.544', 64, false],
    ['−6.97%', 70, true],
    ['1,111.96 亿元', 80, false],
    ['', 16, true],
  ])('%s in %i px needs no clip: %s', (text, width, answer) => expect(fits(text, width)).toBe(answer))
})
