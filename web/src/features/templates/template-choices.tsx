import type { Template } from '@convexa/contract/reference'
import { useQuery } from '@tanstack/react-query'
import { strategyOptionsQuery } from '../../api/queries.ts'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { useTemplate } from './use-template.ts'

/** What a strategy can be begun from, in a menu. */
export function TemplateChoices({ draft, onChosen, onGallery }: { draft: Draft | null; onChosen: () => void; onGallery: () => void }) {
  const { id: kind } = useMarket()
  const { data: options } = useQuery(strategyOptionsQuery)
  const start = useTemplate()
  const templates = (options?.templates ?? []).filter((template) => template.kind === kind)
  const begun = draft && !draft.saved && !draft.edited ? draft.name : null
  const use = (template: Template | null) => {
    start(template)
    onChosen()
  }
  return (
    <>
      <div className="template-choices">
        {templates.map((template) => (
          <button
            type="button"
            className="menu-item"
            key={template.key}
            title={template.rule}
            aria-current={begun === template.name ? 'true' : undefined}
            onClick={() => use(template)}
          >
            {template.name}
          </button>
        ))}
      </div>
      <hr />
      <button type="button" className="menu-item" onClick={() => use(null)}>
        从空白开始
      </button>
      <button
        type="button"
        className="menu-item"
        onClick={() => {
          onChosen()
          onGallery()
        }}
      >
        浏览全部模板
      </button>
    </>
  )
}
