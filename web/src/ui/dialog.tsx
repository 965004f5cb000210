import { lateOverlay } from './late-overlay.tsx'
import { Lost } from './lazy-dialog.ts'

export const Dialog = lateOverlay(async () => (await import('./overlay/modals.ts')).Dialog, Lost)
