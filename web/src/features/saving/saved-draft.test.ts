import { describe, expect, it } from 'vitest'
import { someDraft } from '../../../test/some-draft.ts'
import type { Draft } from '../../state/drafts.ts'
import { savedAs } from './saved-draft.ts'

const sent = { ...someDraft('双低'), edited: true, saved: { id: 'a', version: 1 } }
const saved = { id: 'a', version: 2 }

describe('a draft once what was sent of it is saved', () => {
  it('is that version', () => expect(savedAs(sent, sent, '双低', saved)).toEqual({ ...sent, saved, edited: false }))

  it('is an edit of that version where something was typed, or taken back, meanwhile', () => {
    const typed = { ...sent, edited: false, parameters: { ...sent.parameters, hold_days: 3 } }
    expect(savedAs(typed, sent, '双低', saved)).toEqual({ ...typed, saved, edited: true })
  })

  it('stays what it is where another strategy was opened meanwhile: the next saving must not write it over this one', () => {
    const other = { ...sent, name: '低溢价', saved: { id: 'b', version: 7 } }
    expect(savedAs(other, sent, '双低', saved)).toBe(other)
    const template: Draft = { ...sent, name: '小市值' }
    delete template.saved
    expect(savedAs(template, sent, '双低', saved)).toBe(template)
  })
})
