import { create } from 'zustand'
import type { TermKey } from './glossary.ts'

/** What the panel beside the page shows: help about the page, or the glossary, perhaps at one of its words. */
export type HelpView = { kind: 'screen' } | { kind: 'glossary'; term: TermKey | null }

export const useHelp = create<{ view: HelpView | null }>(() => ({ view: null }))

export const showHelp = (view: HelpView | null): void => useHelp.setState({ view })

/** The key and the button: opens help about the page, or closes the panel. */
export const toggleHelp = (): void => useHelp.setState(({ view }) => ({ view: view ? null : { kind: 'screen' } }))
