import { type ComponentType, useEffect } from 'react'
import { lazyWithFallback } from './lazy-with-fallback.ts'
import { toast } from './toast.tsx'

interface Closed {
  onClose: () => void
}

/** A dialog whose code is fetched when it is opened: where it does not come, that is said and it is closed again. */
export const lazyDialog = <P extends Closed>(fetch: () => Promise<ComponentType<P>>) => lazyWithFallback(fetch, Lost)

/** Stands in the place of a dialog whose code did not come: says so, and closes it. */
export function Lost({ onClose }: Closed) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    toast.error('没有打开：页面资源加载失败，请检查网络后刷新页面')
    onClose()
  }, [])
  return null
}
