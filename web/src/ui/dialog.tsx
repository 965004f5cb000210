export { Dialog, Drawer, Sheet } from './overlay/late-parts.ts'
