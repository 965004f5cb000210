import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { useQuery } from '@tanstack/react-query'
import { strategyListQuery } from '../../api/queries.ts'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { ErrorBlock } from '../../ui/states.tsx'
import { TemplateChoices } from '../templates/template-choices.tsx'
import { DraftChoices } from './draft-choices.tsx'
import styles from './saving.module.css'
import { useOpenStrategy } from './use-open-strategy.ts'

/** What can be worked on: the saved strategies, newest first, and the templates. */
export function StrategyChoices({ draft, onChosen, onGallery }: { draft: Draft | null; onChosen: () => void; onGallery: () => void }) {
  const { id: kind } = useMarket()
  const list = useQuery(strategyListQuery(kind))
  const open = useOpenStrategy()
  const saved: readonly StrategyListItem[] = list.data?.list_items ?? []
  return (
    <div className={styles.choices} data-choices>
      <DraftChoices draft={draft} onChosen={onChosen} />
      <h3>我的策略 {saved.length > 0 && <small>{saved.length}</small>}</h3>
      {list.error && <ErrorBlock error={list.error} onRetry={() => list.refetch()} />}
      {saved.length === 0 && !list.error && <p className="note">{list.isFetching ? '正在读取…' : '保存后的策略会列在这里。'}</p>}
      <div className={styles.choicesList}>
        {[...saved]
          .sort((a, b) => b.updated_at.localeCompare(a.updated_at))
          .map(({ id, strategy_name: name, updated_at, tags }) => (
            <button
              type="button"
              className="menu-item"
              key={id}
              aria-current={draft?.saved?.id === id ? 'true' : undefined}
              onClick={() => {
                onChosen()
                void open(id)
              }}
            >
              <span className={styles.choiceName}>{name}</span>
              {tags.slice(0, 2).map((tag) => (
                <span className="tag" key={tag}>
                  {tag}
                </span>
              ))}
              <span className="grow" />
              <small>{updated_at.slice(0, 10)}</small>
            </button>
          ))}
      </div>
      <hr />
      <h3>模板</h3>
      <TemplateChoices draft={draft} onChosen={onChosen} onGallery={onGallery} />
    </div>
  )
}
