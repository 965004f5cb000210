import { useSyncExternalStore } from 'react'

/** Theme of the charts: the tokens that a canvas needs, which cannot read CSS variables itself. */
export interface ChartTheme {
  text1: string
  text2: string
  text3: string
  surface: string
  line: string
  lineSoft: string
  sunken: string
  border: string
  brand: string
  bench: string
  up: string
  down: string
  oos: string
  oosTint: string
  warn: string
  /** Of lines that are neither strategy nor benchmark. */
  cat1: string
  cat2: string
  cat3: string
  cat4: string
  cat5: string
  cat6: string
  fonts: string
  /** The user asked for no motion. */
  still: boolean
}

const tokens = {
  text1: '--text-1',
  text2: '--text-2',
  text3: '--text-3',
  surface: '--bg-surface',
  line: '--line',
  lineSoft: '--line-soft',
  sunken: '--bg-sunken',
  border: '--border',
  brand: '--brand',
  bench: '--bench',
  up: '--up',
  down: '--down',
  oos: '--oos',
  oosTint: '--oos-tint',
  warn: '--warn',
  cat1: '--cat-1',
  cat2: '--cat-2',
  cat3: '--cat-3',
  cat4: '--cat-4',
  cat5: '--cat-5',
  cat6: '--cat-6',
  fonts: '--sans',
} as const

const stillness = () => window.matchMedia('(prefers-reduced-motion: reduce)')

function readLook(): ChartTheme {
  const style = getComputedStyle(document.documentElement)
  const colours = Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, inFull(style.getPropertyValue(token).trim())]))
  return {
    ...(colours as Record<keyof typeof tokens, string>),
    still: stillness().matches || document.documentElement.dataset.motion === 'reduced',
  }
}

/** Expands `#fff`, to which the build shortens `#FFFFFF`: colour mixing needs six digits. */
export const inFull = (colour: string): string =>
  /^#[\da-f]{3,4}$/i.test(colour) ? `#${[...colour.slice(1)].map((digit) => digit + digit).join('')}` : colour

let current: ChartTheme | null = null

const listeners = new Set<() => void>()
let stop: (() => void) | null = null

/** One observer for all charts: it keeps `current` fresh also for one mounted while the theme changes (printing a dark page). */
function follow(changed: () => void): () => void {
  listeners.add(changed)
  stop ??= watch()
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0) return
    stop?.()
    stop = null
    current = null
  }
}

function watch(): () => void {
  const again = () => {
    current = readLook()
    for (const changed of listeners) changed()
  }
  const observer = new MutationObserver(again)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-rise', 'data-motion'] })
  const motion = stillness()
  motion.addEventListener('change', again)
  return () => {
    observer.disconnect()
    motion.removeEventListener('change', again)
  }
}

/** The current chart theme; changes with the theme of the site. */
export const useChartTheme = (): ChartTheme => useSyncExternalStore(follow, () => (current ??= readLook()))

/** `#1f5fbf` with an alpha of 0–1. */
export const faded = (colour: string, alpha: number): string =>
  `${colour.slice(0, 7)}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`
