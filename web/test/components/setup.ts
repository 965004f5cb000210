import { beforeEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import '../../src/tokens.css'
import '../../src/ui/base.css'
import '../../src/ui/layout.css'
import '../../src/ui/buttons.css'
import '../../src/ui/controls.css'
import '../../src/ui/marks.css'
import '../../src/ui/frames.css'
import '../../src/ui/tables.css'
import '../../src/ui/states.css'

/** What every component test takes for now. */
const now = new Date('2026-10-12T10:00:00+08:00')

document.documentElement.lang = 'zh-CN'

beforeEach(async () => {
  // React and the parts under test wait by real timers; only the date stands still.
  vi.useFakeTimers({ now, toFake: ['Date'] })
  await cleanup()
  localStorage.clear()
  document.documentElement.dataset['theme'] = 'light'
  await page.viewport(1280, 800)
})
