import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { queries } from '../../src/api/query-cache.ts'
import { Toasts } from '../../src/ui/toast.tsx'

/** What stands around every part of the product: the query cache, an address, and toasts. */
export const App = ({ children, at = '/' }: { children: ReactNode; at?: string }) => (
  <QueryClientProvider client={queries}>
    <MemoryRouter initialEntries={[at]}>{children}</MemoryRouter>
    <Toasts />
  </QueryClientProvider>
)
