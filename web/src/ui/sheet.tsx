import { lateOverlay } from './late-overlay.tsx'
import { Lost } from './lazy-dialog.ts'

export const Sheet = lateOverlay(async () => (await import('./overlay/modals.ts')).Sheet, Lost)
