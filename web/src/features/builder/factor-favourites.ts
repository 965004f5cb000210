import { create } from 'zustand'
import { eachOf, text } from '../../state/shapes.ts'
import { onOwnChange, userStorage } from '../../state/user-storage.ts'

const key = 'factorFavourites'
const stored = (): readonly string[] => userStorage.read(key, eachOf(text)) ?? []

/** Factors that their user starred in this browser, by key; the same for both markets where they have the same key. */
export const useFavourites = create<{ keys: readonly string[]; toggle(factor: string): void }>((set, get) => ({
  keys: stored(),
  toggle(factor) {
    const { keys } = get()
    const next = keys.includes(factor) ? keys.filter((one) => one !== factor) : [...keys, factor]
    userStorage.write(key, next)
    set({ keys: next })
  },
}))

onOwnChange(key, () => useFavourites.setState({ keys: stored() }))
