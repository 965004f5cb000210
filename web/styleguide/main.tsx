import '../src/state/restore.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { queries } from '../src/api/query-cache.ts'
import { applyLook, followOtherPreferences } from '../src/state/preferences.ts'
import { Toasts } from '../src/ui/toast.tsx'
import { StyleguidePage } from './styleguide-page.tsx'
import '../src/tokens.css'
import '../src/ui/base.css'
import '../src/ui/layout.css'
import '../src/ui/buttons.css'
import '../src/ui/controls.css'
import '../src/ui/marks.css'
import '../src/ui/frames.css'
import '../src/ui/tables.css'
import '../src/ui/states.css'

// The style guide's own entry: `styleguide.html` of the development server. No build of the product has it.
applyLook()
followOtherPreferences()

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <BrowserRouter useTransitions={false}>
          <StyleguidePage />
          <Toasts />
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>,
  )
