export { Dialog } from './overlay/late-parts.ts'
