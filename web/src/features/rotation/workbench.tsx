import { lazy, Suspense, useLayoutEffect } from 'react'
import { isPhone, usePhone } from '../../base/use-phone.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Stack } from '../../ui/layout.tsx'
import { useFocusKept } from '../../ui/use-focus-kept.ts'
import { Builder } from '../builder/builder.tsx'
import type { WorkbenchProps } from '../builder/workbench-props.ts'
import { useDraft } from '../rule/use-draft.ts'
import { useGallery } from '../templates/gallery-state.ts'
import { LateGallery } from '../templates/late-gallery.tsx'
import styles from './workbench.module.css'

const phoneCode = () => import('./phone-workbench.tsx')
const PhoneWorkbench = lazy(async () => ({ default: (await phoneCode()).PhoneWorkbench }))
// On a phone it is needed at once: loaded in parallel with the page's own code.
if (isPhone()) void phoneCode().catch(() => {})

/** The builder at the left, a page's result at the right; the template gallery while there is no draft. */
export function Workbench({ children, ...given }: WorkbenchProps) {
  const { draft } = useDraft()
  const { id: kind } = useMarket()
  const gallery = useGallery()
  const choosing = !draft || gallery.shown === kind
  const browse = () => gallery.show(kind)
  // From the gallery to the strategy and back the page begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per change of what is shown
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
  }, [choosing])
  useFocusKept(choosing, 'h1')
  const phone = usePhone()
  if (choosing) return <LateGallery onDone={gallery.hide} />
  if (phone)
    return (
      <Suspense fallback={<main className="workbench" id="main" aria-busy="true" />}>
        <PhoneWorkbench draft={draft} onGallery={browse} {...given}>
          {children}
        </PhoneWorkbench>
      </Suspense>
    )
  return (
    <main className="workbench" id="main">
      <Builder draft={draft} onGallery={browse} {...given} />
      <Stack gap={12} className={styles.workbenchResult}>
        {children}
      </Stack>
    </main>
  )
}
