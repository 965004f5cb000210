import type { ComponentType } from 'react'

/** One part of the style guide. Every `./*.section.tsx` exports `sections` of these. */
export interface StyleguideSection {
  /** Its anchor. */
  key: string
  title: string
  Component: ComponentType
}

export interface SectionFile {
  sections: readonly StyleguideSection[]
}
