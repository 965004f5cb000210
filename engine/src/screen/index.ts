export { type ScreenOutcome, type ScreenRequest, screen } from './screen.ts'
