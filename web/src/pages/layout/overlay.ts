import { create } from 'zustand'

/** What may stand above a page at the layout's word: one at a time. */
export type Overlay = 'palette' | 'sheet'

export const useOverlay = create<{ shown: Overlay | null }>(() => ({ shown: null }))
export const showOverlay = (shown: Overlay | null): void => useOverlay.setState({ shown })
