// What a browser loads for each page: its own module and the frames that it stands in. Budgets and chunks are both made from it.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** The modules of the pages, as `pages/load.ts` loads them. */
export const pages: readonly string[] = [
  ...readFileSync(new URL('../src/pages/load.ts', import.meta.url), 'utf8').matchAll(/import\('([^']+)'\)/g),
].map(([, path = '']) => posix.join('src/pages', path))

/** The frames that a page of this folder or name stands in; what is named by none is counted with the main layout. */
const layout = 'src/pages/layout/main-layout.tsx'
const personal = [layout, 'src/features/account/personal/personal-page.tsx']
const frames: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^account\/(?!personal\/)|^legal\/|^site-status\//, []],
  [/^account\/personal\/|^strategy\/(strategies|group-strategies|backtest-history)-page|^vip\/subscription-page/, personal],
  [/^qmt\//, [layout, 'src/features/qmt/qmt-page.tsx']],
  [/^rotation\//, [layout, 'src/features/rotation/rotation-page.tsx']],
]

/** A page by its feature and file. */
export const pageName = (page: string): string => page.replace(/^src\/(?:features\/)?|\.tsx?$/g, '')

/** The modules around a page, outermost first. */
export const framesOf = (page: string): readonly string[] => frames.find(([isOf]) => isOf.test(pageName(page)))?.[1] ?? [layout]
