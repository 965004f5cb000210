// What the browser screens with on values that it has at hand.
export { markets } from '../market/index.ts'
export { type ChangeCause, changeCauses, type NamedCode, type ScreenedDay } from './change-cause.ts'
export type { CrossSection } from './cross-section.ts'
export { IncrementalScreen } from './incremental-screen.ts'
export { leastCash } from './least-cash.ts'

export { sectionOfWire, type WireColumn } from './wire-section.ts'
