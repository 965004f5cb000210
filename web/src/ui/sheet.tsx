export { Sheet } from './overlay/late-parts.ts'
