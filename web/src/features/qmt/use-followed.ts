import { hashKey } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Values } from '../../ui/form/form-state.ts'
import type { Form } from '../../ui/form/use-form.ts'

/** Whether two forms would be sent as the same thing; the database gives the keys of what it keeps an order of its own. */
const same = (one: unknown, other: unknown): boolean => hashKey([one]) === hashKey([other])

/**
 * Keeps a form with what is stored: what was changed in another tab or on a phone is taken over, unless something is being typed. That
 * stays as it is: saved, it is what was seen.
 * @param stored what the server has now
 * @param bodyOf what would be sent
 */
export function useFollowed<V extends Values>({ values, reset, busy }: Form<V>, stored: V, bodyOf: (values: V) => unknown) {
  const [begun, setBegun] = useState(stored)
  const [sent, kept, before] = [values, stored, begun].map(bodyOf)
  const changed = !same(sent, kept)
  const moved = !same(before, kept)
  const behind = moved && changed && !same(sent, before)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per change of what is stored
  useEffect(() => {
    if (!moved || behind) return
    setBegun(stored)
    if (changed) reset(stored)
  }, [moved, behind, changed])
  return {
    /** Something is not saved. */
    changed: changed && (behind || !moved),
    /** …and was begun on what is not stored any more. */
    behind: behind && !busy,
    /** Gives up what was typed. */
    takeOver: () => {
      setBegun(stored)
      reset(stored)
    },
  }
}
