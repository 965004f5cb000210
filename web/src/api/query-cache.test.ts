import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { CallError, messages } from './messages.ts'
import { queries } from './query-cache.ts'

afterEach(() => {
  onlineManager.setOnline(true)
  queries.clear()
})

it('a question that is asked offline fails and is told, it does not wait in silence', async () => {
  onlineManager.setOnline(false)
  const queryFn = () => Promise.reject(new CallError('network', messages.network))
  await expect(queries.fetchQuery({ queryKey: ['any'], queryFn, retry: false })).rejects.toThrow('网络连接失败，请检查网络')
})
