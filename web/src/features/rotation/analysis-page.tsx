import type { ReactNode } from 'react'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { useFocusKept } from '../../ui/use-focus-kept.ts'
import { Footer } from '../legal/footer.tsx'
import { useDraft } from '../rule/use-draft.ts'
import { useGallery } from '../templates/gallery-state.ts'
import { LateGallery } from '../templates/late-gallery.tsx'
import '../../ui/analysis-page.css'

/** A page that looks closely at the draft and takes the whole width; the template gallery while there is no draft, or it is asked for. */
export function AnalysisPage({ children }: { children: (draft: Draft) => ReactNode }) {
  const { draft } = useDraft()
  const { id: kind } = useMarket()
  const gallery = useGallery()
  const choosing = !draft || gallery.shown === kind
  useFocusKept(choosing, 'h1')
  if (choosing) return <LateGallery onDone={gallery.hide} />
  return (
    <>
      <main id="main" className="analysis">
        {children(draft)}
      </main>
      <Footer />
    </>
  )
}
