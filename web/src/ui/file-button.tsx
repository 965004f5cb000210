import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { keepsFiles } from './keeps-files.ts'

/** A button that hands out a file; nothing where files cannot be kept. */
export const FileButton = (given: ComponentProps<typeof Button>) => (keepsFiles() ? <Button {...given} /> : null)
