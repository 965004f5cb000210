export { Drawer } from './overlay/late-parts.ts'
