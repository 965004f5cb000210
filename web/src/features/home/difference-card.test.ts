import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { DifferenceCard } from './difference-card.tsx'
import type { OwnStrategy } from './todos.ts'

const bond = (code: string) => ({ code, name: `债${code}` })
const strategy = {
  ...{ kind: 'cb', id: 's', strategy_name: '双低', updated_at: '2026-11-20T16:00:00+08:00' },
  glance: {
    as_of: '2026-11-20',
    list_items: [bond('1'), bond('2'), bond('3')].map((one, i) => ({ ...one, rank: i + 1, weight: 1 / 3 })),
    diff: { added: [bond('3')], removed: [bond('9')] },
  },
} as unknown as OwnStrategy

test('the home page tells a difference from what it has: no screen is asked for', () => {
  const client = new QueryClient()
  const card = createElement(DifferenceCard, { strategy, onMore: () => {} })
  const text = renderToStaticMarkup(createElement(MemoryRouter, null, createElement(QueryClientProvider, { client }, card))).replace(
    /<[^>]+>/g,
    ' ',
  )
  expect(text).toContain('重合 2/3')
  expect(text).toMatch(/移出\s+1\s+债9\s+9\s+新进\s+1\s+债3\s+3/)
  expect(client.getQueryCache().getAll()).toEqual([])
})
