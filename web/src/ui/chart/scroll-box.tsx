import type { ReactNode } from 'react'

/** What scrolls inside itself and has nothing to focus: the box is a stop of the keyboard, so that its arrows can scroll it. */
export const ScrollBox = ({ label, className, children }: { label: string; className: string | undefined; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
  <section className={className} aria-label={label} tabIndex={0}>
    {children}
  </section>
)
