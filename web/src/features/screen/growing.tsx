import { type ReactNode, useEffect, useRef, useState } from 'react'
import { count } from '../../base/format.ts'
import { Button } from '../../ui/button.tsx'
import styles from './screen-cards.module.css'

/** Rows that are added at once, and how many come by themselves: the page's foot must stay within a finger's reach. */
const step = 50
const byItself = 300

/** A long list on a phone: it grows as its end comes near, later when asked to. `more` stands behind the rows. */
export function useGrowing(length: number): { most: number; more: ReactNode } {
  const [most, setMost] = useState(step)
  const end = useRef<HTMLParagraphElement>(null)
  const grows = length > most && most < byItself
  // biome-ignore lint/correctness/useExhaustiveDependencies: watched anew after each step, as the end may still be in sight
  useEffect(() => {
    const mark = end.current
    if (!mark || !grows) return
    const watch = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setMost((before) => before + step),
      {
        rootMargin: '800px',
      },
    )
    watch.observe(mark)
    return () => watch.disconnect()
  }, [grows, most])
  const next = Math.min(step, length - most)
  return {
    most,
    more: next > 0 && (
      <p className={styles.screenCardsMore} ref={end}>
        <Button look={['wide']} onClick={() => setMost(most + step)}>
          再显示 {next} 只，共 {count(length)} 只
        </Button>
      </p>
    ),
  }
}
