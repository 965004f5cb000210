import { lateOverlay } from '../late-overlay.tsx'
import { Lost } from '../lazy-dialog.ts'

// In one file: each that asks for code carries the names of all files which that code needs, and these need the same.

export const Dialog = lateOverlay(async () => (await import('./modals.ts')).Dialog, Lost)
export const Drawer = lateOverlay(async () => (await import('./modals.ts')).Drawer, Lost)
export const Sheet = lateOverlay(async () => (await import('./modals.ts')).Sheet, Lost)
export const MenuPopup = lateOverlay(async () => (await import('./popups.ts')).MenuPopup, Lost)
export const PopoverPanel = lateOverlay(async () => (await import('./popups.ts')).PopoverPanel, Lost)
export const CalendarPopup = lateOverlay(async () => (await import('../form/calendar-popup.tsx')).CalendarPopup, Lost)
/** Words at a mark that is hovered, focused or tapped. Where its code does not come there are none: a reader has them from the mark itself. */
export const Tip = lateOverlay(async () => (await import('./popups.ts')).TipPanel)

/** The code of fields that have a place of their own until it is there. */
export const fetchCombobox = async () => (await import('../form/combobox-field.tsx')).Combobox
export const fetchMultiSelect = async () => (await import('../form/multi-select-field.tsx')).MultiSelect
