import { lateOverlay } from '../late-overlay.tsx'

/** Words at a mark that is hovered, focused or tapped. Where its code does not come there are none: a reader has them from the mark itself. */
export const Tip = lateOverlay(async () => (await import('./tip-panel.tsx')).TipPanel)
