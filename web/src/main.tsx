import './state/restore.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './api/query-cache.ts'
import { App } from './app.tsx'
import { toastFailures } from './failure-toasts.ts'
import { isChunkComing, watchStyles } from './pages/chunk.ts'
import { ErrorBoundary } from './pages/error-boundary.tsx'
import { loadAhead } from './pages/load.ts'
import { followOtherTabs } from './state/auth.ts'
import { fingerprint } from './state/fingerprint.ts'
import { applyLook, followOtherPreferences } from './state/preferences.ts'
import { onStorageTrouble } from './state/storage.ts'
import { prefetchBy } from './ui/prefetch.ts'
import './tokens.css'
import './ui/base.css'
import './ui/layout.css'
import './ui/buttons.css'
import './ui/controls.css'
import './ui/marks.css'
import './ui/frames.css'
import './ui/tables.css'
import './ui/states.css'

// Login and preferences have been read from storage by the first import, drafts are on their way.
applyLook()
followOtherTabs()
followOtherPreferences()
toastFailures()
// The sentences are loaded only when there is something to report.
onStorageTrouble((what, key, error) => void import('./storage-toasts.ts').then((toasts) => toasts[what](key, error)).catch(() => {}))
prefetchBy(loadAhead, () => isChunkComing() || queries.isFetching() > 0)
watchStyles()
console.info(fingerprint())

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      {/* What is around the pages may break too. */}
      <ErrorBoundary at="">
        <App />
      </ErrorBoundary>
    </StrictMode>,
  )
