// isolated: stubs globals and loads modules anew
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../test/storage.ts'

// What earlier releases left in a browser, as their own stores wrote it, is read whole. A release that changes what is stored adds its own:
// `STORED=0.6.0 npx vitest run --project 'web isolated' web/src/state/stored-before.test.ts` writes web/test/stored/0.6.0.json.

const folder = resolve(import.meta.dirname, '../../test/stored')
const user_id = '01920000-0000-7000-8000-000000000001'
type Stored = Record<string, unknown>
const contents = (file: string): Stored => JSON.parse(readFileSync(resolve(folder, file), 'utf8'))
const all = (): Stored =>
  Object.fromEntries(
    Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '').map((key) => [
      key,
      JSON.parse(localStorage.getItem(key) ?? 'null'),
    ]),
  )

function browser(stored: Stored): void {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, memoryStorage())
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, JSON.stringify(value))
  vi.resetModules()
}

/** All that reads storage, in a browser that a release had been used in. */
async function opened(stored: Stored) {
  browser(stored)
  const { useAuth } = await import('./auth.ts')
  useAuth.setState({ userData: { user_id } as ReturnType<typeof useAuth.getState>['userData'] })
  const [
    shapes,
    strategies,
    held,
    confirmed,
    preferences,
    factors,
    favourites,
    recent,
    grids,
    form,
    binning,
    runs,
    names,
    checklist,
    kept,
  ] = await Promise.all([
    import('./shapes.ts'),
    import('./drafts.ts'),
    import('../features/current-list/current-list.ts'),
    import('../features/current-list/confirmed-lists.ts'),
    import('./preferences.ts'),
    import('../features/factors/drafts.ts'),
    import('../features/builder/factor-favourites.ts'),
    import('../features/palette/recent.ts'),
    import('../features/grid/kept-grid.ts'),
    import('../features/grid/grid-form.ts'),
    import('../features/binning/binning-form.ts'),
    import('../features/run/backtest-run-store.ts'),
    import('../features/run/backtest-run-names.ts'),
    import('../features/onboarding/checklist.ts'),
    import('../api/kept-factors.ts'),
  ])
  preferences.restorePreferences()
  // Names of before are read a moment later.
  await vi.waitFor(() => expect(strategies.useStrategies.getState().drafts).toMatchObject({ cb: {}, stk: {} }), { timeout: 15_000 })
  const { theme, collapsedSettings, qmtBasketExportSettings } = preferences.usePreferences.getState()
  return {
    leftOut: shapes.leftOut.count,
    drafts: strategies.useStrategies.getState().drafts,
    currentList: held.useCurrentLists.getState().lists,
    confirmed: confirmed.useConfirmedLists.getState().lists,
    factors: factors.useFactorDrafts.getState().drafts.cb,
    favourites: favourites.useFavourites.getState().keys,
    recent: recent.recentEntries(),
    cells: grids.keptGrid()?.answer.cells,
    axes: form.useGridForm.getState().axes,
    bins: binning.useBinningForms.getState().forms.cb.bins,
    run: runs.lastRequest('cb'),
    runName: names.runNameOf('r'),
    done: checklist.useChecklist.getState().done,
    offline: kept.keptFactors('cb'),
    looks: { theme, collapsedSettings, qmtBasketExportSettings },
  }
}

// The last grid of before names of factors had a version is computed anew (decisions/0116).
describe.each([
  ['05a66277.json', undefined],
  ['0.5.0.json', 2],
])('what release %s has stored', (file, cells) => {
  it('is read whole: nothing is left out or set aside', async () => {
    const stored = contents(file)
    const read = await opened(stored)
    expect(read.leftOut).toBe(0)
    expect(Object.keys(all()).filter((key) => key.startsWith('unread:'))).toEqual([])
    expect(read.drafts.cb).toMatchObject({ name: '经典双低', edited: true, saved: { version: 3 }, range: '5y' })
    expect(read.drafts.cb?.parameters).toMatchObject({ hold_method: { hold_range_end: 12 }, filter_factors: [{ value: Number.NaN }] })
    expect(read.drafts.stk?.name).toBe('小市值')
    expect([read.currentList, read.confirmed]).toEqual([stored['heldLists'], stored['confirmedLists']])
    expect([read.factors[0]?.name, read.favourites, read.recent.length]).toEqual(['动量', ['dblow'], 1])
    expect([read.cells?.length, read.axes.length, read.bins]).toEqual([cells, 1, 5])
    expect([read.run, read.runName, read.done, read.offline]).toEqual([stored['lastRun:cb'], '经典双低', ['list'], stored['factors:cb']])
    expect(read.looks).toEqual({
      theme: 'dark',
      collapsedSettings: { builder: true },
      qmtBasketExportSettings: { capital: 20, holdWeightType: 2 },
    })
  })
})

it('every file of a release is read above', () =>
  expect(globSync('*.json', { cwd: folder }).sort()).toEqual(['0.5.0.json', '05a66277.json']))

it.runIf(process.env['STORED'])('this release writes its file', async () => {
  browser({})
  vi.useFakeTimers()
  const { storeAll } = await import('../../test/store-all.ts')
  storeAll(user_id)
  vi.runAllTimers()
  vi.useRealTimers()
  expect(all()['factors:cb']).toBeDefined()
  writeFileSync(resolve(folder, `${process.env['STORED']}.json`), `${JSON.stringify(all(), null, 1)}\n`)
})
