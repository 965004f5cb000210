import { describe, expect, it } from 'vitest'
import { type Action, actionOf, actions, heardInFields, keyMap, keyRow, type Press, pressName, printed } from './key-map.ts'

const pressed = (key: string, held: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

describe('a press in the words of the map', () => {
  it.each([
    [pressed('/'), '/'],
    [pressed('?', { shiftKey: true }), '?'],
    [pressed('B'), 'b'],
    [pressed('b', { shiftKey: true }), 'Shift+b'],
    [pressed('Enter', { ctrlKey: true }), 'Mod+Enter'],
    [pressed('Z', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+z'],
    [pressed('Escape'), 'Esc'],
    [pressed('k', { metaKey: true }), null],
    [pressed('e', { altKey: true }), null],
    [pressed('Process'), null],
  ])('%o is %s', (event, name) => expect(pressName(event, false)).toBe(name))

  it('⌘ on a Mac is Ctrl elsewhere, and Ctrl on a Mac is nothing', () => {
    expect(pressName(pressed('k', { metaKey: true }), true)).toBe('Mod+k')
    expect(pressName(pressed('k', { ctrlKey: true }), true)).toBeNull()
    expect(printed('Mod+k', true)).toEqual(['⌘', 'K'])
    expect(printed('Mod+k', false)).toEqual(['Ctrl', 'K'])
    expect(printed('g c', false)).toEqual(['g', 'c'])
  })
})

describe('the map', () => {
  it('gives no key to two actions, and no sequence begins with a key of its own', () => {
    const all = actions.flatMap((action) => keyRow(action).press)
    expect(new Set(all).size).toBe(all.length)
    const begins = new Set(all.filter((keys) => keys.includes(' ')).map((keys) => keys[0]))
    expect(all.filter((keys) => begins.has(keys))).toEqual([])
  })

  it('takes no key from the browser that a page may not take', () => {
    const kept = ['Mod+t', 'Mod+n', 'Mod+w', 'Mod+r', 'Mod+l', 'Mod+f', 'Mod+p', 'Mod+c', 'Mod+v', 'Mod+x', 'Mod+a', 'F5', 'F12', 'Tab']
    expect(actions.filter((action) => keyRow(action).press.some((keys) => kept.includes(keys)))).toEqual([])
  })

  it.each<[string[], Action | null]>([
    [['g', 'c'], 'goBonds'],
    [['g', 'g', 'c'], 'goBonds'],
    [['g', 'b'], 'builder'],
    [['g', 'm', 'u'], null],
    [['Mod+Enter'], 'run'],
    [['5'], 'section'],
    [['q'], null],
  ])('%j is %s', (keys, action) => {
    let state = { action: null as Action | null, begun: null as string | null }
    for (const key of keys) state = actionOf(state.begun, key)
    expect(state.action).toBe(action)
  })

  it('while one types only keys with Ctrl and Esc are heard, and undo is the field’s own', () => {
    expect(actions.filter((action) => heardInFields(keyRow(action)))).toEqual(['palette', 'run', 'cancel', 'save'])
    expect(heardInFields(keyMap.undo)).toBe(false)
  })
})
