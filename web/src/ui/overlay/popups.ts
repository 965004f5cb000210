// One late file for what stands at a button or a mark: all are fetched when the browser is idle, and share most of the library's code.
export { MenuPopup } from './menu-popup.tsx'
export { PopoverPanel } from './popover-panel.tsx'
export { TipPanel } from './tip-panel.tsx'
