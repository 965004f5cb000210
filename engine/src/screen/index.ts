// What the browser screens with on values that it has at hand.
export { markets } from '../market/index.ts'
export { type ChangeCause, changeCauses, type NamedCode, type ScreenedDay } from './change-cause.ts'
export type { CrossSection, DayFacts, SectionFactor, SectionSecurity } from './cross-section.ts'
export { IncrementalScreen } from './incremental-screen.ts'
export { leastCash } from './least-cash.ts'
export { type ScreenOutcome, type ScreenRequest, screen } from './screen.ts'
export { answerOf, type Screened } from './screened.ts'
export { sectionOfWire, type WireColumn } from './wire-section.ts'
