// What compat.mjs finds and lets pass, with why. A name that is found no more is to be taken out: the test says so.

/** Brought by web/src/browser/polyfills.ts: start.js fetches it for the page where one is missing, a worker imports it. */
export const filled = ['AbortSignal.any', 'URL.canParse', '.toReversed()', '.toSorted()']

const reasons = [
  [
    'a method of a library or of ours with a name that the platform uses elsewhere',
    ['.addElement()', '.capture()', '.delay()', '.dispose()', '.drop()', '.getName()', '.install()', '.lock()', '.resize()'],
    ['.scrollMargin()', '.side()', '.sync()', '.toArray()', '.union()', '.when()'],
  ],
  [
    'the editor asks whether it is there before it calls it (CodeMirror)',
    ['.getComposedRanges()', 'EditContext', 'cancelIdleCallback', 'navigator.scheduling'],
  ],
  [
    'React asks whether it is there, or uses it for transitions that we have none of',
    ['.startViewTransition()', 'navigation', 'navigation.currentEntry', 'navigation.navigate', 'navigation.transition', 'setImmediate'],
  ],
  ['the human check asks whether it is there (altcha)', ['navigator.deviceMemory', 'trustedTypes']],
  ['asked for before it is used', ['Error.captureStackTrace', 'SharedArrayBuffer', 'navigator.connection', 'requestIdleCallback']],
  ['what opens asks whether it is there, and measures without it (Base UI)', ['.checkVisibility()', ':popover-open']],
  [
    'a dropped file is read without it (file-selector); a chosen one never asks for it (react-dropzone)',
    ['.getAsFileSystemHandle()', 'showOpenFilePicker'],
  ],
  ['the virtual rows ask for it, and wait for the last scroll event without it', ['event scrollend']],
  [
    'touch and wheel of devices that have none of it; asking before leaving is the browser’s own on iOS',
    ['event touchcancel', 'event touchend', 'event touchmove', 'event touchstart', 'event wheel', 'event beforeunload'],
  ],
  ['no pointer and no corner to pull on a phone', ['cursor: *', 'resize', 'resize: *']],
  [
    'each engine has its own name for the parts of a slider',
    ['::-moz-range-thumb', '::-moz-range-track', '::-webkit-slider-runnable-track', '::-webkit-slider-thumb'],
  ],
  ['an @supports block gives plain columns where it is missing', ['grid-template-columns: subgrid']],
  [
    'looks only: without it lines break, bars, corners and gaps are drawn as the browser does',
    ['contain-intrinsic-size', 'content-visibility', 'content-visibility: auto', 'rx', 'scrollbar-width', 'scrollbar-width: *'],
    ['text-autospace', 'text-autospace: normal', 'text-decoration: dotted', 'text-decoration: wavy', 'text-wrap', 'text-wrap: *'],
  ],
  [
    'print only: margins, breaks and colours are those of the print dialog',
    ['@page', 'break-after: avoid', 'print-color-adjust: exact', 'size'],
  ],
]

const why = new Map(reasons.flatMap(([reason, ...names]) => names.flat().map((name) => [name, reason])))
for (const name of filled) why.set(name, 'filled in')

export const guardedNames = [...why.keys()]

/** The guard's name and reason, null for what nothing guards. */
export function guardOf(name) {
  const guard = why.has(name) ? name : guardedNames.find((one) => one.endsWith('*') && name.startsWith(one.slice(0, -1)))
  return guard ? { guard, why: why.get(guard) } : null
}
