import { create } from 'zustand'
import { local } from '../../state/storage.ts'

const key = 'factorFavourites'

/** Factors that this browser's user starred, by key; the same for both markets where they have the same key. */
export const useFavourites = create<{ keys: readonly string[]; toggle(factor: string): void }>((set, get) => ({
  keys: local.read<string[]>(key) ?? [],
  toggle(factor) {
    const { keys } = get()
    const next = keys.includes(factor) ? keys.filter((one) => one !== factor) : [...keys, factor]
    local.write(key, next)
    set({ keys: next })
  },
}))
