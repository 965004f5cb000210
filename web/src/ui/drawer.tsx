import { lateOverlay } from './late-overlay.tsx'
import { Lost } from './lazy-dialog.ts'

export const Drawer = lateOverlay(async () => (await import('./overlay/modals.ts')).Drawer, Lost)
