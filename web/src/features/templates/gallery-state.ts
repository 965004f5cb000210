import type { MarketId } from '@convexa/contract/enums/market'
import { create } from 'zustand'

/** Whether a market's template gallery covers its workbench: asked for from the header, the builder and the phone's sheet. */
export const useGallery = create<{ shown: MarketId | null; show(kind: MarketId): void; hide(): void }>((set) => ({
  shown: null,
  show: (kind) => set({ shown: kind }),
  hide: () => set({ shown: null }),
}))
