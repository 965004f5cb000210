import { type ReactNode, useState } from 'react'
import { Footer } from '../pages/layout/footer.tsx'
import type { Draft } from '../state/strategies.ts'
import { useFocusKept } from '../ui/use-focus-kept.ts'
import { TemplateGallery } from './templates/template-gallery.tsx'
import { useDraft } from './use-draft.ts'
import './analysis-page.css'

/** A page that looks closely at the draft and takes the whole width; the template gallery while there is no draft. */
export function AnalysisPage({ children }: { children: (draft: Draft) => ReactNode }) {
  const { draft } = useDraft()
  const [, done] = useState(0)
  useFocusKept(draft === null, 'h1')
  if (!draft) return <TemplateGallery onDone={() => done((times) => times + 1)} />
  return (
    <>
      <main id="main" className="analysis">
        {children(draft)}
      </main>
      <Footer />
    </>
  )
}
