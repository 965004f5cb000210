import { type ComponentProps, Suspense } from 'react'
import { lazyWithFallback } from '../../ui/lazy-with-fallback.ts'
import styles from './saving.module.css'
import type { StrategyChoices } from './strategy-choices.tsx'

const Lost = () => <p className="note">没有打开：页面资源加载失败，请检查网络后刷新页面。</p>
const Choices = lazyWithFallback(async () => (await import('./strategy-choices.tsx')).StrategyChoices, Lost)

/** What can be worked on, fetched when it is first looked for. */
export const LateChoices = (props: ComponentProps<typeof StrategyChoices>) => (
  <Suspense
    fallback={
      <div className={styles.choices} data-choices>
        <p className="note">正在读取…</p>
      </div>
    }
  >
    <Choices {...props} />
  </Suspense>
)
