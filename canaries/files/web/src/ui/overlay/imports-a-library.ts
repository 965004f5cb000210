// allowed: the parts stand on the libraries
import { Dialog } from '@base-ui/react/dialog'

export const title = Dialog.Title
