import type { Kind } from '@convexa/contract/market'
import { create } from 'zustand'

/** Whether a market's template gallery covers its workbench: asked for from the header, the builder and the phone's sheet. */
export const useGallery = create<{ shown: Kind | null; show(kind: Kind): void; hide(): void }>((set) => ({
  shown: null,
  show: (kind) => set({ shown: kind }),
  hide: () => set({ shown: null }),
}))
