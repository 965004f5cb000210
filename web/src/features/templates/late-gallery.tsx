import { lazy, Suspense } from 'react'

/** With a draft it is seldom opened. */
const TemplateGallery = lazy(async () => ({ default: (await import('./template-gallery.tsx')).TemplateGallery }))

/** The template gallery, whose code comes when it is shown. */
export const LateGallery = ({ onDone }: { onDone: () => void }) => (
  <Suspense fallback={<main className="gallery" id="main" aria-busy="true" />}>
    <TemplateGallery onDone={onDone} />
  </Suspense>
)
