// biome lint/style/noRestrictedImports: pages import the parts of ui, not their libraries
import { Dialog } from '@base-ui/react/dialog'

export const title = Dialog.Title
